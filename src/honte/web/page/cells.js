// Where moves lie: names of cells, and the cell behind a move's text.

const GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; // no I
const COLUMN_DIGITS = "123456789abcdefg";

/** The kind of game in a spec: "go:size=9" is "go". */
export const kindOf = (spec) => spec.split(":")[0];

/** The settings of a spec as an object of texts. */
export function settingsOf(spec) {
  const [, rest = ""] = spec.split(/:(.*)/s);
  return Object.fromEntries(rest.split(",").filter(Boolean).map((item) => {
    const [key, value = "yes"] = item.split("=");
    return [key.trim(), value.trim()];
  }));
}

export const columnName = (kind, col) =>
  kind === "connect4" ? COLUMN_DIGITS[col] : kind === "go" ? GO_LETTERS[col] : "abcdefgh"[col];

export const rowName = (kind, row, rows) => (kind === "go" ? rows - row : row + 1);

/** What people call a cell: "D4", "d3"; in Connect Four the column and the row from the top. */
export function placeName(kind, state, cell) {
  const row = Math.floor(cell / state.cols);
  const col = cell % state.cols;
  if (kind === "connect4") return `${columnName(kind, col)}/${row + 1}`;
  return `${columnName(kind, col)}${rowName(kind, row, state.rows)}`;
}

/** The cell on which a move comes to lie, given the cells before it; -1 for a pass or nonsense. */
export function cellOf(kind, state, cells, text) {
  if (kind === "connect4") {
    const col = COLUMN_DIGITS.indexOf(text.toLowerCase());
    if (col < 0 || col >= state.cols) return -1;
    for (let row = state.rows - 1; row >= 0; row--) {
      const cell = row * state.cols + col;
      if (cells[cell] === ".") return cell;
    }
    return -1;
  }
  const found = /^([a-z])(\d+)$/i.exec(text);
  if (!found) return -1;
  const letters = kind === "go" ? GO_LETTERS : "ABCDEFGH";
  const col = letters.indexOf(found[1].toUpperCase());
  const row = kind === "go" ? state.rows - Number(found[2]) : Number(found[2]) - 1;
  return col >= 0 && col < state.cols && row >= 0 && row < state.rows ? row * state.cols + col : -1;
}

/** The legal move that a click on a cell means, as [cell, text], or null. */
export function moveAt(kind, state, cell) {
  const same = kind === "connect4" ? (c) => c % state.cols === cell % state.cols : (c) => c === cell;
  return state.legal.find(([c]) => c >= 0 && same(c)) ?? null;
}

/** Names of the two sides as keys of words.js. */
export const sides = (kind) => (kind === "connect4" ? ["red", "yellow"] : ["black", "white"]);
