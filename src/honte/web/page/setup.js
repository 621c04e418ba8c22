// The new-game dialog: game, board, players and time. The fields of the board are built from the
// options that the server sends with each game.

import { el, memory } from "./dom.js";
import { dialog } from "./dialog.js";
import { gameText, inWords, t } from "./words.js";

const SECONDS = [0.5, 1, 2, 5, 10, 30];
const CLOCKS = [[0, 0], [1, 1], [3, 2], [5, 0], [10, 0], [10, 5], [30, 0]];
const MOST_RADIOS = 6; // more choices than this become a drop-down list
const DEFAULTS = {
  game: "", settings: {}, // game -> option -> its value as in a spec, if it is not the default
  who: "first", engines: [{ kind: "level", level: 30 }, { kind: "level", level: 30 }], seconds: 1, clock: "0+0",
};

/** Ask for a new game. `hello` is the server's greeting, `socket` draws random boards.
 *  Gives {spec, players, seconds, clock} or null. */
export function askForGame({ hello, socket }) {
  return new Promise((resolve) => new Setup(hello, socket, resolve).show());
}

export class Setup {
  constructor(hello, socket, resolve) {
    this.hello = hello;
    this.socket = socket;
    this.resolve = resolve;
    this.choice = { ...structuredClone(DEFAULTS), ...memory.get("setup", {}) };
    if (!hello.games.some(({ name }) => name === this.choice.game)) this.choice.game = hello.games[0].name;
  }

  get game() {
    return this.hello.games.find(({ name }) => name === this.choice.game);
  }

  show() {
    this.form = el("form", { class: "setup", method: "dialog" });
    this.box = dialog("newGame", this.form, { onclose: () => this.resolve(this.answer ?? null) });
    this.form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const answer = this.read();
      try {
        await this.socket.request("position", { game: answer.spec }); // catches incompatible settings
      } catch (error) {
        this.trouble.textContent = error.message;
        return;
      }
      this.answer = answer;
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
    this.trouble = el("p", { class: "trouble", role: "alert" });
    const buttons = el("div", { class: "dialog-actions" }, this.trouble,
      el("button", { type: "button", id: "setup-cancel", onclick: () => this.box.close(), text: t("cancel") }),
      el("button", { type: "submit", id: "setup-start", class: "primary", text: t("start") }));
    this.form.replaceChildren(this.games(), this.board(), this.who(), this.time(), buttons);
  }

  games() {
    const { games } = this.hello;
    const words = (name) => {
      const game = games.find((one) => one.name === name);
      return [el("strong", { text: gameText(game, game.title) }), el("small", { text: gameText(game, game.about) })];
    };
    return group("", ...radios("game", games.map(({ name }) => name), this.choice.game, (game) => this.set({ game }), words, "cards"));
  }

  // -- the board: one field for each option ------------------------------------------------------

  board() {
    const { options } = this.game;
    const shown = options.filter(({ folded }) => !folded);
    const folded = options.filter((option) => option.folded);
    const wide = (option) => asButtons(option) && !option.folded;
    // Common values are buttons; other numbers go into the field beside them.
    const small = shown.filter((option) => option.kind !== "cells" && !(wide(option) && option.kind === "choice"));
    // Options with a computed default need an explanation.
    const told = small.filter((option) => option.default === null && option.help);
    const parts = [
      ...shown.filter(wide).map((option) => this.buttons(option)),
      small.length ? el("div", { class: "fields" }, ...small.map((option) => this.field(option))) : null,
      ...told.map(({ label, help }) => el("p", { class: "faint", text: `${this.text(label)}: ${this.text(help)}` })),
      ...shown.filter(({ kind }) => kind === "cells").flatMap((option) => this.cells(option)),
      this.presets(),
      folded.length ? el("details", {}, el("summary", { text: t("moreOptions") }),
        el("div", { class: "fields" }, ...folded.map((option) => this.field(option)))) : null,
    ];
    return group("board", ...parts.filter(Boolean));
  }

