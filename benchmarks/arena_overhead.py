"""Overhead of the arena itself: per move, per start, per game, and in memory.

    python benchmarks/arena_overhead.py [--games 10000]

A bot in C answers at once, so what remains is our own overhead: pipes, framing, rules. The time of
a move is measured in whole games; a start is measured from the order to the bot's first line, at
each sandbox level that this machine has. Needs a C compiler. Under `chrt -f 1` (as root) a busy
machine gives the same figures as an idle one.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import honte
from honte.arena.game import play_task
from honte.arena.match import Standing
from honte.arena.run import Run
from honte.arena.schedule import Clock, Plan, match, schedule
from honte.arena.store import Store
from honte.sandbox.levels import LEVELS, Command, describe, missing_for
from honte.sandbox.process import Process

SOURCE = Path(__file__).with_name("quick_bot.c")


def compiled(folder: Path) -> Path:
    subprocess.run(["cc", "-O2", "-o", folder / "bot", SOURCE], check=True)
    return folder / "bot"


def show(what: str, values: list[float], unit: str = "ms") -> None:
    values = sorted(values)
    p99 = values[int(0.99 * (len(values) - 1))]
    print(
        f"{what:<46} median {1000 * statistics.median(values):6.2f} {unit}, "
        f"best {1000 * values[0]:6.2f}, p99 {1000 * p99:6.2f} ({len(values)} times)"
    )


def starts(bot: Path, level: str, times: int) -> list[float]:
    command = Command((str(bot), "hello"), str(bot.parent), level)
    found = []
    for number in range(times + 3):
        process = Process(command)
        process.prepare()
        began = time.monotonic()
        process.start(began + 10)
        assert process.line(began + 10) == b"ready"
        if number >= 3:
            found.append(time.monotonic() - began)
        process.stop(b"\n")
    return found


def moves(bot: Path, level: str, games: int) -> list[float]:
    """Seconds per move, except a process's first, in games against a random player."""
    found: list[float] = []
    plan = Plan("connect4:course", honte.Limit(seconds=5), clock=Clock(max_plies=60))
    os.environ["HONTE_SANDBOX"] = level
    for task in match(plan, f"saiblo:{bot}", "random", games):
        played = play_task(task)
        assert played.fault is None, played.detail
        own = played.times[0 if task.a_first else 1 :: 2]
        found += [seconds for seconds in own[1:] if seconds is not None]
    return found


def games_a_second(games: int) -> float:
    tasks = list(schedule("random", "random", "connect4", games))
    began = time.process_time()
    for task in tasks:
        play_task(task)
    return games / (time.process_time() - began)


def memory() -> int:
    text = Path("/proc/self/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0])


def growth(folder: Path, games: int) -> tuple[int, int]:
    """Our memory in KiB after the first tenth of a run with a store, and at its end."""
    standing, sizes = Standing(), []
    with Store(folder / "games.db") as store:
        run = Run(1, store)
        for played in run.play(match(Plan("connect4"), "random", "random", games)):
            standing.add(played)
            if standing.total.games in (games // 10, games):
                sizes.append(memory())
        run.close()
    return sizes[0], sizes[1]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=10_000, help="for the memory; 0: not at all")
    parser.add_argument("--starts", type=int, default=60)
    given = parser.parse_args()
    print(f"sandbox: {describe()}")
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        bot = compiled(Path(name))
        for level in LEVELS:
            if not missing_for(level):
                show(f"start of a bot, {level}", starts(bot, level, given.starts))
        for level in LEVELS:
            if not missing_for(level):
                show(f"a move of a bot that answers at once, {level}", moves(bot, level, 20))
        print(f"random players: {games_a_second(2000):.0f} games a second of one core")
        if given.games:
            first, last = growth(Path(name), given.games)
            print(
                f"memory after {given.games // 10} games {first} KiB, "
                f"after {given.games} {last} KiB"
            )


if __name__ == "__main__":
    main()
