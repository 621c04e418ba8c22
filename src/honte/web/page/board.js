// The board: one SVG picture, a grid for screen readers, one element per piece.
//
// `draw(state)` diffs against what is shown and changes only what differs, so a piece drawn on
// the click is still falling when the server confirms it. 100 units are one cell.

import { calm, svg } from "./dom.js";
import { moveAt, placeName } from "./cells.js";
import { CELL, definitions, drawFelt, drawFrame, drawWood } from "./ground.js";
import { drop, fall, leave, turn } from "./motion.js";
import { chips } from "./chips.js";
import { gameText, t } from "./words.js";

const RIMS = {
  columns: { left: 20, right: 20, top: 118, bottom: 58 },
  cells: { left: 46, right: 18, top: 46, bottom: 18 },
  points: { left: 44, right: 16, top: 16, bottom: 44 },
};
const RADIUS = { columns: 43, cells: 41, points: 47 };
const FINGER = 30; // pixels
const GROUNDS = { columns: drawFrame, cells: drawFelt, points: drawWood };

export class Board {
  /** A board inside `element`; `onPick(text or null, cell clicked)` and `onHover(text or null)` may be given later. */
  constructor(element) {
    this.element = element;
    this.built = ""; // the shape that the ground was drawn for
    this.state = null;
    this.cursor = 0;
    this.pick = () => {};
    this.hover = () => {};
    this.previewed = () => {};
    this.enabled = true;
    this.keyed = false;
  }

  onPick(callback) {
    this.pick = callback;
  }

  onHover(callback) {
    this.hover = callback;
  }

  /** `callback(text or null)`: a tap previews a move, or the preview ends. */
  onPreview(callback) {
    this.previewed = callback;
  }

