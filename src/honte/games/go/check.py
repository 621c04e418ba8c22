"""Common mistakes of Go bots: passes."""

from __future__ import annotations

import random
from typing import Any

from honte.core.check_support import CheckSupport, Mistake, Situation, illegal_move
from honte.core.descriptor_parts import Cell
from honte.core.language import Message

PASS_FIX = Message(
    "answer a pass like any other move: the board stays as it is, a ko is over, "
    "and two passes in a row end the game"
)
MAX_PLIES = 60
"""Random games of Go last hundreds of moves."""


def situations(game: Any) -> list[Situation]:
    """Positions after an opponent's pass, early and late."""
    draw = random.Random(1)
    found = []
    for plies, when in (
        (2, Message("in a position after the opponent's pass early in the game")),
        (
            game.size**2 // 4,
            Message("in a position after the opponent's pass in the middle of the game"),
        ),
    ):
        state, moves = game.start(), list[int]()
        for _ in range(plies):
            legal = [move for move in state.legal_moves() if move != game.pass_move]
            if not legal:
                break
            moves.append(draw.choice(legal))
            state = state.play(moves[-1])
        if not state.is_over:
            found.append(Situation(when, "pass", game, [*moves, game.pass_move]))
    return found


def mistake(state: Any, cell: Cell | None, move: int | None) -> Mistake:
    """Diagnose an illegal point."""
    size = state.game.size
    if state.legal_moves() == [state.game.pass_move]:
        return Mistake("pass", Message("there is no move here, so it must pass"), PASS_FIX)
    if cell is not None:
        row, col = cell
        move = size * row + col if 0 <= row < size and 0 <= col < size else None
    if move is None:
        return Mistake("off the board", Message("the board is {size}×{size}", size=size))
    return illegal_move(state, cell, move)


def opponent(state: Any, draw: random.Random) -> int:
    """A random move; passes only in reply to a pass."""
    skip = int(state.game.pass_move)
    if state.last_move == skip:
        return skip
    legal: list[int] = [move for move in state.legal_moves() if move != skip]
    return draw.choice(legal or [skip])


SUPPORT = CheckSupport(
    situations=situations,
    mistake=mistake,
    fixes={"pass": PASS_FIX},
    opponent=opponent,
    max_plies=MAX_PLIES,
)
