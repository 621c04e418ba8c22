// A replay of one game of the store.
//   const replay = new Replay(element, socket); replay.open(id); replay.redraw()
//   replay.onOpen(id or null): the open game has changed

import { writeAddress } from "./address.js";
import { Board } from "./board.js";
import { dressFor } from "./cells.js";
import { el, svg } from "./dom.js";
import { signed } from "./figures.js";
import { drawGraph } from "./graph.js";
import { inWords, t } from "./words.js";

const STEPS = {
  start: "M6 6v12M18 6l-8 6 8 6z", back: "M16 6l-8 6 8 6z", on: "M8 6l8 6-8 6z", end: "M18 6v12M6 6l8 6-8 6z",
};

export class Replay {
  constructor(element, socket) {
    Object.assign(this, { element, socket, onOpen: () => {} });
    this.close();
    element.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.last }[event.key];
      if (to === undefined || !this.game || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      this.go(to);
    }, true);
  }

  close() {
    this.game = null;
    this.id = null;
    this.opening = null; // the promise of the game with this id
    this.element.replaceChildren(el("p", { class: "note" }, t("watch.choose")));
    this.onOpen(null);
  }

  /** Open a game; one that is open, or about to be, is left as it is. */
  open(id, result = null) {
    if (this.id !== id) this.opening = null;
    this.id = id;
    this.onOpen(id);
    this.opening ??= this.load(id, result);
    return this.opening;
  }

  async load(id, result) {
    try {
      const game = await this.socket.request("stored", { game_id: id });
      const { game: spec, start, moves } = game;
      const answer = await this.socket.request("position", { game: spec, ...(start ? { start } : {}), moves, all: true });
      if (this.id !== id) return;
      Object.assign(this, { game, known: result, descriptor: answer.descriptor, states: answer.states });
    } catch (error) {
      if (this.id !== id) return;
      this.opening = null;
      this.element.replaceChildren(el("p", { class: "note", role: "alert" }, error.message));
      return;
    }
    this.ply = this.last;
    this.build();
    this.go(this.last, false);
  }

  get last() {
    return this.states.length - 1;
  }

  build() {
    const { players = ["", ""], moves } = this.game;
    const step = (name, to) =>
      el("button", { type: "button", class: "quiet icon", "aria-label": t(`watch.${name}`), title: t(`watch.${name}`), onclick: () => this.go(to()) },
        svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: STEPS[name] })));
    this.place = el("div", { class: "board-place" });
    this.board = new Board(this.place);
    this.slider = el("input", { type: "range", min: 0, max: this.last, "aria-label": t("watch.replay"), oninput: () => this.go(Number(this.slider.value)) });
    this.words = el("p", { class: "replay-words", role: "status" });
    this.graph = el("div", { class: "replay-graph" });
    const name = (side) => el("span", { class: "replay-player", title: players[side] }, el("span", { class: `piece p${side}` }), el("b", {}, players[side] || "?"), el("small", {}, t("watch.total", { s: this.spent(side) })));
    const { game, start } = this.game;
    const address = { game, start, moves: moves.join(",") };
    const { over, winner } = this.states[this.last];
    const link = (parts, key) => el("a", { class: "button", href: `/${writeAddress(parts)}` }, t(key));
    dressFor(this.descriptor);
    this.element.replaceChildren(
      el("div", { class: "replay" },
        el("p", { class: "replay-players" }, name(0), el("span", { class: "replay-result" }, this.result()), name(1)),
        this.place,
        el("div", { class: "steps", role: "group" }, step("start", () => 0), step("back", () => this.ply - 1), this.slider, step("on", () => this.ply + 1), step("end", () => this.last)),
        this.words,
        this.values().some((value) => value !== null) ? this.graph : null,
        el("p", { class: "replay-foot" },
          link(address, "watch.analyse"),
          over && winner !== null ? link({ ...address, review: 1 - winner }, "watch.turning") : null,
          el("span", { class: "note" }, this.reason()))));
  }

  redraw() {
    if (!this.game) return this.close();
    this.build();
    return this.go(this.ply, false);
  }

  result() {
    const { over, winner } = this.states[this.last];
    const known = this.known ?? (over ? { 0: 1, 1: -1 }[winner] ?? 0 : null);
    return known === null ? this.game.result : resultText(known);
  }

  reason() {
    return [inWords(this.game.reason), this.game.detail].filter(Boolean).join(": ");
  }

  spent(side) {
    const times = this.game.times ?? [];
    const own = times.filter((time, i) => time !== null && this.states[i]?.to_move === side);
    return own.reduce((a, b) => a + b, 0).toFixed(own.length ? 2 : 0);
  }

  /** The movers' own values, seen from player 0, at the position after the move. */
  values() {
    const own = this.game.values ?? [];
    return [null, ...this.states.slice(0, -1).map((state, i) => {
      const value = own[i];
      return Number.isFinite(value) ? (state.to_move === 0 ? value : -value) : null;
    })];
  }

  go(ply, animate = true) {
    const to = Math.max(0, Math.min(this.last, ply));
    const near = Math.abs(to - this.ply) === 1;
    this.ply = to;
    this.board.draw(this.descriptor, this.states[to], { animate: animate && near, hints: false });
    this.board.enabled = false;
    this.slider.value = to;
    this.words.textContent = this.sentence(to);
    this.slider.setAttribute("aria-valuetext", this.words.textContent);
    drawGraph(this.graph, { values: this.values(), marks: [], at: to, onPick: (other) => this.go(other), names: this.game.players });
  }

  sentence(ply) {
    if (!ply) return t("watch.beginning");
    const { moves, times = [], values = [], players = [] } = this.game;
    const parts = [`${t("watch.move", { ply, move: moves[ply - 1] })} · ${players[this.states[ply - 1].to_move] || "?"}`];
    const time = times[ply - 1];
    // If no move has a time, none was recorded, and opening moves cannot be recognised.
    if (time === null || time === undefined) times.length && parts.push(t("watch.opening"));
    else parts.push(t("watch.seconds", { s: time.toFixed(3) }));
    if (Number.isFinite(values[ply - 1])) parts.push(t("watch.itsValue", { v: signed(values[ply - 1]) }));
    return parts.join(" · ");
  }
}

export const resultText = (result) => ({ 1: "1–0", 0: "½–½", [-1]: "0–1" })[result] ?? String(result);
