"""Processes that play games for one supervisor, and die with it.

A worker ends when it is told to, when its supervisor is gone (even by kill −9), and takes its
players along. A worker that dies on its own has its game played again by a fresh one, once.
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

GRACE = 2.0
"""Seconds that a worker has to close its players before it is killed."""
FILES_EACH = 24
"""File descriptors that a worker may need: two bots with three pipes each, and the rest."""

STANDSTILL = 2.0
"""Seconds in which nothing at all ran here: stopped, suspended, or swapped out."""
REPLAYS = 3

Play = Callable[[Task], Played]


class WorkerError(OSError):
    """A game could not be played for a reason that is nobody's fault in the game."""


class Team(ABC):
    """Whoever plays games: tasks go in, finished games come out as they finish.

    Short games are better handed over several at a time, in batches.
    """

    def __init__(self, batch: int = 1) -> None:
        self._batch = batch
        self._waiting: list[Task] = []

    @property
    def free(self) -> int:
        """How many more tasks can be taken."""
        return self._idle() * self._batch - len(self._waiting)

    def send(self, task: Task) -> None:
        """Take a task, and begin with it once its batch is full, or somebody waits for it."""
        self._waiting.append(task)
        if len(self._waiting) == self._batch:
            self._flush()

    def finished(self, seconds: float | None = None) -> list[Played]:
        """Wait for at least one game, or for some seconds; what has finished."""
        if self._waiting:
            self._flush()
        return self._collect(seconds)

    def _flush(self) -> None:
        batch, self._waiting = self._waiting, []
        self._begin(batch)

    @abstractmethod
    def _idle(self) -> int:
        """How many batches can be begun."""

    @abstractmethod
    def _begin(self, batch: list[Task]) -> None: ...

    @abstractmethod
    def _collect(self, seconds: float | None) -> list[Played]: ...

    @abstractmethod
    def close(self) -> None:
        """End all that was begun; games under way are given up."""

    @abstractmethod
    def kill(self) -> None:
        """End it at once, from a signal handler."""


class Worker:
    """One process, and the games that it plays."""

    def __init__(self, play: Play) -> None:
        # Forking keeps games and players that the caller has registered; macOS cannot.
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
    """Some processes of this machine."""

    def __init__(self, count: int, play: Play = play_task, batch: int = 1) -> None:
        super().__init__(batch)
        check_files(count)
        self._play = play
        self._count = count
        # With short games the next batch lies ready, so that nobody waits for the supervisor.
        self._ahead = 2 if batch > 1 else 1
        self._all: list[Worker] = []
        self._died: set[int] = set()
        self._orphans: list[Task] = []
        """Games of workers that died, to be played one at a time: one of them may be why."""

    def _idle(self) -> int:
        return max(0, self._count * self._ahead - self.busy)

    @property
    def busy(self) -> int:
        """How many batches there are to wait for."""
        return sum(len(worker.batches) for worker in self._all) + len(self._orphans)

    def _begin(self, batch: list[Task]) -> None:
        worker = min(self._all, key=lambda worker: len(worker.batches), default=None)
        if worker is None or (worker.batches and len(self._all) < self._count):
            # A signal between the fork and the worker's own handlers would run the supervisor's,
            # and one before the worker is in the list would leave it behind.
            with blocked_signals():
                worker = Worker(self._play)
                self._all.append(worker)
        try:
            worker.send(batch)
        except OSError:  # it died since its last game
            self._again(worker)

    def _collect(self, seconds: float | None) -> list[Played]:
        while self._orphans and self.busy - len(self._orphans) < self._count * self._ahead:
            self._begin([self._orphans.pop()])
        pipes = {worker.pipe: worker for worker in self._all if worker.batches}
        done: list[Played] = []
        for pipe in wait(list(pipes), seconds):
            assert isinstance(pipe, Connection)
            worker = pipes[pipe]
            try:
                answer = pipe.recv()
            except (EOFError, OSError):
                self._again(worker)
                continue
            worker.batches.popleft()
            if isinstance(answer, Exception):
                raise answer
            done += answer
        return done

    def _again(self, worker: Worker) -> None:
        """Replace a worker that has died; its games are played again, once, one at a time."""
        self._all.remove(worker)
        end([worker])
        tasks = [task for batch in worker.batches for task in batch]
        if tasks and len(worker.batches[0]) == 1:
            self._check_first_death(tasks[0], worker)
        self._orphans += tasks

    def _check_first_death(self, task: Task, worker: Worker) -> None:
        if task.number in self._died:
            code = worker.process.exitcode
            how = f"signal {-code}" if code and code < 0 else f"exit code {code}"
            raise WorkerError(
                f"the process that played game {task.number + 1} ({task.id}) died twice ({how}); "
                f"one of {' and '.join(task.players)} brings it down"
            )
        self._died.add(task.number)

    def close(self) -> None:
        """End all workers and what they have started; games under way are given up."""
        end(self._all)
        self._all = []

    def kill(self) -> None:
        """End them at once, from a signal handler."""
        for worker in self._all:
            with contextlib.suppress(OSError, ValueError):
                worker.process.kill()


def end(workers: list[Worker]) -> None:
    """Ask processes to leave, and kill those that do not within the grace."""
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
    """What a worker does: a task comes in, a finished game goes out, until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor's to hear
    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGHUP, leave)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HANDLED)
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
    """The games of a batch, or why one could not be played."""
    done = []
    for task in tasks:
        try:
            done.append(fair(play, task, pulse))
        except Exception as error:
            return WorkerError(f"game {task.number + 1} ({task.id}): {error!r}")
    return done


class Pulse(threading.Thread):
    """A heartbeat: it notices when this process has stood still."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._last = time.monotonic()
        self._longest = 0.0

    def run(self) -> None:
        while True:
            time.sleep(0.25)
            self.gap()

    def gap(self) -> float:
        """The longest standstill since the last `reset`."""
        now = time.monotonic()
        self._longest, self._last = max(self._longest, now - self._last), now
        return self._longest

    def reset(self) -> None:
        self._last, self._longest = time.monotonic(), 0.0


def fair(play: Play, task: Task, pulse: Pulse) -> Played:
    """Play a game; one lost on time while the arena itself stood still is played again."""
    for _ in range(REPLAYS):
        pulse.reset()
        played = play(task)
        gap = pulse.gap()
        if played.reason != "time" or gap < STANDSTILL:
            return played
    return replace(played, detail=f"{played.detail} (the arena stood still for {gap:.1f} s)")


def leave(number: int, frame: FrameType | None) -> None:
    """Unwind, so that players are closed on the way out."""
    sys.exit(128 + number)


HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def blocked_signals() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HANDLED)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def die_with_parent() -> None:
    """Have the system end this process when its parent is gone, however it went."""
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError, AttributeError):
        # SIGTERM: it unwinds and closes its players, which kill -9 would not.
        ctypes.CDLL(None).prctl(1, int(signal.SIGTERM), 0, 0, 0)


def check_files(workers: int) -> None:
    """Refuse more workers than there are file descriptors for."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 64 + FILES_EACH * workers
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise ValueError(
            f"{workers} workers need {needed} open files and this system allows {hard}; "
            f"use --workers {max(1, (hard - 64) // FILES_EACH)} or raise it with ulimit -n"
        )
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def play_all(tasks: Iterable[Task], workers: int = 1, play: Play = play_task) -> Iterator[Played]:
    """Play games, on several processes if asked; as they finish."""
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
