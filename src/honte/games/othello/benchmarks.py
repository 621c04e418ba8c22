"""The rows of ``honte bench`` for Othello."""

from __future__ import annotations

from typing import Any

from honte.core.games import game as make_game
from honte.search.benchmarks import Benchmark, Work, playouts, uct


def perft(bulk: bool) -> Work:
    state: Any = make_game("othello").start()

    def work(count: int) -> int:
        done = 0
        while done < count:
            done += state.leaves(9, False, bulk)
        return done

    return work


BENCHMARKS = (
    Benchmark("othello.perft_nodes", "nodes, every move made", lambda: perft(bulk=False)),
    Benchmark("othello.perft_leaves", "leaves, the last ply counted", lambda: perft(bulk=True)),
    playouts("othello.playouts", "othello"),
    uct("uct.othello", "othello", 100_000),
)
