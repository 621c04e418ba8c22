"""Count move sequences: the standard check of rules against published numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from honte.games.contract import State

BATCH = 5e6
"""About how many leaves a native call counts before Ctrl-C and progress get their turn."""


def perft(
    state: State,
    depth: int,
    pass_free: bool = False,
    on_progress: Callable[[int], None] = lambda leaves: None,
) -> int:
    """The number of leaves at a depth.

    A finished game has no successors, except in Othello, where the published counts take
    it as one leaf; there ``pass_free`` lets a pass take no ply.

    >>> import honte
    >>> perft(honte.game("connect4").start(), 4)
    2401
    """
    if depth < 0:
        raise ValueError(f"a depth of {depth} cannot be counted; give 0 or more")
    moves = state.legal_moves()
    native: Any = state
    is_othello = hasattr(state, "leaves")
    if depth <= 1 or (hasattr(state, "perft") and max(len(moves), 8) ** depth < BATCH):
        if is_othello:
            count = int(native.leaves(depth, pass_free))
        elif depth == 0:
            count = 1
        else:
            count = int(native.perft(depth)) if hasattr(state, "perft") else len(moves)
        on_progress(count)
        return count
    if not moves:
        return int(is_othello)
    free = pass_free and is_othello and moves == [64]
    return sum(perft(state.play(m), depth - (not free), pass_free, on_progress) for m in moves)
