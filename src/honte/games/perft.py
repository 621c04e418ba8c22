"""Perft: the standard check of move generation against published counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from honte.core.contract import State
from honte.core.descriptor import load
from honte.core.language import Message

BATCH = 5e6
"""Approximate leaves per native call, so that Ctrl-C and progress stay responsive."""


def perft(
    state: State,
    depth: int,
    pass_free: bool = False,
    on_progress: Callable[[int], None] = lambda leaves: None,
) -> int:
    """The number of leaves at a depth.

    With ``pass_free`` a forced pass takes no ply. A finished game has no successors, except
    where the game's own ``perft`` counts it as a leaf, as the published counts of Othello do.

    >>> import honte
    >>> perft(honte.game("connect4").start(), 4)
    2401
    """
    if depth < 0:
        raise ValueError(
            Message("a depth of {depth} cannot be counted; give 0 or more", depth=depth)
        )
    descriptor = state.game.descriptor
    quick: Callable[[State, int, bool], int] = (
        load(descriptor.perft) if descriptor.perft else leaves
    )
    passing = descriptor.pass_move(state.game) if pass_free and descriptor.pass_move else None

    def count(state: State, depth: int) -> int:
        moves = state.legal_moves()
        if depth <= 1 or not moves or (quick is not leaves and max(len(moves), 8) ** depth < BATCH):
            found = quick(state, depth, pass_free)
            on_progress(found)
            return found
        next_depth = depth if moves == [passing] else depth - 1
        return sum(count(state.play(move), next_depth) for move in moves)

    return count(state, depth)


def leaves(state: State, depth: int, pass_free: bool = False) -> int:
    """The leaves of at most one ply, for any game."""
    return len(state.legal_moves()) if depth else 1


def native_leaves(state: Any, depth: int, pass_free: bool = False) -> int:
    """The leaves counted by native rules."""
    return int(state.perft(depth))
