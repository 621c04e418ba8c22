"""A fair-share queue: the owner with the least recent use is next.

More urgent work preempts less urgent work, which is restarted later.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

SPAN = 3600.0
"""Seconds after which use is forgotten."""


@dataclass(frozen=True)
class Turn:
    """A piece of work in the queue."""

    owner: int
    urgency: int
    """Lower is sooner, whoever owns it."""
    number: int
    work: Callable[[], Awaitable[None]]


class FairQueue:
    """Runs the work of several owners, at most `slots` pieces at once."""

    def __init__(self, slots: int = 1) -> None:
        self._slots = slots
        self._waiting: list[Turn] = []
        self._running: dict[int, tuple[Turn, asyncio.Task[None]]] = {}
        self._used: dict[int, deque[tuple[float, float]]] = {}
        """By owner: when work ended, and the seconds that it took."""
        self._numbers = 0

    def add(self, owner: int, work: Callable[[], Awaitable[None]], urgency: int = 0) -> int:
        """Enqueue work; returns its number."""
        self._numbers += 1
        self._waiting.append(Turn(owner, urgency, self._numbers, work))
        self._start()
        if self._waiting:
            self._make_room(urgency)
        return self._numbers

    def _make_room(self, urgency: int) -> None:
        """Preempt work that is less urgent than this."""
        later = [pair for pair in self._running.values() if pair[0].urgency > urgency]
        if later:
            turn, task = max(later, key=lambda pair: self._key(pair[0]))
            task.cancel()
            self._waiting.append(turn)

    def before(self, number: int) -> int | None:
        """The number of pieces ahead of a piece of work; None if it is not waiting."""
        for place, turn in enumerate(sorted(self._waiting, key=self._key)):
            if turn.number == number:
                return place + len(self._running)
        return None

    def is_running(self, number: int) -> bool:
        return number in self._running

    def __len__(self) -> int:
        return len(self._waiting) + len(self._running)

    def used(self, owner: int) -> float:
        """Seconds that an owner's work took recently."""
        kept = self._used.get(owner, deque())
        while kept and kept[0][0] < time.monotonic() - SPAN:
            kept.popleft()
        return sum(seconds for _, seconds in kept)

    def _key(self, turn: Turn) -> tuple[int, float, int]:
        return turn.urgency, self.used(turn.owner), turn.number

    def _start(self) -> None:
        while self._waiting and len(self._running) < self._slots:
            turn = min(self._waiting, key=self._key)
            self._waiting.remove(turn)
            self._running[turn.number] = turn, asyncio.create_task(self._run(turn))

    async def _run(self, turn: Turn) -> None:
        began = time.monotonic()
        try:
            await turn.work()
        except Exception as error:  # one owner's failure: the others' work goes on
            print(f"honte: {type(error).__name__}: {error}", file=sys.stderr)
        finally:
            now = time.monotonic()
            self._used.setdefault(turn.owner, deque()).append((now, now - began))
            del self._running[turn.number]
            self._start()

    async def cancel(self, owner: int, urgency: int | None = None) -> None:
        """Cancel an owner's work: all of it, or only that of one urgency."""

        def is_meant(turn: Turn) -> bool:
            return turn.owner == owner and urgency in (None, turn.urgency)

        self._waiting = [turn for turn in self._waiting if not is_meant(turn)]
        await _end([task for turn, task in self._running.values() if is_meant(turn)])

    async def close(self) -> None:
        """Cancel everything."""
        self._waiting.clear()
        await _end([task for _, task in self._running.values()])


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for task in tasks:
        with contextlib.suppress(asyncio.CancelledError):
            await task
