// The ground under and around the pieces: frame, felt, wood, lines and coordinates.

import { svg } from "./dom.js";
import { columnName, rowName } from "./cells.js";

export const CELL = 100; // side of a cell in units

function gradient(name, stops, ball) {
  const kind = ball ? "radialGradient" : "linearGradient";
  const axis = ball ? { cx: 0.36, cy: 0.3, r: 0.78 } : { x2: 0, y2: 1 };
  return svg(kind, { id: `g-${name}`, ...axis },
    ...Array.from({ length: stops }, (_, i) => svg("stop", { offset: i / (stops - 1), class: `stop-${name}-${i}` })));
}

export function definitions() {
  const hatch = svg("pattern", {
    id: "g-plate", width: 16, height: 16, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
  }, svg("rect", { width: 16, height: 16, class: "hatch-ground" }), svg("rect", { width: 6, height: 16, class: "hatch-line" }));
  return svg("defs", {},
    gradient("frame", 2), gradient("hole", 2), gradient("felt", 2), gradient("rim", 2), gradient("wood", 2),
    gradient("red", 2), gradient("yellow", 2), gradient("black", 3, true), gradient("white", 3, true), hatch);
}

function coordinates(board, places) {
  board.front.append(...places.map(([x, y, words]) => svg("text", { class: "coordinate", x, y, text: words })));
}

function columnsOf(board, y) {
  return Array.from({ length: board.cols }, (_, c) => [board.x(c), y, columnName(board.game, c)]);
}

function rowsOf(board, x) {
  return Array.from({ length: board.rows }, (_, r) => [x, board.y(r * board.cols) + 9, rowName(board.game, r, board.rows)]);
}

const plate = (x, y) => svg("rect", { class: "blocked", x: x - 38, y: y - 38, width: 76, height: 76, rx: 12 });

/** Blocked cells. */
function plates(board, state) {
  [...state.cells].forEach((what, cell) => what === "#" && board.front.append(plate(board.x(cell), board.y(cell))));
}

/** Draw a frame with holes, behind which pieces fall. */
export function drawFrame(board, state) {
  const { left, top } = board.rim;
  const [width, height] = [board.cols * CELL, board.rows * CELL];
  const r = 41;
  let holes = "";
  for (let cell = 0; cell < state.cells.length; cell++) {
    const [x, y] = [board.x(cell), board.y(cell)];
    if (state.cells[cell] === "#") {
      board.front.append(plate(x, y));
    } else {
      holes += `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    }
  }
  const round = 34;
  const outer = `M${round} ${top - 20}H${board.width - round}a${round} ${round} 0 0 1 ${round} ${round}V${board.height - round}`
    + `a${round} ${round} 0 0 1 ${-round} ${round}H${round}a${round} ${round} 0 0 1 ${-round} ${-round}V${top - 20 + round}a${round} ${round} 0 0 1 ${round} ${-round}Z`;
  board.ground.append(svg("rect", { class: "well", x: left, y: top, width, height, rx: 20 }));
  board.front.prepend(svg("path", { class: "frame", d: outer + holes, "fill-rule": "evenodd" }),
    svg("path", { class: "hole-edge", d: holes }));
  coordinates(board, columnsOf(board, board.height - 18));
}

/** Draw a felt cloth with cells for the pieces. */
export function drawFelt(board, state) {
  const { left, top } = board.rim;
  const [width, height] = [board.cols * CELL, board.rows * CELL];
  let d = "";
  for (let i = 1; i < board.cols; i++) d += `M${left + i * CELL} ${top}v${height}`;
  for (let i = 1; i < board.rows; i++) d += `M${left} ${top + i * CELL}h${width}`;
  board.ground.append(
    svg("rect", { class: "rim", width: board.width, height: board.height, rx: 24 }),
    svg("rect", { class: "felt", x: left, y: top, width, height, rx: 8 }),
    svg("path", { class: "felt-line", d }),
  );
  if (board.cols === 8 && board.rows === 8) {
    for (const i of [2, 6]) for (const j of [2, 6]) {
      board.ground.append(svg("circle", { class: "felt-dot", cx: left + i * CELL, cy: top + j * CELL, r: 7 }));
    }
  }
  plates(board, state);
  coordinates(board, [...columnsOf(board, top - 14), ...rowsOf(board, left / 2)]);
}

/** Draw a wooden board with lines, whose crossings hold the stones. */
export function drawWood(board, state) {
  const { rows, cols } = board;
  board.ground.append(svg("rect", { class: "wood", width: board.width, height: board.height, rx: 16 }));
  let d = "";
  for (let row = 0; row < rows; row++) d += `M${board.x(0)} ${board.y(row * cols)}H${board.x(cols - 1)}`;
  for (let col = 0; col < cols; col++) d += `M${board.x(col)} ${board.y(0)}V${board.y((rows - 1) * cols)}`;
  board.ground.append(svg("path", { class: "wood-line", d }));
  for (const [row, col] of board.game.stars) {
    board.ground.append(svg("circle", { class: "wood-dot", cx: board.x(col), cy: board.y(row * cols), r: 9 }));
  }
  plates(board, state);
  coordinates(board, [...columnsOf(board, board.height - 16), ...rowsOf(board, board.rim.left / 2)]);
}
