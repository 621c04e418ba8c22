"""Searches in a thread of their own, so that the screen never waits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from honte.core.contract import State
from honte.core.player import Player
from honte.core.report import Report
from honte.core.request import ANALYSIS_LINES, CancelToken, Limit, Request
from honte.core.scoring import agreed_pass


@dataclass
class Job:
    """One search."""

    player: Player
    state: State
    limit: Limit
    purpose: str
    """`move` or `analysis`."""
    history: tuple[int, ...] | None = None
    """Moves from the start of the game, if known."""
    by_agreement: bool = False
    """Against a person: answer a pass with a pass if nothing is left to play."""
    cancelled: threading.Event = field(default_factory=threading.Event)
    """Cancels the search: the answer is no longer wanted."""
    token: CancelToken = field(default_factory=CancelToken)
    """Ends the search: the result so far is still an answer."""


@dataclass(frozen=True)
class Answer:
    """The answer to a job: a report, partial or final, or why there is none."""

    job: Job
    report: Report | None
    final: bool
    error: str = ""


class EngineThread:
    """Runs one search at a time; a new one replaces the one before.

    `tell` is called from this thread. It is a daemon, so that quitting never waits for a player
    that cannot be stopped.
    """

    def __init__(self, tell: Callable[[Answer], None]) -> None:
        self._tell = tell
        self._wake = threading.Condition()
        self._next: Job | None = None
        self._current: Job | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self._thread.start()

    @property
    def job(self) -> Job | None:
        """The search that is running or queued."""
        with self._wake:
            return self._next or self._current

    def think(self, job: Job) -> None:
        self.cancel()
        with self._wake:
            self._next = job
            self._wake.notify()

    def cancel(self) -> None:
        """Drop the search; its player stops as soon as it can."""
        with self._wake:
            self._next = None
            if self._current is not None:
                self._current.cancelled.set()
                self._current.token.cancel()

    def move_now(self) -> None:
        """Let the player answer now with its result so far."""
        with self._wake:
            if self._current is not None:
                self._current.token.cancel()

    def close(self) -> None:
        """End the thread. Waits for a search of ours, which takes one slice of it at most."""
        self.cancel()
        with self._wake:
            self._closed = True
            self._wake.notify()
        # A thread that returned from native code into a finalised interpreter would abort;
        # external programs are not waited for beyond this.
        self._thread.join(timeout=1)

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
            answer = self._answer(job)
            if not job.cancelled.is_set():
                with self._wake:
                    self._current = None
                self._tell(answer)

    def _answer(self, job: Job) -> Answer:
        def progress(report: Report) -> None:
            if not job.cancelled.is_set():
                self._tell(Answer(job, report, final=False))

        analysing = job.purpose == "analysis"
        request = Request(
            job.state,
            job.history,
            job.limit,
            lines=ANALYSIS_LINES if analysing else 1,
            all_moves=analysing,
            cancel=job.token,
            on_progress=progress,
        )
        try:
            passed = agreed_pass(job.state) if job.by_agreement else None
            if passed is not None:
                return Answer(job, passed, final=True)
            return Answer(job, job.player.choose(request), final=True)
        except Exception as error:  # an external program may raise anything: report it
            return Answer(job, None, final=True, error=str(error) or type(error).__name__)
