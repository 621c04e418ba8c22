"""Overhead of a search with an evaluator: CPU microseconds a simulation, the evaluator excluded.

    python benchmarks/evaluator.py [ROUNDS]

Games are played from the start position to the end by searches of 64 simulations a move, with tree
reuse, noise and restarts: total CPU time less that inside the evaluator, which gives uniform priors
and values of 0. Every row takes its turn in each round; figures are medians over the rounds.
"""  # fmt: skip

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import numpy as np

import honte

SIMULATIONS = 64
ROWS: list[tuple[str, int, dict[str, Any]]] = [
    ("connect4", 64, {"batch": 1}),
    ("connect4", 64, {"batch": 8}),
    ("connect4", 256, {"batch": 1}),
    ("connect4", 256, {"batch": 8}),
    ("connect4", 1024, {"batch": 8}),
    ("connect4", 256, {"batch": 8, "root": "gumbel"}),
    ("othello", 64, {"batch": 8}),
    ("go:size=9", 64, {"batch": 8}),
]


class Trivial:
    """Uniform priors, values of 0; counts the CPU time inside itself."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.zeros = np.zeros(1 << 16, np.float32)

    def __call__(self, batch: honte.search.Batch) -> tuple[Any, Any]:
        legal, _ = batch.legal, batch.planes
        begun = time.process_time()
        values = self.zeros[: len(batch)]
        self.seconds += time.process_time() - begun
        return legal, values


class Row:
    """One line of the table."""

    def __init__(self, spec: str, games: int, settings: dict[str, Any]) -> None:
        self.trivial = Trivial()
        self.games = games
        self.name = f"{spec}, {games} games, " + ", ".join(f"{k}={v}" for k, v in settings.items())
        noise = {} if "root" in settings else {"noise": 0.25}
        self.search = honte.search.SearchBatch(
            spec, games, evaluator=self.trivial, move_temperature=1, **noise, **settings
        )
        self.measured: list[float] = []
        self.measure(0.2)
        self.measured.clear()

    def measure(self, seconds: float) -> None:
        simulations, inside, begun = 0, self.trivial.seconds, time.process_time()
        while time.process_time() - begun < seconds:
            moves = self.search.run(SIMULATIONS).moves
            simulations += int(self.search.iterations.sum())
            self.search.advance(moves)
        spent = time.process_time() - begun - (self.trivial.seconds - inside)
        self.measured.append(spent / simulations * 1e6)


def main(rounds: int) -> None:
    rows = [Row(*row) for row in ROWS]
    for _ in range(rounds):
        for row in rows:
            row.measure(0.5)
    for row in rows:
        print(f"{row.name:44} {statistics.median(row.measured):6.2f} µs")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
