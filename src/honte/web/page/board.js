// The board: one SVG picture, a grid for the screen reader, one element a piece.
//
// `draw(state)` compares with what is shown and changes only what differs, so a piece drawn the
// moment it was clicked is still falling when the server confirms it. 100 units are one cell.

import { calm, svg } from "./dom.js";
import { cellOf, kindOf, moveAt, placeName, sides } from "./cells.js";
import { CELL, definitions, drawFelt, drawFrame, drawWood } from "./ground.js";
import { drop, fall, leave, turn } from "./motion.js";
import { signed } from "./figures.js";
import { percent, proof, short } from "./numbers.js";
import { t } from "./words.js";

const RIMS = {
  connect4: { left: 20, right: 20, top: 118, bottom: 58 },
  othello: { left: 46, right: 18, top: 46, bottom: 18 },
  go: { left: 44, right: 16, top: 16, bottom: 44 },
};
const RADIUS = { connect4: 43, othello: 41, go: 47 };

export class Board {
  /** A board inside `element`; `onPick(text, cell)` and `onHover(text or null)` may be given later. */
  constructor(element) {
    this.element = element;
    this.shape = "";
    this.state = null;
    this.cursor = 0;
    this.pick = () => {};
    this.hover = () => {};
    this.enabled = true;
  }

  onPick(callback) {
    this.pick = callback;
  }

  onHover(callback) {
    this.hover = callback;
  }

  /** Show a state of the game `spec`. `hints`: whether legal moves are shown. */
  draw(spec, state, { animate = true, hints = true } = {}) {
    const kind = kindOf(spec);
    const shape = `${kind} ${state.rows} ${state.cols} ${blocks(state.cells)}`;
    if (shape !== this.shape) this.build(kind, state, shape);
    const before = this.shown;
    const moving = animate && !calm();
    for (let cell = 0; cell < state.cells.length; cell++) {
      if (before[cell] !== state.cells[cell]) this.change(cell, before[cell], state, moving);
    }
    this.shown = state.cells;
    this.state = state;
    this.drawMarks(state);
    this.drawHints(state, hints);
    this.label(state);
    this.showPv([]);
  }

  /** The board from nothing: ground, lines, coordinates and the grid of cells. */
  build(kind, state, shape) {
    this.shape = shape;
    this.kind = kind;
    this.rim = RIMS[kind];
    this.rows = state.rows;
    this.cols = state.cols;
    this.shown = state.cells.replace(/[XO]/g, ".");
    this.pieces = new Map();
    const { left, right, top, bottom } = this.rim;
    this.width = state.cols * CELL + left + right;
    this.height = state.rows * CELL + top + bottom;
    const layer = (name) => (this[name] = svg("g", { class: `layer-${name}`, "aria-hidden": "true" }));
    this.svg = svg(
      "svg",
      { viewBox: `0 0 ${this.width} ${this.height}`, class: `board board-${kind}${state.cols > 13 ? " large" : ""}`, role: "grid" },
      definitions(),
      layer("ground"), layer("stones"), layer("front"), layer("owners"), layer("marks"), layer("hints"),
      layer("thoughts"), layer("ghosts"),
    );
    this.svg.style.aspectRatio = `${this.width} / ${this.height}`;
    this.element.style.setProperty("--shape", this.width / this.height);
    ({ connect4: drawFrame, othello: drawFelt, go: drawWood })[kind](this, state);
    this.buildGrid();
    this.element.replaceChildren(this.svg);
  }

