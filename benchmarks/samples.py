"""Time to read a million self-play positions: ``python benchmarks/samples.py``.

One file of 250 games is played and copied under new numbers until there are a million positions.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from honte.arena.samples import load_samples
from honte.arena.selfplay import Run, Settings, file_of, save

POSITIONS = 1_000_000
GAMES = 250


def main() -> None:
    with TemporaryDirectory() as place:
        for game in ("connect4", "othello", "go:size=9"):
            folder = Path(place) / game.partition(":")[0]
            run = Run(folder, Settings(game, games=GAMES, iterations=4), workers=1)
            run.play()
            run.close()
            each = len(load_samples(folder))
            with np.load(file_of(folder, 0)) as data:
                arrays = dict(data)
            for number in range(1, -(-POSITIONS // each)):
                arrays["positions"]["game"] += GAMES
                arrays["games"]["number"] += GAMES
                save(file_of(folder, number), arrays)
            took = []
            for _ in range(5):
                began = time.perf_counter()
                found = load_samples(folder)
                took.append(time.perf_counter() - began)
            began = time.perf_counter()
            found.planes()
            planes = time.perf_counter() - began
            print(
                f"{game}: {len(found):,} positions in {statistics.median(took):.2f} s, "
                f"their planes in {planes:.2f} s more"
            )


if __name__ == "__main__":
    main()
