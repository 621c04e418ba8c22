"""Elo gained by more time: a tournament of one engine at several times per move.

    python benchmarks/elo_by_time.py --store time.db --plot docs/images/connect4-elo-by-time.png
    python benchmarks/elo_by_time.py best --game go:size=9 --seconds 0.1 0.4 1.6

Every pair meets on paired boards, both sides. The intervals are those of each time's rating around
the mean of all; the difference of two times has a wider one. The same command with the same store
resumes where it stopped.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("player", nargs="?", default="best")
    parser.add_argument("--game", default="connect4:course")
    parser.add_argument("--seconds", nargs="+", default=["0.05", "0.1", "0.2", "0.5", "1"])
    parser.add_argument("--rounds", default="6", help="pairs of games of every two")
    parser.add_argument("--workers", default="1")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--store")
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()

    joint = "," if ":" in asked.player else ":"
    specs = {f"{asked.player}{joint}seconds={time}": float(time) for time in asked.seconds}
    command = [sys.executable, "-m", "honte", "tournament", *specs, "--json"]
    for name in ("game", "rounds", "workers", "seed", "store"):
        if getattr(asked, name):
            command += [f"--{name}", getattr(asked, name)]
    played = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found = json.loads(played.stdout)
    rows = sorted((specs[row["player"]], row) for row in found["players"])
    print("| a move | games | Elo around the mean |\n|---|---|---|")
    for seconds, row in rows:
        elo = f"{row['elo']:+.0f} ± {row['elo_error']:.0f}"
        print(f"| {seconds:g} s | {row['games']} | {elo} |")
    print(f"first move: {found['first_mover_elo']:.0f} Elo")
    if asked.plot:
        draw(asked, [(seconds, row["elo"], row["elo_error"]) for seconds, row in rows])


def draw(asked: argparse.Namespace, points: list[tuple[float, float, float]]) -> None:
    from honte.arena.plot import figure, plain, save

    drawn, (axes,) = figure(7, 4.5)
    times, elos, errors = (list(column) for column in zip(*points, strict=True))
    axes.errorbar(times, elos, yerr=errors, marker="o", capsize=4)
    axes.set_xscale("log")
    axes.set_xticks(times, [f"{time:g}" for time in times])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.set(
        xlabel="seconds a move",
        ylabel="Elo around the mean, with 95 % intervals",
        title=plain(f"{asked.player} on {asked.game}"),
    )
    save(drawn, asked.plot)


if __name__ == "__main__":
    main()
