"""Text in the columns of a terminal, where a Chinese character takes two."""

from __future__ import annotations

from collections.abc import Iterator

OPENING = "（“‘《【"
"""Opening punctuation, which must not end a line."""
CLOSING = "，。；：、！？）”’》】…"
"""Closing punctuation, which must not begin a line."""


def width(text: str) -> int:
    """The width of a text in columns.

    >>> width("move"), width("着法")
    (4, 4)
    """
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(map(bool, map(combining, text)))


def left(text: str, columns: int) -> str:
    """Pad a text on the right to `columns` columns: ``f"{text:<7}"`` for any script."""
    return text + " " * (columns - width(text))


def right(text: str, columns: int) -> str:
    """Pad a text on the left to `columns` columns: ``f"{text:>7}"`` for any script.

    >>> right("着法", 6)
    '  着法'
    """
    return " " * (columns - width(text)) + text


def cut(text: str, columns: int) -> str:
    """Truncate a text to at most `columns` columns.

    >>> cut("第二局", 5)
    '第二'
    """
    while width(text) > columns:
        text = text[:-1]
    return text


def wrap(text: str, columns: int) -> list[str]:
    """The lines of a paragraph: broken at blanks, and between Chinese characters.

    >>> wrap("按 Ctrl-C 结束。", 10)
    ['按 Ctrl-C', '结束。']
    """
    lines, line = list[str](), ""
    for piece in _pieces(text):
        if line.strip() and width(line) + width(piece.rstrip()) > columns:
            lines.append(line.rstrip())
            line, piece = "", piece.lstrip()
        line += piece
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _pieces(text: str) -> Iterator[str]:
    """The unbreakable pieces of a text: a word with the blanks after it, or a character."""
    piece = ""
    for before, letter in zip(" " + text, text, strict=False):
        together = letter not in CLOSING and not letter.isspace() and before not in OPENING
        if together and piece and (before.isspace() or width(letter) == 2 or width(before) == 2):
            yield piece
            piece = ""
        piece += letter
    yield piece
