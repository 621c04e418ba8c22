"""Speed of the Connect Four solver: known positions, random ones by stones, the empty board.

    python benchmarks/connect4_solver.py FILE...           mean ms a position, every value checked
    python benchmarks/connect4_solver.py --curve 40        random positions of 6 to 14 stones
    python benchmarks/connect4_solver.py --empty           7×6 from the start, no book
    python benchmarks/connect4_solver.py --perfect 12      is `best` right within 1 s? 1–14 stones

CPU time of one thread; the table is cleared before every position. A call from Python takes some
microseconds, noticeable on the easiest files: benchmarks/connect4_solver.cpp avoids them.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

import honte
from honte.core.contract import State
from honte.games.connect4 import columns
from honte.search.solver import Solved, Solver, solver_of

GAME = honte.game("connect4")


def timed(solver: Solver, state: State) -> tuple[float, Solved]:
    """CPU seconds of a score and a best move, from an empty table."""
    solver.forget()
    began = time.process_time()
    solved = solver.solve(state, line=False)
    return time.process_time() - began, solved


def files(paths: list[str]) -> None:
    solver = solver_of(GAME, memory_mb=256)
    for path in paths:
        problems = columns.load(GAME, path)
        runs = []
        for _ in range(5):
            found = [timed(solver, state) for state, _ in problems]
            runs.append(sum(seconds for seconds, _ in found))
        wrong = sum(
            solved.score != value
            for (_, solved), (_, value) in zip(found, problems, strict=True)
            if value is not None
        )
        mean = 1000 * min(runs) / len(problems)
        nodes = sum(solved.nodes for _, solved in found) / len(problems)
        print(
            f"{path}: {len(problems)} positions, {wrong} wrong, {mean:.4f} ms, {nodes:,.0f} nodes"
        )


def random_position(rng: random.Random, stones: int) -> State:
    """A position of uniformly random moves in which the game is not over."""
    while True:
        state: State = GAME.start()
        for _ in range(stones):
            if state.is_over:
                break
            state = state.play(rng.choice(state.legal_moves()))
        if not state.is_over:
            return state


def curve(count: int, least: int, seed: int) -> None:
    solver = solver_of(GAME, memory_mb=256)
    rng = random.Random(seed)
    print(f"{'stones':>6} {'mean ms':>9} {'median':>9} {'most':>9} {'nodes':>12}")
    for stones in range(14, least - 1, -1):
        found = [timed(solver, random_position(rng, stones)) for _ in range(count)]
        times = [1000 * seconds for seconds, _ in found]
        nodes = statistics.mean(solved.nodes for _, solved in found)
        print(
            f"{stones:>6} {statistics.mean(times):>9.1f} {statistics.median(times):>9.1f}"
            f" {max(times):>9.1f} {nodes:>12,.0f}",
            flush=True,
        )


def empty() -> None:
    seconds, solved = timed(solver_of(GAME, memory_mb=256), GAME.start())
    move = GAME.format(solved.moves[0].move)
    print(f"score {solved.score}, move {move}: {seconds:.1f} CPU s, {solved.nodes:,} nodes")


def perfect(count: int, seed: int) -> None:
    """Whether the moves of `best` preserve the result, from random positions, by the solver."""
    best = honte.player("best", GAME)
    judge = solver_of(GAME, memory_mb=512)
    rng = random.Random(seed)

    def value(state: State) -> int:
        if state.is_over:
            return 0 if state.winner is None else -1
        solved = judge.solve(state, wld=True, line=False)
        return (solved.low > 0) - (solved.high < 0)

    print(f"{'stones':>6} {'right':>7} {'proved':>7} {'most s':>7} {'mean s':>7}   (of {count})")
    for stones in range(1, 15):
        right = proved = 0
        times = []
        for _ in range(count):
            state = random_position(rng, stones)
            began = time.process_time()
            report = best.choose(state, honte.Limit(seconds=1))
            times.append(time.process_time() - began)
            proved += report.proven is not None
            right += -value(state.play(report.move)) == value(state)
        mean = statistics.mean(times)
        print(f"{stones:>6} {right:>7} {proved:>7} {max(times):>7.2f} {mean:>7.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--curve", type=int, metavar="COUNT")
    parser.add_argument("--least", type=int, default=6, help="the fewest stones of the curve")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--empty", action="store_true")
    parser.add_argument("--perfect", type=int, metavar="COUNT")
    options = parser.parse_args()
    files(options.files)
    if options.curve:
        curve(options.curve, options.least, options.seed)
    if options.empty:
        empty()
    if options.perfect:
        perfect(options.perfect, options.seed)


if __name__ == "__main__":
    main()
