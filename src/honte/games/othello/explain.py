"""Why a move of Othello is better than another: corners, mobility, passes.

>>> import honte
>>> game = honte.game("othello")
>>> list(reasons(game.start(), game.parse("d3"), game.parse("c4")))
[]
"""

from __future__ import annotations

from collections.abc import Iterator

from honte.core.contract import State
from honte.core.reason import Reason

PASS = 64
STRIDE = 8
"""A move is 8·row + column on every size of board."""
MANY = 4
"""Difference in the opponent's mobility that is worth mentioning."""


def corners(state: State) -> list[int]:
    size: int = state.game.size  # type: ignore[attr-defined]
    last = size - 1
    return [0, last, STRIDE * last, STRIDE * last + last]


def cell_of(state: State, move: int) -> int:
    """The cell of a move's disc, counted row by row."""
    row, col = divmod(move, STRIDE)
    return row * int(state.game.size) + col  # type: ignore[attr-defined]


def moves_of(state: State) -> list[int]:
    """The legal moves except a pass."""
    return [move for move in state.legal_moves() if move != PASS]


def reasons(state: State, move: int, best: int) -> Iterator[Reason]:
    """Provable reasons to prefer one move to another, the strongest first."""
    if PASS in (move, best):
        return
    show = state.game.format
    names: dict[str, str | int] = {"best": show(best), "move": show(move)}
    after, better = state.play(move), state.play(best)
    opponent = 1 - state.to_move
    if best in corners(state):
        yield Reason("The corner {best} was there to take.", names, (cell_of(state, best),))
    given = [] if after.to_move != opponent else [c for c in corners(state) if c in moves_of(after)]
    kept = [] if better.to_move != opponent else moves_of(better)
    for corner in given:
        if corner not in kept:
            gaps = {**names, "corner": show(corner)}
            yield Reason(
                "{move} gives the opponent the corner {corner}.", gaps, (cell_of(state, corner),)
            )
            break
    if better.is_over or after.is_over:
        return
    left = len(moves_of(after)) if after.to_move == opponent else 0
    fewer = len(moves_of(better)) if better.to_move == opponent else 0
    if fewer == 0 < left:
        yield Reason("{best} leaves the opponent without a move.", names)
    elif left - fewer >= MANY:
        gaps = {**names, "left": left, "fewer": fewer}
        text = "{move} leaves the opponent {left} moves, {best} only {fewer}."
        yield Reason(text, gaps)
