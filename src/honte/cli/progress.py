"""Signs of life on the standard error of a terminal; nothing where it is a file."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self


class Spinner:
    """A line that counts work whose end is not known, from the second second on."""

    def __init__(self, title: str, unit: str) -> None:
        self._title, self._unit = title, unit
        self._started = time.monotonic()
        self._shown = 0.0
        self._count = 0

    def add(self, count: int) -> None:
        self._count += count
        now = time.monotonic()
        if now - self._started > 2 and now - self._shown > 0.25 and sys.stderr.isatty():
            self._shown = now
            rate = self._count / (now - self._started)
            line = f"\r{self._title}: {self._count:,} {self._unit}, {rate:,.0f} a second"
            print(line, end="\033[K", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class Progress:
    """One line on the standard error of a terminal, with the time that is left."""

    def __init__(self) -> None:
        self._stage = ""
        self._began = self._shown = 0.0

    def tell(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._began = stage, now
        if not sys.stderr.isatty() or (now - self._shown < 0.1 and done < total):
            return
        left = f", {(now - self._began) / done * (total - done):.0f} s left" if done else ""
        self._shown = now
        print(f"\r{stage}: {done} of {total}{left}", end="\033[K", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
