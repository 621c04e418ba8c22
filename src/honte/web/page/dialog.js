// Dialogs: a heading, a way out, and the focus back where it was.

import { el } from "./dom.js";
import { t } from "./words.js";

/** A dialog titled by the phrase `title`; it leaves the page when it closes. */
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

/** Whether a dialog has the page: it is open, or busy with what it is to show. One that has been
 * closed stays in the document until its `close` event, and has nothing to say any more. */
export const dialogOpen = () => document.querySelector("dialog[open], dialog[aria-busy=true]") !== null;
