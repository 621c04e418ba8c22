// Games in and out: opening, sharing, saving; and the keys explained.

import { el } from "./dom.js";
import { dialog } from "./dialog.js";
import { t } from "./words.js";

const SMALL = 12_000; // characters that surely fit one frame of the socket
const FORMS = { othello: ["ggf", "text"], go: ["sgf", "text"] };

/** Ask the server to read a game; long ones go by POST, as frames are small. */
async function read(socket, fields) {
  if (JSON.stringify(fields).length < SMALL) return socket.request("load", fields);
  const token = new URLSearchParams(location.search).get("token");
  const query = token ? `?token=${encodeURIComponent(token)}` : "";
  const answer = await fetch(`/load${query}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fields),
  });
  const found = await answer.json();
  if (found.error || !answer.ok) throw new Error(found.error ?? answer.statusText);
  return found;
}

/** A dialog to open a game; `onOpen(game)` gets the one chosen. */
export function openGame({ socket, games, spec, onOpen }) {
  const text = el("textarea", { id: "load-text", rows: 7, spellcheck: "false", "aria-label": t("loadText") });
  const words = el("p", { class: "trouble", role: "alert" });
  const list = el("ul", { class: "found" });
  const kind = el("select", { id: "load-as" }, el("option", { value: "", text: t("loadAuto") }),
    ...games.map((name) => el("option", { value: name, text: t(name) })));
  const name = el("span", { class: "faint" });
  const file = el("input", { type: "file", id: "load-file", class: "unseen", onchange: async () => {
    const [chosen] = file.files;
    name.textContent = chosen?.name ?? "";
    if (chosen) text.value = await chosen.text();
  } });
  const take = (game) => {
    box.close();
    onOpen(game);
  };
  const submit = async (event) => {
    event.preventDefault();
    words.textContent = "";
    list.replaceChildren();
    const fields = { text: text.value };
    // Bare columns or squares do not say how large their board is: the board on the page does.
    if (kind.value) fields.game = spec.split(":")[0] === kind.value ? spec : kind.value;
    try {
      const { games: found, more } = await read(socket, fields);
      if (found.length === 1) return take(found[0]);
      words.textContent = t("loadMany", { n: found.length + (more ?? 0) });
      list.replaceChildren(...found.map((game, i) => el("li", {}, el("button", {
        type: "button", onclick: () => take(game),
        text: `${i + 1}. ${(game.players ?? []).filter(Boolean).join(" – ")} ${game.result ?? ""} (${game.moves.length})`,
      }))));
    } catch (error) {
      words.textContent = t("loadFailed", { why: error.message });
    }
  };
  const form = el("form", { class: "stack", onsubmit: submit },
    el("p", { class: "faint", text: t("loadHint") }), text,
    el("div", { class: "fields" },
      // The browser's own field speaks the browser's language and cannot be told another.
      el("label", { class: "button file" }, el("span", { text: t("loadFile") }), file), name,
      el("label", { class: "field" }, el("span", { text: t("loadAs") }), kind)),
    words, list,
    el("div", { class: "dialog-actions" }, el("button", { type: "submit", id: "load-go", class: "primary", text: t("loadGo") })));
  const box = dialog("loadTitle", form);
  box.showModal();
  text.focus();
}

/** A dialog with a link to the game and the game as text. */
export function shareGame({ socket, session }) {
  const link = `${location.origin}${location.pathname}${session.address()}`;
  const address = el("input", { id: "share-link", type: "text", readonly: true, value: link, "aria-label": t("shareLink") });
  const copy = el("button", { type: "button", id: "share-copy", text: t("copy"), onclick: async () => {
    address.select();
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      document.execCommand("copy"); // pages on plain http off loopback have no clipboard
    }
    copy.textContent = t("copied");
  } });
  const forms = FORMS[session.kind] ?? ["text"];
  const form = el("select", { id: "export-as", onchange: () => fetchText() },
    ...forms.map((name) => el("option", { value: name, text: name === "text" ? "Text" : name.toUpperCase() })));
  const text = el("textarea", { id: "export-text", rows: 6, readonly: true, "aria-label": t("exportAs") });
  const save = el("button", { type: "button", id: "export-save", class: "primary", text: t("download"), onclick: () => {
    const blob = URL.createObjectURL(new Blob([text.value], { type: "text/plain" }));
    el("a", { href: blob, download: `honte-${session.kind}.${form.value === "text" ? "txt" : form.value}` }).click();
    setTimeout(() => URL.revokeObjectURL(blob), 1000);
  } });
  const fetchText = async () => {
    try {
      const answer = await socket.request("export", { ...session.position(session.moves.length), as: form.value });
      text.value = answer.text;
    } catch (error) {
      text.value = error.message;
    }
    save.disabled = !text.value;
  };
  fetchText();
  const box = dialog("exportTitle", el("div", { class: "stack" },
    el("label", { class: "field" }, el("span", { text: t("shareLink") }), address, copy),
    el("label", { class: "field" }, el("span", { text: t("exportAs") }), form),
    text, el("div", { class: "dialog-actions" }, save)));
  box.showModal();
}

const KEYS = [
  ["← ↑ ↓ →", "helpArrows"], ["Enter", "helpPlay"], ["1 … 9 a … g", "helpDigits"], ["b", "helpFocus"], ["u  r", "helpUndo"],
  ["p", "helpPass"], ["n", "helpNew"], ["a  i", "helpAnalysis"], [",  .", "helpSteps"], ["[  ]", "helpMistakes"], ["?", "helpHelp"],
];

export function showHelp() {
  const rows = KEYS.map(([keys, words]) => el("div", {}, el("dt", {}, el("kbd", { text: keys })), el("dd", { text: t(words) })));
  dialog("helpTitle", el("dl", { class: "keys" }, ...rows)).showModal();
}
