"""Which game an SGF text is of, told from its first bytes and without a parser.

>>> game_type(b"A game: ( ;FF[4]GM[1]SZ[9]"), game_type(b"(;SZ[9]"), game_type(b"f5d6")
(b'1', b'', None)
>>> game_type(b"f5d6c3d3c4 % lovely (;")
"""

from __future__ import annotations

import re

_START = re.compile(rb"\(\s*+;")
_GAME_TYPE = re.compile(rb"GM\s*\[\s*(\w+)\s*\]")


def game_type(head: bytes) -> bytes | None:
    """GM of the first game, empty if it is not given; None if the text is no SGF.

    SGF allows any text before a game; but in transcripts and in our own format, what follows a % on
    a line is a comment.
    """
    if head.startswith(b"%"):
        return None
    starts = (one for one in _START.finditer(head) if b"%" not in line_before(head, one.start()))
    start = next(starts, None)
    if start is None:
        return None
    kind = _GAME_TYPE.search(head, start.end())
    return b"" if kind is None else kind[1]


def line_before(text: bytes, at: int) -> bytes:
    """The part of a line that stands before a place in it."""
    return text[text.rfind(b"\n", 0, at) + 1 : at]
