"""Python functions, each with one defect."""

from __future__ import annotations

import time
from typing import Any

calls = 0
held: list[bytes] = []


def healthy(state: Any, limit: Any) -> int:
    return int(state.legal_moves()[0])


def raises(state: Any, limit: Any) -> int:
    raise KeyError("no such opening")


def words(state: Any, limit: Any) -> str:
    return str(state.game.format(state.legal_moves()[0]))


def slow(state: Any, limit: Any) -> int:
    time.sleep(limit.seconds + 0.1)
    return int(state.legal_moves()[0])


def nearly_slow(state: Any, limit: Any) -> int:
    time.sleep(0.93 * limit.seconds)
    return int(state.legal_moves()[0])


def never_passes(state: Any, limit: Any) -> int:
    move = int(state.legal_moves()[0])
    return 0 if move == 64 else move


def swapped(state: Any, limit: Any) -> int:
    """Othello with rows for columns."""
    move = int(state.legal_moves()[0])
    return move if move == 64 else 8 * (move % 8) + move // 8


def counts_from_one(state: Any, limit: Any) -> int:
    return int(state.legal_moves()[-1]) + 1


def leaks(state: Any, limit: Any) -> int:
    held.append(bytes([1]) * (3 << 20))
    return int(state.legal_moves()[0])


def forgets(state: Any, limit: Any) -> int:
    """Counts its moves, and from one game on into the next."""
    global calls
    calls += 1
    if calls > 30:
        raise IndexError("move 31 of a game")
    return int(state.legal_moves()[0])
