// A hint in two steps: first where to look, then the move.

import { byId } from "./dom.js";
import { placeName } from "./cells.js";
import { areaOf, drawLesson } from "./lessons.js";
import { sentence } from "./verdict.js";
import { t } from "./words.js";

const SECONDS = 0.5;

export class Hint {
  constructor({ play, thinking, board, socket, say }) {
    Object.assign(this, { play, thinking, board, socket, say });
    this.steps = 0;
  }

  /** Give the next step of the hint for the position on the board. */
  async press() {
    const { play } = this;
    if (!play.mayMove || this.asking) return;
    const key = play.session.key();
    if (this.key !== key) Object.assign(this, { key, steps: 0, found: null });
    if (!this.found) {
      this.asking = true;
      this.show(t("hint.looking"));
      try {
        this.found = await this.ask();
      } catch (error) {
        this.show(error.message);
      }
      this.asking = false;
      if (!this.found || this.key !== play.session.key()) return;
    }
    this.steps = Math.min(2, this.steps + 1);
    this.draw();
  }

  async ask() {
    const { thinking } = this;
    thinking.hold(true);
    try {
      return await this.socket.stream("analyse", { ...this.play.session.position(), seconds: SECONDS }).done;
    } finally {
      thinking.hold(false);
    }
  }

  draw() {
    const { game, state } = this.play.session;
    const { report, why } = this.found;
    const [cell] = state.legal.find(([, text]) => text === report.move) ?? [-1];
    const best = report.candidates.find(({ move }) => move === report.move) ?? report;
    if (this.steps === 2 || cell < 0) {
      drawLesson(this.board);
      this.board.showPv([[cell, report.move]]);
      this.show(t("hint.move", { move: report.move, words: sentence(best, game) }));
      return;
    }
    const area = areaOf(game, state, cell);
    drawLesson(this.board, { area, spots: why?.[0]?.cells ?? [] });
    const last = (area.top + area.rows - 1) * state.cols + area.left + area.cols - 1;
    const gaps = game.shape === "columns"
      ? { a: game.columns[area.left], b: game.columns[area.left + area.cols - 1] }
      : { a: placeName(game, state, area.top * state.cols + area.left), b: placeName(game, state, last) };
    this.show(t(game.shape === "columns" ? "hint.columns" : "hint.area", gaps));
  }

  show(words) {
    byId("hint-words").textContent = words;
    byId("hint-words").hidden = !words;
    if (words) this.say(words);
  }

  /** After every change on the board: a hint is for one position. */
  look() {
    const { play } = this;
    byId("hint").disabled = !play.mayMove;
    if (this.key === undefined || this.key === play.session.key()) return;
    Object.assign(this, { key: undefined, steps: 0, found: null });
    this.show("");
    drawLesson(this.board);
  }
}
