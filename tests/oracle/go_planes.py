"""What networks see of a position of Go, plane by plane, from the moves that led to it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracle.go import EMPTY, Position, neighbours

PLANES = (
    *("board", "own", "other", "liberties_1", "liberties_2", "liberties_3"),
    *("forbidden", "last", "second_last", "last_pass", "whole_komi"),
    *(f"komi_above_{points}" for points in range(-10, 11)),
)


def liberties(board: bytes, size: int, point: int) -> int:
    """The liberties of the chain on a point."""
    chain, found = [point], set()
    for stone in chain:
        for near in neighbours(size)[stone]:
            if board[near] == EMPTY:
                found.add(near)
            elif board[near] == board[point] and near not in chain:
                chain.append(near)
    return len(found)


def observe(position: Position, moves: list[int]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The planes [size · size, planes] of a position and the moves that led to it."""
    board, own = position.board, position.to_move + 1
    komi = position.komi if position.to_move == 1 else -position.komi
    planes = np.zeros((position.pass_move, len(PLANES)), np.uint8)
    view = dict(zip(PLANES, planes.T, strict=True))
    legal = position.legal_moves()
    view["board"][:] = 1
    for point, stone in enumerate(board):
        if stone == EMPTY:
            view["forbidden"][point] = point not in legal
            continue
        view["own" if stone == own else "other"][point] = 1
        count = liberties(board, position.size, point)
        if count <= 3:
            view[f"liberties_{count}"][point] = 1
    for name, move in zip(("last", "second_last"), reversed(moves), strict=False):
        if move != position.pass_move:
            view[name][move] = 1
    view["last_pass"][:] = moves[-1:] == [position.pass_move]
    view["whole_komi"][:] = komi % 1 == 0
    for points in range(-10, 11):
        view[f"komi_above_{points}"][:] = komi > points
    return planes
