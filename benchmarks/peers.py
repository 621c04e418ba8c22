"""Honte beside OpenSpiel on the same work, in one run: `make bench-peers`.

OpenSpiel comes from PyPI into an environment of its own (build/peers). Each of the two runs in
its own process; measurements alternate, so that a busy machine slows both, and the medians
of CPU-time rates are compared.

    python benchmarks/peers.py             everything, as Markdown
    python benchmarks/peers.py --worker W  one measurement (W: honte or open_spiel), as JSON
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PEERS = ROOT / "build" / "peers"
REPEATS = 5

Work = Callable[[], int]


def rate(work: Work, seconds: float = 0.5) -> float:
    """Units of work a CPU second, over about half a second."""
    done, started = 0, time.process_time()
    while (spent := time.process_time() - started) < seconds:
        done += work()
    return done / spent


def honte_game(start: Callable[[], Any]) -> Work:
    """A random game driven from Python, move by move; its plies."""
    draw = random.Random(1).random

    def play() -> int:
        state, plies = start(), 0
        while not state.is_over:
            legal = state.legal_moves()
            state = state.play(legal[int(draw() * len(legal))])
            plies += 1
        return plies

    return play


def spiel_game(start: Callable[[], Any]) -> Work:
    """The same in OpenSpiel's words."""
    draw = random.Random(1).random

    def play() -> int:
        state, plies = start(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            plies += 1
        return plies

    return play


def honte_work() -> dict[str, Work]:
    import honte
    from honte.search.uct import Uct

    games = {
        "connect4 7×6": "connect4",
        "connect4 12×12": "connect4:rows=12,cols=12",
        "othello": "othello",
        "go 9×9": "go:size=9",
    }
    work: dict[str, Work] = {}

    def playouts(spec: str) -> Work:
        state: Any = honte.game(spec).start()

        def run() -> int:
            state.playouts(1000, 1)
            return 1000

        return run

    def simulations(spec: str) -> Work:
        game = honte.game(spec)

        def run() -> int:
            plain = {
                "playout": "uniform",
                "priors": 0,
                "rave": "no",
                "forced": False,
                "solver": False,
            }
            uct = Uct(game, c=0.8, **plain)
            return uct.search(game.start(), honte.Limit(iterations=20_000)).iterations

        return run

    for name, spec in games.items():
        work[f"playouts, {name}"] = playouts(spec)
        work[f"UCT simulations, {name}"] = simulations(spec)
        work[f"plies from Python, {name}"] = honte_game(honte.game(spec).start)
    return work


def spiel_work() -> dict[str, Work]:
    import pyspiel  # type: ignore[import-not-found,unused-ignore]

    games = {
        "connect4 7×6": "connect_four",
        "connect4 12×12": "connect_four(rows=12,columns=12)",
        "othello": "othello",
        "go 9×9": "go(board_size=9,komi=7.5)",
    }
    work: dict[str, Work] = {}

    def search(spec: str, simulations: int, rollouts: int) -> Work:
        """Its C++ MCTS; with many rollouts a simulation nearly all the time is rollouts."""
        game = pyspiel.load_game(spec)
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 0.8, simulations, 0, False, 1, False)
        state = game.new_initial_state()

        def run() -> int:
            bot.step(state)
            return simulations * rollouts

        return run

    for name, spec in games.items():
        try:
            game = pyspiel.load_game(spec)
        except Exception as error:
            print(f"OpenSpiel has no {spec}: {error}", file=sys.stderr)
            continue
        work[f"playouts, {name}"] = search(spec, simulations=4, rollouts=100)
        work[f"UCT simulations, {name}"] = search(spec, simulations=2000, rollouts=1)
        work[f"plies from Python, {name}"] = spiel_game(game.new_initial_state)
    return work


def measure(worker: str) -> None:
    work = honte_work() if worker == "honte" else spiel_work()
    print(json.dumps({name: rate(unit) for name, unit in work.items()}))


def set_up() -> Path:
    """An environment with OpenSpiel in it."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        print("Installing OpenSpiel into build/peers ...", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "open_spiel==2.0.2"]
        subprocess.run(install, check=True)
    return python


def main() -> None:
    commands = {"honte": sys.executable, "open_spiel": str(set_up())}
    rates: dict[str, dict[str, list[float]]] = {"honte": {}, "open_spiel": {}}
    for repeat in range(REPEATS):
        print(f"run {repeat + 1} of {REPEATS} ...", file=sys.stderr)
        for worker, python in commands.items():
            found = subprocess.run(
                [python, __file__, "--worker", worker], check=True, capture_output=True, text=True
            )
            for name, value in json.loads(found.stdout).items():
                rates[worker].setdefault(name, []).append(value)
    print("| per CPU second, one core | Honte | OpenSpiel 2.0.2 | ratio |")
    print("|---|---|---|---|")
    for name, ours in rates["honte"].items():
        mine = statistics.median(ours)
        if theirs := rates["open_spiel"].get(name):
            other = statistics.median(theirs)
            print(f"| {name} | {mine:,.0f} | {other:,.0f} | {mine / other:.1f}× |")
        else:
            print(f"| {name} | {mine:,.0f} | — | — |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--worker", choices=["honte", "open_spiel"])
    given = parser.parse_args()
    if given.worker:
        measure(given.worker)
    else:
        main()
