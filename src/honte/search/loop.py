"""The one loop under all engines: slices, progress, cancellation, deadline, Ctrl-C.

A native search runs in slices with the GIL released; between slices Python checks the clock and
the token and reports progress. Native code therefore needs no callbacks, and a token cancelled
before the start takes effect.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from honte.core.report import Report
from honte.core.request import CancelToken, Interrupted, Request

SLICE = 0.05
"""Seconds per slice of a native search."""
FIRST = 0.04
"""Seconds until the first partial report."""
LAST = 0.02
"""Grace period in seconds for a native thread to end at its own deadline."""
T = TypeVar("T")


class Loop(Generic[T]):
    """Drives one search."""

    def __init__(
        self,
        seconds: float | None = None,
        cancel: CancelToken | None = None,
        on_progress: Callable[[T], None] | None = None,
        every: float = 0.2,
    ) -> None:
        self.started = time.perf_counter()
        self.deadline = math.inf if seconds is None else self.started + seconds
        self._cancel = cancel or CancelToken()
        self._on_progress = on_progress
        self._every = every
        self._next = self.started + min(FIRST, every)

    @property
    def seconds(self) -> float:
        """Elapsed seconds."""
        return time.perf_counter() - self.started

    @property
    def left(self) -> float:
        """Seconds until the deadline; 0 when it has passed."""
        return max(0.0, self.deadline - time.perf_counter())

    def run(
        self,
        work: Callable[[float], str | None],
        found: Callable[[str], T],
        halt: Callable[[], None] | None = None,
        wake: Callable[[], None] | None = None,
        ends_itself: bool = False,
    ) -> T:
        """Run until the search ends, the deadline passes or the token is cancelled.

        `work(seconds)` runs one slice and returns why the search ended, or None; `found(reason)`
        returns the current result; `halt` stops a search that runs in a native thread; `wake`
        ends a slice early and may be called from any thread. Ctrl-C raises `Interrupted` with
        the result so far.

        With `ends_itself` the native thread has the same deadline and is not halted at it: on a
        busy machine it may wait half a second for a core before it notices.
        """
        if wake is not None:
            self._cancel.on_cancel(wake)
        try:
            reason = self._run(work, found)
        except KeyboardInterrupt:
            if halt is not None:
                halt()
            raise Interrupted(found("interrupted")) from None
        except BaseException:
            if halt is not None:
                halt()
            raise
        if halt is not None and not (ends_itself and self.left == 0):
            halt()
        elif halt is not None:
            work(LAST)
        return found(reason)

    def _run(self, work: Callable[[float], str | None], found: Callable[[str], T]) -> str:
        while not self._cancel.cancelled:
            until_report = max(self._next - time.perf_counter(), 0.001)
            reason = work(min(SLICE, self.left, until_report))
            if reason is not None:
                return reason
            now = time.perf_counter()
            if now >= self.deadline:
                return "time"
            if now >= self._next:
                self._next = now + self._every
                if self._on_progress is not None:
                    self._on_progress(found("running"))
        # The report needs a move, so even a search cancelled at the start runs briefly.
        return work(0.0) or "cancelled"


def loop_of(request: Request, seconds: float | None = None) -> Loop[Report]:
    """The loop of a request, within its limit or the given seconds."""
    if seconds is None and request.limit is not None:
        seconds = request.limit.seconds
    return Loop(seconds, request.cancel, request.on_progress, request.every)
