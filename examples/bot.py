"""A bot in Python: a function that gets a position and a limit and gives a move.

honte check py:examples/bot.py:choose --game connect4
honte ladder py:examples/bot.py:choose --quick
"""

from __future__ import annotations

from honte import Limit, State


def choose(state: State, limit: Limit | None = None) -> int:
    """Win if one can, block if one must, otherwise play near the centre."""
    moves = state.legal_moves()
    me = state.to_move
    for move in moves:
        if state.play(move).winner == me:
            return move
    safe = [move for move in moves if not loses_at_once(state.play(move), me)]
    middle = (moves[0] + moves[-1]) / 2
    return min(safe or moves, key=lambda move: abs(move - middle))


def loses_at_once(state: State, me: int) -> bool:
    return any(state.play(reply).winner == 1 - me for reply in state.legal_moves())
