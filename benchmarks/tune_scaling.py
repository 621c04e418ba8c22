"""The figures of docs/tuning-cluster.md: the driver's cost per game, and the limit it sets.

python benchmarks/tune_scaling.py measure     task times, message sizes, the driver's costs
python benchmarks/tune_scaling.py simulate    10, 100 and 1,000 fake cores, the real driver
python benchmarks/tune_scaling.py pace        games/s of this machine: local pool and Ray
"""

from __future__ import annotations

import argparse
import heapq
import os
import pickle
import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

from honte.arena.cluster import AHEAD, team
from honte.arena.game import Played
from honte.arena.run import Run
from honte.arena.schedule import Plan, Task, match
from honte.arena.store import Store
from honte.arena.workers import Team
from honte.tune import games
from honte.tune.study import parse
from honte.tune.tuning import Tuning

PLAYERS = ("alphabeta:depth=3,weights=report", "alphabeta:depth=3,weights=textbook")
ROUNDS = 3
PLAN = Plan("othello", opening_plies=8, seed=1)
STUDY = """
game = "othello"
engine = "alphabeta:depth=3"
[parameters.weights]
low = -300
high = 300
[optimiser]
name = "genetic"
preset = "report"
generations = 20
"""


class Fake(Team):
    """Cores that take simulated time, under the real driver.

    The simulated clock advances by the driver's CPU time while it works, and jumps to the next
    batch that ends when it waits. So a slow driver leaves the cores idle, as it really would.
    """

    def __init__(self, cores: int, batch: int, seconds: float, sample: Played) -> None:
        super().__init__(batch)
        self.cores, self.seconds, self.sample = cores, seconds, sample
        self.clock = self.driver = self.played = 0.0
        self._cpu = time.process_time()
        self._free = [0.0] * cores
        self._out: list[tuple[float, int, list[Task]]] = []
        self._draw = random.Random(1)
        self._number = 0

    def _tick(self) -> None:
        now = time.process_time()
        self.clock += now - self._cpu
        self.driver += now - self._cpu
        self._cpu = now

    def _idle(self) -> int:
        return max(0, self.cores * AHEAD - len(self._out))

    def _begin(self, batch: list[Task]) -> None:
        self._tick()
        long = sum(self._draw.uniform(0.5, 1.5) * self.seconds for _ in batch)
        self.played += long
        end = max(self.clock, heapq.heappop(self._free)) + long
        heapq.heappush(self._free, end)
        self._number += 1
        heapq.heappush(self._out, (end, self._number, batch))

    def _collect(self, seconds: float | None) -> list[Played]:
        self._tick()
        self.clock = max(self.clock, self._out[0][0])
        done: list[Played] = []
        while self._out and self._out[0][0] <= self.clock:
            batch = heapq.heappop(self._out)[2]
            # Messages are unpickled here, as from a real worker.
            answer = pickle.dumps([replace(self.sample, task=task) for task in batch])
            self._cpu = time.process_time()
            done += pickle.loads(answer)
        return done

    def close(self) -> None:
        self._out = []

    kill = close


def sample() -> Played:
    return games.play(next(match(PLAN, *PLAYERS, 1)))


def simulate(cores: int, batch: int, seconds: float, count: int) -> tuple[float, float, float]:
    """The share of one core that the driver takes, the cores' efficiency, driver s a game."""
    fake = Fake(cores, batch, seconds, sample())
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "s.db") as store:
        run = Run(fake, store, commit_every=0.25)
        for _ in run.play(match(PLAN, *PLAYERS, count)):
            pass
        run.close()
    return fake.driver / fake.clock, fake.played / (cores * fake.clock), fake.driver / count


def costs() -> tuple[float, float]:
    """The driver's seconds per game and per batch, by a linear fit over several batch sizes."""
    points = []
    for batch in (1, 2, 4, 16, 64):
        best = min(simulate(4, batch, 1.0, 1000)[2] for _ in range(3))
        points.append((1 / batch, best))
        print(f"  batch {batch:>3}: {1e6 * best:6.0f} µs of the driver a game")
    middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    slope = sum((x - middle[0]) * (y - middle[1]) for x, y in points) / sum(
        (x - middle[0]) ** 2 for x, _ in points
    )
    return middle[1] - slope * middle[0], slope


