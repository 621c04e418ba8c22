"""Notation of Connect Four cells and columns."""

from __future__ import annotations

import re
from collections.abc import Iterable

Cell = tuple[int, int]

COLUMNS = "123456789abcdefg"
CELL = re.compile(r"\(?(\d{1,3})[/,](\d{1,3})\)?")


def read_cells(text: str) -> frozenset[Cell]:
    """Parse cells in a spec: ``5/6+2/3``; "" for none."""
    cells = []
    for word in filter(None, text.split("+")):
        match = CELL.fullmatch(word)
        if match is None:
            raise ValueError
        cells.append((int(match[1]), int(match[2])))
    return frozenset(cells)


def write_cells(cells: Iterable[Cell]) -> str:
    """Format cells for a spec."""
    return "+".join(f"{row}/{col}" for row, col in sorted(cells))
