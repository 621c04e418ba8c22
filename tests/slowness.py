"""How slow the machine is, to scale time limits in tests.

The promises are made for a core that counts to a million in 50 ms, typical of 2020. On a core that
is slower, or shared with others, they are stretched in proportion; they are never shortened.
"""

from __future__ import annotations

import time

REFERENCE = 0.05
MILLION = 1_000_000


def slowness() -> float:
    """How many times longer than promised something may take here and now; at least 1."""
    return max(1.0, sorted(count() for _ in range(5))[2] / REFERENCE)


def count() -> float:
    """Seconds in which a million is counted, waiting for a core included."""
    started = time.perf_counter()
    total = 0
    for number in range(MILLION):
        total += number
    return time.perf_counter() - started