def measure() -> None:
    tasks = list(match(PLAN, *PLAYERS, 64))
    began = time.process_time()
    played = [games.play(task) for task in tasks]
    each = (time.process_time() - began) / len(tasks)
    print(f"a game of depth 3: {1e3 * each:.2f} ms of CPU")
    for batch in (1, 16, 64):
        out, back = len(pickle.dumps(tasks[:batch])), len(pickle.dumps(played[:batch]))
        print(f"  a batch of {batch:>2}: {out:,} bytes out, {back:,} back")
    game, message = costs()
    print(f"the driver: {1e6 * game:.0f} µs a game and {1e6 * message:.0f} µs a batch")
    print("cores   shortest game for a driver at 10 %   batch at twice that")
    for cores in (10, 100, 1000):
        shortest = cores * game / 0.1
        wanted = message / (0.1 * 2 * shortest / cores - game)
        print(f"{cores:>5}   {shortest:>10.3f} s   {wanted:>30.1f}")


def table() -> None:
    print("cores   game, s   batch   driver, % of a core   efficiency, %")
    for cores, seconds, batch in (
        (10, 0.001, 16),
        (10, 0.03, 16),
        (100, 0.001, 16),
        (100, 0.3, 4),
        (100, 0.3, 1),
        (1000, 0.3, 4),
        (1000, 3.0, 4),
        (1000, 3.0, 1),
    ):
        count = max(4 * AHEAD * cores * batch, 3000)
        driver, efficiency, _ = simulate(cores, batch, seconds, count)
        print(
            f"{cores:>5}   {seconds:>7}   {batch:>5}   {100 * driver:>19.1f}   "
            f"{100 * efficiency:>13.1f}",
            flush=True,
        )


def pace() -> None:
    """Whole studies. Games a second are wall time and need a quiet machine; CPU time does not.

    All four alternate, so that any disturbance hits all of them.
    """
    homes = [(on, workers) for on in ("local", "ray") for workers in (1, 2)]
    found: dict[tuple[str, int], list[tuple[float, float, float]]] = {home: [] for home in homes}
    for _ in range(ROUNDS):
        for home in homes:
            found[home].append(paced(*home))
            print(home, *(f"{value:.4g}" for value in found[home][-1]), flush=True)
    print("where   workers   games/s (best, median)   CPU, ms a game   of it the driver")
    for (on, workers), runs in found.items():
        speed, driver, whole = zip(*runs, strict=True)
        print(
            f"{on:<5}   {workers:>7}   {max(speed):>12,.0f} {median(speed):>9,.0f}   "
            f"{1e3 * median(whole):>14.2f}   {1e3 * median(driver):>16.2f}"
        )


def paced(on: str, workers: int) -> tuple[float, float, float]:
    """Games a second of a study; CPU seconds a game of the driver, and of all processes."""
    there = team(on, workers, games.play, games.QUICK_BATCH)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "s") as store:
        run = Run(there, store, commit_every=0.25)
        list(run.play(match(PLAN, *PLAYERS, 64)))  # every worker is warm
        tuning = Tuning(parse(STUDY))
        began, cpu, every = time.monotonic(), time.process_time(), family_seconds()
        for _ in tuning.search(run):
            pass
        seconds, driver = time.monotonic() - began, time.process_time() - cpu
        whole = family_seconds() - every
        run.close()
    return tuning.games / seconds, driver / tuning.games, whole / tuning.games


def family_seconds() -> float:
    """CPU time of this process and all its descendants."""
    parents, spent = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(") ")[2].split()
        except OSError:  # it has just ended
            continue
        pid = int(stat.parent.name)
        parents[pid], spent[pid] = int(fields[1]), int(fields[11]) + int(fields[12])
    total, waiting = 0, [os.getpid()]
    while waiting:
        one = waiting.pop()
        total += spent.get(one, 0)
        waiting += [pid for pid, parent in parents.items() if parent == one]
    return total / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["measure", "simulate", "pace"])
    {"measure": measure, "simulate": table, "pace": pace}[parser.parse_args().what]()


if __name__ == "__main__":
    main()
