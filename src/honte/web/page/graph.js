// The win rate over the game, or the lead in the game's own unit.
//   drawGraph(element, {values, unit, marks, at, onPick, names})
//   values[ply]: −1 … 1 for player 0 after `ply` moves, null or a hole if unknown
//   unit: "" for chances; the word for discs or points, and the values are such a lead
//   marks: [{ply, mark}] with mark inaccuracy, mistake or blunder; `ply` counts the move itself
//   at: the ply on the board; onPick(ply): go there; names: the two players
// Calling it again redraws in place. The element becomes a slider: arrows step, Home and End go to
// the ends, Page Up and Page Down to the previous and the next mistake.

import { el, svg } from "./dom.js";
import { onWidth } from "./figures.js";
import { percent } from "./numbers.js";
import { scoreText } from "./verdict.js";
import { t } from "./words.js";

const HEIGHT = 132;
const LEAST = 10; // minimum scale of a lead: otherwise a point up and down would look dramatic
const EDGE = { left: 34, right: 10, top: 8, bottom: 18 };
const graphs = new WeakMap();

export function drawGraph(element, given) {
  let graph = graphs.get(element);
  if (!graph) graphs.set(element, (graph = new Graph(element)));
  graph.take(given);
}

/** A mark that differs by shape as well as by colour: ring, diamond, cross. */
export function markShape(mark, x, y, size = 5) {
  const shape = { inaccuracy: "circle", mistake: "diamond", blunder: "cross" }[mark];
  const s = size;
  const d =
    shape === "diamond"
      ? `M${x} ${y - s - 1}L${x + s + 1} ${y}L${x} ${y + s + 1}L${x - s - 1} ${y}Z`
      : `M${x - s} ${y - s}L${x + s} ${y + s}M${x + s} ${y - s}L${x - s} ${y + s}`;
  return shape === "circle"
    ? svg("circle", { class: "mark inaccuracy", cx: x, cy: y, r: s - 1 })
    : svg("path", { class: `mark ${mark}`, d });
}

class Graph {
  constructor(element) {
    this.element = element;
    this.given = { values: [], marks: [], at: 0 };
    this.width = Math.floor(element.clientWidth);
    this.picture = el("div", { class: "graph", role: "slider", tabindex: 0 });
    this.summary = el("p", { class: "unseen" });
    element.replaceChildren(this.picture, this.summary);
    onWidth(element, (width) => {
      this.width = width;
      this.draw();
    });
    this.picture.addEventListener("keydown", (event) => this.key(event));
    this.picture.addEventListener("pointerdown", (event) => {
      this.picture.setPointerCapture(event.pointerId);
      this.pick(this.plyAt(event));
    });
    this.picture.addEventListener("pointermove", (event) => {
      this.hover = this.plyAt(event);
      if (event.buttons & 1) this.pick(this.hover);
      this.point();
    });
    this.picture.addEventListener("pointerleave", () => {
      this.hover = null;
      this.point();
    });
  }

  take(given) {
    this.given = { ...given, values: given.values ?? [], marks: given.marks ?? [] };
    if (!this.width) this.width = Math.floor(this.element.clientWidth);
    this.draw();
  }

  get last() {
    const plies = this.given.marks.map((mark) => mark.ply);
    return Math.max(this.given.values.length - 1, this.given.at ?? 0, 1, ...plies);
  }

  x(ply) {
    return EDGE.left + ((this.width - EDGE.left - EDGE.right) * ply) / this.last;
  }

  /** The value at the top of the graph: a won game, or the largest lead in fives. */
  get most() {
    if (!this.given.unit) return 1;
    const leads = this.given.values.filter(Number.isFinite).map(Math.abs);
    return 5 * Math.ceil(Math.max(LEAST, ...leads) / 5);
  }

  y(value) {
    return EDGE.top + ((HEIGHT - EDGE.top - EDGE.bottom) * (1 - value / this.most)) / 2;
  }

  /** A value as text. */
  text(value) {
    return this.given.unit ? `${scoreText(value, 1)} ${this.given.unit}` : percent(value);
  }

  plyAt(event) {
    const x = event.clientX - this.picture.getBoundingClientRect().left - EDGE.left;
    const share = x / (this.width - EDGE.left - EDGE.right);
    return Math.max(0, Math.min(this.last, Math.round(share * this.last)));
  }

  pick(ply) {
    if (ply !== this.given.at && this.given.onPick) this.given.onPick(ply);
  }

  key(event) {
    const { marks, at = 0 } = this.given;
    const plies = marks.map((mark) => mark.ply).sort((a, b) => a - b);
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      Home: 0,
      End: this.last,
      PageUp: plies.findLast((ply) => ply < at) ?? at,
      PageDown: plies.find((ply) => ply > at) ?? at,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.pick(Math.max(0, Math.min(this.last, to)));
  }

  known(ply) {
    return Number.isFinite(this.given.values[ply]);
  }

  /** Stretches of plies without a gap. */
  runs() {
    const runs = [];
    this.given.values.forEach((value, ply) => {
      if (!Number.isFinite(value)) return;
      if (ply && this.known(ply - 1)) runs.at(-1).push(ply);
      else runs.push([ply]);
    });
    return runs;
  }

