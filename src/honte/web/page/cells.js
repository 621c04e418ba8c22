// Cells and moves: names of cells, and the move of a click on a cell. `game` is the DESCRIPTOR that
// the server sends: shape, columns, rows, sides and so on.

export const columnName = (game, col) => game.columns[col] ?? "";

export const rowName = (game, row, rows) => ({ up: rows - row, down: row + 1 })[game.rows] ?? "";

/** The name of a cell: "D4", "d3"; in games without names, the column and the row from the top. */
export function placeName(game, state, cell) {
  const row = Math.floor(cell / state.cols);
  const col = cell % state.cols;
  const column = columnName(game, col);
  return column && game.rows ? `${column}${rowName(game, row, state.rows)}` : `${column || col + 1}/${row + 1}`;
}

/** The legal move that a click on a cell means, as [cell, text], or null. */
export function moveAt(game, state, cell) {
  const same = game.shape === "columns" ? (c) => c % state.cols === cell % state.cols : (c) => c === cell;
  return state.legal.find(([c]) => c >= 0 && same(c)) ?? null;
}

/** The principal variation of a REPORT as [cell, text] pairs, as far as the server followed it. */
export const lineOf = ({ pv = [], pv_cells = [] }) => pv_cells.map((cell, i) => [cell, pv[i]]);

/** Set the colours of a game's sides on the page, and the shape of the board for the style sheet. */
export function dressFor(game) {
  const root = document.documentElement;
  root.dataset.shape = game.shape;
  game.sides.forEach(({ color }, side) => root.style.setProperty(`--p${side}`, `var(--side-${color})`));
}
