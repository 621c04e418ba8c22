"""UCT against the yardstick, a plain single-file program: alternating, on the same boards.

    python benchmarks/yardstick.py [--rounds 5] [--iterations 1000000] [--c 0.8]

Both run plain UCB1 with uniform playouts from the start position into an empty tree, without proofs
and forced moves. CPU time of one thread; medians, and the median of the ratios of each round.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import honte
from honte.core.request import Limit
from honte.search.uct import Uct

SOURCE = Path(__file__).with_name("yardstick_uct.cpp")
BOARDS = {
    "connect4": ("6", "7", "-1", "-1"),
    "connect4:rows=12,cols=12,blocked=5/6": ("12", "12", "5", "6"),
}


def product(spec: str, iterations: int, c: float) -> float:
    """Iterations per CPU second."""
    game = honte.game(spec)
    began = time.process_time()
    uct = Uct(
        game, c=c, playout="uniform", priors=0, rave="no", forced=False, solver=False,
        memory_mb=1024,
    )  # fmt: skip
    done = uct.search(game.start(), Limit(iterations=iterations)).iterations
    return done / (time.process_time() - began)


def yardstick(program: Path, board: tuple[str, ...], iterations: int, c: float) -> float:
    words = [str(program), *board, str(iterations), str(c)]
    return float(subprocess.run(words, check=True, capture_output=True).stdout.split()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=1_000_000)
    parser.add_argument("--c", type=float, default=0.8)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "yardstick"
        flags = ["-O3", "-march=native", "-std=c++20"]
        subprocess.run(["c++", *flags, str(SOURCE), "-o", str(program)], check=True)
        for spec, board in BOARDS.items():
            ours, theirs = [], []
            for _ in range(asked.rounds):
                ours.append(product(spec, asked.iterations, asked.c))
                theirs.append(yardstick(program, board, asked.iterations, asked.c))
            ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
            print(
                f"{spec}: {statistics.median(ours):,.0f} iterations/s, yardstick "
                f"{statistics.median(theirs):,.0f}, ratio {statistics.median(ratios):.2f} "
                f"({min(ratios):.2f} to {max(ratios):.2f})"
            )


if __name__ == "__main__":
    main()
