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


class Worker:
    """One process, and the game that it plays."""

    def __init__(self, play: Play) -> None:
        # Forking keeps games and players that the caller has registered; macOS cannot.
        context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self.pipe, theirs = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=work, args=(theirs, play, os.getpid()), daemon=True
        )
        self.process.start()
        theirs.close()
        self.task: Task | None = None

    def send(self, task: Task) -> None:
        self.task = task
        self.pipe.send(task)


class Workers:
    """Some workers; tasks go in, finished games come out as they finish."""

    def __init__(self, count: int, play: Play = play_task) -> None:
        check_files(count)
        self._play = play
        self._count = count
        self._all: list[Worker] = []
        self._died: set[int] = set()

    @property
    def free(self) -> int:
        """How many more tasks can be taken."""
        return self._count - sum(worker.task is not None for worker in self._all)

    @property
    def busy(self) -> int:
        return self._count - self.free

    def send(self, task: Task) -> None:
        worker = next((worker for worker in self._all if worker.task is None), None)
        if worker is None:
            # A signal between the fork and the worker's own handlers would run the supervisor's,
            # and one before the worker is in the list would leave it behind.
            with blocked_signals():
                worker = Worker(self._play)
                self._all.append(worker)
        try:
            worker.send(task)
        except OSError:  # it died since its last game
            self._again(worker)

    def finished(self, seconds: float | None = None) -> list[Played]:
        """Wait for at least one game, or for some seconds; what has finished."""
        pipes = {worker.pipe: worker for worker in self._all if worker.task is not None}
        done = []
        for pipe in wait(list(pipes), seconds):
            assert isinstance(pipe, Connection)
            worker = pipes[pipe]
            try:
                answer = pipe.recv()
            except (EOFError, OSError):
                self._again(worker)
                continue
            worker.task = None
            if isinstance(answer, Exception):
                raise answer
            done.append(answer)
        return done

    def _again(self, worker: Worker) -> None:
        """Replace a worker that has died; its game is played again, once."""
        task = worker.task
        self._all.remove(worker)
        end([worker])
        if task is None:
            return
        if task.number in self._died:
            code = worker.process.exitcode
            how = f"signal {-code}" if code and code < 0 else f"exit code {code}"
            raise WorkerError(
                f"the process that played game {task.number + 1} ({task.id}) died twice ({how}); "
                f"one of {' and '.join(task.players)} brings it down"
            )
        self._died.add(task.number)
        self.send(task)

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
            task = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer: Played | Exception = fair(play, task, pulse)
        except Exception as error:
            answer = WorkerError(f"game {task.number + 1} ({task.id}): {error!r}")
        try:
            pipe.send(answer)
        except OSError:
            return


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
