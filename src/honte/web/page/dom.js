// Create elements in one call. Text is set by textContent only, so names and comments are never markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, settings, children) {
  for (const [key, value] of Object.entries(settings)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** An HTML element: el("button", {id: "undo", onclick: f}, "Undo"). */
export const el = (tag, settings = {}, ...children) =>
  fill(document.createElement(tag), settings, children);

/** An SVG element. */
export const svg = (tag, settings = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), settings, children);

export const byId = (id) => document.getElementById(id);

/** Whether the user prefers reduced motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Read and write localStorage; without access to it nothing is remembered. */
export const memory = {
  get(key, otherwise = null) {
    try {
      const text = localStorage.getItem(`honte.${key}`);
      return text === null ? otherwise : JSON.parse(text);
    } catch {
      return otherwise;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`honte.${key}`, JSON.stringify(value));
      return true;
    } catch {
      return false; // private window or full disk: the address still holds the game
    }
  },
  remove(key) {
    try {
      localStorage.removeItem(`honte.${key}`);
    } catch {
      // Nothing was stored.
    }
  },
};
