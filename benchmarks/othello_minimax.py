"""Minimax with and without alpha-beta on Othello: nodes and time for each depth, and games.

    python benchmarks/othello_minimax.py [--positions 200] [--deepest 7] [--games 400]

Positions are from random games, plies 10 to 45; times are CPU time of one thread.
"""

from __future__ import annotations

import argparse
import random
import time
from concurrent.futures import ThreadPoolExecutor

from honte import _native
from honte.games.othello.game import Othello
from honte.games.othello.weights import PRESETS

GAME = Othello()


def positions(count: int, first: int, last: int, seed: int) -> list[_native.OthelloState]:
    rng = random.Random(seed)
    found: list[_native.OthelloState] = []
    while len(found) < count:
        state = GAME.start()
        for _ in range(rng.randint(first, last)):
            if state.is_over:
                break
            state = state.play(rng.choice(state.legal_moves()))
        if not state.is_over and state.legal_moves() != [64]:
            found.append(state)
    return found


def measure(
    states: list[_native.OthelloState], depth: int, prune: bool, every: bool
) -> tuple[float, float]:
    """Nodes and milliseconds a position."""
    search = _native.OthelloMinimax(PRESETS["report"].in_hundredths(), prune)
    nodes, started = 0, time.process_time()
    for state in states:
        found = search.run(state, depth, 1e9, every)
        assert found is not None
        nodes += found["nodes"]
    spent = time.process_time() - started
    return nodes / len(states), 1000 * spent / len(states)


def table(states: list[_native.OthelloState], deepest: int) -> None:
    print("| depth | minimax nodes | ms | alpha-beta nodes | ms | nodes | time | every move ms |")
    print("|---|---|---|---|---|---|---|---|")
    for depth in range(1, deepest + 1):
        some = states if depth <= 5 else states[: max(1, len(states) // 10 ** (depth - 5))]
        plain_nodes, plain_ms = measure(some, depth, False, False)
        nodes, ms = measure(some, depth, True, False)
        _, every_ms = measure(some, depth, True, True)
        print(
            f"| {depth} | {plain_nodes:,.0f} | {plain_ms:.3f} | {nodes:,.0f} | {ms:.3f} "
            f"| 1/{plain_nodes / nodes:.1f} | 1/{plain_ms / ms:.1f} | {every_ms:.3f} |",
            flush=True,
        )


def games(count: int) -> None:
    report, textbook = (PRESETS[name].in_hundredths() for name in ("report", "textbook"))
    openings = positions(count, 6, 6, 2)
    started, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(2) as pool:
        scores = list(
            pool.map(lambda s: _native.play_weights_game(s, report, textbook, 3), openings)
        )
    wall, cpu = time.perf_counter() - started, time.process_time() - cpu
    won = sum(score > 0 for score, _ in scores)
    print(
        f"{count} games of depth 3, report (black) against textbook: {count / wall:,.0f} games/s "
        f"in two threads, {count / cpu:,.0f} a CPU second; {won} won"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--deepest", type=int, default=7)
    parser.add_argument("--games", type=int, default=2000)
    asked = parser.parse_args()
    table(positions(asked.positions, 10, 45, 1), asked.deepest)
    games(asked.games)


if __name__ == "__main__":
    main()
