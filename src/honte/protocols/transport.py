"""The interfaces between one of our engines and its controller."""

from __future__ import annotations

from typing import Protocol

MAX_LINE = 1 << 16
"""Maximum bytes of a line; an engine refuses a longer one."""


class Transport(Protocol):
    """The way back to the controller; tests use one that records what is sent."""

    def send(self, data: bytes) -> None:
        """Write and flush."""
        ...

    def wait_for_input(self, seconds: float) -> bool:
        """Whether there is unread input from the controller, after waiting this long at most."""
        ...

    def wait_for_end(self, seconds: float) -> bool:
        """Whether the input has ended with nothing left to read, waiting this long at most."""
        ...


class Engine(Protocol):
    """One of our players behind a protocol."""

    max_bytes: int
    """Maximum bytes of a line; a longer one is cut to this and one byte more."""

    def handle(self, data: bytes, late: float = 0.0) -> bool:
        """Answer a line, or the bytes received so far; False if the session is over.

        `late` is how long the controller has already waited, if known: a program that is started
        for every move has spent some of its time on starting.
        """
        ...

    def close(self) -> None: ...
