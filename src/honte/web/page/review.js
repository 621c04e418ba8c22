// The review of a game by the engine: the mistakes, their cost, and the better moves.
//   const review = new Review(element, {stream, format, names}); review.game: the DESCRIPTOR
//   stream(do, fields, onPart) -> {done, stop}: socket.stream; format(move) -> text; names: the two players
//   review.start({game, start, moves}, {toMove}); toMove: who made the first move, 0 or 1
//   review.stop(); review.next(); review.previous(); review.show(ply): the page is at this ply
//   review.redraw() after a change of language; review.clear() when another game begins
//   review.values and review.marks are arguments of drawGraph; review.parts[ply]: the remark on that move
// review.leads: the lead of player 0 in the game's unit, by ply; review.costs: ply -> the loss of the move
// Events: "part" {ply, of}, "end" {whole}, "jump" {ply, part}: go to the position before move `ply`,
// which was a mistake. The better move is revealed only for the moves in `told`.

import { costWords, reasonWords } from "./costs.js";
import { el, svg } from "./dom.js";
import { duration } from "./figures.js";
import { markShape } from "./graph.js";
import { scoreText } from "./verdict.js";
import { gameText, t } from "./words.js";

const EVEN = 0.1; // a game that ends closer to even has no turning point, and
const LOST = -0.5; // below this a side was already lost: see honte/analysis/review.py
const KINDS = ["inaccuracy", "mistake", "blunder"];

