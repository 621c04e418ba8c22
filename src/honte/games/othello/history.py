"""Reconstructs moves that lead to a position, for protocols that send moves."""

from __future__ import annotations

from typing import Any

from honte.games.othello.descriptor import PASS

MAX_PLIES = 7
"""Long enough for openings; the search grows tenfold per ply."""
MAX_NODES = 20_000


def find_history(state: Any) -> list[int] | None:
    """Search the first plies of the game; None for later positions."""
    start = state.game.start()
    plies = sum(map(bool, state.cells())) - 4
    if plies > MAX_PLIES:
        return None
    goal = state.cells(), state.to_move
    occupied = goal[0]
    size = state.game.size
    stack: list[tuple[Any, list[int]]] = [(start, [])]
    nodes = 0
    while stack and nodes < MAX_NODES:
        position, moves = stack.pop()
        nodes += 1
        if (position.cells(), position.to_move) == goal:
            return moves
        for move in position.legal_moves():
            row, col = divmod(move, 8)
            if move == PASS or occupied[row * size + col]:
                stack.append((position.play(move), [*moves, move]))
    return None
