// The position editor: pieces, side to move and the options of the game; then analysis or play.

import { Board } from "./board.js";
import { placeName } from "./cells.js";
import { dialog } from "./dialog.js";
import { el } from "./dom.js";
import { Setup } from "./setup.js";
import { gameText, t } from "./words.js";

const EMPTY = ".";
const BLOCKED = "#";

/** Set up a position; `onDone(fields of a Session, whether to analyse)` gets it. */
export function editPosition({ hello, socket, session, onDone }) {
  new Editor({ hello, socket, session, onDone }).open();
}

/** The fields of the new-game form for the game, the board and the players. */
class Options extends Setup {
  constructor(hello, socket, session, onChange) {
    super(hello, socket, () => {});
    const [name, settings = ""] = session.spec.split(/:(.*)/s);
    const own = settings.split(",").filter(Boolean).map((item) => item.split(/=(.*)/s)).map(([key, value]) => [key, value ?? "yes"]);
    this.choice.game = name;
    this.choice.settings = { ...this.choice.settings, [name]: Object.fromEntries(own) };
    this.onChange = onChange;
  }

  set(changes) {
    Object.assign(this.choice, changes);
    this.onChange();
  }

  /** Options that select cells are set on the board itself, so the form leaves them out. */
  get fields() {
    this.leavesOut = true;
    const fields = [this.games(), this.board(), this.who()];
    this.leavesOut = false;
    return fields;
  }

  get game() {
    const game = super.game;
    return this.leavesOut ? { ...game, options: game.options.filter(({ kind }) => kind !== "cells") } : game;
  }

  /** The option that blocks cells, if the game has one. */
  get blocking() {
    return this.game.options.find(({ kind }) => kind === "cells") ?? null;
  }

  block(name) {
    const chosen = this.value(this.blocking).split("+").filter(Boolean);
    const toggled = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
    this.change({ [this.blocking.name]: toggled.join("+") });
  }
}

class Editor {
  constructor({ hello, socket, session, onDone }) {
    Object.assign(this, { socket, session, onDone });
    this.options = new Options(hello, socket, session, () => this.changeOptions());
    this.tool = "X";
    this.asked = 0; // incremented with every request; stale answers are dropped
  }

  async open() {
    this.place = el("div", { class: "board-place edit-board" });
    this.tools = el("div", { class: "edit-tools" });
    this.form = el("div", { class: "setup edit-options" });
    this.words = el("p", { class: "trouble", role: "alert" });
    this.said = el("p", { class: "unseen", "aria-live": "polite" });
    const act = (id, name, analyse, look) => el("button", { type: "button", id, class: look, text: t(name), onclick: () => this.finish(analyse) });
    this.actions = [act("edit-analyse", "analyseThis", true, ""), act("edit-play", "playThis", false, "primary")];
    const body = el("div", { class: "edit" },
      el("div", { class: "stack" }, this.place, this.tools),
      this.form);
    const foot = el("div", { class: "edit-foot" }, this.words, this.said, el("div", { class: "dialog-actions" }, ...this.actions));
    this.box = dialog("editTitle", el("div", {}, body, foot), { wide: true });
    this.board = new Board(this.place);
    this.board.onPick((move, cell) => this.click(cell));
    this.box.ariaBusy = "true";
    await this.changeOptions(this.session.state);
    this.box.ariaBusy = null;
    this.box.showModal();
    this.board.focus({ cursor: true });
  }

  /** Change the board: its size, blocked cells and start position come from the server. */
  async changeOptions(shown = null) {
    this.drawOptions();
    const spec = this.options.spec();
    const asked = ++this.asked;
    try {
      const { game, descriptor, states: [start] } = await this.socket.request("position", { game: spec, all: true });
      if (asked !== this.asked) return;
      const kept = shown ?? (this.descriptor.name === descriptor.name ? this.state : null);
      Object.assign(this, { spec: game, start, descriptor });
      const fits = kept && kept.cols === start.cols && kept.rows === start.rows;
      this.show(fits ? { ...kept, cells: this.settled(kept.cells) } : start);
    } catch (error) {
      if (asked === this.asked) this.tell(error.message);
    }
  }

  drawOptions() {
    const focus = document.activeElement?.id;
    this.form.replaceChildren(...this.options.fields);
    if (focus) document.getElementById(focus)?.focus();
  }

  /** Show a position on the board: pieces and side to move. */
  show({ cells, to_move: side }) {
    const { rows, cols } = this.start;
    this.state = { rows, cols, cells, to_move: side, legal: [], last: null, changed: [], lines: [] };
    this.redraw();
    this.check();
  }

