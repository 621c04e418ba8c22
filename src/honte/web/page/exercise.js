// "Find the better move": the board shows the position before a mistake, the user tries moves, the
// engine refutes or confirms them, then says why. Nothing is given away before that.

import { costWords, reasonWords } from "./costs.js";
import { lineOf } from "./cells.js";
import { byId, el } from "./dom.js";
import { judge } from "./judge.js";
import { drawLesson } from "./lessons.js";
import { t } from "./words.js";

const SECONDS = 0.5; // for a move that the review has not searched

export class Exercise {
  constructor({ play, thinking, review, board, socket, say }) {
    Object.assign(this, { play, thinking, review, board, socket, say });
    this.ply = null; // the ply of the mistake
  }

  /** Whether the position before the mistake is on the board. */
  get active() {
    const { session } = this.play;
    return this.ply !== null && !session.main && session.at === this.ply - 1 && Boolean(this.part);
  }

  get part() {
    return this.review.parts[this.ply];
  }

  get solved() {
    return this.review.told.has(this.ply);
  }

  begin(ply) {
    Object.assign(this, { ply, line: [], answer: null, asking: false });
    this.turn = (this.turn ?? 0) + 1;
    this.draw();
    if (!this.part) return;
    this.say(this.question());
    // On a phone the list of mistakes lies far below the board.
    const board = byId("board").getBoundingClientRect();
    if (board.bottom < 0 || board.top > innerHeight) byId("board").scrollIntoView({ block: "start" });
  }

  end() {
    this.ply = null;
    this.turn++;
    this.draw();
    this.board.showPv([]);
  }

  question() {
    const { ply, part, play, review } = this;
    const mover = review.mover(ply);
    return t("exercise.question", {
      ply, who: play.side(mover), move: part.move, kind: t(part.mark ?? "inaccuracy"), cost: costWords(part, play.session.game, mover),
    });
  }

  /** Try a move on the board. */
  async attempt(move) {
    const { ply, part, play, review } = this;
    if (this.asking) return;
    if (move === part.best) return this.praise(move, part);
    if (move === part.move) return this.refute(part);
    if (review.running) return this.tell(() => ({ words: t("exercise.wait") }));
    const turn = ++this.turn;
    this.asking = true;
    this.tell(() => ({ words: t("exercise.looking", { move }) }));
    try {
      const found = await judge(this, play.session.position(ply - 1), move, SECONDS);
      if (turn !== this.turn || !found) return undefined;
      this.asking = false;
      return found.mark ? this.refute(found) : this.praise(move, found);
    } catch (error) {
      if (turn === this.turn) this.tell(() => ({ words: error.message }));
      return undefined;
    } finally {
      if (turn === this.turn) this.asking = false;
    }
  }

  refute(part) {
    const { game } = this.play.session;
    const line = lineOf(part.reply ?? {});
    const mover = this.review.mover(this.ply);
    const gaps = () => ({ move: part.move, kind: t(`a.${part.mark ?? "inaccuracy"}`), cost: costWords(part, game, mover) });
    const reply = line.slice(1, 6).map(([, text]) => text).join(" ");
    this.tell(() => ({ words: t("exercise.wrong", gaps()), more: reply ? t("exercise.reply", { line: reply }) : "", look: "bad" }), line.slice(0, 6));
  }

  praise(move, found) {
    this.review.tellBest(this.ply);
    const as = move === this.part.best ? "exercise.right" : "exercise.rightToo";
    const { best } = this.part;
    this.tell(() => ({ words: t(as, { move, best }), look: "good" }), lineOf(move === best ? this.part : (found.reply ?? {})).slice(0, 8));
  }

  /** Show the solution. */
  reveal() {
    this.turn++;
    this.asking = false;
    this.review.tellBest(this.ply);
    const { best, pv = [] } = this.part;
    this.tell(() => ({ words: t("exercise.shown", { best, line: pv.slice(1, 8).join(" ") }) }), lineOf(this.part).slice(0, 8));
  }

  /** Show `answer()`, the text in the language of the page, and draw the line on the board. */
  tell(answer, line = []) {
    this.answer = answer;
    this.line = line;
    this.board.showPv(line);
    this.draw();
    const { words, more } = answer();
    this.say([words, more, this.why?.words].filter(Boolean).join(" "));
  }

  /** Why the best move is better, once that may be revealed. */
  get why() {
    const reason = this.solved ? this.part.why?.[0] : null;
    return reason ? { words: reasonWords(reason, this.play.session.game), cells: reason.cells } : null;
  }

  draw() {
    const box = byId("exercise");
    const { active } = this;
    box.hidden = !active;
    this.thinking.keepSecret(active && !this.solved);
    if (!active) {
      if (this.drawn) drawLesson(this.board);
      this.drawn = false;
      return;
    }
    const { part, play, why, review } = this;
    const answer = this.answer?.();
    const played = play.session.state.legal.find(([, text]) => text === part.move)?.[0] ?? -1;
    drawLesson(this.board, { played, spots: why?.cells ?? [] });
    if (this.line.length) this.board.showPv(this.line);
    this.drawn = true;
    const button = (key, act, more = {}) => el("button", { type: "button", "data-key": key, onclick: act, ...more }, t(key));
    const focused = box.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    box.replaceChildren(
      el("div", { class: "card-head" },
        el("h2", {}, t("exercise.title")),
        el("button", { type: "button", class: "quiet icon", "aria-label": t("close"), "data-key": "close", onclick: () => this.end() }, "✕")),
      el("p", { class: "exercise-question" }, this.question()),
      ...(answer ? [el("p", { class: `exercise-answer ${answer.look ?? ""}` }, answer.words, answer.more ? el("span", { class: "exercise-reply" }, answer.more) : null)] : []),
      ...(why ? [el("p", { class: "exercise-why" }, why.words)] : []),
      el("div", { class: "actions" },
        button("exercise.show", () => this.reveal(), { class: this.solved ? "" : "primary" }),
        button("review.previous", () => review.previous()),
        button("review.next", () => review.next())));
    if (focused) box.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }
}
