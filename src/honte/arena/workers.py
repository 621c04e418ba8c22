"""Worker processes that play games for one supervisor, and die with it.

A worker exits on request or when its supervisor is gone (even by SIGKILL), and closes its
players. If a worker dies, a new one replays its game, once.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any

from honte.arena.game import Played, play_task
from honte.arena.schedule import Task
from honte.core import signals
from honte.core.fault import Fault
from honte.core.language import Message

GRACE = 2.0
"""Seconds for a worker to close its players before it is killed."""
FILES_EACH = 24
"""File descriptors per worker: two bots with three pipes each, and some more."""

STANDSTILL = 2.0
"""Seconds without running after which the process counts as suspended."""
DEADLINES = ("time", "start", "stall")
"""The faults of a deadline that passed: for a move, for a start, for a bot to read its input."""
REPLAYS = 3

Play = Callable[[Task], Played]


class WorkerError(OSError):
    """A game could not be played, and neither player is at fault."""


class Team(ABC):
    """Plays tasks somewhere and returns finished games in any order.

    Short games are handed out in batches.
    """

    def __init__(self, batch: int = 1) -> None:
        self._batch = batch
        self._waiting: list[Task] = []
        self._error: Exception | None = None
        """An error that the next `finished` raises: finished games were returned before it."""

    @property
    def free(self) -> int:
        """How many more tasks it accepts now."""
        return self._idle() * self._batch - len(self._waiting)

    def send(self, task: Task) -> None:
        """Queue a task; it starts when its batch is full or `finished` is called."""
        self._waiting.append(task)
        if len(self._waiting) == self._batch:
            self._flush()

    def finished(self, seconds: float | None = None) -> list[Played]:
        """Wait up to `seconds` for a game to finish; returns all that have.

        Raises the error of a game that could not be played, after the call that returns the games
        that finished beside it.
        """
        if self._error is None:
            if self._waiting:
                self._flush()
            done = self._collect(seconds)
            if done or self._error is None:
                return done
        error, self._error = self._error, None
        raise error

    def _flush(self) -> None:
        batch, self._waiting = self._waiting, []
        self._begin(batch)

    def _failed(self, error: Exception) -> None:
        """Keep the first error of a batch until the games of others are returned."""
        self._error = self._error or error

    @abstractmethod
    def _idle(self) -> int:
        """How many batches could start now."""

    @abstractmethod
    def _begin(self, batch: list[Task]) -> None: ...

    @abstractmethod
    def _collect(self, seconds: float | None) -> list[Played]:
        """The games that finish within `seconds`; the error of a batch goes to `_failed`."""

    @abstractmethod
    def close(self) -> None:
        """Stop everything; unfinished games are abandoned."""

    @abstractmethod
    def kill(self) -> None:
        """Stop at once, from a signal handler."""


class Worker:
    """One process and the batches it was sent."""

    def __init__(self, play: Play) -> None:
        # A fork has the games and players that the caller registered; macOS cannot fork safely.
        context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self.pipe, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=work, args=(theirs, play, os.getpid()), daemon=True
        )
        self.process.start()
        theirs.close()
        self.batches: deque[list[Task]] = deque()

    def send(self, batch: list[Task]) -> None:
        self.batches.append(batch)
        self.pipe.send(batch)


class Workers(Team):
    """Processes on this machine."""

    def __init__(self, count: int, play: Play = play_task, batch: int = 1) -> None:
        super().__init__(batch)
        check_files(count)
        self._play = play
        self._count = count
        # With short games a second batch is queued, so that no worker waits for the supervisor.
        self._ahead = 2 if batch > 1 else 1
        self._all: list[Worker] = []
        self._died: set[int] = set()
        self._orphans: list[Task] = []
        """Games of workers that died, replayed one at a time: one of them may be the cause."""

    def _idle(self) -> int:
        return max(0, self._count * self._ahead - self._unfinished())

    @property
    def busy(self) -> int:
        """How many batches are unfinished, or have an error that was not raised yet."""
        return self._unfinished() + (self._error is not None)

    def _unfinished(self) -> int:
        return sum(len(worker.batches) for worker in self._all) + len(self._orphans)

    def _begin(self, batch: list[Task]) -> None:
        worker = min(self._all, key=lambda worker: len(worker.batches), default=None)
        if worker is None or (worker.batches and len(self._all) < self._count):
            # A signal between the fork and the installation of the worker's handlers would run
            # the supervisor's; one before the worker is listed would leave it running.
            with blocked_signals():
                worker = Worker(self._play)
                self._all.append(worker)
        try:
            worker.send(batch)
        except OSError:  # it died since its last game
            self._replace(worker)

    def _collect(self, seconds: float | None) -> list[Played]:
        most = self._count * self._ahead
        while self._orphans and self._unfinished() - len(self._orphans) < most:
            self._begin([self._orphans.pop()])
        pipes = {worker.pipe: worker for worker in self._all if worker.batches}
        done: list[Played] = []
        for pipe in wait(list(pipes), seconds):
            assert isinstance(pipe, Connection)
            worker = pipes[pipe]
            try:
                answer = pipe.recv()
            except (EOFError, OSError):
                try:
                    self._replace(worker)
                except WorkerError as error:
                    self._failed(error)
                continue
            worker.batches.popleft()
            if isinstance(answer, Exception):
                self._failed(answer)
            else:
                done += answer
        return done

    def _replace(self, worker: Worker) -> None:
        """Forget a worker that has died; its games are replayed once, one at a time."""
        self._all.remove(worker)
        stop_workers([worker])
        tasks = [task for batch in worker.batches for task in batch]
        if tasks and len(worker.batches[0]) == 1:
            self._check_first_death(tasks[0], worker)
        self._orphans += tasks

    def _check_first_death(self, task: Task, worker: Worker) -> None:
        if task.number in self._died:
            code = worker.process.exitcode
            how = f"signal {-code}" if code and code < 0 else f"exit code {code}"
            raise WorkerError(
                Message(
                    "the process that played game {number} ({id}) died twice ({how}); one of "
                    "{players} brings it down",
                    number=task.number + 1,
                    id=task.id,
                    how=how,
                    players=" and ".join(task.players),
                )
            )
        self._died.add(task.number)

    def close(self) -> None:
        """Stop all workers and their players; unfinished games are abandoned."""
        stop_workers(self._all)
        self._all = []
        self._error = None

    def kill(self) -> None:
        """Kill all workers, from a signal handler."""
        for worker in self._all:
            with contextlib.suppress(OSError, ValueError):
                worker.process.kill()


def stop_workers(workers: list[Worker]) -> None:
    """Terminate workers, and kill those that are alive after `GRACE`."""
    for worker in workers:
        with contextlib.suppress(OSError, ValueError):
            worker.process.terminate()
    deadline = time.monotonic() + GRACE
    for worker in workers:
        worker.process.join(max(0.0, deadline - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.pipe.close()


def work(pipe: Connection, play: Play, supervisor: int) -> None:
    """Main loop of a worker: receive a batch, send back its games, until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor handles it
    # SIGTERM is how the supervisor ends a worker, whatever signals both were told to ignore.
    for number in {*signals.heeded(), signal.SIGTERM}:
        signal.signal(number, exit_by_signal)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals.ENDING)
    die_with_parent()
    pulse = Pulse()
    pulse.start()
    while os.getppid() == supervisor:
        if not pipe.poll(1.0):
            continue
        try:
            tasks = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            pipe.send(play_batch(play, tasks, pulse))
        except OSError:
            return


