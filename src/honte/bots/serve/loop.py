"""The loop round an engine: standard input in a thread of its own, standard output at once."""

from __future__ import annotations

import collections
import os
import sys
import threading
import time
from collections.abc import Callable

from honte.bots.serve.wires import Engine

CHUNK = 1 << 16
MOST_WAITING = 1000
"""Commands that may wait; a controller that sends more than that must wait itself."""


class Pipes:
    """Wires over two file descriptors.

    They are read and written without Python's buffers: a buffer that a thread waits in cannot
    be torn down when the program ends.
    """

    def __init__(self, source: int, target: int) -> None:
        self._source, self._target = source, target
        self._come: collections.deque[bytes | None] = collections.deque()
        self._news = threading.Condition()

    def say(self, text: bytes) -> None:
        while text:
            text = text[os.write(self._target, text) :]

    def wait(self, seconds: float) -> bool:
        with self._news:
            return self._news.wait_for(lambda: bool(self._come), seconds)

    def listen(self, most: int, framed: bool) -> None:
        """Begin to read: lines of up to `most` bytes, or whatever comes where there are none."""
        cut = Lines(most).cut if framed else lambda given: [given] if given else []
        threading.Thread(target=self._listen, args=(cut,), name="listener", daemon=True).start()

    def _listen(self, cut: Callable[[bytes], list[bytes]]) -> None:
        given = b"-"
        while given:
            try:
                given = os.read(self._source, CHUNK)
            except OSError:
                given = b""
            news: list[bytes | None] = [*cut(given)]
            with self._news:
                self._news.wait_for(lambda: len(self._come) < MOST_WAITING)
                self._come.extend(news if given else [*news, None])
                self._news.notify_all()

    def next(self) -> bytes | None:
        """What has come, waiting for it; None at the end of the input."""
        with self._news:
            self._news.wait_for(lambda: bool(self._come))
            self._news.notify_all()
            return self._come.popleft()


class Lines:
    r"""Cuts what comes into lines; of one longer than `most`, `most` bytes and one more are kept.

    >>> lines = Lines(4)
    >>> lines.cut(b"one\ntw"), lines.cut(b"o\nthirteen"), lines.cut(b"\nlast"), lines.cut(b"")
    ([b'one'], [b'two'], [b'thirt'], [b'last'])
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._rest = b""

    def cut(self, given: bytes) -> list[bytes]:
        """The lines that are complete now; all that is left if nothing more comes."""
        *whole, rest = given.split(b"\n")
        lines = []
        for line in whole:
            lines.append((self._rest + line)[: self._most + 1])
            self._rest = b""
        self._rest = (self._rest + rest)[: self._most + 1]
        if not given and self._rest:
            lines.append(self._rest)
        return lines


def serve(make: Callable[[Pipes], Engine], *, framed: bool = True) -> None:
    """Make an engine and talk until the controller has enough.

    A controller that has spoken before the engine could listen has waited since this program
    was started; its first answer counts that in.
    """
    pipes = Pipes(sys.stdin.fileno(), sys.stdout.fileno())
    engine = make(pipes)
    pipes.listen(engine.most, framed)
    late = age() if pipes.wait(0.02) else 0.0
    try:
        while (given := pipes.next()) is not None:
            if not engine.take(given, late):
                break
            late = 0.0
    finally:
        engine.close()


def age() -> float:
    """Seconds since this program was started."""
    try:
        with open("/proc/self/stat", "rb") as file:
            began = int(file.read().rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - began)
    except (OSError, ValueError, IndexError, AttributeError):
        return time.process_time()  # it has been starting ever since, and did little else
