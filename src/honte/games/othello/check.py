"""Common mistakes of Othello bots: passes, swapped coordinates."""

from __future__ import annotations

import random
from typing import Any

from honte.core.check_support import CheckSupport, Mistake, Situation, illegal_move
from honte.core.descriptor_parts import Cell
from honte.core.language import Message
from honte.games.othello.descriptor import PASS

GAMES = 300
PASS_FIX = Message(
    "pass when there is no move, and only then: `pass` in GTP, (-1, -1) on "
    "Botzone, 64 for a Python function; after the opponent's pass it is simply "
    "your turn again"
)


def situations(game: Any) -> list[Situation]:
    """A position in which the bot must pass, and one after the opponent's pass."""
    draw = random.Random(1)
    for _ in range(GAMES):
        state, moves = game.start(), list[int]()
        while not state.is_over:
            legal = state.legal_moves()
            if legal == [PASS]:
                must = Message("in a position in which it must pass")
                after = Message("in a position after the opponent had to pass")
                return [
                    Situation(must, "pass", game, moves),
                    Situation(after, "pass", game, [*moves, PASS]),
                ]
            moves.append(draw.choice(legal))
            state = state.play(moves[-1])
    return []


def mistake(state: Any, cell: Cell | None, move: int | None) -> Mistake:
    """Diagnose an illegal square."""
    game, legal = state.game, state.legal_moves()
    if legal == [PASS]:
        return Mistake("pass", Message("there is no move here, so it must pass"), PASS_FIX)
    if cell is not None:
        row, col = cell
        move = 8 * row + col if 0 <= row < game.size and 0 <= col < game.size else None
    if move == PASS:
        return Mistake("pass", Message("it passed, and there are moves"), PASS_FIX)
    if move is None:
        return Mistake("off the board", Message("the board is {size}×{size}", size=game.size))
    row, col = divmod(move, 8)
    if col < game.size and 8 * col + row in legal:
        return Mistake(
            "rows and columns",
            Message(
                "the other way round, {col}, it would be legal: rows and columns may be swapped",
                col=game.format(8 * col + row),
            ),
            Message(
                "on Botzone x is the column and y the row; for a Python function a move is 8 * "
                "row + column"
            ),
        )
    return illegal_move(state, cell, move)


SUPPORT = CheckSupport(situations=situations, mistake=mistake, fixes={"pass": PASS_FIX})
