"""Measurements over a whole check: how fast a bot is, and whether its memory grows."""

from __future__ import annotations

import os
import statistics
import sys

from honte.check.advice import Finding, fault
from honte.core.language import Message

MIB = 1 << 20
HEAVY = 0.4
"""Share of its memory limit above which the memory use of a bot is reported."""


def leak(samples: list[int]) -> Finding | None:
    """Whether memory grows from game to game."""
    rest = samples[1:]
    if len(rest) < 6 or not all(rest):
        return None
    third = len(rest) // 3
    parts = [rest[:third], rest[third : 2 * third], rest[2 * third :]]
    a, b, c = (float(statistics.median(part)) for part in parts)
    now = rest[-1] / MIB
    steady = b - a > MIB and c - b > MIB and c - b > 0.4 * (b - a)
    if not steady:
        seen = Message(
            "It holds {now:.0f} MiB of memory, no more after {count} games.",
            now=now,
            count=len(samples),
        )
        return Finding("ok", "memory", seen)
    each = (rest[-1] - rest[0]) / (len(rest) - 1) / MIB
    seen = Message(
        "Its memory grows by {each:.1f} MiB a game, to {now:.0f} MiB after {count} games.",
        each=each,
        now=now,
        count=len(samples),
    )
    fix = Message(
        "Free at the start of a game what the game before it allocated, the tree first "
        "of all, or keep it in an array of a fixed size; `valgrind --leak-check=full` "
        "names the lines."
    )
    return Finding("fault" if each > 5 else "warning", "leaks memory", seen, fix)


def heavy(samples: list[int], most: int, first: float) -> Finding | None:
    """Whether it uses much of its memory limit."""
    now = max(samples, default=0) / MIB
    if not most or now <= HEAVY * most:
        return None
    seen = Message(
        "It holds {now:.0f} MiB of memory at its first move, which took {first}; {most} MiB are "
        "the most.",
        now=now,
        first=milliseconds(first),
        most=most,
    )
    fix = Message(
        "Make global arrays and tables smaller: clearing them takes time, and what else it "
        "allocates comes on top."
    )
    return Finding("warning", "much memory", seen, fix)


def speed(times: list[float], firsts: list[float], seconds: float, busy: bool = False) -> Finding:
    """How fast it is, against the limit."""
    ranked = sorted(times)
    half, nearly = (ranked[int(share * (len(ranked) - 1))] for share in (0.5, 0.99))
    longest = ranked[-1]
    given: dict[str, object] = {
        "moves": len(ranked),
        "half": milliseconds(half),
        "nearly": milliseconds(nearly),
        "longest": milliseconds(longest),
        "limit": seconds,
    }
    seen = Message(
        "{moves} moves took {half} (half of them less), {nearly} (99 %), {longest} (the longest); "
        "the limit is {limit:g} s.",
        **given,
    )
    if firsts:
        seen = Message(
            "{moves} moves took {half} (half of them less), {nearly} (99 %), {longest} (the "
            "longest); the first of a process {first}; the limit is {limit:g} s.",
            first=milliseconds(max(firsts)),
            **given,
        )
    over = sum(moment > 1.01 * seconds + 0.01 for moment in ranked)  # clocks are read late, too
    advice = Message(
        "Let it stop thinking at {seconds:.3g} s: on a busy machine a process may wait "
        "for its turn, and there is no margin on other judges.",
        seconds=0.8 * seconds,
    )
    if busy and over and half < 1.1 * seconds:
        seen = Message(
            "{seen} This machine is busy with other work, which makes every program late.",
            seen=seen,
        )
    elif over >= max(3, 0.05 * len(ranked)):
        return fault(
            "too slow",
            Message("{over} moves were over the limit; {seen}", over=over, seen=seen),
            advice,
        )
    if longest > 0.9 * seconds:  # a few over it may be this machine's doing
        return Finding("warning", "speed", seen, advice)
    return Finding("ok", "speed", seen)


def busy() -> bool:
    """Whether more processes are runnable here than there are processors."""
    return sys.platform != "win32" and os.getloadavg()[0] > 1.5 * (os.cpu_count() or 1)


def milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.2f} s"
