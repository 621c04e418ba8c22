"""Boards drawn as plain text, for a terminal: what `print(state)` shows.

    | . . . . . . . |
    | . . . # . . . |
    | . . O(X). . . |
    +---------------+
      1 2 3 4 5 6 7

    O to move

The last move stands in brackets, which take the place of the blanks beside it, so that columns
stay aligned. What a drawing needs to know of a state is read once, into a `Board`; the pictures
in `svg.py` are drawn from the same `Board`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from honte.games.contract import State

EMPTY, FIRST, SECOND, BLOCKED = range(4)  # what cells() holds
GO_COLUMNS = "ABCDEFGHJKLMNOPQRST"  # no I, which reads like a 1
OTHELLO_COLUMNS = "abcdefgh"

Cell = tuple[int, int]  # (row, column), row 0 at the top

# Legal moves are "+" and not "*", which means a black disc in some notations of Othello.
_MARKS = {EMPTY: ".", FIRST: "X", SECOND: "O", BLOCKED: "#"}
_STAR = _HINT = "+"
# Cyan and yellow differ in lightness as well as in hue.
_COLORS = {"X": "1;36", "O": "1;33", ".": "2", "+": "2", "#": "2", "(": "1", ")": "1"}


@dataclass(frozen=True)
class Board:
    """What a drawing needs to know of a state."""

    kind: str  # "connect4", "othello", "go", or "grid" for any other game with rows and columns
    rows: int
    cols: int
    cells: tuple[int, ...]  # row by row from the top left
    last: Cell | None = None  # where the last move was made, if it was made on the board
    passed: bool = False  # whether the last move was a pass
    hints: frozenset[Cell] = frozenset()  # legal moves, in Othello, where they are hard to see
    won: tuple[tuple[Cell, ...], ...] = ()  # the winning lines, in Connect Four

    def at(self, row: int, col: int) -> int:
        """The content of a cell; BLOCKED off the board."""
        inside = 0 <= row < self.rows and 0 <= col < self.cols
        return self.cells[row * self.cols + col] if inside else BLOCKED

    def holding(self, content: int) -> list[Cell]:
        """The cells with this content, from the top left."""
        return [divmod(i, self.cols) for i, found in enumerate(self.cells) if found == content]


def draw(state: State, color: bool = False) -> str:
    """Draw a state as lines of text, the last of which says whose turn it is or who won.

    With `color` the same characters come with ANSI colours. A game of your own is drawn as a grid
    if it has `rows`, `cols` and `cells()` (or `size`, for a square), else as its `to_text()`.
    """
    board = read(state)
    if board is None:
        return str(state.to_text())
    rows = [_row(board, row, color) for row in range(board.rows)]
    if board.kind == "connect4":
        lines = [f"|{row}|" for row in rows]
        lines.append("+" + "-" * (2 * board.cols + 1) + "+")
        lines.append("  " + " ".join(state.game.format(col) for col in range(board.cols)))
    elif board.kind == "othello":
        lines = ["   " + " ".join(OTHELLO_COLUMNS[: board.cols])]
        lines += [f"{number} {row}" for number, row in enumerate(rows, start=1)]
    elif board.kind == "go":
        width = len(str(board.rows))
        columns = " " * (width + 2) + " ".join(GO_COLUMNS[: board.cols])
        numbers = range(board.rows, 0, -1)
        lines = [f"{n:>{width}} {row} {n:>{width}}" for n, row in zip(numbers, rows, strict=True)]
        lines = [columns, *lines, columns]
    else:
        lines = [row[1:] for row in rows]
    return "\n".join([*(line.rstrip() for line in lines), "", _last_line(state, board)])


def read(state: State) -> Board | None:
    """Read a state into a Board, or None if the game is not played on rows and columns."""
    game: Any = state.game
    size = getattr(game, "size", None)
    rows, cols = getattr(game, "rows", size), getattr(game, "cols", size)
    cells_of = getattr(state, "cells", None)
    if not (isinstance(rows, int) and isinstance(cols, int) and callable(cells_of)):
        return None
    cells = tuple(cells_of())
    if not cells or len(cells) != rows * cols or not all(isinstance(cell, int) for cell in cells):
        return None
    move = getattr(state, "last_move", None)
    name = getattr(game, "name", None)
    board = Board("grid", rows, cols, cells)
    if name == "connect4":
        last = _top_piece(board, move)
        # Read from the cells, so that a position that came without its moves shows its line too.
        least = getattr(game, "inarow", 4)
        won = _lines_of(board, state.winner + 1, least) if state.winner is not None else ()
        return Board("connect4", rows, cols, cells, last, won=tuple(won))
    if name == "othello" and rows == cols <= len(OTHELLO_COLUMNS):
        # A move is row * 8 + column on every size of board; 64 is the pass.
        hints = frozenset(divmod(move, 8) for move in state.legal_moves() if move < 64)
        last = divmod(move, 8) if move is not None and move < 64 else None
        return Board("othello", rows, cols, cells, last, passed=move == 64, hints=hints)
    if name == "go" and rows == cols <= len(GO_COLUMNS):
        last = divmod(move, cols) if move is not None and move < len(cells) else None
        return Board("go", rows, cols, cells, last, passed=move == len(cells))
    return board


def verdict(state: State, board: Board, names: tuple[str, str] = ("X", "O")) -> str:
    """Whose turn it is or how the game ended: "X to move", "O wins by 6.5", "draw"."""
    if not state.is_over:
        turn = f"{names[state.to_move]} to move"
        return f"{names[1 - state.to_move]} passed, {turn}" if board.passed else turn
    if state.winner is None:
        return "draw"
    margin = f" by {abs(state.score):g}" if board.kind in ("othello", "go") else ""
    return f"{names[state.winner]} wins{margin}"


def star_points(size: int) -> list[Cell]:
    """The points of a Go board that are marked by custom, with a dot on wood and a + in text.

    They stand on the third line of small boards and on the fourth of large ones.
    """
    middle = [size // 2] if size % 2 else []
    if size < 7:
        return [(row, row) for row in middle if size == 5]
    edge = 2 if size < 13 else 3
    lines = sorted({edge, size - 1 - edge, *(middle if size > 13 else [])})
    points = {(row, col) for row in lines for col in lines}
    return sorted(points | {(row, row) for row in middle})


def _row(board: Board, row: int, color: bool) -> str:
    """One row of cells with a blank, or a bracket of the last move, on either side of each."""
    stars = star_points(board.rows) if board.kind == "go" else []
    won = {cell for line in board.won for cell in line}
    beside = [" "] * (board.cols + 1)
    if board.last is not None and board.last[0] == row:
        beside[board.last[1]], beside[board.last[1] + 1] = "(", ")"
    drawn = []
    for col in range(board.cols):
        mark = _MARKS.get(board.at(row, col), "?")
        if mark == ".":
            mark = _HINT if (row, col) in board.hints else mark
            mark = _STAR if (row, col) in stars else mark
        drawn.append(_paint(beside[col], color))
        drawn.append(_paint(mark, color, reverse=(row, col) in won))
    return "".join([*drawn, _paint(beside[-1], color)])


def _paint(mark: str, color: bool, reverse: bool = False) -> str:
    if not color or mark not in _COLORS:
        return mark
    return f"\x1b[{_COLORS[mark]}{';7' if reverse else ''}m{mark}\x1b[0m"


def _last_line(state: State, board: Board) -> str:
    words = verdict(state, board)
    if board.kind != "othello":
        return words
    counts = {name: len(board.holding(content)) for name, content in (("X", 1), ("O", 2))}
    words += f"; X {counts['X']}, O {counts['O']}"
    empty = len(board.holding(EMPTY))
    # The margin counts the empty squares for the winner: name them, so that the sum works out.
    return f"{words}, empty {empty}" if state.is_over and empty else words


def _top_piece(board: Board, col: int | None) -> Cell | None:
    """The highest piece in a column of Connect Four, which is the one that fell last."""
    if col is None:
        return None
    column = [(row, col) for row in range(board.rows)]
    return next((cell for cell in column if board.at(*cell) in (FIRST, SECOND)), None)


def _lines_of(board: Board, content: int, least: int) -> Iterable[tuple[Cell, ...]]:
    """Every run of at least so many cells with this content, each at its full length."""
    for row, col in board.holding(content):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if board.at(row - down, col - right) == content:
                continue  # not the beginning of its run
            run = [(row, col)]
            while board.at(run[-1][0] + down, run[-1][1] + right) == content:
                run.append((run[-1][0] + down, run[-1][1] + right))
            if len(run) >= least:
                yield tuple(run)
