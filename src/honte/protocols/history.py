"""Moves that lead to a position, for bots whose protocol needs them.

A state does not carry its history. If the request has none either, the game may be able to find
an order of moves that leads there (`GameDescriptor.history`).
"""

from __future__ import annotations

from honte.core.contract import State
from honte.core.descriptor import load


def find(state: State) -> list[int] | None:
    """Moves from the start of the game to a position; None if none are found."""
    if state == state.game.start():
        return []
    finder = state.game.descriptor.history
    if finder is None:
        return None
    moves: list[int] | None = load(finder)(state)
    return moves
