// Number formats, and redrawing when the width changes. Every module that draws figures needs their
// phrases too, so they are added here.

import { addWords } from "./words.js";
import { more } from "./words_more.js";

addWords(more);

export const whole = (n) => Math.round(n).toLocaleString("en").replaceAll(",", "\u202f");

export function signed(x, digits = 2) {
  const text = Math.abs(x).toFixed(digits);
  return (Number(text) === 0 ? "" : x < 0 ? "−" : "+") + text;
}

export function duration(seconds) {
  const s = Math.max(0, Math.round(seconds));
  if (s < 100) return `${s} s`;
  if (s < 6000) return `${Math.round(s / 60)} min`;
  return `${Math.floor(s / 3600)} h ${Math.round((s % 3600) / 60)} min`;
}

/** Call `draw(width)` now and whenever the element's width changes. */
export function onWidth(element, draw) {
  let last = -1;
  const observer = new ResizeObserver(() => {
    const width = Math.floor(element.clientWidth);
    if (width && width !== last) draw((last = width));
  });
  observer.observe(element);
  return () => observer.disconnect();
}

/** Make these nodes the children, in this order; the focused one is not moved, so it keeps the focus. */
export function arrange(parent, nodes) {
  const kept = new Set(nodes);
  for (const child of [...parent.children]) if (!kept.has(child)) child.remove();
  let at = parent.firstChild;
  for (const node of nodes) {
    if (node.contains(document.activeElement) && node.parentNode === parent)
      while (at !== node) {
        const next = at.nextSibling;
        parent.append(at); // its turn comes later
        at = next;
      }
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
}
