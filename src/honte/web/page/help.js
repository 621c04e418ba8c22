// Help: the rules of the game on the board, the meaning of every number, and the keys. Loaded on
// demand.

import { Board } from "./board.js";
import { dialog } from "./dialog.js";
import { el } from "./dom.js";
import { gameText, language, t } from "./words.js";

const NUMBERS = ["chance", "visits", "range", "score", "proven", "bound", "line", "marks", "elo"];
const KEYS = [
  ["← →", "helpSteps"], ["← ↑ ↓ →", "helpArrows"], ["Enter", "helpPlay"], ["1 … 9 a … g", "helpDigits"], ["b", "helpFocus"], ["Esc", "helpLeave"],
  ["u  r", "helpUndo"], ["p", "helpPass"], ["h", "hint"], ["n", "helpNew"], ["a  i", "helpAnalysis"], [",  .", "helpSteps"], ["[  ]", "helpMistakes"],
  ["↑  ↓", "helpBranches"], ["c", "helpComment"], ["?", "helpHelp"],
];

/** A small static board with a position. */
function picture({ descriptor, state, hints }) {
  const place = el("div", { class: "help-board", "aria-hidden": "true" });
  const board = new Board(place);
  board.draw(descriptor, { ...state, legal: hints ? state.legal : [] }, { animate: false, hints });
  for (const row of board.svg.querySelectorAll("[role=row]")) row.remove();
  board.svg.removeAttribute("role");
  return place;
}

function rule(part) {
  return el("li", {}, part.state ? picture(part) : null, el("p", { text: part.words[language()] ?? part.text }));
}

/** Open the help; the rules come from the server with the game. */
export async function showHelp({ socket, session }) {
  const rules = el("ol", { class: "help-rules" });
  const section = (title, body) => el("section", {}, el("h3", { text: title }), body);
  const list = (pairs) => el("dl", { class: "keys" }, ...pairs.map(([name, words]) => el("div", {}, el("dt", {}, name), el("dd", { text: words }))));
  const ofGame = section(t("helpRules", { game: gameText(session.game, session.game?.title ?? "") }), rules);
  const body = el("div", { class: "help" }, ofGame,
    section(t("helpNumbers"), list(NUMBERS.map((name) => [t(`number.${name}`), t(`number.${name}Means`)]))),
    section(t("helpTitle"), list(KEYS.map(([keys, words]) => [el("kbd", { text: keys }), t(words)]))));
  dialog("help", body, { wide: true }).showModal();
  try {
    const { rules: parts } = await socket.request("rules", { game: session.spec });
    rules.replaceChildren(...parts.map(rule));
    ofGame.hidden = !parts.length;
  } catch (error) {
    rules.replaceChildren(el("li", { text: error.message }));
  }
}