  text(words) {
    return gameText(this.game, words);
  }

  value(option) {
    return this.choice.settings[this.game.name]?.[option.name] ?? defaultText(option);
  }

  /** Change options; drop chosen cells that are no longer on the board. */
  change(changes) {
    const settings = { ...this.choice.settings[this.game.name], ...changes };
    for (const option of this.game.options.filter(({ kind }) => kind === "cells")) {
      const [rows, cols] = this.shape(settings);
      const inside = (name) => {
        const [row, col] = name.split("/").map(Number);
        return row < rows && col < cols;
      };
      if (settings[option.name]) settings[option.name] = listed(settings[option.name]).filter(inside).join("+");
    }
    this.set({ settings: { ...this.choice.settings, [this.game.name]: settings } });
  }

  /** Rows and columns of the board in the form. */
  shape(settings = this.choice.settings[this.game.name] ?? {}) {
    return ["rows", "cols"].map((name) => {
      const option = this.game.options.find((one) => one.name === name) ?? this.game.options.find((one) => one.name === "size");
      return option ? Number(settings[option.name] ?? defaultText(option)) : 0;
    });
  }

  /** A choice, or a number with common values: buttons. */
  buttons(option) {
    const value = this.value(option);
    const square = option.name === "size"; // of square boards
    const words = (one) => [square ? `${one} × ${one}` : this.text(one)];
    const values = option.choices.includes(value) || option.kind === "choice" ? option.choices
      : [...option.choices, value].sort((a, b) => a - b);
    const list = radios(option.name, values, value, (one) => this.change({ [option.name]: String(one) }), words);
    const buttons = el("div", { class: "segments", role: "group", "aria-label": this.text(option.label), title: this.text(option.help) }, ...list);
    return square ? buttons : el("div", { class: "field" }, el("span", { text: this.text(option.label) }), buttons);
  }

  /** Any other option: a field with its label. */
  field(option) {
    const id = `setup-${option.name}`;
    const value = this.value(option);
    const store = (text) => this.change({ [option.name]: text });
    let input;
    if (option.kind === "yes_no") {
      input = el("input", { id, type: "checkbox", checked: value === "yes", onchange: (event) => store(event.target.checked ? "yes" : "no") });
    } else if (option.kind === "choice" || option.choices.length > MOST_RADIOS) {
      input = el("select", { id, onchange: (event) => store(event.target.value) },
        ...option.choices.map((one) => el("option", { value: one, selected: one === value, text: this.text(one) })));
    } else if (option.kind === "text") {
      input = el("input", { id, type: "text", value, onchange: (event) => store(event.target.value.trim()) });
    } else {
      input = this.number(option);
    }
    const label = field(this.text(option.label), input);
    label.title = this.text(option.help);
    return label;
  }

  number(option) {
    return el("input", {
      id: `setup-${option.name}`, type: "number", min: option.low, max: option.high, step: option.step ?? (option.kind === "whole" ? 1 : "any"),
      value: this.value(option), placeholder: option.default === null ? t("automatic") : null, "aria-label": this.text(option.label),
      onchange: (event) => this.change({ [option.name]: clamped(event.target.value, option) }),
    });
  }

