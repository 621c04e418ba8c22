"""A player against the probe of the first network experiments, on random course boards.

    python benchmarks/probe_match.py PROBE --player uct:net=learned --games 200 --seconds 0.5

PROBE is a folder with `netbot.py`, `net.onnx` and `tree.so` (g++ -O3 -march=native -shared -fPIC
tree.cpp -o tree.so); `--python` names an interpreter that has ONNX Runtime. Every pair of games is
one board and one opening with the sides changed; both players have the same time and one thread.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import honte
from honte.arena.openings import after, balanced_opening
from honte.arena.statistics import wilson
from honte.core.contract import State, cells_of

SIDE = 12


class Probe:
    """The probe's player over pipes."""

    def __init__(self, python: str, folder: Path) -> None:
        self.process = subprocess.Popen(
            [python, "netbot.py", "net.onnx"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline().strip() == "ready"

    def ask(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")

    def new_game(self, state: State) -> None:
        self.ask({"new": columns(state, lambda cell: cell != 3)})

    def choose(self, state: State, seconds: float) -> int:
        me = state.to_move + 1
        own, opp = (columns(state, lambda cell, p=player: cell == p) for player in (me, 3 - me))
        self.ask({"own": own, "opp": opp, "seconds": seconds})
        assert self.process.stdout is not None
        return int(json.loads(self.process.stdout.readline())["col"])


def columns(state: State, wanted: Any) -> list[int]:
    """Bits of the cells of a kind, a word a column, the bottom first."""
    shape = state.game.shape()
    cells = cells_of(state)
    assert shape is not None
    assert cells is not None
    width = shape[1]
    rows = [cells[at : at + width] for at in range(0, len(cells), width)]
    words = [
        sum(bool(wanted(row[col])) << height for height, row in enumerate(reversed(rows)))
        for col in range(width)
    ]
    return words + [0] * (SIDE - len(words))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("probe", type=Path)
    add("--python", default=sys.executable)
    add("--player", default="uct:net=learned")
    add("--games", type=int, default=200)
    add("--seconds", type=float, default=0.5)
    add("--seed", type=int, default=1)
    options = parser.parse_args()
    probe = Probe(options.python, options.probe)
    won = {"first": [0, 0, 0], "second": [0, 0, 0]}  # lost, drawn, won
    draw = random.Random(options.seed)
    for number in range(options.games):
        if number % 2 == 0:
            game = honte.game(f"connect4:course,seed={draw.randrange(10**6)}")
            opening = balanced_opening(game, draw.randrange(10**6), 0)
        state = after(game, opening)
        player = honte.player(options.player, game)
        probe.new_game(state)
        ours = (state.to_move + number) % 2
        while not state.is_over:
            if state.to_move == ours:
                move = player.choose(state, seconds=options.seconds).move
            else:
                move = probe.choose(state, options.seconds)
            state = state.play(move)
        player.close()
        result = 0 if state.winner is None else 1 if state.winner == ours else -1
        won["first" if number % 2 == 0 else "second"][result + 1] += 1
        lost, drawn, wins = (sum(place) for place in zip(*won.values(), strict=True))
        points, games = wins + drawn / 2, number + 1
        low, high = wilson(points, games)
        line = f"{games} games: {wins}–{lost}, {drawn} drawn: {points / games:.1%}"
        print(f"{line} ({low:.1%} to {high:.1%}); to move first {won['first'][2]}", flush=True)


if __name__ == "__main__":
    main()