  redraw() {
    this.board.draw(this.descriptor, this.state, { animate: false, hints: false });
    this.place.classList.add("marking");
    const name = (side) => gameText(this.descriptor, this.descriptor.sides[side].name);
    const token = (side) => el("span", { class: `token ${this.descriptor.sides[side].color}` });
    const pick = (group, value, chosen, change, ...words) => el("label", { class: "segment" },
      el("input", { type: "radio", name: group, id: `${group}-${value}`, checked: value === chosen, onchange: change }), el("span", {}, ...words));
    const pieces = ["X", "O"].map((piece, side) => pick("edit-piece", piece, this.tool, () => (this.tool = piece), token(side), ` ${name(side)}`));
    const eraser = pick("edit-piece", "none", this.tool === EMPTY ? "none" : "", () => (this.tool = EMPTY), t("eraser"));
    const blocker = this.options.blocking
      ? pick("edit-piece", "blocked", this.tool === BLOCKED ? "blocked" : "", () => (this.tool = BLOCKED), t("blocked")) : null;
    const sides = [0, 1].map((side) => pick("edit-side", side, this.state.to_move, () => this.turn(side), token(side), ` ${name(side)}`));
    const board = (id, words, state) => el("button", { type: "button", id, text: t(words), onclick: () => this.show(state()) });
    const empty = () => ({ cells: this.start.cells.replace(/[XO]/g, EMPTY), to_move: 0 });
    const focus = document.activeElement?.id;
    this.tools.replaceChildren(
      el("p", { class: "faint", text: `${t("editHint")}${this.falls ? ` ${t("editColumns")}` : ""}` }),
      el("div", { class: "segments", role: "group", "aria-label": t("editBoard") }, ...pieces, eraser, blocker),
      el("div", { class: "field" }, el("span", { text: t("sideToMove") }), el("div", { class: "segments", role: "group", "aria-label": t("sideToMove") }, ...sides)),
      el("div", { class: "segments" }, board("edit-clear", "clearBoard", empty), board("edit-start", "startBoard", () => this.start)));
    if (focus && this.tools.querySelector(`#${CSS.escape(focus)}`)) document.getElementById(focus).focus();
  }

  get falls() {
    return this.descriptor.shape === "columns";
  }

  turn(side) {
    this.state.to_move = side;
    this.redraw();
    this.check({ settled: true });
  }

  /** Put the selected piece on a cell, or remove the one that is there. */
  click(cell) {
    const { cells } = this.state;
    if (this.tool === BLOCKED) {
      this.options.block(`${Math.floor(cell / this.state.cols)}/${cell % this.state.cols}`);
      return;
    }
    if (cells[cell] === BLOCKED) return;
    const put = cells[cell] === this.tool ? EMPTY : this.tool;
    const next = this.settled(set(cells, cell, put));
    if (next === cells) return;
    const where = [...next].findIndex((piece, i) => piece !== cells[i]);
    const what = { X: 0, O: 1 }[next[where]];
    this.said.textContent = t("put", {
      what: what === undefined ? t("empty") : gameText(this.descriptor, this.descriptor.sides[what].name), place: placeName(this.descriptor, this.state, where),
    });
    this.state.cells = next;
    this.redraw();
    this.check();
  }

  /** The pieces settled on the current board: if they fall, each rests on the one below and skips blocked cells. */
  settled(cells) {
    const { cells: ground, cols } = this.start;
    const piece = (i) => (cells[i] === BLOCKED ? EMPTY : cells[i]);
    const next = [...ground].map((one, i) => (one === BLOCKED ? BLOCKED : piece(i)));
    if (!this.falls) return next.join("");
    for (let col = 0; col < cols; col++) {
      const column = next.map((_, i) => i).filter((i) => i % cols === col).reverse();
      const pieces = column.map(piece).filter((one) => one !== EMPTY);
      for (const i of column) if (next[i] !== BLOCKED) next[i] = pieces.shift() ?? EMPTY;
    }
    return next.join("");
  }

  /** A position as text, as every game reads it. */
  text({ rows, cols, cells, to_move: side } = this.state) {
    const lines = Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols));
    return `${lines.join("/")} ${"XO"[side]}`;
  }

  /** Let the server validate the position; if only the other side can move, it becomes the side to move. */
  async check({ settled = false } = {}) {
    const asked = ++this.asked;
    const possible = async (side) => {
      const { state } = await this.socket.request("position", { game: this.spec, start: this.text({ ...this.state, to_move: side }) });
      return state;
    };
    let words = "";
    try {
      await possible(this.state.to_move);
    } catch (error) {
      words = error.message;
      const other = 1 - this.state.to_move;
      const turned = settled ? null : await possible(other).catch(() => null);
      if (turned && asked === this.asked) {
        words = "";
        this.state.to_move = other;
        this.redraw();
      }
    }
    if (asked === this.asked) this.tell(words);
  }

  tell(words) {
    this.words.textContent = words;
    for (const button of this.actions) button.disabled = Boolean(words);
  }

  finish(analyse) {
    const start = this.text() === this.text(this.start) ? null : this.text();
    const { players, seconds, clock } = this.options.read();
    this.box.close();
    this.onDone(analyse ? { spec: this.spec, start } : { spec: this.spec, start, players, seconds, clock, mine: true }, analyse);
  }
}

const set = (cells, cell, piece) => cells.slice(0, cell) + piece + cells.slice(cell + 1);
