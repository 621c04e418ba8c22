"""Formatting of user input and lists in error messages."""

from __future__ import annotations

from honte.core.language import Message


def quote(given: object, limit: int = 40) -> str:
    """Quote user input in an error message, shortened to fit on a line."""
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given) if given.bit_length() < 100 else "a huge number"
    text = given if isinstance(given, str) else repr(given)
    shown = repr(text[:limit])  # which may be longer than the text: '\udc80' is six characters
    if len(text) <= limit and len(shown) <= limit + 2:
        return shown
    return shown[:limit] + "…" + shown[-1]


def some(names: object, limit: int = 12) -> str:
    """A list in an error message, truncated."""
    words = [str(name) for name in names]  # type: ignore[attr-defined]
    return " ".join(words[:limit]) + (" …" if len(words) > limit else "")


MAX_MOVES_TEXT = 20_000


def split_moves(text: str) -> list[str]:
    """The words of a list of moves, separated by commas or blanks."""
    if len(text) > MAX_MOVES_TEXT:
        raise ValueError(
            Message(
                "a list of moves of {count:,} characters; {max_moves_text:,} is enough",
                count=len(text),
                max_moves_text=MAX_MOVES_TEXT,
            )
        )
    return text.replace(",", " ").split()
