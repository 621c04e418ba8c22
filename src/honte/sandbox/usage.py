"""CPU time used by a bot, and how long others kept it from a core."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from honte.sandbox import cgroups, run_delay, warden

TICKS = os.sysconf("SC_CLK_TCK")


class Usage:
    """The CPU time of a bot and all its child processes."""

    def __init__(self, pid: int = 0, counted: bool = False) -> None:
        """`counted`: whether a control group accounts the CPU time too."""
        self._pid = pid
        self._warden = parent_of(pid) if pid else 0
        self._cpu_file = cgroups.cpu_file(self._warden) if counted else ""
        self._pids: list[int] = []
        self._listed = 0.0
        self._seen: dict[int, int] = {}
        self._scheduled: dict[int, run_delay.Scheduled] | None = None
        self._cpu_before = self._most = 0.0
        self._delay_polled = 0.0

    def _processes(self) -> list[int]:
        now = time.monotonic()
        if now - self._listed > 0.5:  # listing them takes longer than reading their files
            self._pids, self._listed = [self._pid, *warden.descendants(self._pid)], now
        return self._pids

    def cpu_seconds(self) -> float:
        """CPU time so far, including processes that have ended.

        A control group accounts them all. Without one (in steps of 10 ms) a process is missed if
        it ended between two polls and its parent ignored it.
        """
        if self._cpu_file and (counted := cgroups.cpu_seconds(self._cpu_file)) is not None:
            return counted
        reaped, seen = sum(stat_ticks(self._warden)[2:]), self._seen
        for pid in self._processes():
            if ticks := stat_ticks(pid):
                reaped += sum(ticks)
                seen[pid] = sum(ticks[:2])
        return max(reaped, sum(seen.values())) / TICKS

    def start_wait_accounting(self, most: float) -> None:
        """Start counting waits for a core, up to `most` seconds."""
        self._cpu_before, self._most = self.cpu_seconds(), most
        self._scheduled = _schedules(self._processes())
        self._delay_polled = run_delay.run_delay()

    def before_poll(self) -> None:
        """Note that the arena is about to wait for the bot: its earlier waits no longer count.

        Of the arena's own waits for a core only the last one, at the end of the reply, is credited
        to the bot: one that writes byte by byte wakes us as often as it likes.
        """
        if self._scheduled is not None:
            self._delay_polled = run_delay.run_delay()

    def core_wait(self) -> float:
        """Seconds since `start_wait_accounting` that the bot, or the arena, waited for a core."""
        if self._scheduled is None:
            return 0.0
        ours = run_delay.run_delay() - self._delay_polled
        now = _schedules(self._scheduled)
        used = self.cpu_seconds() - self._cpu_before
        return min(self._most, ours + run_delay.caused_by_others(self._scheduled, now, used))


def _schedules(pids: Iterable[int]) -> dict[int, run_delay.Scheduled]:
    return {pid: run_delay.scheduled(pid) for pid in pids}


def stat_fields(pid: int) -> list[bytes]:
    """The fields of /proc/PID/stat, from the state on; empty if the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
            return file.read(1024).rpartition(b")")[2].split()
    except OSError:
        return []


def stat_ticks(pid: int) -> list[int]:
    """Its CPU time in user and system mode, and that of its reaped children."""
    return list(map(int, stat_fields(pid)[11:15]))


def parent_of(pid: int) -> int:
    fields = stat_fields(pid)
    return int(fields[1]) if fields else 0
