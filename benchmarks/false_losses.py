"""Does anybody lose on time who kept it? Matches of 50 ms a move on a machine without a free core.

    python benchmarks/false_losses.py [--games 5000] [--workers 2] [--busy N]

Two bots in C answer at once on most moves and after 40 ms of thinking on every eighth or so, while
busy loops of ours keep every core busy. Nobody should lose on time. Needs a C compiler.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import honte
from honte.arena.run import Run
from honte.arena.schedule import Clock, Plan, match
from honte.arena.times import Times

SOURCE = Path(__file__).with_name("quick_bot.c")
THINKS = 40


def burn() -> None:
    parent = os.getppid()
    while os.getppid() == parent:
        sum(range(100_000))


def play(games: int, workers: int, busy: int, seconds: float = 0.05) -> dict[str, Any]:
    """Play a match beside busy loops; what came of it."""
    loops = [multiprocessing.Process(target=burn, daemon=True) for _ in range(busy)]
    for loop in loops:
        loop.start()
    reasons: Counter[str] = Counter()
    try:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
            bot = Path(folder, "bot")
            subprocess.run(["cc", "-O2", "-o", bot, SOURCE], check=True)
            a, b = (f"saiblo:{bot} think {seed} {THINKS}" for seed in (1, 2))
            plan = Plan("connect4:rows=5,cols=5", honte.Limit(seconds=seconds), clock=Clock())
            run = Run(workers, max_faults=0)
            began = time.monotonic()
            try:
                for played in run.play(match(plan, a, b, games)):
                    reasons[played.reason] += 1
            finally:
                run.close()
    finally:
        for loop in loops:
            loop.kill()
            loop.join()
    both = Times()
    for times in run.latencies.players.values():
        both.moves += times.moves
        both.counts += times.counts
        both.longest = max(both.longest, times.longest)
    return {
        "games": sum(reasons.values()),
        "wall": time.monotonic() - began,
        "reasons": dict(reasons),
        "lost on time": reasons["time"],
        "moves": both.moves,
        "p50": both.quantile(0.5),
        "p99": both.quantile(0.99),
        "p99.9": both.quantile(0.999),
        "longest": both.longest,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--busy", type=int, default=os.cpu_count() or 2)
    given = parser.parse_args()
    found = play(given.games, given.workers, given.busy)
    print(
        f"{found['games']} games, {found['moves']} moves of 50 ms and a margin of 500 ms "
        f"in {found['wall']:.0f} s beside {given.busy} busy loops: "
        f"{found['lost on time']} lost on time"
    )
    print(
        f"a move: median {1000 * found['p50']:.1f} ms, p99 {1000 * found['p99']:.1f}, "
        f"p99.9 {1000 * found['p99.9']:.1f}, longest {1000 * found['longest']:.0f} ms "
        f"(a bot's first has its start in it); games ended: {found['reasons']}"
    )


if __name__ == "__main__":
    main()
