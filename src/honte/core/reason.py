"""Why a move is better than another: a sentence that the position proves.

>>> Reason("{best} wins at once.", {"best": "4"}).words
'4 wins at once.'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Reason(NamedTuple):
    """A sentence with gaps, so that it can be translated: see `GameDescriptor.words`."""

    text: str
    gaps: Mapping[str, str | int]
    cells: tuple[int, ...] = ()
    """Cells to point at, as ``row · cols + col``."""

    @property
    def words(self) -> str:
        return self.text.format(**self.gaps)
