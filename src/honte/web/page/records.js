// Import and export of games: opening, sharing, saving.

import { readAddress } from "./address.js";
import { el } from "./dom.js";
import { dialog } from "./dialog.js";
import { gameText, t } from "./words.js";
import { serverWords } from "./words_errors.js";

const SMALL = 12_000; // characters that always fit into one frame of the socket

/** Let the server parse or write a game; long ones go by POST, as frames are small. */
async function ask(socket, name, fields) {
  if (JSON.stringify(fields).length < SMALL) return socket.request(name, fields);
  const answer = await fetch(`/${name}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fields),
  });
  const found = await answer.json();
  if (found.error || !answer.ok) throw new Error(serverWords(found.error ?? answer.statusText));
  return found;
}

/** A dialog to open a game; `onOpen(game)` gets the one chosen. */
export function openGame({ socket, games, spec, onOpen, more = [] }) {
  const text = el("textarea", { id: "load-text", rows: 7, spellcheck: "false", "aria-label": t("loadText") });
  const words = el("p", { class: "trouble", role: "alert" });
  const list = el("ul", { class: "found" });
  const kind = el("select", { id: "load-as" }, el("option", { value: "", text: t("loadAuto") }),
    ...games.map((game) => el("option", { value: game.name, text: gameText(game, game.title) })));
  const formats = games.flatMap((game) => game.formats.filter((form) => form !== "text")
    .map((form) => `${form.toUpperCase()} (${gameText(game, game.title)})`));
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
    const [address] = text.value.trim().match(/#\S*\bgame=\S+$/) ?? [];
    const linked = address && !/\s/.test(text.value.trim()) && readAddress(address);
    if (linked) return take({ linked });
    // Bare moves do not determine the size of their board: use the one on the page.
    const fields = { text: text.value, near: spec };
    if (kind.value) fields.game = spec.split(":")[0] === kind.value ? spec : kind.value;
    try {
      const { games: found, more } = await ask(socket, "load", fields);
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
    el("p", { class: "faint", text: t("loadHint", { formats: formats.join(", ") }) }), text,
    el("div", { class: "fields" },
      // The browser's own file input cannot be translated.
      el("label", { class: "button file" }, el("span", { text: t("loadFile") }), file), name,
      el("label", { class: "field" }, el("span", { text: t("loadAs") }), kind)),
    words, list,
    el("div", { class: "dialog-actions" },
      ...more.map(([id, name, act]) => el("button", { type: "button", id, text: t(name), onclick: () => { box.close(); act(); } })),
      el("span", { class: "spring" }), el("button", { type: "submit", id: "load-go", class: "primary", text: t("loadGo") })));
  const box = dialog("loadTitle", form);
  box.showModal();
  text.focus();
}

/** A button that saves the position as a picture, or the game as an animation. */
function pictureButton(form, session, board) {
  const words = t(`picture.${form}`);
  const button = el("button", { type: "button", id: `picture-${form}`, text: words, onclick: async () => {
    button.disabled = true;
    const { gifOf, pngOf, save, svgOf } = await import("./picture.js");
    const tell = (n, of) => (button.textContent = `${words} ${n}/${of}`);
    const make = { svg: () => svgOf(board), png: () => pngOf(board), gif: () => gifOf(session, tell) }[form];
    save(await make(), `honte-${session.game.name}.${form}`);
    button.textContent = words;
    button.disabled = false;
  } });
  return button;
}

/** A dialog with a link to the game and the game as text. */
export function shareGame({ socket, session, board }) {
  const link = `${location.origin}${location.pathname}${session.address()}`;
  const address = el("input", { id: "share-link", type: "text", readonly: true, value: link, "aria-label": t("shareLink") });
  const copy = el("button", { type: "button", id: "share-copy", text: t("copy"), onclick: async () => {
    address.select();
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      document.execCommand("copy"); // no Clipboard API on plain http off loopback
    }
    copy.textContent = t("copied");
  } });
  const forms = session.game.formats;
  const form = el("select", { id: "export-as", onchange: () => fetchText() },
    ...forms.map((name) => el("option", { value: name, text: name === "text" ? "Text" : name.toUpperCase() })));
  const text = el("textarea", { id: "export-text", rows: 6, readonly: true, "aria-label": t("exportAs") });
  const lost = el("p", { id: "export-lost", class: "trouble", role: "status" });
  const save = el("button", { type: "button", id: "export-save", class: "primary", text: t("download"), onclick: () => {
    const blob = URL.createObjectURL(new Blob([text.value], { type: "text/plain" }));
    el("a", { href: blob, download: `honte-${session.game.name}.${form.value === "text" ? "txt" : form.value}` }).click();
    setTimeout(() => URL.revokeObjectURL(blob), 1000);
  } });
  const fetchText = async () => {
    try {
      const answer = await ask(socket, "export", { ...session.record(), as: form.value });
      text.value = answer.text;
      lost.textContent = serverWords(answer.lost);
    } catch (error) {
      text.value = "";
      lost.textContent = error.message;
    }
    save.disabled = !text.value;
  };
  fetchText();
  const box = dialog("exportTitle", el("div", { class: "stack" },
    el("label", { class: "field" }, el("span", { text: t("shareLink") }), address, copy),
    session.tooLong ? el("p", { class: "faint", text: t("linkShort") }) : null,
    el("label", { class: "field" }, el("span", { text: t("exportAs") }), form),
    text, lost, el("div", { class: "dialog-actions" }, save),
    el("div", { class: "fields" }, el("span", { class: "faint", text: t("picture") }), ...["svg", "png", "gif"].map((form) => pictureButton(form, session, board)))));
  box.showModal();
}
