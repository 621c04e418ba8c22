"""Are the clocks fair? No bot within its time loses on time, and no trick gains time.

    python benchmarks/fair_clocks.py [--games 2000] [--cheats 20] [--workers 2] [--rows 1 3]

Honest bots in C answer at once on most moves and after 40 of their 50 ms on every eighth or so:
beside two busy loops, beside 24, and against a bot that burns CPU on their time, with --pause and
without. Then cheats, which should lose on time or be charged: one that keeps its own core busy,
one that pretends to be starting while it thinks, one that hides its CPU time. Needs a C compiler.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import honte
from honte.arena.run import Run
from honte.arena.schedule import Clock, Plan, match
from honte.arena.times import Times

SOURCE = Path(__file__).with_name("quick_bot.c")
HOSTILE = Path(__file__).parents[1] / "tests" / "bots" / "hostile.py"
THINKS = 40
BOARD = "connect4:rows=5,cols=5"
LARGER_BOARD = "connect4:rows=8,cols=8,blocked=7/7"


def burn() -> None:
    parent = os.getppid()
    while os.getppid() == parent:
        sum(range(100_000))


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    loops = [multiprocessing.Process(target=burn, daemon=True) for _ in range(count)]
    for loop in loops:
        loop.start()
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.join()


@contextmanager
def honest_bots() -> Iterator[tuple[str, str]]:
    """The specs of two bots in C."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        bot = Path(folder, "bot")
        subprocess.run(["cc", "-O2", "-o", bot, SOURCE], check=True)
        yield f"saiblo:{bot} think 1 {THINKS}", f"saiblo:{bot} think 2 {THINKS}"


def play(
    games: int,
    workers: int,
    busy: int,
    seconds: float = 0.05,
    opponent: str = "",
    pause: bool = False,
) -> dict[str, Any]:
    """Play a match of honest bots, or of one and an opponent, beside busy loops."""
    reasons: Counter[str] = Counter()
    lost_on_time = 0
    with busy_loops(busy), honest_bots() as (a, b):
        plan = Plan(BOARD, honte.Limit(seconds=seconds), clock=Clock(pause=pause))
        run = Run(workers, max_faults=0)
        began = time.monotonic()
        try:
            for played in run.play(match(plan, a, opponent or b, games)):
                reasons[played.reason] += 1
                lost_on_time += played.reason == "time" and played.faulty != opponent
        finally:
            run.close()
        wall = time.monotonic() - began
    both = Times()
    for spec, times in run.latencies.players.items():
        if spec != opponent:
            both.moves += times.moves
            both.counts += times.counts
            both.longest = max(both.longest, times.longest)
    other = run.latencies.players.get(opponent)
    return {
        "games": sum(reasons.values()),
        "wall": wall,
        "reasons": dict(reasons),
        "lost on time": lost_on_time,
        "moves": both.moves,
        "p50": both.quantile(0.5),
        "p99": both.quantile(0.99),
        "p99.9": both.quantile(0.999),
        "longest": both.longest,
        "idle": other.idle if other is not None else None,
    }


def cheat(spec: str, games: int, seconds: float, opponent: str = "random") -> dict[str, Any]:
    """Games of a cheat, with a margin of 0.1 s: its results, and the time it gained beyond that."""
    clock = Clock(margin=0.1, max_plies=12)
    plan = Plan(LARGER_BOARD, honte.Limit(seconds=seconds), opening_plies=0, clock=clock)
    run = Run(1, max_faults=0)
    reasons: Counter[str] = Counter()
    try:
        for played in run.play(match(plan, spec, opponent, games)):
            reasons[played.reason] += 1
    finally:
        run.close()
    times = run.latencies.players[spec]
    longest = times.longest if times.moves else 0.0
    gained = max(0.0, times.total - times.moves * (seconds + clock.margin))
    return {
        "games": games,
        "lost on time": reasons["time"],
        "moves": times.moves,
        "longest": longest,
        "gained": gained / (games * seconds),
        "idle": times.idle or 0.0,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--cheats", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--rows", type=int, nargs="*", default=[1, 2, 3, 4], help="of the first table"
    )
    given = parser.parse_args()
    burner = f"saiblo:{HOSTILE} burn"
    rows: list[tuple[str, dict[str, Any]]] = [
        ("beside 2 busy loops", {"busy": 2}),
        ("beside 24 busy loops", {"busy": 24}),
        ("a bot burns on their time", {"busy": 0, "opponent": burner}),
        ("the same with --pause", {"busy": 0, "opponent": burner, "pause": True}),
    ]
    print("honest bots at 50 ms a move, margin 500 ms; times in milliseconds")
    print(f"{'':<28}{'games':>6}{'lost':>6}{'p50':>7}{'p99':>7}{'p99.9':>7}{'longest':>8}  hidden")
    for name, how in (rows[row - 1] for row in given.rows):
        found = play(given.games, given.workers, **how)
        numbers = "".join(f"{1000 * found[key]:7.1f}" for key in ("p50", "p99", "p99.9"))
        hidden = "" if found["idle"] is None else f"{found['idle']:.1f} s"
        print(
            f"{name:<28}{found['games']:>6}{found['lost on time']:>6}{numbers}"
            f"{1000 * found['longest']:8.0f}  {hidden}",
            flush=True,
        )
    print("\ncheats at 0.2 s a move, margin 0.1 s; gained: seconds beyond both, of the limit")
    print(f"{'':<28}{'games':>6}{'lost on time':>14}{'moves':>7}{'gained':>9}{'charged':>10}")
    tricks = [
        ("keeps its own core busy", f"saiblo:{HOSTILE} crowd_core", 0.2, "random"),
        ("thinks as if starting", f"botzone:{HOSTILE} think_as_if_starting", 0.2, "random"),
        # It burns half a second after each of its moves, during the opponent's thinking time.
        ("hides its CPU time", f"saiblo:{HOSTILE} hide_children", 5, f"saiblo:{HOSTILE} think 700"),
    ]
    for name, spec, seconds, opponent in tricks:
        found = cheat(spec, given.cheats, seconds, opponent)
        print(
            f"{name:<28}{found['games']:>6}{found['lost on time']:>14}{found['moves']:>7}"
            f"{found['gained']:9.1%}{found['idle']:8.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
