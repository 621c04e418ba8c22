"""Speed of the native core at one processor level relative to another, by rows of `honte bench`.

    HONTE_LEVELS=machine,native tools/setup
    python benchmarks/levels.py v4 native [--rounds 7] [--seconds 0.25] [NAME...]

One process for each level; they alternate on the same work, so that a machine that slows down
slows both. CPU time; the ratio is the median of the rounds' ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

from honte.cli.bench import benchmarks, choose
from honte.core.processor import VARIABLE


class Level:
    """A process that runs rows with the native core of one level."""

    def __init__(self, name: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            env={**os.environ, VARIABLE: name},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, row: str, count: int) -> tuple[int, float]:
        """Run this much of a row; the work done and the CPU seconds it took."""
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps([row, count]), file=self.process.stdin, flush=True)
        done, seconds = json.loads(self.process.stdout.readline())
        return done, seconds


def serve() -> None:
    """Run rows on request from standard input."""
    name, work = "", None
    for line in sys.stdin:
        asked, count = json.loads(line)
        if asked != name or work is None:
            name, work = asked, benchmarks()[asked].make()
        started = time.process_time()
        done = work(count)
        print(json.dumps([done, time.process_time() - started]), flush=True)


def calibrated(level: Level, row: str, seconds: float) -> int:
    """The amount of work that takes about this long."""
    count, spent = 1, 0.0
    while spent < seconds / 4:
        count, spent = level.run(row, 2 * count)
    return max(1, int(count * seconds / spent))


def compare(row: str, one: Level, two: Level, rounds: int, seconds: float) -> list[float]:
    """The speed of one level divided by that of the other, in each round."""
    count = calibrated(one, row, seconds)
    two.run(row, count)
    ratios = []
    for turn in range(rounds):
        rates = {}
        for level in (one, two) if turn % 2 else (two, one):
            done, spent = level.run(row, count)
            rates[level] = done / spent
        ratios.append(rates[one] / rates[two])
    return sorted(ratios)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("one")
    parser.add_argument("two")
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.25)
    asked = parser.parse_args()
    one, two = Level(asked.one), Level(asked.two)
    for row in choose(asked.rows):
        ratios = compare(row, one, two, asked.rounds, asked.seconds)
        middle = statistics.median(ratios)
        print(f"{row:<32} {middle:6.3f}   {ratios[0]:.3f} to {ratios[-1]:.3f}", flush=True)


if __name__ == "__main__":
    serve() if "--serve" in sys.argv else main()
