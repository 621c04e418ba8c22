"""Gravity Connect Four: ``connect4:rows=12,cols=12,blocked=5/6``.

A move is a column, counted from 0; people write it counted from 1, with letters past 9.
Cells are row/column counted from 0 at the top left, as the course counts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from honte._native import Connect4Rules, Connect4State, Rng
from honte.core.contract import IllegalMove, State
from honte.core.language import Message
from honte.core.messages import quote, some, split_moves
from honte.core.spec import join
from honte.games.connect4.cells import CELL, COLUMNS, Cell, write_cells
from honte.games.connect4.descriptor import DESCRIPTOR, OPTIONS
from honte.games.native import NativeGame, equip

if TYPE_CHECKING:
    from honte.games.symmetry import Symmetry

CELLS = {".": 0, "-": 0, "_": 0, "X": 1, "x": 1, "O": 2, "o": 2, "#": 3}
SYMBOLS = ".XO#"
SIDES = {"X": 0, "x": 0, "O": 1, "o": 1}


class ConnectFour(NativeGame):
    """Connect Four on a board of any size with any cells blocked.

    >>> import honte
    >>> game = honte.game("connect4")
    >>> game.read_moves("4455")
    [3, 3, 4, 4]
    """

    name = "connect4"
    descriptor = DESCRIPTOR
    _rules: Connect4Rules

    def __init__(self, /, **settings: object) -> None:  # `/`: a spec may say self=1
        blocked = settings.get("blocked")
        if blocked is not None and not isinstance(blocked, str):
            try:
                settings["blocked"] = write_cells(blocked)  # type: ignore[arg-type]
            except (TypeError, ValueError):
                raise ValueError(
                    Message(
                        "connect4: blocked={blocked} is not a list of (row, column) pairs",
                        blocked=quote(blocked),
                    )
                ) from None
        values = OPTIONS.read(self.name, settings)
        if values["course"]:
            for key in ("rows", "cols", "blocked"):
                if key in settings:
                    raise ValueError(
                        Message(
                            "connect4: `course` draws {key} itself; leave one of them out", key=key
                        )
                    )
            values |= _draw_course_board(values["seed"])
        self.rows: int = values["rows"]
        self.cols: int = values["cols"]
        self.inarow: int = values["inarow"]
        self.blocked: frozenset[Cell] = values["blocked"]
        self._check()
        flags = bytearray(self.rows * self.cols)
        for row, col in self.blocked:
            flags[row * self.cols + col] = 1
        self._rules = Connect4Rules(self.rows, self.cols, self.inarow, bytes(flags))
        self.spec = join(self.name, self._settings())

    def _check(self) -> None:
        board = Message(
            "the board of {rows} rows and {cols} columns", rows=self.rows, cols=self.cols
        )
        for row, col in sorted(self.blocked):
            if row >= self.rows or col >= self.cols:
                raise ValueError(
                    Message(
                        "connect4: blocked cell {row}/{col} is off {board}; rows run from 0 to "
                        "{rows}, "
                        "columns from 0 to {cols}",
                        row=row,
                        col=col,
                        board=board,
                        rows=self.rows - 1,
                        cols=self.cols - 1,
                    )
                )
        if len(self.blocked) == self.rows * self.cols:
            raise ValueError(
                Message(
                    "connect4: every cell of {board} is blocked; leave some to play on", board=board
                )
            )
        if self.inarow > max(self.rows, self.cols):
            raise ValueError(
                Message(
                    "connect4: inarow={inarow} does not fit on {board}",
                    inarow=self.inarow,
                    board=board,
                )
            )

    def _settings(self) -> dict[str, object]:
        shown = {
            "rows": self.rows,
            "cols": self.cols,
            "blocked": write_cells(self.blocked),
            "inarow": self.inarow,
        }
        defaults = {"rows": 6, "cols": 7, "blocked": "", "inarow": 4}
        return {key: value for key, value in shown.items() if value != defaults[key]}

    def start(self) -> Connect4State:
        return self._rules.start(self)

    # -- symmetries ------------------------------------------------------------------

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The identity, and the mirror image of left and right."""
        from honte.games.symmetry import mirror

        return mirror(self.rows, self.cols)

    def image(self, state: Connect4State, symmetry: Symmetry) -> Connect4State:
        """The position under a symmetry; blocked cells are mirrored too.

        Unless they lie symmetrically, the image belongs to a different game, its own `game`.
        """
        from honte.games.symmetry import moved

        if symmetry is self.symmetries()[0]:
            return state
        blocked = frozenset((row, self.cols - 1 - col) for row, col in self.blocked)
        game = self
        if blocked != self.blocked:
            game = ConnectFour(
                rows=self.rows, cols=self.cols, inarow=self.inarow, blocked=sorted(blocked)
            )
        image = game._rules.setup(game, moved(state.cells(), symmetry), state.to_move)
        last = state.last_move
        return image.with_last_move(None if last is None else int(symmetry.actions[last]))

    # -- moves -----------------------------------------------------------------------

    def parse(self, text: str) -> int:
        """Parse a column (``4``, ``c``, ``12``), or a cell of it (``5/6``, ``(5,6)``)."""
        word = text.strip().lower() if len(text) < 40 else text
        if cell := CELL.fullmatch(word.replace(" ", "")) if len(text) < 40 else None:
            row, col = int(cell[1]), int(cell[2])
            if row >= self.rows or col >= self.cols:
                raise ValueError(
                    Message(
                        "{given} is off the board; rows run from 0 to {rows}, columns from 0 to "
                        "{cols}",
                        given=quote(text),
                        rows=self.rows - 1,
                        cols=self.cols - 1,
                    )
                )
        elif len(word) == 1 and word in COLUMNS:
            col = COLUMNS.index(word)
        elif len(word) == 2 and word.isascii() and word.isdigit() and word[0] != "0":
            col = int(word) - 1
        else:
            raise ValueError(
                Message(
                    "{given} is not a column; write {range} or row/column like 5/6",
                    given=quote(text),
                    range=self._range(),
                )
            )
        if col >= self.cols:
            raise ValueError(
                Message(
                    "{given} is off the board; columns are {range}",
                    given=quote(text),
                    range=self._range(),
                )
            )
        return col

    def format(self, move: int) -> str:
        if not 0 <= move < self.cols:
            raise ValueError(
                Message(
                    "{move} is not a column of a board {cols} wide",
                    move=quote(move),
                    cols=self.cols,
                )
            )
        return COLUMNS[move]

    def format_cell(self, state: Connect4State, move: int) -> str:
        """Where a move lands, as row/column."""
        return f"{state.landing_row(move)}/{move}"

    def read_moves(self, text: str, state: State | None = None) -> list[int]:
        position: Any = self.start() if state is None else state
        moves: list[int] = []
        for word in split_moves(text):
            if word.isdecimal() and len(word) == 2 and 10 <= int(word) <= self.cols:
                raise ValueError(self._ambiguous(word))
            for part in [word] if "/" in word else word:
                move = self.parse(part)
                if "/" in part and position.is_legal(move):
                    lands = self.format_cell(position, move)
                    if lands != part.strip("()"):
                        raise IllegalMove(
                            Message(
                                "a piece in column {move} lands on {lands}, not on {part}",
                                move=self.format(move),
                                lands=lands,
                                part=part,
                            )
                        )
                position = position.play(move)
                moves.append(move)
        return moves

    def _ambiguous(self, word: str) -> Message:
        """What to write instead of two digits, which may be a column or two moves."""
        column = int(word)
        gaps = {
            "word": quote(word),
            "cols": self.cols,
            "columns": COLUMNS[column - 1],
            "column": column,
        }
        if "0" in word:  # no column is called 0
            return Message(
                "{word} is ambiguous on a board {cols} wide: write {columns} for column {column}",
                **gaps,
            )
        return Message(
            "{word} is ambiguous on a board {cols} wide: write {columns} for column "
            "{column}, or {first} {second} for two moves",
            **gaps,
            first=word[0],
            second=word[1],
        )

    def illegal(self, state: State, move: object) -> IllegalMove:
        if state.is_over or not isinstance(move, int) or not 0 <= move < self.cols:
            return super().illegal(state, move)
        assert isinstance(state, Connect4State)
        stones = sum(cell in (1, 2) for cell in state.cells())
        legal = some(map(self.format, state.legal_moves()), 16)
        return IllegalMove(
            Message(
                "column {move} is full on move {stones}; choose one of {legal}",
                move=self.format(move),
                stones=stones + 1,
                legal=legal,
            )
        )

    def _range(self) -> Message:
        last = COLUMNS[self.cols - 1]
        if self.cols < 10:
            return Message("1 to {last}", last=last)
        if self.cols == 10:
            return Message("1 to 9 or a")
        return Message("1 to 9, a to {last}", last=last)

    # -- positions -------------------------------------------------------------------

    def to_text(self, state: Connect4State) -> str:
        cells = state.cells()
        rows = (
            "".join(SYMBOLS[cell] for cell in cells[start : start + self.cols])
            for start in range(0, len(cells), self.cols)
        )
        return "/".join(rows) + (" O" if state.to_move else " X")

    def from_text(self, text: str) -> Connect4State:
        """Rows from the top joined by ``/``, then the side to move.

        ``X`` is the first player, ``O`` the second, ``.`` empty, ``#`` blocked.
        """
        if len(text) > 1000:
            raise ValueError(
                Message(
                    "a position of {count:,} characters; a board has at most 256 cells",
                    count=len(text),
                )
            )
        rows = text.replace("/", " ").split()
        side = rows.pop() if rows and len(rows[-1]) == 1 else None
        if len(rows) != self.rows:
            raise ValueError(
                Message(
                    "the position has {count} rows, the board {rows}; join them with /",
                    count=len(rows),
                    rows=self.rows,
                )
            )
        cells = bytearray()
        for number, row in enumerate(rows, 1):
            if len(row) != self.cols:
                raise ValueError(
                    Message(
                        "row {number} has {count} cells, the board {cols} columns",
                        number=number,
                        count=len(row),
                        cols=self.cols,
                    )
                )
            for column, symbol in enumerate(row, 1):
                if symbol not in CELLS:
                    raise ValueError(
                        Message(
                            "{symbol} in row {number}, column {column} is not X, O, . or #",
                            symbol=quote(symbol),
                            number=number,
                            column=column,
                        )
                    )
                cells.append(CELLS[symbol])
        if side is None:
            to_move = int(cells.count(1) > cells.count(2))
        elif side in SIDES:
            to_move = SIDES[side]
        else:
            raise ValueError(Message("the side to move is {side}; write X or O", side=quote(side)))
        return self._rules.setup(self, bytes(cells), to_move)


def _draw_course_board(seed: int) -> dict[str, object]:
    """Rows and columns 9 to 12, independently; the blocked cell anywhere."""
    rng = Rng(seed)
    rows, cols = 9 + rng.below(4), 9 + rng.below(4)
    cell = rng.below(rows * cols)
    return {"rows": rows, "cols": cols, "blocked": frozenset({divmod(cell, cols)})}


equip(Connect4State)
