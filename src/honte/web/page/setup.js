// The dialog that starts a game: which game, which board, who plays, how long.

import { el, memory } from "./dom.js";
import { settingsOf } from "./cells.js";
import { dialog } from "./dialog.js";
import { inWords, t } from "./words.js";

const SECONDS = [0.5, 1, 2, 5, 10, 30];
const CLOCKS = [[0, 0], [1, 1], [3, 2], [5, 0], [10, 0], [10, 5], [30, 0]];
const DEFAULTS = {
  game: "connect4", rows: 6, cols: 7, inarow: 4, blocked: [], othello: 8, go: 9, komi: 7.5,
  who: "first", engines: [{ kind: "level", level: 30 }, { kind: "level", level: 30 }], seconds: 1, clock: "0+0",
};

/** Ask for a new game. `hello` is the server's greeting, `socket` draws course boards.
 *  Gives {spec, players, seconds, clock} or null. */
export function askForGame({ hello, socket }) {
  return new Promise((resolve) => new Setup(hello, socket, resolve).show());
}

class Setup {
  constructor(hello, socket, resolve) {
    this.hello = hello;
    this.socket = socket;
    this.resolve = resolve;
    this.choice = { ...structuredClone(DEFAULTS), ...memory.get("setup", {}) };
  }

  show() {
    this.form = el("form", { class: "setup", method: "dialog" });
    this.box = dialog("newGame", this.form, { onclose: () => this.resolve(this.answer ?? null) });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.answer = this.read();
      memory.set("setup", this.choice);
      this.box.close();
    });
    this.draw();
    this.box.showModal();
    this.form.querySelector("[name=game]:checked")?.focus();
  }

  set(changes) {
    const focus = document.activeElement?.id;
    Object.assign(this.choice, changes);
    this.draw();
    if (focus) document.getElementById(focus)?.focus();
  }

  draw() {
    const buttons = el("div", { class: "dialog-actions" },
      el("button", { type: "button", id: "setup-cancel", onclick: () => this.box.close(), text: t("cancel") }),
      el("button", { type: "submit", id: "setup-start", class: "primary", text: t("start") }));
    this.form.replaceChildren(this.games(), this.board(), this.who(), this.time(), buttons);
  }

  games() {
    const names = this.hello?.games?.map(({ name }) => name) ?? ["connect4", "othello", "go"];
    return group("", ...radios("game", names, this.choice.game, (game) => this.set({ game }),
      (name) => [el("strong", { text: t(name) }), el("small", { text: t(`${name}About`) })], "cards"));
  }

  board() {
    const { game } = this.choice;
    const body = { connect4: () => this.frame(), othello: () => this.felt(), go: () => this.wood() }[game];
    return group("board", ...(body ? body() : []));
  }

  frame() {
    const { rows, cols, inarow, blocked } = this.choice;
    const number = (name, low, high) => field(t({ rows: "rows", cols: "columns", inarow: "inarow" }[name]), el("input", {
      id: `setup-${name}`, type: "number", min: low, max: high, value: this.choice[name],
      onchange: (event) => this.resize({ [name]: clamp(event.target.value, low, high) }),
    }));
    const cells = el("div", { class: "block-editor", role: "group", "aria-label": t("blockHint") });
    cells.style.setProperty("--cols", cols);
    for (let row = 0; row < rows; row++) for (let col = 0; col < cols; col++) {
      const name = `${row}/${col}`;
      cells.append(el("button", {
        type: "button", id: `block-${row}-${col}`, "aria-pressed": String(blocked.includes(name)),
        "aria-label": t("cellAt", { r: row + 1, c: col + 1 }),
        onclick: (event) => this.block(event.currentTarget, name),
      }));
    }
    return [
      el("div", { class: "fields" }, number("rows", 4, 16), number("cols", 4, 16), number("inarow", 2, 16)),
      el("p", { class: "faint", text: t("blockHint") }),
      cells,
      el("div", { class: "fields" },
        el("button", { type: "button", id: "setup-course", onclick: () => this.course(), text: t("course") }),
        el("button", { type: "button", id: "setup-clear", onclick: () => this.set({ blocked: [] }), text: t("clearBlocks") })),
      inarow > Math.max(rows, cols) ? el("p", { class: "faint", text: t("draw") }) : null,
    ].filter(Boolean);
  }

  resize(changes) {
    const { rows, cols } = { ...this.choice, ...changes };
    const inside = (name) => {
      const [row, col] = name.split("/").map(Number);
      return row < rows && col < cols;
    };
    this.set({ ...changes, blocked: this.choice.blocked.filter(inside) });
  }

  block(button, name) {
    const now = this.choice.blocked.includes(name);
    this.choice.blocked = now ? this.choice.blocked.filter((other) => other !== name) : [...this.choice.blocked, name];
    button.setAttribute("aria-pressed", String(!now));
  }

  async course() {
    const { game } = await this.socket.request("course");
    const { rows = 6, cols = 7, blocked = "" } = settingsOf(game);
    this.set({ rows: Number(rows), cols: Number(cols), inarow: 4, blocked: blocked.split("+").filter(Boolean) });
  }

  felt() {
    return [row(...radios("othello", [4, 6, 8], this.choice.othello, (size) => this.set({ othello: Number(size) }),
      (size) => [`${size} × ${size}`]))];
  }

  wood() {
    const sizes = [...new Set([5, 7, 9, 13, 19, this.choice.go])].sort((a, b) => a - b);
    return [
      row(...radios("go", sizes, this.choice.go, (size) => this.set({ go: Number(size) }), (size) => [`${size} × ${size}`])),
      el("div", { class: "fields" }, field(t("komi"), el("input", {
        id: "setup-komi", type: "number", min: -50, max: 50, step: 0.5, value: this.choice.komi,
        onchange: (event) => this.set({ komi: Number(event.target.value) || 0 }),
      }))),
    ];
  }

  who() {
    const { who } = this.choice;
    const parts = [row(...radios("who", ["first", "second", "both", "none"], who, (choice) => this.set({ who: choice }), (name) => [t(name)]))];
    if (who === "first" || who === "second") parts.push(this.engine(0, t("opponent")));
    if (who === "none") parts.push(this.engine(0, t("firstEngine")), this.engine(1, t("secondEngine")));
    return group("who", ...parts);
  }

  engine(index, name) {
    const chosen = this.choice.engines[index];
    const levels = this.hello?.levels?.[this.choice.game]?.length ? ["level"] : [];
    const kinds = [...levels, ...new Set(["best", ...(this.hello?.players ?? [])])];
    if (!kinds.includes(chosen.kind)) chosen.kind = kinds[0];
    const label = (kind) => (kind === "level" ? t("level") : kind === "best" ? t("best") : kind);
    const select = el("select", {
      id: `setup-engine-${index}`,
      onchange: (event) => { chosen.kind = event.target.value; this.set({}); },
    }, ...kinds.map((kind) => el("option", { value: kind, selected: kind === chosen.kind, text: label(kind) })));
    const parts = [field(name, select)];
    if (chosen.kind === "level") {
      const words = el("p", { class: "faint level-words", id: `setup-level-words-${index}` });
      const figure = el("output", { for: `setup-level-${index}` });
      const tell = () => {
        const rung = this.rung(chosen.level);
        figure.textContent = chosen.level;
        words.textContent = rung ? [
          t("levelWords", { words: inWords(rung.words), elo: Math.round(rung.elo) }),
          rung.rank ? t(rung.rank.endsWith("dan") ? "dan" : "kyu", { n: parseInt(rung.rank, 10) }) : "",
        ].filter(Boolean).join(" · ") : "";
      };
      const slider = el("input", {
        id: `setup-level-${index}`, type: "range", min: 1, max: 100, value: chosen.level, "aria-describedby": words.id,
        oninput: (event) => { chosen.level = Number(event.target.value); tell(); },
      });
      tell();
      parts.push(field(t("level"), slider, figure), words);
    }
    return el("div", { class: "engine" }, ...parts);
  }

  /** The rung at or just below a level. */
  rung(level) {
    const rungs = this.hello?.levels?.[this.choice.game] ?? [];
    return rungs.filter((rung) => rung.level <= level).at(-1) ?? rungs[0];
  }

  time() {
    const { who, seconds, clock } = this.choice;
    const options = (list, chosen) => list.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen), text }));
    const clocks = CLOCKS.map(([n, i]) => [`${n}+${i}`, !n ? t("noClock") : i ? t("minutesPlus", { n, i }) : t("minutes", { n })]);
    return group("time", el("div", { class: "fields" },
      who === "both" ? null : field(t("thinking"), el("select", {
        id: "setup-seconds", onchange: (event) => this.set({ seconds: Number(event.target.value) }),
      }, ...options(SECONDS.map((n) => [n, t("seconds", { n })]), seconds))),
      field(t("clock"), el("select", {
        id: "setup-clock", onchange: (event) => this.set({ clock: event.target.value }),
      }, ...options(clocks, clock)))));
  }

  /** What the form says, as a session takes it. */
  read() {
    const { game, who, engines, seconds, clock } = this.choice;
    const engine = ({ kind, level }) => (kind === "level" ? `level:${level}` : kind);
    const players = {
      first: ["person", engine(engines[0])], second: [engine(engines[0]), "person"],
      both: ["person", "person"], none: engines.map(engine),
    }[who];
    const [minutes, increment] = clock.split("+").map(Number);
    const left = minutes * 60000;
    return {
      spec: this.spec(game), players, seconds,
      clock: minutes ? { minutes, increment, left: [left, left] } : null,
    };
  }

  spec(game) {
    const { rows, cols, inarow, blocked, othello, go, komi } = this.choice;
    if (game === "othello") return `othello:size=${othello}`;
    if (game === "go") return `go:size=${go},komi=${komi}`;
    if (game !== "connect4") return game;
    const parts = [`rows=${rows}`, `cols=${cols}`];
    if (inarow !== 4) parts.push(`inarow=${inarow}`);
    if (blocked.length) parts.push(`blocked=${blocked.join("+")}`);
    return `connect4:${parts.join(",")}`;
  }
}

const clamp = (text, low, high) => Math.max(low, Math.min(high, Math.round(Number(text)) || low));

const group = (name, ...parts) =>
  el("fieldset", {}, el("legend", { class: name ? "" : "unseen", text: t(name || "newGame") }), ...parts);

const row = (...parts) => el("div", { class: "segments" }, ...parts);

const field = (name, input, ...more) => el("label", { class: "field" }, el("span", { text: name }), input, ...more);

function radios(name, values, chosen, onpick, words, look = "segment") {
  return values.map((value) => el("label", { class: look === "cards" ? "game-card" : "segment" },
    el("input", {
      type: "radio", name, value, id: `setup-${name}-${value}`, checked: String(value) === String(chosen),
      onchange: () => onpick(value),
    }),
    el("span", {}, ...words(value))));
}
