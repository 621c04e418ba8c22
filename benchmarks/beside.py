"""A player against another installation: an earlier release, or the first network probe.

    python benchmarks/beside.py release OLD/bin/python --games 200 --seconds 0.5
    python benchmarks/beside.py probe FOLDER --python OTHER/bin/python --games 200

`release` starts another interpreter with its own Honte and plays against its `best` (or
`--opponent`). `probe` is a folder with `netbot.py`, `net.onnx` and `tree.so` (g++ -O3
-march=native -shared -fPIC tree.cpp -o tree.so) and an interpreter with ONNX Runtime. Every pair of
games is one board and one balanced opening with sides swapped; both players have the same time and
one thread. With `--adjudicate 0.96` a game ends when both players have said, three times in a row
each, that the same side's value is at least that: won games of Go need not be played out.
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
"""Of the probe's boards."""
ADJUDICATION_PLIES = 6
"""Consecutive evaluations beyond the threshold, three by each player, that end a game."""

RELEASE = """
import json, sys, honte
player = None
print(json.dumps({"version": honte.__version__, "file": honte.__file__}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if "game" in asked:
        if player is not None:
            player.close()
        game = honte.game(asked["game"])
        player = honte.player(asked["player"], game)
        continue
    state = game.start()
    for move in asked["moves"]:
        state = state.play(move)
    report = player.choose(state, honte.Limit(seconds=asked["seconds"]))
    print(json.dumps({"move": report.move, "value": report.value}), flush=True)
"""


class Pipe:
    """A subprocess that answers JSON lines."""

    def __init__(self, command: list[str], folder: Path | None = None) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def tell(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")

    def hear(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"the opponent ended ({self.process.wait()})")
        return line


class Probe:
    """The probe's player: cells as bits, one word per column."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.pipe = Pipe([options.python, "netbot.py", "net.onnx"], Path(options.where))
        assert self.pipe.hear().strip() == "ready"

    def new_game(self, spec: str, state: State) -> None:
        self.pipe.tell({"new": columns(state, lambda cell: cell != 3)})

    def choose(self, state: State, moves: list[int], seconds: float) -> tuple[int, float]:
        me = state.to_move + 1
        own, opp = (columns(state, lambda cell, p=player: cell == p) for player in (me, 3 - me))
        self.pipe.tell({"own": own, "opp": opp, "seconds": seconds})
        return int(json.loads(self.pipe.hear())["col"]), 0.0  # it says no value


class Release:
    """A player of another installation."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.player = options.opponent
        # From another folder, so that it does not import this source tree.
        self.pipe = Pipe([str(Path(options.where).absolute()), "-c", RELEASE], Path("/"))
        told = json.loads(self.pipe.hear())
        if Path(told["file"]) == Path(honte.__file__):
            sys.exit("that interpreter has this very Honte, not one beside it")
        print(f"against {told['version']} of {told['file']}", file=sys.stderr)

    def new_game(self, spec: str, state: State) -> None:
        self.pipe.tell({"game": spec, "player": self.player})

    def choose(self, state: State, moves: list[int], seconds: float) -> tuple[int, float]:
        self.pipe.tell({"moves": moves, "seconds": seconds})
        told = json.loads(self.pipe.hear())
        return told["move"], told["value"]


def columns(state: State, wanted: Any) -> list[int]:
    """The cells of a kind as bits, one word per column, the bottom cell first."""
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


def adjudicate(values: list[float], threshold: float | None) -> int:
    """1 (a win) or −1 once both players agree, else 0."""
    recent = values[-ADJUDICATION_PLIES:]
    if threshold is None or len(recent) < ADJUDICATION_PLIES:
        return 0
    if min(recent) >= threshold:
        return 1
    return -1 if max(recent) <= -threshold else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("kind", choices=("release", "probe"))
    add("where", help="the interpreter of the release, or the folder of the probe")
    add("--python", default=sys.executable, help="for the probe")
    add("--game", default="connect4:course", help="with a board of its own for each pair")
    add("--player", default="best")
    add("--opponent", default="best", help="of the release")
    add("--games", type=int, default=200)
    add("--seconds", type=float, default=0.5)
    add("--seed", type=int, default=1)
    add(
        "--adjudicate",
        type=float,
        metavar="VALUE",
        help="adjudicate games that both players evaluate beyond this",
    )
    options = parser.parse_args()
    opponent = (Probe if options.kind == "probe" else Release)(options)
    won = {"first": [0, 0, 0], "second": [0, 0, 0]}  # lost, drawn, won
    draw = random.Random(options.seed)
    for number in range(options.games):
        if number % 2 == 0:
            board = draw.randrange(10**6)
            spec = f"{options.game},seed={board}" if ":course" in options.game else options.game
            game = honte.game(spec)
            opening = balanced_opening(game, draw.randrange(10**6), 0)
        moves = list(opening)
        state = after(game, opening)
        player = honte.player(options.player, game)
        opponent.new_game(spec, state)
        ours = (state.to_move + number) % 2
        values: list[float] = []  # of our side
        result = 0
        while not state.is_over and not result:
            if state.to_move == ours:
                report = player.choose(state, seconds=options.seconds)
                move, value = report.move, report.value
            else:
                move, value = opponent.choose(state, moves, options.seconds)
                value = -value
            state = state.play(move)
            moves.append(move)
            values.append(value)
            result = adjudicate(values, options.adjudicate)
        player.close()
        if state.winner is not None:
            result = 1 if state.winner == ours else -1
        won["first" if number % 2 == 0 else "second"][result + 1] += 1
        lost, drawn, wins = (sum(place) for place in zip(*won.values(), strict=True))
        points, games = wins + drawn / 2, number + 1
        low, high = wilson(points, games)
        line = f"{games} games: {wins}–{lost}, {drawn} drawn: {points / games:.1%}"
        print(f"{line} ({low:.1%} to {high:.1%}); to move first {won['first'][2]}", flush=True)


if __name__ == "__main__":
    main()
