"""Run delay on a busy machine: how it is measured, and how much of it is forgiven.

The kernel accounts how long a process was runnable but had no core (Linux: schedstat). A move that
is late only because of that is forgiven, up to a quota: two seconds at the start of a game,
refilled slowly. A bot that sleeps or hangs has no run delay, and one that waits for processes of
its own is owed nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

QUOTA = 2.0
"""Maximum seconds forgiven, however busy the machine is: the quota of a new game."""
REFILL = 0.05
"""Seconds that each move gives back to the quota."""
OURS = "thread-self"


class Scheduled(NamedTuple):
    """What the scheduler has counted for one process so far, in seconds."""

    cpu: float = 0.0
    delay: float = 0.0
    """Runnable, but without a core."""


def scheduled(process: int | str = OURS) -> Scheduled:
    """The counts of a process's main thread, or of this thread."""
    try:
        with open(f"/proc/{process}/schedstat", "rb", buffering=0) as file:
            cpu, delay, *_ = file.read(64).split()
            return Scheduled(int(cpu) / 1e9, int(delay) / 1e9)
    except (OSError, ValueError):
        return Scheduled()


def run_delay(process: int | str = OURS) -> float:
    """Seconds that a process's main thread, or this thread, has waited for a core so far."""
    return scheduled(process).delay


def caused_by_others(
    before: Mapping[int, Scheduled], now: Mapping[int, Scheduled], cpu: float
) -> float:
    """Seconds that a bot has waited for a core because of processes that are not its own.

    While one of its processes waits, its other processes may hold the core, at most for as long as
    they have run; `cpu` is the CPU time of all of them together. So a bot that is forgiven has used
    no more CPU time than it was allowed.

    >>> before = {1: Scheduled(), 2: Scheduled()}
    >>> now = {1: Scheduled(cpu=0.25, delay=0.75), 2: Scheduled(cpu=0.25)}
    >>> caused_by_others(before, now, cpu=0.5)
    0.5
    """
    gone = Scheduled()
    used = {pid: now.get(pid, gone).cpu - then.cpu for pid, then in before.items()}
    cpu = max(cpu, sum(max(0.0, seconds) for seconds in used.values()))
    waits = (
        now[pid].delay - then.delay - (cpu - used[pid])
        for pid, then in before.items()
        if pid in now and used[pid] >= 0
    )
    return max(0.0, *waits, 0.0)


class Quota:
    """The delay that a player can still be forgiven in a game.

    >>> quota = Quota()
    >>> quota.covers(late=1.5, waited=1.75), quota.covers(late=1.5, waited=1.75)
    (True, False)
    """

    def __init__(self) -> None:
        self.left = QUOTA

    def covers(self, late: float, waited: float) -> bool:
        """Whether a move's lateness is forgiven, given its wait for a core. Call once per move."""
        forgiven = max(0.0, min(late, waited, self.left))
        self.left = min(QUOTA, self.left - forgiven + REFILL)
        return late <= forgiven