  draw() {
    if (!this.width) return;
    const { values, marks, at = 0 } = this.given;
    const { most } = this;
    const [top, middle, bottom] = [this.y(most), this.y(0), this.y(-most)];
    const right = this.width - EDGE.right;
    const parts = [
      svg("rect", { class: "ground", x: EDGE.left, y: top, width: right - EDGE.left, height: bottom - top, rx: 3 }),
    ];
    for (const run of this.runs()) {
      const line = run.map((ply) => `${this.x(ply).toFixed(1)} ${this.y(values[ply]).toFixed(1)}`);
      // A single known ply has no width of its own: draw half a ply to either side.
      const half = run.length === 1 ? (right - EDGE.left) / this.last / 2 : 0;
      const from = Math.max(EDGE.left, this.x(run[0]) - half);
      const to = Math.min(right, this.x(run.at(-1)) + half);
      const points = half ? [`${from} ${this.y(values[run[0]])}`, `${to} ${this.y(values[run[0]])}`] : line;
      parts.push(
        svg("path", { class: "second", d: `M${from} ${top}L${points.join("L")}L${to} ${top}Z` }),
        svg("path", { class: "first", d: `M${from} ${bottom}L${points.join("L")}L${to} ${bottom}Z` }),
        svg("path", { class: "line", d: `M${points.join("L")}` }),
      );
    }
    parts.push(svg("path", { class: "middle", d: `M${EDGE.left} ${middle}H${right}` }));
    const ticks = this.given.unit ? [most, 0, -most].map((lead) => [lead, scoreText(lead)]) : [[1, "100"], [0, "50"], [-1, "0"]];
    for (const [value, text] of ticks)
      parts.push(svg("text", { class: "tick", x: EDGE.left - 6, y: this.y(value) + 4, "text-anchor": "end" }, text));
    const step = [1, 2, 5, 10, 20, 50, 100].find((s) => (this.last / s) * 34 < right - EDGE.left) ?? 200;
    for (let ply = 0; ply <= this.last; ply += step)
      parts.push(svg("text", { class: "tick", x: this.x(ply), y: HEIGHT - 4, "text-anchor": "middle" }, String(ply)));
    parts.push(svg("path", { class: "at", d: `M${this.x(at)} ${top - 4}V${bottom + 4}` }));
    if (this.known(at)) parts.push(svg("circle", { class: "dot", cx: this.x(at), cy: this.y(values[at]), r: 4 }));
    for (const { ply, mark } of marks) {
      if (!mark) continue;
      const value = this.known(ply) ? values[ply] : this.known(ply - 1) ? values[ply - 1] : 0;
      const shape = markShape(mark, Number(this.x(ply).toFixed(1)), Number(this.y(value).toFixed(1)));
      shape.append(svg("title", {}, `${ply}: ${t(mark)}`));
      parts.push(shape);
    }
    this.pointer = svg("g", { class: "pointer" });
    parts.push(this.pointer);
    this.picture.replaceChildren(
      svg("svg", { width: this.width, height: HEIGHT, viewBox: `0 0 ${this.width} ${HEIGHT}`, "aria-hidden": "true" }, ...parts),
    );
    this.speak();
    this.point();
  }

  point() {
    if (!this.pointer) return;
    this.pointer.replaceChildren();
    const ply = this.hover;
    if (ply === null || ply === undefined) return;
    const x = this.x(ply);
    const text = `${ply}${this.known(ply) ? ` · ${this.text(this.given.values[ply])}` : ""}`;
    const flip = x > this.width - 120;
    this.pointer.append(
      svg("path", { d: `M${x} ${EDGE.top}V${HEIGHT - EDGE.bottom}` }),
      svg("text", { x: x + (flip ? -6 : 6), y: EDGE.top + 13, "text-anchor": flip ? "end" : "start" }, text),
    );
  }

  /** The text for screen readers: the current ply, and the course of the game in a sentence. */
  speak() {
    const { values, marks, at = 0, names } = this.given;
    const value = this.known(at) ? t("graph.chance", { name: names?.[0] ?? t("graph.first"), p: this.text(values[at]) }) : t("graph.unknown");
    const mark = marks.find((one) => one.ply === at && one.mark);
    const set = (name, text) => this.picture.setAttribute(name, text);
    set("aria-label", t(this.given.unit ? "graph.labelLead" : "graph.label"));
    set("aria-valuemin", 0);
    set("aria-valuemax", this.last);
    set("aria-valuenow", at);
    set("aria-valuetext", `${t("graph.move", { ply: at })}: ${value}${mark ? `, ${t(mark.mark)}` : ""}`);
    const count = (kind) => marks.filter((one) => one.mark === kind).length;
    const known = values.filter((v) => Number.isFinite(v)).length;
    this.summary.textContent = t("graph.summary", {
      known, all: this.last + 1, inaccuracies: count("inaccuracy"), mistakes: count("mistake"), blunders: count("blunder"),
    });
  }
}
