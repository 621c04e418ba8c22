"""What an engine is given to speak with, and what it is asked."""

from __future__ import annotations

from typing import Protocol

MOST_LINE = 1 << 16
"""Bytes of a line that an engine looks at; a longer one is refused."""


class Wires(Protocol):
    """The way back to the controller."""

    def say(self, text: bytes) -> None:
        """Send at once."""
        ...

    def wait(self, seconds: float) -> bool:
        """Whether something new has come from the controller, within so many seconds."""
        ...


class Engine(Protocol):
    """One of ours at the end of the wires."""

    most: int
    """The longest line that it reads, in bytes; what is longer comes cut, with one byte more."""

    def take(self, given: bytes, late: float = 0.0) -> bool:
        """Answer a line, or whatever bytes have come; False if the talk is over.

        `late` is how long the controller has already waited, where that is known: a program
        that is started for every move has spent some of its time on starting.
        """
        ...

    def close(self) -> None: ...


def margin(seconds: float) -> float:
    """The time to think where a controller allows this much: something is lost on the way.

    >>> margin(10), round(margin(1), 2), round(margin(0.1), 2)
    (9.5, 0.9, 0.03)
    """
    return max(0.3 * seconds, seconds - max(0.1, 0.05 * seconds))
