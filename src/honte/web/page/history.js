// The user's own games, kept in this browser: a list of the last 200, each game under its own key.

import { dialog } from "./dialog.js";
import { el, memory } from "./dom.js";
import { language, t } from "./words.js";

const MOST = 200;
const WAIT = 800; // milliseconds from a move until it is saved

/** The games, the latest first. */
export const games = () => memory.get("history", []);

const keyOf = (id) => `game.${id}`;

/** Save the list; delete games that are no longer in it. */
function keep(list) {
  const kept = list.slice(0, MOST);
  const ids = new Set(kept.map(({ id }) => id));
  for (const { id } of [...games(), ...list]) if (!ids.has(id)) memory.remove(keyOf(id));
  return memory.set("history", kept);
}

/** Save a game; if the browser's store is full, delete the oldest games. */
function keepGame(entry, stored) {
  let others = games().filter(({ id }) => id !== entry.id);
  while (!(memory.set(keyOf(entry.id), stored) && keep([entry, ...others])) && others.length) {
    others = others.slice(0, Math.floor(others.length / 2));
    keep(others);
  }
}

export class History {
  constructor(play) {
    this.play = play;
    play.addEventListener("show", () => this.soon());
    play.addEventListener("leave", () => this.remember()); // never lose a game
    addEventListener("pagehide", () => this.remember());
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.remember(), WAIT);
  }

  /** Put the game on the page into the list, in place of its older entry. */
  remember(session = this.play.session) {
    clearTimeout(this.timer);
    if (!session.game || !session.mine || !(session.played || session.text)) return;
    const shape = [session.id, session.version, session.played, Boolean(session.ended), Boolean(session.agreement), Object.keys(session.notes).length].join(" ");
    if (shape === this.shape) return;
    this.shape = shape;
    const { values, ...stored } = session.stored(); // evaluations can be recomputed
    const { state } = session.mainLine.at(-1) ?? session.root;
    const agreed = session.agreement && { winner: session.agreement.winner, reason: "" };
    const ended = session.ended ?? agreed ?? (state ? state.over && { winner: state.winner, reason: "" } : this.known(session.id)?.ended);
    const names = [0, 1].map((side) => this.play.name(side, session));
    const { title, words, sides } = session.game;
    const entry = {
      id: session.id, when: Date.now(), spec: session.spec, game: { title, words: { zh: pick(words?.zh, [title, ...sides.map(({ name }) => name)]) }, sides },
      names, opened: Boolean(session.names), result: session.result, moves: session.played, ended: ended || null, accuracy: session.accuracy ?? null,
    };
    keepGame(entry, stored);
  }

  known(id) {
    return games().find((one) => one.id === id);
  }

  /** The latest unfinished game other than the one on the page. */
  unfinished() {
    return games().find(({ id, ended, opened }) => !ended && !opened && id !== this.play.session.id) ?? null;
  }

  /** Show the list as a dialog; `onOpen(session)` gets the fields of a Session. */
  show(onOpen) {
    this.remember();
    const body = el("div", { class: "stack history" });
    const box = dialog("myGames", body, { wide: true });
    const draw = () => body.replaceChildren(...this.table(box, draw, onOpen));
    draw();
    box.showModal();
  }

  table(box, draw, onOpen) {
    const list = games();
    if (!list.length) return [el("p", { class: "faint", text: t("noGames") })];
    const date = new Intl.DateTimeFormat(language() === "zh" ? "zh-Hans" : "en-GB", { dateStyle: "medium", timeStyle: "short" });
    const head = ["when", "gameName", "players", "result", "moveCount"].map((name) => el("th", { scope: "col", text: t(name) }));
    const rows = list.map((entry) => el("tr", { "data-game": entry.id },
      el("td", { text: date.format(entry.when) }),
      el("td", { text: title(entry) }),
      el("td", { text: t("against", { a: entry.names[0], b: entry.names[1] }) }),
      el("td", { text: outcome(entry) }),
      el("td", { class: "number", text: entry.moves }),
      el("td", { class: "acts" },
        el("button", { class: "open", text: t(entry.ended || entry.opened ? "openGame" : "goOn"), onclick: () => { box.close(); onOpen(stored(entry)); } }),
        el("button", { class: "quiet icon forget", "aria-label": t("forget"), title: t("forget"), text: "✕", onclick: () => {
          keep(games().filter(({ id }) => id !== entry.id));
          draw();
          this.play.say(t("forgotten"));
        } }))));
    return [
      el("p", { class: "faint", text: t("historyHint", { n: MOST }) }),
      el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...head, el("td", {}))), el("tbody", {}, ...rows))),
    ];
  }
}

/** The fields of a Session for a game in the list. */
export const stored = ({ id, spec }) => memory.get(keyOf(id), { id, spec, mine: true });

const pick = (words = {}, keys) => Object.fromEntries(keys.filter((key) => words[key]).map((key) => [key, words[key]]));

/** The game of an entry and the settings of its board. */
export function title({ game, spec }) {
  const settings = spec.includes(":") ? ` · ${spec.slice(spec.indexOf(":") + 1).replaceAll(",", " ")}` : "";
  return (game.words?.[language()]?.[game.title] ?? game.title) + settings;
}

function outcome({ game, ended, accuracy, opened, result }) {
  if (opened && !ended) return result || "–";
  if (!ended) return t("unfinished");
  const side = (one) => game.words?.[language()]?.[game.sides[one].name] ?? game.sides[one].name;
  const words = ended.winner === null ? t("draw")
    : t({ time: "byTime", resign: "byResign" }[ended.reason] ?? "wins", { who: side(ended.winner), other: side(1 - ended.winner) });
  return accuracy ? `${words} · ${t("accuracy")} ${accuracy.map((one) => `${Math.round(one)} %`).join(" / ")}` : words;
}
