"""The symmetries of a board, for learners: every position is also a sample of its images.

>>> import honte
>>> state = honte.game("connect4").start().play(0)
>>> image, actions = state.symmetries()[1]    # the mirror image; the first is the position itself
>>> image.last_move, actions.tolist()
(6, [6, 5, 4, 3, 2, 1, 0])

Batches of planes and policies are transformed as arrays: see `Symmetry`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.intp]


class Image(NamedTuple):
    """A position under a symmetry."""

    state: Any
    actions: Numbers
    """The image of each action: `state` after `actions[a]` is that of the original after `a`."""


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A reflection or a rotation of a board, applied to arrays.

    >>> import honte
    >>> state = honte.game("othello").start()
    >>> turned = state.game.symmetries()[4]
    >>> image = turned.planes(state.planes())
    >>> bool((image == state.symmetries()[4].state.planes()).all())
    True
    """

    actions: Numbers
    """The image of each action."""
    cells: Numbers
    """The image of each cell, counted row by row from the top left."""

    def planes(self, planes: NDArray[Any]) -> NDArray[Any]:
        """Transform planes: any array (…, rows, columns)."""
        turned = np.empty_like(planes)
        flat = (*planes.shape[:-2], -1)
        turned.reshape(flat)[..., self.cells] = planes.reshape(flat)
        return turned

    def policy(self, policy: NDArray[Any]) -> NDArray[Any]:
        """Transform a policy, a mask or visits: any array (…, actions)."""
        turned = np.empty_like(policy)
        turned[..., self.actions] = policy
        return turned


@cache
def mirror(rows: int, cols: int) -> tuple[Symmetry, ...]:
    """The identity and the left-right mirror image, for games whose actions are columns."""
    cells = np.arange(rows * cols).reshape(rows, cols)
    columns = np.arange(cols)
    return (
        Symmetry(columns, cells.reshape(-1)),
        Symmetry(columns[::-1].copy(), cells[:, ::-1].reshape(-1)),
    )


@cache
def turns(size: int, stride: int, actions: int) -> tuple[Symmetry, ...]:
    """The eight reflections and rotations of a square; cell (row, col) is action row·stride + col.

    Bits 0 and 1 of an index mirror, bit 2 transposes. Other actions, like a pass, are unchanged.
    """
    row, col = np.divmod(np.arange(size * size), size)
    found = []
    for form in range(8):
        down, right = (size - 1 - row if form & 1 else row), (size - 1 - col if form & 2 else col)
        if form & 4:
            down, right = right, down
        images = np.arange(actions)
        images[row * stride + col] = down * stride + right
        found.append(Symmetry(images, down * size + right))
    return tuple(found)


def moved(cells: bytes, symmetry: Symmetry) -> bytes:
    """The cells of a position under a symmetry."""
    before = np.frombuffer(cells, np.uint8)
    after = np.empty_like(before)
    after[symmetry.cells] = before
    return after.tobytes()


def images(state: Any) -> list[Image]:
    """The position under each symmetry of its board, the position itself first."""
    return [
        Image(state.game.image(state, symmetry), symmetry.actions)
        for symmetry in state.game.symmetries()
    ]
