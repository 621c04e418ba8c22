"""Bot faults, as the arena records them."""

from __future__ import annotations

REASONS = (
    "crash",  # exited, closed its output, or raised
    "time",  # no answer within the limit and the margin
    "flood",  # too much output, or too many processes
    "stall",  # does not read its input
    "memory",  # over its memory limit
    "protocol",  # a malformed reply
    "illegal",  # a move that the rules do not allow, or out of turn
    "start",  # did not start, or was not ready in time
    "resign",  # not a fault
)


class Fault(Exception):
    """A bot forfeits its game: the reason in a word, the detail in a sentence.

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
