"""The input planes of networks, and random positions to calibrate and test networks with."""

from __future__ import annotations

from typing import Any

import numpy as np

PLANES = (
    "board", "playable", "own", "other", "landing", "own_threats", "other_threats",
    "odd_rows", "odd_empty", "second_to_move",
)  # fmt: skip
"""Zeros and ones for each cell; `board` marks all cells of the board, blocked ones too.

`own_threats` are empty cells that complete four for the side to move. `odd_rows` are playable cells
with an even number of playable ones below; `odd_empty` and `second_to_move` fill the whole board.
"""

Cells = np.ndarray[Any, np.dtype[np.bool_]]
"""Cells of a batch of positions: [batch, columns, rows], row 0 at the bottom."""
Planes = np.ndarray[Any, np.dtype[np.uint8]]


def observe(own: Cells, other: Cells, playable: Cells, board: Cells) -> Planes:
    """Planes [batch, columns, rows, planes], identical to those of `jax_rules`."""
    empty = playable & ~(own | other)
    odd_rows = (np.cumsum(playable, -1) % 2 == 1) & playable
    odd_empty = (empty.sum((1, 2)) % 2 == 1)[:, None, None] & board
    second = ((own | other).sum((1, 2)) % 2 == 1)[:, None, None] & board
    planes = (
        board, playable, own, other, _lowest(empty), _threats(own) & empty,
        _threats(other) & empty, odd_rows, odd_empty, second,
    )  # fmt: skip
    return np.stack(planes, -1).astype(np.uint8)


def random_positions(
    rng: np.random.Generator, count: int, least: int = 9, most: int = 12, plies: int = 60
) -> Planes:
    """Boards of `least` to `most` rows and columns, a blocked cell, and up to `plies` plies.

    Moves are random among those that block a four and do not enable one, as in the positions that a
    search sends to a network. Play stops early where there is no such move; the side to move may
    then face two threats at once. Nobody has four in a row.
    """
    columns, rows = (rng.integers(least, most + 1, (count, 1, 1)) for _ in range(2))
    across, up = np.arange(most)[None, :, None], np.arange(most)[None, None, :]
    board = (across < columns) & (up < rows)
    blocked_column, blocked_row = (
        np.floor(rng.random((count, 1, 1)) * side) for side in (columns, rows)
    )
    playable = board & ~((across == blocked_column) & (up == blocked_row))
    own, other = np.zeros_like(board), np.zeros_like(board)
    lengths = rng.integers(0, plies + 1, (count, 1, 1))
    for ply in range(plies):
        empty = playable & ~(own | other)
        landing = _lowest(empty)
        danger = _threats(other) & empty
        forced = landing & danger
        above = np.roll(danger, -1, -1)
        lost = forced.sum((1, 2), keepdims=True) > 1
        quiet = np.where(_any(forced), forced, landing) & ~above & ~lost & (ply < lengths)
        weights = rng.random(board.shape) * quiet
        move = quiet & (weights == weights.max((1, 2), keepdims=True))
        own, other = np.where(_any(move), other, own), np.where(_any(move), own | move, other)
    return observe(own, other, playable, board)


def _any(cells: Cells) -> Cells:
    return np.asarray(cells.any((1, 2), keepdims=True))


def _lowest(cells: Cells) -> Cells:
    return np.asarray(cells & (np.cumsum(cells, -1) == 1))


def _threats(stones: Cells) -> Cells:
    """Cells, occupied or not, that complete four stones in a row."""
    found = np.zeros_like(stones)
    _, width, height = stones.shape
    padded = np.pad(stones, ((0, 0), (3, 3), (3, 3)))
    for right, above in ((1, 0), (0, 1), (1, 1), (1, -1)):
        line = [
            padded[:, 3 + k * right :, 3 + k * above :][:, :width, :height] for k in range(-3, 4)
        ]
        for first in range(4):
            a, b, c = (line[i] for i in range(first, first + 4) if i != 3)
            found |= a & b & c
    return found
