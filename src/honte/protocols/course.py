"""A Connect Four position as the course's judge passes it; for getpoint and saiblo.

Row 0 is the top. ``top[y]`` is one more than the row on which the next piece in column y
lands, 0 for a full column. On the board, 2 is the side to move, 1 the opponent, 0 the rest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from honte.core.contract import State
from honte.core.fault import Fault
from honte.core.language import Message

ADVICE = {
    "first move": Message(
        "the very first move has no move of the opponent before it: lastX and lastY are -1 then, "
        "so do not use them as an index; and the answer to a first move is the first call of a "
        "game too, so set up the board there as well"
    ),
    "blocked cell": Message(
        "a piece rests on the blocked cell as on any other, and a column ends below one at its "
        "top: take top[y] - 1 for the row, and 0 in top[y] for a full column"
    ),
    "full board": Message(
        "look at every column from 0 to N - 1, the last one too, leave out the full ones, and "
        "build the board from what each call says rather than from memory"
    ),
    "board size": Message(
        "take M and N from every call: size arrays for 12×12 or allocate them for each game, and "
        "compute board[x * N + y] with this call's N"
    ),
    "piece codes": Message(
        "on the board 2 is you and 1 is the opponent, whoever moves first; and look for a win of "
        "your own before you stop one of the opponent's"
    ),
    "weak": Message(
        "check whether it takes its own pieces for the opponent's: 2 is you, and 1 is the opponent"
    ),
}
"""Advice on fixing course bots, for `honte check`."""


class Position(NamedTuple):
    """The judge's arguments."""

    rows: int
    cols: int
    top: list[int]
    board: list[int]
    last: tuple[int, int]
    blocked: tuple[int, int]


def check_board(name: str, game: Any) -> None:
    """Raise for a board that the course's interface cannot express."""
    if len(game.blocked) > 1:
        raise ValueError(
            Message(
                "{name}: bots know one blocked cell, and this board has {count}",
                name=name,
                count=len(game.blocked),
            )
        )
    if game.inarow != 4:
        raise ValueError(
            Message(
                "{name}: bots play for four in a line, not {inarow}", name=name, inarow=game.inarow
            )
        )


def position(state: Any) -> Position:
    """The judge's view of a position, for the side to move."""
    game = state.game
    cells = state.cells()
    mine = state.to_move + 1
    board = [0 if cell in (0, 3) else 2 if cell == mine else 1 for cell in cells]
    top = []
    for col in range(game.cols):
        row = state.landing_row(col)
        top.append(0 if row is None else row + 1)
    last = (-1, -1)
    if state.last_move is not None:
        col = state.last_move
        row = next(row for row in range(game.rows) if cells[row * game.cols + col] in (1, 2))
        last = (row, col)
    blocked = next(iter(game.blocked), (-1, -1))
    return Position(game.rows, game.cols, top, board, last, blocked)


def column(state: State, x: int, y: int) -> int:
    """The column of a bot's point, if a piece lands there."""
    game: Any = state.game
    native: Any = state
    if 0 <= y < game.cols and native.landing_row(y) == x:
        return y
    if not (0 <= x < game.rows and 0 <= y < game.cols):
        why = Message("is off the board")
    elif (x, y) in game.blocked:
        why = Message("is the blocked cell")
    elif native.landing_row(y) is None:
        why = Message("is in a full column, {y}", y=y)
    else:
        why = Message(
            "is not where a piece in column {y} lands: that is ({row}, {y})",
            y=y,
            row=native.landing_row(y),
        )
        if 0 <= x < game.cols and y < game.rows and native.landing_row(x) == y:
            why = Message("{why}; does it swap rows and columns?", why=why)
    raise Fault(
        "illegal",
        Message("({x}, {y}) {why}, in {position}", x=x, y=y, why=why, position=state.to_text()),
    )
