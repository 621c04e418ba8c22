"""The Othello engine in figures.

    python benchmarks/othello_engine.py depth        time to each depth, median over 50 positions
    python benchmarks/othello_engine.py error WTHOR  the learned evaluation beside the report's

Times are CPU seconds on one thread, with an empty table at each position.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from itertools import islice
from pathlib import Path

import honte
from honte.core.request import Limit
from honte.games.othello.alphabeta import AlphaBeta
from honte.games.othello.patterns import EXACT, Patterns

GAME = honte.game("othello")


def midgame(seed: int, plies: int) -> honte.State:
    """A position after `plies` random plies, in which the side to move has a choice."""
    rng = random.Random(seed)
    while True:
        state = GAME.start()
        for _ in range(plies):
            if state.is_over:
                break
            state = state.play(rng.choice(state.legal_moves()))
        if not state.is_over and len(state.legal_moves()) > 1:
            return state


def depth() -> None:
    states = [midgame(seed, 8 + seed % 25) for seed in range(50)]
    print("| depth | `best` (leaves out what it is sure of) | nothing left out |")
    print("|---|---|---|")
    for plies in (4, 6, 8, 10, 12, 14):
        row = []
        for level in (1, EXACT):
            if level == EXACT and plies > 12:
                row.append("–")
                continue
            times = []
            for state in states:
                search = Patterns(GAME, selectivity=level, book=False)
                began = time.process_time()
                search.search(state, Limit(depth=plies))
                times.append(time.process_time() - began)
            times.sort()
            row.append(f"{1000 * statistics.median(times):.1f} ms (90 %: {1000 * times[45]:.1f})")
        print(f"| {plies} | {row[0]} | {row[1]} |", flush=True)


def error(folder: Path) -> None:
    """Mean absolute error in discs at depth 1, on games that were not learned from.

    The weights have no unit, so each phase is scaled by the one factor that fits it best.
    """
    from honte.games.othello import learning as othello

    weights = AlphaBeta(GAME, depth=1)
    learned = Patterns(GAME, selectivity=EXACT, book=False)
    every = othello.Settings().held_out_every
    phases: dict[int, list[tuple[float, float, float]]] = {}
    before = 0
    for source in othello.read_games(folder):
        held_out = (n for n in range(len(source)) if (before + n + 1) % every == 0)
        before += len(source)
        for number in islice(held_out, 0, None, 40):
            state = GAME.start()
            result = int.from_bytes(source.results[number : number + 1], signed=True)
            for move in source.moves[60 * number : 60 * number + 60]:
                if move == othello.NO_MOVE or state.is_over:
                    break
                if state.legal_moves() == [64]:
                    state = state.play(64)
                discs = 64 - state.to_text().count("-")
                sign = 1 if state.to_move == 0 else -1
                found = learned.search(state, Limit(depth=1)).candidates[0].score or 0.0
                pair = (sign * result, weights.evaluate(state), found)
                phases.setdefault((discs - 4) // 10, []).append(pair)
                state = state.play(move)
    print("| discs | positions | the ten weights | learned |")
    print("|---|---|---|---|")
    for phase, rows in sorted(phases.items()):
        square = sum(value * value for _, value, _ in rows) or 1.0
        factor = sum(result * value for result, value, _ in rows) / square
        plain = statistics.fmean(abs(result - factor * value) for result, value, _ in rows)
        ours = statistics.fmean(abs(result - found) for result, _, found in rows)
        first = 4 + 10 * phase
        print(f"| {first}–{min(first + 9, 63)} | {len(rows):,} | {plain:.1f} | {ours:.1f} |")


if __name__ == "__main__":
    what = sys.argv[1:2]
    if what == ["depth"]:
        depth()
    elif what == ["error"] and len(sys.argv) == 3:
        error(Path(sys.argv[2]))
    else:
        sys.exit(__doc__)
