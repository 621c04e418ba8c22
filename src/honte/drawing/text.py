"""Boards drawn as plain text, for a terminal: what `print(state)` shows.

    | . . . . . . . |
    | . . . # . . . |
    | . . O(X). . . |
    +---------------+
      1 2 3 4 5 6 7

    O to move

The last move is in brackets, which replace the blanks beside it, so that columns stay aligned.
Everything a drawing needs from a state is read once, into a `Board`; the pictures in `svg.py` are
drawn from the same `Board`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from honte.core.contract import cells_of
from honte.core.descriptor_parts import BoardStyle, Cell
from honte.core.language import Message, language, tr

if TYPE_CHECKING:
    from honte.core.contract import State

EMPTY, FIRST, SECOND, BLOCKED = range(4)  # what cells() holds

# Legal moves are "+" and not "*", which means a black disc in some notations.
_MARKS = {EMPTY: ".", FIRST: "X", SECOND: "O", BLOCKED: "#"}
_STAR = _HINT = "+"
# Cyan and yellow differ in lightness as well as in hue.
_COLORS = {"X": "1;36", "O": "1;33", ".": "2", "+": "2", "#": "2", "(": "1", ")": "1"}


@dataclass(frozen=True)
class Board:
    """What a drawing needs from a state."""

    style: BoardStyle = field(repr=False)
    rows: int
    cols: int
    cells: tuple[int, ...]  # row by row from the top left
    last: Cell | None = None  # where the last move was made, if it was made on the board
    passed: bool = False  # whether the last move was a pass
    hints: frozenset[Cell] = frozenset()  # legal moves, where they are hard to see
    won: tuple[tuple[Cell, ...], ...] = ()  # the winning lines, where a line wins

    @property
    def shape(self) -> str:
        """``cells``, ``points`` or ``columns``."""
        return self.style.shape

    def row_name(self, row: int) -> str:
        """The label of a row; "" if rows have none."""
        if not self.style.rows:
            return ""
        return str(self.rows - row if self.style.rows == "up" else row + 1)

    @property
    def stars(self) -> list[Cell]:
        """The star points."""
        return self.style.stars(self.rows) if self.style.stars is not None else []

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
    columns = " ".join(board.style.columns[: board.cols])
    if board.shape == "columns":
        lines = [f"|{row}|" for row in rows]
        lines.append("+" + "-" * (2 * board.cols + 1) + "+")
        lines.append("  " + columns)
    elif board.style.rows:
        names = [board.row_name(row) for row in range(board.rows)]
        width = max(map(len, names))
        both = board.shape == "points"  # numbered on either side
        lines = [
            f"{name:>{width}} {row}" + (f" {name:>{width}}" if both else "")
            for name, row in zip(names, rows, strict=True)
        ]
        heading = " " * (width + 2) + columns
        lines = [heading, *lines, heading] if both else [heading, *lines]
    else:
        lines = [row[1:] for row in rows]
    return "\n".join([*(line.rstrip() for line in lines), "", _last_line(state, board)])


def words(state: State) -> str:
    """What a terminal shows for a state: its own text, or else its drawing."""
    own = type(state).__str__ is not object.__str__
    told = str(state) if own else draw(state)
    board = read(state) if language() != "en" else None
    if board is None:
        return told
    last = _last_line(state, board)
    return told.removesuffix(last) + tr(last) if told.endswith(last) else told


def read(state: State) -> Board | None:
    """Read a state into a Board, or None if the game is not played on rows and columns.

    It is if the game has `rows` and `cols` (or `size`, for a square) and the state `cells()`: 0
    for an empty cell, 1 and 2 for the players' pieces, 3 for a cell that cannot be played on.
    """
    shape, cells = state.game.shape(), cells_of(state)
    if shape is None or cells is None or len(cells) != shape[0] * shape[1]:
        return None
    rows, cols = shape
    style = state.game.descriptor.board
    move = state.last_move
    passes = state.game.descriptor.pass_move
    passed = move is not None and passes is not None and move == passes(state.game)
    last = None
    if style.last_cell is not None:
        last = style.last_cell(state)
    elif move is not None and not passed:
        last = style.cell(state, move) if style.cell is not None else divmod(move, cols)
        last = last if last is not None and last[0] < rows else None
    hints = frozenset[Cell]()
    if style.shows_legal:
        found = [cell_of(state, cols, legal) for legal in state.legal_moves()]
        hints = frozenset(cell for cell in found if cell is not None)
    won = style.winning_lines(state) if style.winning_lines is not None else []
    return Board(style, rows, cols, cells, last, passed, hints, tuple(won))


def cell_of(state: State, cols: int, move: int) -> Cell | None:
    """The cell of a legal move; None for a pass."""
    descriptor = state.game.descriptor
    if descriptor.pass_move is not None and move == descriptor.pass_move(state.game):
        return None
    if descriptor.board.cell is not None:
        return descriptor.board.cell(state, move)
    return divmod(move, cols)


def verdict(state: State, board: Board, names: tuple[str, str] = ("X", "O")) -> str:
    """Whose turn it is or how the game ended: "X to move", "O wins by 6.5", "draw"."""
    if not state.is_over:
        who, other = names[state.to_move], names[1 - state.to_move]
        if board.passed:
            return Message("{other} passed, {who} to move", other=other, who=who)
        return Message("{who} to move", who=who)
    if state.winner is None:
        return Message("draw")
    who = names[state.winner]
    if state.game.descriptor.unit:
        return Message("{who} wins by {margin:g}", who=who, margin=abs(state.score))
    return Message("{who} wins", who=who)


def _row(board: Board, row: int, color: bool) -> str:
    """One row of cells, each between blanks or the brackets of the last move."""
    stars = board.stars
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
    if not state.game.descriptor.counts:
        return words
    x, o = len(board.holding(FIRST)), len(board.holding(SECOND))
    empty = len(board.holding(EMPTY))
    # The margin counts the empty squares for the winner: name them, so that the sum works out.
    if state.is_over and empty:
        return Message("{words}; X {x}, O {o}, empty {empty}", words=words, x=x, o=o, empty=empty)
    return Message("{words}; X {x}, O {o}", words=words, x=x, o=o)
