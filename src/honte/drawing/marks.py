"""Labels on the moves of a drawn board: what a search thinks of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from honte.drawing.text import cell_of

if TYPE_CHECKING:
    from honte.core.contract import State
    from honte.core.descriptor_parts import Cell
    from honte.drawing.text import Board


class Mark(NamedTuple):
    """The label of a move."""

    words: str
    """A few characters: 52%, W 7."""
    share: float = 0.0
    """Share of the search's visits, from 0 to 1; a larger share is drawn more strongly."""
    best: bool = False


_BEST, _OTHERS = ("#0a6fb8", "#ffffff"), ("#ffffff", "#1b2028")
"""Background and text colour; blue and white are distinct to colour-blind people too."""


def shapes(
    state: State, board: Board, marks: Mapping[int, Mark], cell: int
) -> list[tuple[Cell, float, str, str, float, str, float]]:
    """For each mark on the board: cell, radius, background, text colour, opacity, text and its
    size."""
    found = []
    legal = state.legal_moves() if marks else []
    for move, mark in marks.items():
        place = cell_of(state, board.cols, move) if move in legal else None
        if place is None:
            continue
        ground, ink = _BEST if mark.best else _OTHERS
        opacity = 1.0 if mark.best else 0.55 + 0.4 * min(1.0, max(0.0, mark.share))
        font = cell * (0.3 if len(mark.words) < 4 else 0.25)
        found.append((place, cell * 0.4, ground, ink, opacity, mark.words, font))
    return found
