"""What connects one of our engines to a controller, and what such an engine does."""

from __future__ import annotations

from typing import Protocol

MAX_LINE = 1 << 16
"""Bytes of a line that an engine looks at; a longer one is refused."""


class Transport(Protocol):
    """The way back to the controller; tests use one that records what is sent."""

    def send(self, data: bytes) -> None:
        """Write and flush."""
        ...

    def wait_for_input(self, seconds: float) -> bool:
        """Whether there is unread input from the controller, after waiting this long at most."""
        ...

    def wait_for_end(self, seconds: float) -> bool:
        """Whether the input has ended with nothing left to read, after waiting at most so long."""
        ...


class Engine(Protocol):
    """One of our players behind a protocol."""

    max_bytes: int
    """The longest line that it reads; a longer one is cut to this and one byte more."""

    def handle(self, data: bytes, late: float = 0.0) -> bool:
        """Answer a line, or whatever bytes have come; False if the session is over.

        `late` is how long the controller has already waited, where that is known: a program
        that is started for every move has spent some of its time on starting.
        """
        ...

    def close(self) -> None: ...
