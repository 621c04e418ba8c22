// Lesson marks on the board: the played move, highlighted cells, an area.

import { svg } from "./dom.js";
import { CELL } from "./ground.js";

/** `played`: a cell or −1; `spots`: cells; `area`: {top, left, rows, cols} or null. */
export function drawLesson(board, { played = -1, spots = [], area = null } = {}) {
  const parts = [];
  if (area) {
    const first = area.top * board.cols + area.left;
    parts.push(svg("rect", {
      class: "lesson-area", rx: 20, x: board.x(first) - CELL / 2 + 4, y: board.y(first) - CELL / 2 + 4,
      width: area.cols * CELL - 8, height: area.rows * CELL - 8,
    }));
  }
  for (const cell of spots) parts.push(svg("circle", { class: "lesson-spot", "data-spot": cell, cx: board.x(cell), cy: board.y(cell), r: 40 }));
  if (played >= 0) {
    const [x, y] = [board.x(played), board.y(played)];
    parts.push(svg("g", { class: "lesson-played", "data-played": played },
      svg("circle", { cx: x, cy: y, r: 36 }), svg("path", { d: `M${x - 15} ${y - 15}l30 30m0-30l-30 30` })));
  }
  board.lessons.replaceChildren(...parts);
}

/** The area of the board around a cell, about a third each way; whole columns if pieces drop. */
export function areaOf(game, state, cell) {
  const band = (at, n) => {
    const size = Math.ceil(n / 3);
    return [Math.min(Math.floor(at / size) * size, n - size), size];
  };
  const [left, cols] = band(cell % state.cols, state.cols);
  if (game.shape === "columns") return { top: 0, left, rows: state.rows, cols };
  const [top, rows] = band(Math.floor(cell / state.cols), state.rows);
  return { top, left, rows, cols };
}
