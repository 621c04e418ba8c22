// Dialogs: a heading, a close button, and the focus restored afterwards.

import { el } from "./dom.js";
import { t } from "./words.js";

/** A dialog titled by the phrase `title`; it is removed from the page when it closes. */
export function dialog(title, body, { onclose = () => {}, wide = false } = {}) {
  const before = document.activeElement;
  const name = `dialog-${title}`;
  const box = el("dialog", { class: wide ? "wide" : "", "aria-labelledby": name },
    el("div", { class: "dialog-head" },
      el("h2", { id: name, text: t(title) }),
      el("button", { class: "quiet icon close", "aria-label": t("close"), onclick: () => box.close(), text: "✕" })),
    body);
  box.addEventListener("close", () => {
    box.remove();
    onclose();
    if (before?.isConnected) before.focus();
  });
  box.addEventListener("click", (event) => event.target === box && box.close());
  document.body.append(box);
  return box;
}

/** Whether a dialog is open, or busy loading its content. A closed one stays in the document until its
 * `close` event, and no longer counts. */
export const dialogOpen = () => document.querySelector("dialog[open], dialog[aria-busy=true]") !== null;
