"""The loop around an engine: a thread reads standard input, replies are written unbuffered."""

from __future__ import annotations

import collections
import os
import sys
import threading
import time
from collections.abc import Callable

from honte.protocols.transport import Engine

CHUNK = 1 << 16
MAX_QUEUE = 1000
"""Commands read ahead; a controller that sends more blocks in its own write."""


class PipeTransport:
    """A transport over two file descriptors.

    Reads and writes bypass Python's buffers: a buffer with a thread blocked in it cannot be torn
    down at exit.
    """

    def __init__(self, source: int, target: int) -> None:
        self._source, self._target = source, target
        self._queue: collections.deque[bytes | None] = collections.deque()
        self._changed = threading.Condition()

    def send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._target, data) :]

    def wait_for_input(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: bool(self._queue), seconds)

    def wait_for_end(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: list(self._queue) == [None], seconds)

    def listen(self, max_bytes: int, framed: bool) -> None:
        """Start reading: lines of up to `max_bytes`, or raw chunks if not `framed`."""
        cut = Lines(max_bytes).cut if framed else lambda given: [given] if given else []
        threading.Thread(target=self._listen, args=(cut,), name="listener", daemon=True).start()

    def _listen(self, cut: Callable[[bytes], list[bytes]]) -> None:
        given = b"-"
        while given:
            try:
                given = os.read(self._source, CHUNK)
            except OSError:
                given = b""
            new: list[bytes | None] = [*cut(given)]
            with self._changed:
                self._changed.wait_for(lambda: len(self._queue) < MAX_QUEUE)
                self._queue.extend(new if given else [*new, None])
                self._changed.notify_all()

    def next(self) -> bytes | None:
        """The next input, waiting for it; None at the end of the input."""
        with self._changed:
            self._changed.wait_for(lambda: bool(self._queue))
            self._changed.notify_all()
            return self._queue.popleft()


class Lines:
    r"""Split the input into lines, each cut to `max_bytes` and one more.

    >>> lines = Lines(4)
    >>> lines.cut(b"one\ntw"), lines.cut(b"o\nthirteen"), lines.cut(b"\nlast"), lines.cut(b"")
    ([b'one'], [b'two'], [b'thirt'], [b'last'])
    """

    def __init__(self, max_bytes: int) -> None:
        self._max = max_bytes
        self._rest = b""

    def cut(self, given: bytes) -> list[bytes]:
        """The lines that are complete now; at the end of the input, the rest."""
        *whole, rest = given.split(b"\n")
        lines = []
        for line in whole:
            lines.append((self._rest + line)[: self._max + 1])
            self._rest = b""
        self._rest = (self._rest + rest)[: self._max + 1]
        if not given and self._rest:
            lines.append(self._rest)
        return lines


def serve(make: Callable[[PipeTransport], Engine], *, framed: bool = True) -> None:
    """Make an engine and serve until the controller ends the session.

    Input that arrived before the engine could read has waited since this program was started;
    that wait counts in the time of the first reply.
    """
    pipes = PipeTransport(sys.stdin.fileno(), sys.stdout.fileno())
    engine = make(pipes)
    pipes.listen(engine.max_bytes, framed)
    late = age() if pipes.wait_for_input(0.02) else 0.0
    try:
        while (given := pipes.next()) is not None:
            if not engine.handle(given, late):
                break
            late = 0.0
    finally:
        engine.close()


def age() -> float:
    """Seconds since this program was started."""
    busy = time.process_time()  # an approximation: starting up is mostly CPU time
    if sys.platform != "linux":
        return busy
    try:
        with open("/proc/self/stat", "rb") as file:
            began = int(file.read().rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - began)
    except (OSError, ValueError, IndexError, AttributeError):
        return busy
