"""Which game an SGF text is of, told from its first bytes and without a parser.

>>> game_type(b"A game: ( ;FF[4]GM[1]SZ[9]"), game_type(b"(;SZ[9]"), game_type(b"f5d6")
(b'1', b'', None)
"""

from __future__ import annotations

import re

_START = re.compile(rb"\(\s*+;")
_GAME_TYPE = re.compile(rb"GM\s*\[\s*(\w+)\s*\]")


def game_type(head: bytes) -> bytes | None:
    """GM of the first game, empty if it is not given; None if the text is no SGF.

    SGF allows any text before a game; our own format, which may hold ``(;`` in a comment, begins
    with a %.
    """
    start = None if head.startswith(b"%") else _START.search(head)
    if start is None:
        return None
    kind = _GAME_TYPE.search(head, start.end())
    return b"" if kind is None else kind[1]