const sign = (mark) =>
  svg("svg", { class: "mark-sign", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, markShape(mark, 8, 8));

export class Review extends EventTarget {
  constructor(element, { stream, format = (move) => move, names = null }) {
    super();
    Object.assign(this, { element, stream, format, names });
    this.at = 0;
    this.game = {};
    this.clear();
  }

  clear() {
    this.stop();
    Object.assign(this, { parts: [], values: [], leads: [], costs: new Map(), marks: [], of: 0, running: null, words: "", items: new Map(), told: new Set() });
    this.redraw();
  }

  /** Start; resolves when the last move has been reviewed, or the review was stopped. */
  async start(position, { seconds, toMove = 0 } = {}) {
    this.clear();
    this.of = position.moves.length;
    this.toMove = toMove;
    this.began = performance.now();
    let first;
    const running = this.stream("review", { ...position, seconds }, (part) => {
      if (this.running !== running || part.ply === undefined) return;
      first ??= part.ply;
      this.take(part, part.ply - first + 1);
    });
    this.running = running;
    this.redraw();
    try {
      await running.done;
    } catch (error) {
      if (this.running === running) this.words = error.message;
    }
    if (this.running !== running) return;
    this.running = null;
    this.tell("end", { whole: this.count() === this.of });
    this.redraw();
  }

  stop() {
    this.running?.stop();
    if (!this.running) return;
    this.running = null;
    this.tell("end", { whole: false });
    this.redraw();
  }

  count() {
    return this.parts.reduce((n) => n + 1, 0);
  }

  /** Note the remark on move `ply`; after a lost connection it comes a second time. */
  take(part, ply) {
    this.parts[ply] = part;
    this.values[ply - 1] = part.value;
    if (Number.isFinite(part.after)) this.values[ply] = part.after;
    if (Number.isFinite(part.lead)) this.leads[ply] = part.lead;
    if (part.lost > 0) this.costs.set(ply, part.lost);
    else this.costs.delete(ply);
    this.marks = this.marks.filter((one) => one.ply !== ply);
    if (part.mark) this.marks.push({ ply, mark: part.mark });
    this.marks.sort((a, b) => a.ply - b.ply);
    this.tell("part", { ply, of: this.of });
    this.progress();
    if (part.mark) this.redraw();
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  jump(ply) {
    this.show(ply);
    this.tell("jump", { ply, part: this.parts[ply] });
  }

  next() {
    const mark = this.marks.find((one) => one.ply > this.at) ?? this.marks[0];
    if (mark) this.jump(mark.ply);
  }

  previous() {
    const mark = this.marks.findLast((one) => one.ply < this.at) ?? this.marks.at(-1);
    if (mark) this.jump(mark.ply);
  }

  /** Reveal the better alternative to move `ply`. */
  tellBest(ply) {
    this.told.add(ply);
    this.redraw();
  }

  /** The page is at move `ply`; a half is between two moves. */
  show(ply) {
    this.at = ply;
    for (const [other, item] of this.items) {
      if (other === Math.floor(ply)) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    }
    // Scroll only the list: on a phone the page itself must keep the board in view.
    const item = this.items.get(Math.floor(ply));
    const list = item?.closest(".review-list");
    if (!list) return;
    const above = item.offsetTop - list.scrollTop;
    const below = above + item.offsetHeight - list.clientHeight;
    if (above < 0 || below > 0) list.scrollTop += above < 0 ? above : below;
  }

  // -- drawing -------------------------------------------------------------------------

  progress() {
    if (!this.bar) return;
    const done = this.count();
    this.bar.value = done;
    if (!done) return;
    const each = (performance.now() - this.began) / 1000 / done;
    this.left.textContent = t("review.left", { n: done, of: this.of, time: duration(each * (this.of - done)) });
  }

  redraw() {
    const parts = [];
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.bar = null;
    this.items = new Map();
    if (this.running) {
      this.bar = el("progress", { max: this.of, value: 0, "aria-label": t("review.progress") });
      this.left = el("span", {});
      const stop = el("button", { type: "button", "data-key": "stop", onclick: () => this.stop() }, t("review.stop"));
      parts.push(el("div", { class: "review-progress" }, this.bar, this.left, stop));
    }
    if (this.words) parts.push(el("p", { class: "review-words", role: "alert" }, this.words));
    if (this.count()) {
      const button = (key, act) =>
        el("button", { type: "button", "data-key": key, disabled: !this.marks.length, onclick: () => this[act]() }, t(key));
      parts.push(
        el("div", { class: "review-steps" }, button("review.previous", "previous"), button("review.next", "next")),
        this.summary(),
        this.marks.length
          ? el("ol", { class: "review-list" }, ...this.order().map((mark) => this.line(mark)))
          : el("p", { class: "review-words" }, t(this.running ? "review.soFar" : "review.clean")),
      );
    }
    this.element.replaceChildren(el("div", { class: "review" }, ...parts));
    this.progress();
    if (this.at) this.show(this.at);
    if (focused) this.element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  mover(ply) {
    return (this.toMove + ply - 1) % 2;
  }

  /** The last mistake that the losing side made before it was lost; null while the review runs. */
  get turning() {
    const last = this.parts.at(-1);
    if (this.running || !last || Math.abs(last.after) < EVEN) return null;
    const behind = last.after > 0 ? 1 : 0;
    const forMover = ({ ply }) => (this.mover(ply) === 0 ? 1 : -1) * this.parts[ply].value;
    return this.marks.findLast((mark) => this.mover(mark.ply) === behind && forMover(mark) > LOST)?.ply ?? null;
  }

  /** The mistakes, the turning point first, then by cost. */
  order() {
    const { turning } = this;
    const weight = ({ ply }) => (ply === turning ? Infinity : this.parts[ply].cost);
    return [...this.marks].sort((a, b) => (weight(a) === weight(b) ? a.ply - b.ply : weight(b) - weight(a)));
  }

  /** The move that lost the game for a side: the turning point, else its costliest mistake; null if it made none. */
  lossOf(side) {
    return this.order().find(({ ply }) => this.mover(ply) === side)?.ply ?? null;
  }

  line({ ply, mark }) {
    const part = this.parts[ply];
    const told = this.told.has(ply);
    const line = (part.pv ?? []).slice(part.pv?.[0] === part.best ? 1 : 0, 8).map((move) => this.format(move)).join(" ");
    const why = told ? part.why?.[0] : null;
    const item = el(
      "button",
      { type: "button", class: `review-item ${mark}`, "data-key": `ply${ply}`, onclick: () => this.jump(ply) },
      sign(mark),
      el("span", { class: `piece p${this.mover(ply)}` }),
      el("span", { class: "move" }, `${ply}. ${this.format(part.move)}`),
      el("span", { class: "kind" }, t(mark)),
      el("span", { class: "cost", title: t("review.cost") }, costWords(part, this.game, this.mover(ply))),
      ply === this.turning ? el("span", { class: "better turning" }, t("review.turning")) : null,
      told ? el("span", { class: "better" }, t("review.better", { move: this.format(part.best) }), el("span", { class: "line" }, line)) : null,
      why ? el("span", { class: "better" }, reasonWords(why, this.game)) : null,
    );
    this.items.set(ply, item);
    return el("li", {}, item);
  }

  summary() {
    const sides = [0, 1].map((side) => {
      const own = this.parts.map((part, ply) => ({ part, ply })).filter((one) => one && this.mover(one.ply) === side);
      const free = own.filter((one) => !one.part.forced);
      const kept = free.reduce((sum, one) => sum + 1 - Math.min(1, one.part.cost), 0);
      const accuracy = free.length ? (100 * kept) / free.length : 100;
      const counts = KINDS.map((kind) => own.filter((one) => one.part.mark === kind).length);
      const lost = own.reduce((sum, one) => sum + (one.part.lost ?? 0), 0);
      return { side, counts, accuracy, lost };
    });
    const counted = this.game.unit && this.parts.some((part) => Number.isFinite(part.lost));
    const unit = counted ? gameText(this.game, this.game.unit) : "";
    const head = KINDS.map((kind) => el("th", { scope: "col" }, sign(kind), el("span", {}, t(kind))));
    return el(
      "table", { class: "review-summary" },
      el("caption", { class: "unseen" }, t("review.summary")),
      el("thead", {}, el("tr", {}, el("td", {}), ...head, el("th", { scope: "col", title: t("review.accuracyMeans") }, t("review.accuracy")), counted ? el("th", { scope: "col", title: t("review.lostMeans") }, unit) : null)),
      el("tbody", {}, ...sides.map(({ side, counts, accuracy, lost }) =>
        el("tr", {},
          el("th", { scope: "row" }, el("span", { class: `piece p${side}` }), this.names?.[side] ?? t(side ? "graph.second" : "graph.first")),
          ...counts.map((n) => el("td", {}, String(n))),
          el("td", { class: "accuracy" }, `${accuracy.toFixed(0)}\u202f%`),
          counted ? el("td", {}, lost ? scoreText(-lost, 1) : "0") : null))),
    );
  }
}
