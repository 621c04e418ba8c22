"""Words on the moves of a drawn board: what a search thinks of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from honte.games.contract import State
    from honte.games.text import Board, Cell


class Mark(NamedTuple):
    """What is written on a move."""

    words: str
    """A few characters: 52%, W 7."""
    share: float = 0.0
    """How much of the search went to it, from 0 to 1: the stronger it is drawn."""
    best: bool = False


_BEST, _OTHERS = ("#0a6fb8", "#ffffff"), ("#ffffff", "#1b2028")
"""Ground and words; blue is told from white by everybody."""


def cell_of(state: State, board: Board, move: int) -> Cell | None:
    """Where on the board a move is made; None for a pass and for what is no legal move."""
    if move not in state.legal_moves():
        return None
    if board.kind == "connect4":
        native: Any = state
        row = native.landing_row(move)
        return None if row is None else (row, move)
    if board.kind == "othello":
        return divmod(move, 8) if move < 64 else None
    return divmod(move, board.cols) if move < len(board.cells) else None


def shapes(
    state: State, board: Board, marks: Mapping[int, Mark], cell: int
) -> list[tuple[Cell, float, str, str, float, str, float]]:
    """For each mark that lies on the board: cell, radius, ground, words' colour, opacity, words
    and their size."""
    found = []
    for move, mark in marks.items():
        place = cell_of(state, board, move)
        if place is None:
            continue
        ground, ink = _BEST if mark.best else _OTHERS
        opacity = 1.0 if mark.best else 0.55 + 0.4 * min(1.0, max(0.0, mark.share))
        font = cell * (0.3 if len(mark.words) < 4 else 0.25)
        found.append((place, cell * 0.4, ground, ink, opacity, mark.words, font))
    return found