def play_batch(play: Play, tasks: list[Task], pulse: Pulse) -> list[Played] | WorkerError:
    """The games of a batch, or the error that prevented one."""
    done = []
    for task in tasks:
        try:
            done.append(play_fairly(play, task, pulse))
        except Exception as error:
            worded = isinstance(error, (ValueError, Fault))
            return WorkerError(
                Message(
                    "game {number} ({id}): {error}",
                    number=task.number + 1,
                    id=task.id,
                    error=str(error) if worded else repr(error),
                )
            )
    return done


class Pulse(threading.Thread):
    """A heartbeat that notices when this process was suspended."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._last = time.monotonic()
        self._longest = 0.0

    def run(self) -> None:
        while True:
            time.sleep(0.25)
            self.gap()

    def gap(self) -> float:
        """The longest time without a heartbeat since the last `reset`."""
        now = time.monotonic()
        self._longest, self._last = max(self._longest, now - self._last), now
        return self._longest

    def reset(self) -> None:
        self._last, self._longest = time.monotonic(), 0.0


def play_fairly(play: Play, task: Task, pulse: Pulse) -> Played:
    """Play a game; replay it if a deadline passed while this process was suspended.

    The detail of a game that was replayed says so, with the time that it was suspended.
    """
    suspended = 0.0
    for _ in range(REPLAYS):
        pulse.reset()
        played = play(task)
        gap = pulse.gap()
        if played.reason not in DEADLINES or gap < STANDSTILL:
            break
        suspended = gap
    if not suspended:
        return played
    note = Message("played again: the arena was suspended for {gap:.1f} s", gap=suspended)
    if played.detail:
        note = Message(
            "{detail} (the arena was suspended for {gap:.1f} s)",
            detail=played.detail,
            gap=suspended,
        )
    return replace(played, detail=note)


def exit_by_signal(number: int, frame: FrameType | None) -> None:
    """Exit by raising SystemExit, so that players are closed."""
    sys.exit(128 + number)


@contextlib.contextmanager
def blocked_signals() -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals.ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def die_with_parent() -> None:
    """Ask the kernel to terminate this process when its parent dies."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):
        # SIGTERM, not SIGKILL: the worker closes its players.
        ctypes.CDLL(None).prctl(1, int(signal.SIGTERM), 0, 0, 0)


def check_files(workers: int) -> None:
    """Refuse more workers than there are file descriptors for."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 64 + FILES_EACH * workers
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise ValueError(
            Message(
                "{workers} workers need {needed} open files and this system allows {hard}; use "
                "--workers {value} or raise it with ulimit -n",
                workers=workers,
                needed=needed,
                hard=hard,
                value=max(1, (hard - 64) // FILES_EACH),
            )
        )
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def play_all(tasks: Iterable[Task], workers: int = 1, play: Play = play_task) -> Iterator[Played]:
    """Play games in one or more processes; yields them as they finish."""
    if workers == 1:
        yield from map(play, tasks)
        return
    waiting = iter(tasks)
    team = Workers(workers, play)
    try:
        while True:
            while team.free and (task := next(waiting, None)) is not None:
                team.send(task)
            if not team.busy:
                return
            yield from team.finished()
    finally:
        team.close()
