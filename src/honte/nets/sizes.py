"""Sizes of networks."""

from __future__ import annotations

import re
from typing import NamedTuple

from honte.core.language import Message


class Size(NamedTuple):
    """Blocks and channels, written ``b4c32``.

    >>> Size.parse("b4c32")
    Size(blocks=4, channels=32)
    """

    blocks: int
    channels: int

    @classmethod
    def parse(cls, text: str) -> Size:
        match = re.fullmatch(r"b([1-9]\d?)c([1-9]\d{0,2})", text)
        if match is None:
            raise ValueError(
                Message("{given!r} is not a network size; write it like b4c32", given=text)
            )
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"b{self.blocks}c{self.channels}"
