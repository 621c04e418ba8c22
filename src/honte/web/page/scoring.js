// Scoring by agreement, in games that have it: after the last pass the engine marks the dead
// pieces, a click corrects it, and the count is updated. The rules' own score is shown beside it.

import { byId, el } from "./dom.js";
import { gameText, t } from "./words.js";

export class Scoring extends EventTarget {
  constructor(socket, play) {
    super();
    this.socket = socket;
    this.play = play;
    this.key = null; // the game and position that `count` belongs to
    this.count = null; // COUNT
    this.agreed = false;
  }

  /** Whether the position on the board is counted by agreement. */
  get active() {
    const { session } = this.play;
    const { state } = session;
    return Boolean(session.game?.scoring && state?.over && !state.guess && !session.ended);
  }

  get shown() {
    return this.active && this.key === this.name() ? this.count : null;
  }

  name() {
    const { session } = this.play;
    return JSON.stringify([session.id, session.position()]);
  }

  /** The agreed or proposed result: {winner, score, agreed}; null if only the rules decide. */
  get result() {
    return this.shown && { winner: this.count.winner, score: this.count.score, agreed: this.agreed };
  }

  /** After every change on the board. */
  look() {
    if (!this.active) {
      this.key = this.count = null;
      this.draw();
      return;
    }
    if (this.key === this.name()) return;
    this.count = null;
    this.key = this.name();
    const { session } = this.play;
    const known = session.agreed[session.key()];
    this.agreed = Boolean(known);
    this.ask({ dead: known?.dead ?? null });
    this.draw();
  }

  async ask(fields) {
    const { key } = this;
    try {
      const { count } = await this.socket.request("score", { ...this.play.session.position(), ...fields });
      if (key !== this.key) return;
      this.count = count;
    } catch (error) {
      if (key === this.key) this.play.tell("trouble", { words: error.message });
      return;
    }
    this.draw();
    this.dispatchEvent(new Event("change"));
  }

  /** Handle a click on a piece: toggle whether its group is dead. */
  toggle(cell) {
    const { state } = this.play.session;
    if (!this.shown || this.agreed || state.cells[cell] === ".") return;
    this.ask({ dead: this.count.dead, toggle: cell });
  }

  agree() {
    if (!this.shown) return;
    const { session } = this.play;
    const { winner, score, dead } = this.count;
    this.agreed = true;
    session.agreed[session.key()] = { winner, score, dead };
    session.mine = true;
    this.play.changed({ animate: false });
    this.draw();
    this.dispatchEvent(new Event("change"));
  }

  /** Resume play: take back the passes. */
  resume() {
    this.play.undo();
  }

  draw() {
    const { play, count } = this;
    byId("count").hidden = !this.active;
    if (!this.active) return;
    const { game, state } = play.session;
    byId("count-hint").textContent = t(!count ? "counting" : this.agreed ? "agreedHint" : "deadHint");
    byId("agree").hidden = byId("resume").hidden = this.agreed;
    byId("agree").disabled = !count;
    const number = (n) => String(n);
    const row = (label, values, look) => el("tr", { class: look }, el("th", { scope: "row", text: label }), ...values.map((n) => el("td", { text: number(n) })));
    const head = el("tr", {}, el("td"), ...[0, 1].map((side) => el("th", { scope: "col", text: play.side(side) })));
    const rows = !count ? [] : [head,
      ...count.lines.filter(({ counted }) => counted).map(({ label, values }) => row(gameText(game, label), values)),
      row(t("total"), count.totals, "total"),
      ...count.lines.filter(({ counted }) => !counted).map(({ label, values }) => row(t("notCounted", { what: gameText(game, label) }), values, "faint"))];
    byId("count-table").replaceChildren(...rows);
    byId("rules-score").textContent = t("rulesScore", { words: play.outcome(state.winner, state.score) });
  }
}