  /** Cells to be clicked on a small board. */
  cells(option) {
    const [rows, cols] = this.shape();
    if (!rows || !cols) return [this.field({ ...option, kind: "text" })];
    const chosen = listed(this.value(option));
    const grid = el("div", { class: "block-editor", role: "group", "aria-label": this.text(option.label) });
    grid.style.setProperty("--cols", cols);
    for (let row = 0; row < rows; row++) for (let col = 0; col < cols; col++) {
      const name = `${row}/${col}`;
      const toggled = chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name];
      grid.append(el("button", {
        type: "button", id: `${option.name}-${row}-${col}`, "aria-pressed": String(chosen.includes(name)),
        "aria-label": t("cellAt", { r: row + 1, c: col + 1 }),
        onclick: () => this.change({ [option.name]: toggled.join("+") }),
      }));
    }
    const clear = chosen.length ? el("button", {
      type: "button", id: `setup-clear-${option.name}`, onclick: () => this.change({ [option.name]: "" }), text: t("clearCells"),
    }) : null;
    return [el("p", { class: "faint", text: `${capital(this.text(option.help))}. ${t("cellsHint")}` }), grid, ...(clear ? [el("div", {}, clear)] : [])];
  }

  /** Preset boards, except those that one click on a button gives anyway. */
  presets() {
    const { presets, options, title } = this.game;
    const plain = ({ settings }) => Object.keys(settings).every((key) => options.some((one) => one.name === key && asButtons(one)));
    const list = presets.filter((preset) => !plain(preset) || (presets.some((one) => !plain(one)) && !Object.keys(preset.settings).length));
    if (!list.length) return null;
    const name = (preset) => {
      const words = this.text(preset.title);
      const short = [title, this.text(title)].reduce((left, begins) => (left.startsWith(begins) ? left.slice(begins.length) : left), words).replace(/^[\s,，]+/, "");
      return capital(short || words);
    };
    return el("div", { class: "segments" }, ...list.map((preset, i) => el("button", {
      type: "button", id: `setup-preset-${i}`, "data-spec": preset.spec, text: name(preset), onclick: () => this.start(preset),
    })));
  }

  /** Fill the form with a preset; a random one is drawn by the server. */
  async start({ spec, settings, random }) {
    const found = random ? (await this.socket.request("random_board", { game: spec })).settings : settings;
    const all = Object.fromEntries(this.game.options.map((option) => [option.name, found[option.name] ?? defaultText(option)]));
    this.set({ settings: { ...this.choice.settings, [this.game.name]: all } });
  }

  // -- players and time --------------------------------------------------------------------------

  who() {
    const { who } = this.choice;
    const parts = [row(...radios("who", ["first", "second", "both", "none"], who, (choice) => this.set({ who: choice }), (name) => [t(name)]))];
    if (who === "first" || who === "second") parts.push(this.engine(0, t("opponent")));
    if (who === "none") parts.push(this.engine(0, t("firstEngine")), this.engine(1, t("secondEngine")));
    return group("who", ...parts);
  }

  get kinds() {
    return [...(this.game.levels.length ? ["level"] : []), ...new Set(["best", ...(this.hello.players ?? [])])];
  }

  /** Choosing a game without levels does not change the choice for games that have them. */
  kind({ kind }) {
    return this.kinds.includes(kind) ? kind : this.kinds[0];
  }

  engine(index, name) {
    const wanted = this.choice.engines[index];
    const { kinds } = this;
    const kind = this.kind(wanted);
    const label = (one) => (one === "level" ? t("level") : one === "best" ? t("best") : one);
    const select = el("select", {
      id: `setup-engine-${index}`,
      onchange: (event) => { wanted.kind = event.target.value; this.set({}); },
    }, ...kinds.map((one) => el("option", { value: one, selected: one === kind, text: label(one) })));
    const parts = [field(name, select)];
    if (kind === "level") {
      const words = el("p", { class: "faint level-words", id: `setup-level-words-${index}` });
      const figure = el("output", { for: `setup-level-${index}` });
      let { levels } = this.game;
      const tell = () => {
        const rung = levels.filter((one) => one.level <= wanted.level).at(-1) ?? levels[0];
        figure.textContent = wanted.level;
        words.textContent = rung ? [
          t("levelWords", { words: inWords(rung.words), elo: Math.round(rung.elo) }),
          rung.rank ? t(rung.rank.endsWith("dan") ? "dan" : "kyu", { n: parseInt(rung.rank, 10) }) : "",
        ].filter(Boolean).join(" · ") : "";
      };
      const slider = el("input", {
        id: `setup-level-${index}`, type: "range", min: 1, max: 100, value: wanted.level, "aria-describedby": words.id,
        oninput: (event) => { wanted.level = Number(event.target.value); tell(); },
      });
      tell();
      this.levels().then((found) => { levels = found; tell(); });
      const mild = el("input", {
        id: `setup-lenient-${index}`, type: "checkbox", checked: Boolean(wanted.lenient),
        onchange: (event) => { wanted.lenient = event.target.checked; },
      });
      parts.push(field(t("level"), slider, figure), words, field(t("lenient"), mild));
    }
    return el("div", { class: "engine" }, ...parts);
  }

  /** The calibrated levels of the board in the form: where a network knows the board, it plays some. */
  async levels() {
    const spec = this.spec();
    if (spec === this.game.name) return this.game.levels;
    try {
      return (await this.socket.request("levels", { game: spec })).levels;
    } catch {
      return this.game.levels; // incompatible settings; the start button says so
    }
  }

  time() {
    const { who, engines, seconds, clock } = this.choice;
    // A level plays by its number of simulations, whatever the time.
    const timed = { both: [], none: engines }[who] ?? [engines[0]];
    const timeMatters = timed.some((engine) => this.kind(engine) !== "level");
    const options = (list, chosen) => list.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen), text }));
    const clocks = CLOCKS.map(([n, i]) => [`${n}+${i}`, !n ? t("noClock") : i ? t("minutesPlus", { n, i }) : t("minutes", { n })]);
    return group("time", el("div", { class: "fields" },
      !timeMatters ? null : field(t("thinking"), el("select", {
        id: "setup-seconds", onchange: (event) => this.set({ seconds: Number(event.target.value) }),
      }, ...options(SECONDS.map((n) => [n, t("seconds", { n })]), seconds))),
      field(t("clock"), el("select", {
        id: "setup-clock", onchange: (event) => this.set({ clock: event.target.value }),
      }, ...options(clocks, clock)))));
  }

  /** The form's values as fields of a session. */
  read() {
    const { who, engines, seconds, clock } = this.choice;
    const engine = ({ kind, level, lenient }) => (
      kind !== "level" ? kind : this.game.levels.length ? `level:${level}${lenient ? ",lenient=yes" : ""}` : "best");
    const players = {
      first: ["person", engine(engines[0])], second: [engine(engines[0]), "person"],
      both: ["person", "person"], none: engines.map(engine),
    }[who];
    const [minutes, increment] = clock.split("+").map(Number);
    const left = minutes * 60000;
    return {
      spec: this.spec(), players, seconds,
      clock: minutes ? { minutes, increment, left: [left, left] } : null,
    };
  }

  /** The game as a spec: its name, and the options that differ from their default. */
  spec() {
    const { name, options } = this.game;
    const changed = options.filter((option) => this.value(option) !== defaultText(option));
    const words = changed.map((option) => `${option.name}=${this.value(option)}`);
    return words.length ? `${name}:${words.join(",")}` : name;
  }
}

const capital = (words) => words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** Whether an option is shown as a row of buttons. */
const asButtons = ({ choices }) => choices.length > 0 && choices.length <= MOST_RADIOS;

/** An option's default as a spec would write it; "" where there is none. */
function defaultText({ kind, default: value }) {
  if (value === null) return "";
  return kind === "yes_no" ? (value ? "yes" : "no") : String(value);
}

/** The typed number, clamped to its bounds. */
function clamped(text, { kind, low, high, default: otherwise }) {
  if (text.trim() === "" || !Number.isFinite(Number(text))) return otherwise === null ? "" : String(otherwise);
  const value = Math.max(low, Math.min(high, Number(text)));
  return String(kind === "whole" ? Math.round(value) : value);
}

/** "5/6+2/3" as a list of cells. */
const listed = (text) => text.split("+").filter(Boolean);

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
