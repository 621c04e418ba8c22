"""What a bot can do wrong, as the arena records it."""

from __future__ import annotations

REASONS = (
    "crash",  # it ended, closed its output, or its function raised
    "time",  # no answer within the limit and the margin
    "flood",  # too much output, or too many processes
    "stall",  # it does not read what it is sent
    "memory",  # it grew past its limit
    "protocol",  # an answer that is none
    "illegal",  # a move that the rules do not allow, or out of turn
    "start",  # it could not be started, or was not ready in time
    "resign",  # no fault: it gave the game up
)


class Fault(Exception):
    """A bot lost its game by what it did: the reason in a word, the detail in a sentence.

    >>> str(Fault("crash", "it died by SIGSEGV"))
    'crash: it died by SIGSEGV'
    """

    def __init__(self, reason: str, detail: str, stderr: bytes = b"") -> None:
        super().__init__(reason, detail, stderr)
        self.reason = reason
        self.detail = detail
        self.stderr = stderr
        """The last 4 KiB that the bot wrote to its standard error."""

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"
