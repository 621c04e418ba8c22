"""Explain how a program died: signals, messages of the C library and sanitizers."""

from __future__ import annotations

import re
from typing import NamedTuple

from honte.core.language import Message

SIGNALS = {
    "SIGSEGV": Message(
        "it used memory that is not its own: an index outside of an array, or a pointer to nothing"
    ),
    "SIGBUS": Message("it used memory that is not its own"),
    "SIGFPE": Message("it divided by zero, / or %"),
    "SIGABRT": Message(
        "it gave up by itself: abort(), assert(), or an exception that is not caught"
    ),
    "SIGILL": Message(
        "it reached a place without instructions: does a function end without return?"
    ),
}
"""What the signals that programs die by usually mean."""

DEBUG = Message(
    "compile with `-g -fsanitize=address,undefined` and ask the bot about this "
    "position; look for an index past the board, a board kept at a fixed size, a "
    "pointer used after delete"
)
OVERRUN = Message("overrun")
BOUNDS = Message(
    "an array of n has the indices 0 to n - 1: check the index before you use it, and size arrays "
    "for the largest board"
)


class LastWords(NamedTuple):
    """What a program's last words mean."""

    name: str
    seen: str
    fix: str


WHERE = r"(?P<file>[^\s:/]+):(?P<line>\d+):\d+: runtime error: "

SAID: tuple[tuple[str, str, Message, Message], ...] = (
    (
        WHERE + r"index (?P<index>-?\d+) out of bounds for type '(?P<type>[^']+)'",
        OVERRUN,
        Message("{file}, line {line}: the index {index} is outside of an array {type}"),
        BOUNDS,
    ),
    (
        WHERE + r"(?:load|store|member|reference)[^\n]*insufficient space",
        OVERRUN,
        Message("{file}, line {line}: it goes past the end of an array"),
        BOUNDS,
    ),
    (
        WHERE + r"[^\n]*null pointer",
        "crash",
        Message("{file}, line {line}: it uses a pointer that is NULL"),
        Message("look where the pointer comes from, and whether it is set before this line"),
    ),
    (
        WHERE + r"division by zero",
        "crash",
        Message("{file}, line {line}: it divides by zero"),
        Message("look whether what you divide by can be 0, as counts are at the start"),
    ),
    (
        WHERE + r"execution reached the end",
        "crash",
        Message("{file}, line {line}: this function ended without return"),
        Message("return a value on every path"),
    ),
    (
        r"Assertion '__n < (this->)?(size|_Nm)",
        OVERRUN,
        Message("an index is outside of a std::vector or std::array"),
        BOUNDS,
    ),
    (
        r"stack smashing detected|buffer overflow detected",
        OVERRUN,
        Message("it wrote past the end of an array of a function"),
        BOUNDS,
    ),
    (
        r"double free|(free|munmap_chunk)\(\): invalid pointer",
        "crash",
        Message("it gave memory back that is not its own, or gave it back twice"),
        Message("delete what came from new, once; clearPoint is called for you"),
    ),
    (
        r"corrupted|invalid next size|invalid size|malloc\(\): |free\(\): ",
        OVERRUN,
        Message("it wrote past the end of memory that it got by new, malloc or a std::vector"),
        BOUNDS,
    ),
    (
        r"terminate called after throwing an instance of '(?P<type>[^']+)'",
        "crash",
        Message("it threw {type}, and nobody caught it"),
        Message("catch it, or look why it is thrown: .at() does so for an index out of range"),
    ),
)
"""Patterns on standard error, the name of the fault, what was seen and how to fix it."""


def last_words(stderr: bytes) -> LastWords | None:
    """Interpret what a program said when it died; None if that says nothing.

    >>> last_words(b"a.cpp:3:9: runtime error: index 12 out of bounds for type 'int [12]'").seen
    'a.cpp, line 3: the index 12 is outside of an array int [12]'
    """
    text = stderr.decode("utf-8", "replace")
    for pattern, name, seen, fix in SAID:
        if found := re.search(pattern, text):
            return LastWords(name, Message(seen.text, **found.groupdict()), fix)
    return None


def meaning(detail: str) -> str:
    """What happened, with what its signal means."""
    known = next((words for name, words in SIGNALS.items() if name in detail), None)
    if known is None:
        return detail
    return Message("{detail}: {meaning}", detail=detail, meaning=known)
