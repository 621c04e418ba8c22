"""How long a million positions of self-play take to read: ``python benchmarks/samples.py``.

One file of 250 games is played and copied until there are a million positions.
"""

from __future__ import annotations

import shutil
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from honte.arena.samples import load_samples
from honte.arena.selfplay import Run, Settings, file_of

POSITIONS = 1_000_000


def main() -> None:
    with TemporaryDirectory() as place:
        for game in ("connect4", "othello", "go:size=9"):
            folder = Path(place) / game.partition(":")[0]
            run = Run(folder, Settings(game, games=250, iterations=4), workers=1)
            run.play()
            run.close()
            each = len(load_samples(folder))
            for number in range(1, -(-POSITIONS // each)):
                shutil.copy(file_of(folder, 0), file_of(folder, number))
            took = []
            for _ in range(5):
                began = time.perf_counter()
                found = load_samples(folder)
                took.append(time.perf_counter() - began)
            print(f"{game}: {len(found):,} positions in {statistics.median(took):.2f} s")


if __name__ == "__main__":
    main()