  /** Show a state of a game, given by its DESCRIPTOR. `hints`: whether legal moves are shown. */
  draw(game, state, { animate = true, hints = true } = {}) {
    const wanted = `${game.name} ${state.rows} ${state.cols} ${blocks(state.cells)}`;
    if (wanted !== this.built) this.build(game, state, wanted);
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

  /** Build the board from scratch: ground, lines, coordinates and the grid of cells. */
  build(game, state, wanted) {
    this.built = wanted;
    this.game = game;
    this.shape = game.shape;
    this.rim = RIMS[this.shape];
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
      { viewBox: `0 0 ${this.width} ${this.height}`, class: `board board-${this.shape}${state.cols > 13 ? " large" : ""}`, role: "grid" },
      definitions(),
      layer("ground"), layer("stones"), layer("front"), layer("owners"), layer("dead"), layer("marks"), layer("shapes"), layer("hints"),
      layer("lessons"), layer("thoughts"), layer("ghosts"),
    );
    this.svg.style.aspectRatio = `${this.width} / ${this.height}`;
    this.element.style.setProperty("--shape", this.width / this.height);
    GROUNDS[this.shape](this, state);
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
      if (cell !== null) this.tap(Number(cell));
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (event.pointerType === "touch") return;
      const cell = where(event) ?? this.columnUnder(event);
      this.point(cell === null ? null : Number(cell));
    });
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("pointerdown", (event) => {
      this.touched = event.pointerType === "touch";
      this.showCursor(false);
    });
    this.svg.addEventListener("focusin", (event) => {
      if (where(event) === null) return;
      this.moveCursor(Number(where(event)), false);
      this.showCursor(event.target.matches(":focus-visible"));
    });
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** If pieces drop, the strip over a column counts as the column. */
  columnUnder(event) {
    if (this.shape !== "columns") return null;
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

  /** Whether cells are too small for a finger. */
  get fine() {
    return this.touched && this.svg.getBoundingClientRect().width / this.width * CELL < FINGER;
  }

  /** A click or a tap: on small cells the first tap previews the move and the second makes it. */
  tap(cell) {
    const move = this.fine && this.enabled && this.state ? moveAt(this.game, this.state, cell) : null;
    if (!move || this.aimed === move[1]) this.choose(cell);
    else this.preview(move);
  }

  preview(move) {
    this.unaim();
    this.aimed = move[1];
    const [x, y] = [this.x(move[0]), this.y(move[0])];
    this.aim = svg("g", { class: "preview" },
      svg("path", { d: `M${x} ${this.rim.top}V${this.height - this.rim.bottom}M${this.rim.left} ${y}H${this.width - this.rim.right}` }),
      this.piece("XO"[this.state.to_move], x, y), svg("circle", { class: "target", cx: x, cy: y, r: 70 }));
    this.hints.append(this.aim);
    this.previewed(move[1]);
  }

  unaim() {
    this.aim?.remove();
    this.aim = null;
    if (this.aimed) this.previewed(null);
    this.aimed = null;
  }

  choose(cell) {
    const move = this.state && moveAt(this.game, this.state, cell);
    this.pick(move ? move[1] : null, cell);
  }

  point(cell) {
    const move = cell === null || !this.state ? null : moveAt(this.game, this.state, cell);
    const text = move ? move[1] : null;
    if (text === this.pointed) return;
    this.pointed = text;
    this.svg.classList.toggle("can-play", Boolean(text) && this.enabled);
    this.drawAim(this.enabled ? move : null);
    this.hover(text);
  }

  /** Draw the hovered piece over its column or on its cell. */
  drawAim(move) {
    this.unaim();
    if (!move || this.hasThoughts) return;
    const piece = "XO"[this.state.to_move];
    const y = this.shape === "columns" ? this.rim.top - 62 : this.y(move[0]);
    this.aim = this.piece(piece, this.x(move[0]), y);
    this.aim.classList.add("aim");
    this.hints.append(this.aim);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // After a click the arrows step through the game; with a cursor on the board they move it.
    if (event.shiftKey && event.key.startsWith("Arrow")) this.showCursor(true);
    if (!this.keyed) return;
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
      Escape: () => this.showCursor(false),
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

  /** Show the keyboard cursor: visible if the board got the focus by keys, not after a click. */
  showCursor(shown) {
    this.keyed = shown;
    this.svg.classList.toggle("keyed", shown);
  }

  focus({ cursor = false } = {}) {
    this.cells?.[this.cursor].focus();
    if (cursor) this.showCursor(true);
  }

  color(side) {
    return this.game.sides[side].color;
  }

  piece(who, x, y) {
    const radius = RADIUS[this.shape];
    const side = this.color(who === "X" ? 0 : 1);
    const group = svg("g", { class: `stone ${side}`, transform: `translate(${x} ${y})` });
    const body = svg("g", { class: "body" });
    if (this.shape === "points") body.append(svg("circle", { class: "shade", r: radius, cx: 2, cy: 4 }));
    body.append(svg("circle", { class: "disc", r: radius }));
    // A ring on one side and a diamond on the other: they can be told apart without colours.
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
      if (old) leave(old, moving, this.shape === "columns", y);
      return;
    }
    const fresh = this.piece(now, x, y);
    fresh.dataset.piece = cell;
    this.pieces.set(cell, fresh);
    this.stones.append(fresh);
    if (old) {
      if (moving) turn(old, fresh, distance(state, cell));
      else old.remove();
    } else if (moving && this.shape === "columns") {
      fall(fresh, y - this.rim.top + CELL * 0.9);
    } else if (moving) {
      drop(fresh);
    }
  }

  drawMarks(state) {
    const parts = [];
    const cell = state.last ? state.last[0] : -1;
    if (cell >= 0 && !state.lines.length) {
      const side = this.color(state.cells[cell] === "X" ? 0 : 1);
      parts.push(this.shape === "columns"
        ? svg("circle", { class: `last on-${side}`, cx: this.x(cell), cy: this.y(cell), r: 46 })
        : svg("circle", { class: `last-dot on-${side}`, cx: this.x(cell), cy: this.y(cell), r: 13 }));
    }
    const paths = state.lines.map((line) => `M${line.map((c) => `${this.x(c)} ${this.y(c)}`).join("L")}`);
    parts.push(...paths.map((d) => svg("path", { class: "line-edge", d })), ...paths.map((d) => svg("path", { class: "line", d })));
    this.marks.replaceChildren(...parts);
  }

  drawHints(state, hints) {
    this.unaim();
    this.pointed = undefined;
    this.enabled = hints;
    this.hints.replaceChildren();
    if (!hints || !this.game.hints) return;
    const side = this.color(state.to_move);
    for (const [cell] of state.legal) {
      if (cell < 0) continue;
      this.hints.append(svg("circle", {
        class: `hint for-${side}`, cx: this.x(cell), cy: this.y(cell), r: this.shape === "columns" ? 9 : 10,
      }));
    }
  }

  label(state) {
    this.svg.setAttribute("aria-label", t("boardOf", { game: gameText(this.game, this.game.title), rows: state.rows, cols: state.cols }));
    const legal = new Set(state.legal.map(([cell]) => cell));
    const [first, second] = this.game.sides.map(({ name }) => gameText(this.game, name));
    const what = { ".": t("empty"), X: first, O: second, "#": t("blocked") };
    for (let cell = 0; cell < this.cells.length; cell++) {
      let words = t("cell", { place: placeName(this.game, state, cell), what: what[state.cells[cell]] });
      if (legal.has(cell)) words += `, ${t("legalHere")}`;
      if (state.last && state.last[0] === cell) words += `, ${t("lastHere")}`;
      if (this.cells[cell].getAttribute("aria-label") !== words) {
        this.cells[cell].setAttribute("aria-label", words);
      }
    }
  }

  /** Show the candidates of a report; [] hides them. `best`: the engine's move. */
  showCandidates(list, { top = 5, best = list[0]?.move } = {}) {
    this.hasThoughts = list.length > 0;
    this.svg.classList.toggle("thinking", this.hasThoughts);
    this.thoughts.replaceChildren(...chips(this, list, best, top));
    if (this.hasThoughts) this.drawAim(null);
  }

  /** Show ownership, 1 for player 0 and −1 for the other, as a square of that colour on each cell. */
  showOwners(list) {
    this.svg.classList.toggle("owned", list.length > 0);
    const owners = [];
    list.forEach((share, cell) => {
      const side = Math.round(14 + 24 * Math.abs(share));
      const stone = { X: 1, O: -1 }[this.state.cells[cell]] ?? 0;
      if (Math.abs(share) < 0.2 || stone * share > 0) return; // a living stone needs no mark
      owners.push(svg("rect", {
        class: `owner ${this.color(share > 0 ? 0 : 1)}`, rx: 4, width: side, height: side,
        x: this.x(cell) - side / 2, y: this.y(cell) - side / 2, opacity: (0.35 + 0.6 * Math.abs(share)).toFixed(2),
      }));
    });
    this.owners.replaceChildren(...owners);
  }

  /** Mark the pieces on these cells as dead. */
  showDead(cells) {
    if (!cells.length && !this.dead.firstChild) return;
    const dead = new Set(cells);
    for (const [cell, piece] of this.pieces) piece.classList.toggle("dead", dead.has(cell));
    this.dead.replaceChildren(...cells.map((cell) => {
      const [x, y] = [this.x(cell), this.y(cell)];
      return svg("path", { class: "cross", d: `M${x - 16} ${y - 16}l32 32m0-32l-32 32` });
    }));
    const words = `, ${t("dead")}`;
    this.cells.forEach((place, cell) => {
      const label = place.getAttribute("aria-label").replace(words, "");
      place.setAttribute("aria-label", dead.has(cell) ? label + words : label);
    });
  }

  /** Show a line of moves, [cell, text] each, as numbered ghost stones; [] removes them. */
  showPv(list) {
    const ghosts = [];
    if (this.state && list.length) {
      const cells = [...this.state.cells];
      let mover = this.state.to_move;
      list.forEach(([cell], i) => {
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

/** Distance of a cell from the last move: discs flip in a wave. */
function distance(state, cell) {
  if (!state.last || state.last[0] < 0) return 1;
  const rows = Math.abs(Math.floor(cell / state.cols) - Math.floor(state.last[0] / state.cols));
  return Math.max(rows, Math.abs((cell % state.cols) - (state.last[0] % state.cols)));
}