  buildGrid() {
    this.cells = [];
    for (let row = 0; row < this.rows; row++) {
      const line = svg("g", { role: "row" });
      for (let col = 0; col < this.cols; col++) {
        const cell = row * this.cols + col;
        const rect = svg("rect", {
          class: "cell", role: "gridcell", tabindex: "-1", "data-cell": cell, rx: 10,
          x: this.x(cell) - CELL / 2, y: this.y(cell) - CELL / 2, width: CELL, height: CELL,
        });
        this.cells.push(rect);
        line.append(rect);
      }
      this.svg.append(line);
    }
    this.cursor = Math.min(this.cursor, this.cells.length - 1);
    this.cells[this.cursor].setAttribute("tabindex", "0");
    const where = (event) => event.target.dataset?.cell ?? null;
    this.svg.addEventListener("click", (event) => {
      const cell = where(event) ?? this.columnUnder(event);
      if (cell !== null) this.choose(Number(cell));
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch") return;
      const cell = where(event) ?? this.columnUnder(event);
      this.point(cell === null ? null : Number(cell));
    });
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("focusin", (event) => {
      if (where(event) !== null) this.moveCursor(Number(where(event)), false);
    });
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** The strip over a Connect Four column counts as the column. */
  columnUnder(event) {
    if (this.kind !== "connect4") return null;
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * this.width - this.rim.left;
    const col = Math.floor(x / CELL);
    return col >= 0 && col < this.cols ? col : null;
  }

  x(cell) {
    return this.rim.left + (cell % this.cols) * CELL + CELL / 2;
  }

  y(cell) {
    return this.rim.top + Math.floor(cell / this.cols) * CELL + CELL / 2;
  }

  choose(cell) {
    const move = this.state && moveAt(this.kind, this.state, cell);
    this.pick(move ? move[1] : null, move ? move[0] : cell);
  }

  point(cell) {
    const move = cell === null || !this.state ? null : moveAt(this.kind, this.state, cell);
    const text = move ? move[1] : null;
    if (text === this.pointed) return;
    this.pointed = text;
    this.svg.classList.toggle("can-play", Boolean(text) && this.enabled);
    this.drawAim(this.enabled ? move : null);
    this.hover(text);
  }

  /** The piece one would play, over its column or on its cell. */
  drawAim(move) {
    this.aim?.remove();
    this.aim = null;
    if (!move || this.hasThoughts) return;
    const piece = "XO"[this.state.to_move];
    const y = this.kind === "connect4" ? this.rim.top - 62 : this.y(move[0]);
    this.aim = this.piece(piece, this.x(move[0]), y);
    this.aim.classList.add("aim");
    this.hints.append(this.aim);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = Math.floor(this.cursor / this.cols);
    const col = this.cursor % this.cols;
    const go = (r, c) => {
      const inside = r >= 0 && r < this.rows && c >= 0 && c < this.cols;
      if (inside) this.moveCursor(r * this.cols + c, true);
    };
    const keys = {
      ArrowUp: () => go(row - 1, col), ArrowDown: () => go(row + 1, col),
      ArrowLeft: () => go(row, col - 1), ArrowRight: () => go(row, col + 1),
      Home: () => go(row, 0), End: () => go(row, this.cols - 1),
      Enter: () => this.choose(this.cursor), " ": () => this.choose(this.cursor),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  }

  moveCursor(cell, focus) {
    this.cells[this.cursor]?.setAttribute("tabindex", "-1");
    this.cursor = cell;
    this.cells[cell].setAttribute("tabindex", "0");
    if (focus) this.cells[cell].focus();
  }

  focus() {
    this.cells?.[this.cursor].focus();
  }

  piece(who, x, y) {
    const radius = RADIUS[this.kind];
    const side = sides(this.kind)[who === "X" ? 0 : 1];
    const group = svg("g", { class: `stone ${side}`, transform: `translate(${x} ${y})` });
    const body = svg("g", { class: "body" });
    if (this.kind === "go") body.append(svg("circle", { class: "shade", r: radius, cx: 2, cy: 4 }));
    body.append(svg("circle", { class: "disc", r: radius }));
    // A ring on one side and a diamond on the other: nobody needs the colours to tell them apart.
    if (side === "red") body.append(svg("circle", { class: "ring", r: 24 }));
    if (side === "yellow") body.append(svg("path", { class: "ring", d: "M0-26 26 0 0 26-26 0Z" }));
    group.append(body);
    return group;
  }

  change(cell, before, state, moving) {
    const now = state.cells[cell];
    const old = this.pieces.get(cell);
    const [x, y] = [this.x(cell), this.y(cell)];
    if (now === ".") {
      this.pieces.delete(cell);
      if (old) leave(old, moving, this.kind, y);
      return;
    }
    const fresh = this.piece(now, x, y);
    fresh.dataset.piece = cell;
    this.pieces.set(cell, fresh);
    this.stones.append(fresh);
    if (old) {
      if (moving) turn(old, fresh, distance(state, cell));
      else old.remove();
    } else if (moving && this.kind === "connect4") {
      fall(fresh, y - this.rim.top + CELL * 0.9);
    } else if (moving) {
      drop(fresh);
    }
  }

  drawMarks(state) {
    const parts = [];
    const cell = state.last ? state.last[0] : -1;
    if (cell >= 0 && !state.line.length) {
      const side = sides(this.kind)[state.cells[cell] === "X" ? 0 : 1];
      parts.push(this.kind === "connect4"
        ? svg("circle", { class: `last on-${side}`, cx: this.x(cell), cy: this.y(cell), r: 46 })
        : svg("circle", { class: `last-dot on-${side}`, cx: this.x(cell), cy: this.y(cell), r: 13 }));
    }
    if (state.line.length > 1) {
      const ends = [state.line[0], state.line[state.line.length - 1]];
      const d = `M${this.x(ends[0])} ${this.y(ends[0])}L${this.x(ends[1])} ${this.y(ends[1])}`;
      parts.push(svg("path", { class: "line-edge", d }), svg("path", { class: "line", d }));
    }
    this.marks.replaceChildren(...parts);
  }

  drawHints(state, hints) {
    this.aim = null;
    this.pointed = undefined;
    this.enabled = hints;
    this.hints.replaceChildren();
    if (!hints || this.kind === "go") return;
    const side = sides(this.kind)[state.to_move];
    for (const [cell] of state.legal) {
      if (cell < 0) continue;
      this.hints.append(svg("circle", {
        class: `hint for-${side}`, cx: this.x(cell), cy: this.y(cell), r: this.kind === "connect4" ? 9 : 10,
      }));
    }
  }

  label(state) {
    this.svg.setAttribute("aria-label", t("boardOf", { game: t(this.kind), rows: state.rows, cols: state.cols }));
    const legal = new Set(state.legal.map(([cell]) => cell));
    const [first, second] = sides(this.kind);
    const what = { ".": t("empty"), X: t(first), O: t(second), "#": t("blocked") };
    for (let cell = 0; cell < this.cells.length; cell++) {
      let words = t("cell", { place: placeName(this.kind, state, cell), what: what[state.cells[cell]] });
      if (legal.has(cell)) words += `, ${t("legalHere")}`;
      if (state.last && state.last[0] === cell) words += `, ${t("lastHere")}`;
      if (this.cells[cell].getAttribute("aria-label") !== words) {
        this.cells[cell].setAttribute("aria-label", words);
      }
    }
  }

  /** What the engine thinks of each move: candidates of a report, the best first; [] hides them. */
  showCandidates(list, { top = 5, distance = 0 } = {}) {
    this.hasThoughts = list.length > 0;
    this.svg.classList.toggle("thinking", this.hasThoughts);
    const counted = list.some(({ visits }) => visits > 0); // alpha-beta values moves without counting
    const known = list.filter(({ cell, visits, proven }) => cell >= 0 && (visits > 0 || proven || !counted));
    const most = Math.max(...known.map(({ visits }) => visits), 1);
    const draw = this.kind === "connect4" ? this.chip : this.heat;
    this.thoughts.replaceChildren(...known.map((candidate, i) => {
      const strength = counted ? Math.sqrt(candidate.visits / most) : 1;
      const plies = candidate.distance ?? (candidate.move === list[0].move ? distance : 0);
      return draw.call(this, candidate, { first: i === 0, told: i < top, strength, plies });
    }));
    if (this.hasThoughts) this.drawAim(null);
  }

  /** Connect Four: a small plate over the column. */
  chip(candidate, { first, plies }) {
    const x = this.x(candidate.cell);
    const [upper, lower] = figures(candidate, plies);
    const group = svg("g", { class: `chip ${tone(candidate)}${first ? " best" : ""}`, transform: `translate(${x} 8)` });
    group.append(
      svg("rect", { x: -47, y: 0, width: 94, height: 80, rx: 16 }),
      svg("text", { y: 39, class: big(upper), text: upper }),
      svg("text", { y: 66, class: "small", text: lower }),
    );
    return group;
  }

  /** Othello and Go: warmth on the point itself, figures on the best few. */
  heat(candidate, { first, told, strength, plies }) {
    const [x, y] = [this.x(candidate.cell), this.y(candidate.cell)];
    const all = told || this.kind === "othello";
    const look = all ? `${tone(candidate)}${first ? " best" : ""}` : "warmth";
    const group = svg("g", { class: `heat ${look}`, transform: `translate(${x} ${y})` });
    const radius = this.kind === "go" ? 46 : 42;
    const plate = svg("circle", { class: "plate", r: all ? radius : 12 + (radius - 12) * strength });
    plate.style.opacity = all ? 0.8 + 0.2 * strength : 0.08 + 0.6 * strength;
    group.append(plate);
    const [upper, lower] = figures(candidate, plies);
    if (all && this.cols > 13) {
      // On a large board one figure must be enough to be read at all.
      group.append(svg("text", { y: 15, class: "big", text: upper.replace("%", "") }));
    } else if (all) {
      group.append(
        svg("text", { y: 6, class: big(upper), text: upper }), svg("text", { y: 29, class: "small", text: lower }),
      );
    }
    return group;
  }

  /** Go: whose each point will be, 1 player 0's and −1 the other's, as a square of that colour. */
  showOwners(list) {
    this.svg.classList.toggle("owned", list.length > 0);
    const owners = [];
    list.forEach((share, cell) => {
      const side = Math.round(14 + 24 * Math.abs(share));
      const stone = { X: 1, O: -1 }[this.state.cells[cell]] ?? 0;
      if (Math.abs(share) < 0.2 || stone * share > 0) return; // a stone that lives says so itself
      owners.push(svg("rect", {
        class: `owner ${sides(this.kind)[share > 0 ? 0 : 1]}`, rx: 4, width: side, height: side,
        x: this.x(cell) - side / 2, y: this.y(cell) - side / 2, opacity: (0.35 + 0.6 * Math.abs(share)).toFixed(2),
      }));
    });
    this.owners.replaceChildren(...owners);
  }

  /** A line of moves as numbered ghost stones; [] takes them away. */
  showPv(list) {
    const ghosts = [];
    if (this.state && list.length) {
      const cells = [...this.state.cells];
      let mover = this.state.to_move;
      list.slice(0, 12).forEach((text, i) => {
        const cell = cellOf(this.kind, this.state, cells, text);
        if (cell >= 0 && cells[cell] === ".") {
          const ghost = this.piece("XO"[mover], this.x(cell), this.y(cell));
          ghost.classList.add("ghost");
          ghost.append(svg("text", { y: 13, text: i + 1 }));
          ghosts.push(ghost);
          cells[cell] = "XO"[mover];
        }
        mover = 1 - mover;
      });
    }
    this.ghosts.replaceChildren(...ghosts);
    this.svg.classList.toggle("ghostly", ghosts.length > 0);
  }
}

const blocks = (cells) => [...cells].flatMap((c, i) => (c === "#" ? [i] : [])).join(" ");

/** How far a cell lies from the last move: discs turn in a wave. */
function distance(state, cell) {
  if (!state.last || state.last[0] < 0) return 1;
  const rows = Math.abs(Math.floor(cell / state.cols) - Math.floor(state.last[0] / state.cols));
  return Math.max(rows, Math.abs((cell % state.cols) - (state.last[0] % state.cols)));
}

const tone = ({ proven, value }) =>
  proven === "win" ? "won" : proven === "loss" ? "lost" : value >= 0.1 ? "good" : value <= -0.1 ? "poor" : "even";

/** Four letters or figures have to be smaller to find room. */
const big = (text) => (text.length > 3 ? "big long" : "big");

/** The two lines of figures on a candidate: what it is worth, and how often it was tried. */
function figures(candidate, plies) {
  const { proven, value, visits, score } = candidate;
  if (proven) return [t(proof(proven)), plies ? String(plies) : { win: "✓", loss: "✗", draw: "=" }[proven]];
  if (score !== undefined && score !== null) return [signed(score, Math.abs(score) < 9.95 ? 1 : 0), visits ? short(visits) : percent(value)];
  return [percent(value), visits ? short(visits) : ""];
}
