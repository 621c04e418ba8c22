"""A thread that thinks, so that the screen never waits."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from honte.games.contract import State
from honte.players.contract import Player
from honte.search.limit import Limit
from honte.search.report import Report


@dataclass
class Job:
    """One question to a player."""

    player: Player
    state: State
    limit: Limit
    purpose: str
    """`move` or `analysis`."""
    cancelled: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class Thought:
    """What comes back: a report, partial or final, or why there is none."""

    job: Job
    report: Report | None
    final: bool
    error: str = ""


class _CancelledError(Exception):
    """Carries a search that nobody wants any more out of its own progress call."""


class Thinker:
    """Answers one question at a time; a new one takes the place of the one before.

    Thoughts are told from the thread of the thinker. The thread is a daemon, so that nobody who
    leaves waits for a player that cannot be stopped.
    """

    def __init__(self, tell: Callable[[Thought], None]) -> None:
        self._tell = tell
        self._wake = threading.Condition()
        self._next: Job | None = None
        self._current: Job | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="thinker", daemon=True)
        self._thread.start()

    @property
    def job(self) -> Job | None:
        """The question that is being answered, or waits for its turn."""
        with self._wake:
            return self._next or self._current

    def think(self, job: Job) -> None:
        self.cancel()
        with self._wake:
            self._next = job
            self._wake.notify()

    def cancel(self) -> None:
        """Drop the question; its player stops as soon as it can."""
        with self._wake:
            self._next = None
            if self._current is not None:
                self._current.cancelled.set()
                self._stop(self._current)

    def hurry(self) -> None:
        """Let the player answer now with what it has found so far."""
        with self._wake:
            if self._current is not None:
                self._stop(self._current)

    def close(self) -> None:
        """End the thread. A search of ours is waited for, which takes a slice of it at most."""
        self.cancel()
        with self._wake:
            self._closed = True
            self._wake.notify()
        # A thread that came back from native code into an interpreter that has gone would abort;
        # other people's programs are not waited for beyond this.
        self._thread.join(timeout=1)

    @staticmethod
    def _stop(job: Job) -> None:
        player: Any = job.player
        search = getattr(player, "uct", None) or getattr(player, "search", player)
        stop = getattr(search, "stop", None)
        if callable(stop):
            stop()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._current = None
                while self._next is None and not self._closed:
                    self._wake.wait()
                if self._closed or self._next is None:
                    return
                job = self._current = self._next
                self._next = None
            thought = self._answer(job)
            if thought is not None and not job.cancelled.is_set():
                with self._wake:
                    self._current = None
                self._tell(thought)

    def _answer(self, job: Job) -> Thought | None:
        def progress(report: Report) -> None:
            # A stop that came before the search had begun was lost: it is made good here.
            if job.cancelled.is_set():
                raise _CancelledError
            self._tell(Thought(job, report, final=False))

        choose: Any = job.player.choose
        extra = (progress,) if takes_progress(job.player) else ()
        try:
            return Thought(job, choose(job.state, job.limit, *extra), final=True)
        except _CancelledError:
            return None
        except Exception as error:  # somebody's program may raise anything: it is told, not hidden
            return Thought(job, None, final=True, error=str(error) or type(error).__name__)


def takes_progress(player: Player) -> bool:
    return "on_progress" in inspect.signature(player.choose).parameters
