"""How long a process had something to do and no core to do it on (Linux).

Time that a busy machine took is not the player's: it is forgiven at the end of a move, as far as
the kernel has counted it and up to two seconds. A bot that sleeps or hangs waits for no core.
"""

from __future__ import annotations

from collections.abc import Iterable

MOST = 2.0
"""Seconds that are forgiven in a move, however busy the machine is."""
OURS = "thread-self"


def run_delay(process: int | str = OURS) -> float:
    """Seconds that a process's main thread, or this thread, has waited for a core so far."""
    try:
        with open(f"/proc/{process}/schedstat", "rb", buffering=0) as file:
            return int(file.read(64).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def delays(processes: Iterable[int]) -> tuple[float, float]:
    """Of this thread, and of the process that waited longest.

    Not the sum over all of a bot's processes: it could start some just to let them wait.
    """
    return run_delay(), max(map(run_delay, processes), default=0.0)


def forgiven(before: tuple[float, float], now: tuple[float, float]) -> float:
    """What of the time between two looks was nobody's."""
    return min(MOST, sum(max(0.0, b - a) for a, b in zip(before, now, strict=True)))
