"""The input planes of networks, and random positions to calibrate and test networks with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from honte._native import GoState

KOMI_STEPS = range(-10, 11)
PLANES = (
    "board", "own", "other", "liberties_1", "liberties_2", "liberties_3", "forbidden",
    "last", "second_last", "last_pass", "whole_komi",
    *(f"komi_above_{points}" for points in KOMI_STEPS),
)  # fmt: skip
"""Zeros and ones for each point; `board` marks the points of the board.

`liberties_N` are stones of either side whose chain has exactly N liberties, `forbidden` empty
points where the side to move may not play. `last` is where the other side put its last stone,
`second_last` where the side to move put its own, taken since or not. The rest fill the whole board:
the last move was a pass, komi is a whole number, and the side to move gets more than N from komi.
"""

Planes = np.ndarray[Any, np.dtype[np.uint8]]


def observe(state: GoState, moves: Sequence[int], canvas: int | None = None) -> Planes:
    """Planes [canvas, canvas, planes] of a position, row 0 at the top, as `jax_rules` makes them.

    `moves` ends with the last two moves; fewer near the start of a game.
    """
    game = state.game
    size, done = game.size, game.pass_move
    planes = np.zeros((size, size, len(PLANES)), np.uint8)
    flat = planes.reshape(size * size, -1)
    own = state.to_move + 1
    flat[:, 0] = 1
    cells = state.cells()
    for point, cell in enumerate(cells):
        if cell:
            flat[point, 1 if cell == own else 2] = 1
            liberties = len(state.group(point)[1])
            if liberties <= 3:
                flat[point, 2 + liberties] = 1
        elif not state.is_legal(point):
            flat[point, 6] = 1
    for plane, back in ((7, 1), (8, 2)):
        if len(moves) >= back and moves[-back] != done:
            flat[moves[-back], plane] = 1
    flat[:, 9] = state.passes > 0
    flat[:, 10] = game.komi == int(game.komi)
    gets = game.komi if state.to_move else -game.komi
    flat[:, 11:] = [gets > points for points in KOMI_STEPS]
    if canvas is not None and canvas > size:
        planes = np.pad(planes, ((0, canvas - size), (0, canvas - size), (0, 0)))
    return planes


def random_positions(
    rng: np.random.Generator, count: int, least: int = 7, most: int = 9, plies: int = 60
) -> Planes:
    """Boards from `least` to `most` with a komi near the fair one, after up to `plies` plies.

    Moves are random but fill no point that only own stones surround; one in 30 is a pass.
    """
    from honte.games.go.game import Go

    found = []
    for _ in range(count):
        size = int(rng.integers(least, most + 1))
        komi = round(2 * (7 + 3 * rng.standard_normal())) / 2
        game = Go(size=size, komi=komi)
        state, moves = game.start(), list[int]()
        for _ in range(int(rng.integers(plies + 1))):
            wanted = [point for point in state.legal_moves()[:-1] if not _surrounded(state, point)]
            if not wanted or (rng.random() < 1 / 30 and not state.passes):
                wanted = [] if state.passes else [game.pass_move]
            if not wanted:
                break
            moves.append(int(rng.choice(wanted)))
            state = state.play(moves[-1])
        found.append(observe(state, moves, most))
    return np.stack(found)


def _surrounded(state: GoState, point: int) -> bool:
    """Whether every neighbour of the point is a stone of the side to move."""
    size, cells = state.game.size, state.cells()
    row, col = divmod(point, size)
    steps = ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
    return all(
        cells[r * size + c] == state.to_move + 1
        for r, c in steps
        if 0 <= r < size and 0 <= c < size
    )
