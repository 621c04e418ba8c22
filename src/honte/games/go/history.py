"""Reconstructs moves that lead to a position, for protocols that send moves."""

from __future__ import annotations

from typing import Any

MAX_PLIES = 2000


def find_history(state: Any) -> list[int] | None:
    """Place the stones one by one, passing for the side with fewer; None if that fails.

    No stone is captured on the way: every part of a group borders either on the rest of it,
    which is still empty, or on the group's own liberties.
    """
    game = state.game
    handicap = game.start().cells()
    stones: list[list[int]] = [[], []]
    for point, cell in enumerate(state.cells()):
        if cell and not handicap[point]:
            stones[cell - 1].append(point)
        elif handicap[point] and cell != handicap[point]:
            return None
    last = state.last_move
    before = 1 - state.to_move
    if last is not None and last in stones[before]:
        stones[before].remove(last)
        stones[before].append(last)
    position = game.start()
    moves: list[int] = []
    queue = [list(reversed(own)) for own in stones]
    while any(queue) or position.to_move != state.to_move or position.passes < state.passes:
        own = queue[position.to_move]
        # The last stone waits until it is the last move.
        early = len(own) == 1 and own[0] == last and queue[1 - position.to_move]
        move = own.pop() if own and not early else game.pass_move
        moves.append(move)
        try:
            position = position.play(move)
        except ValueError:
            return None
        if position.is_over or len(moves) > MAX_PLIES:
            return None
    return moves if position.cells() == state.cells() else None
