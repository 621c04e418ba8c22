"""The rows of ``honte bench``; each game's descriptor lists its own."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from honte.core.games import game as make_game
from honte.core.request import Limit

Work = Callable[[int], int]
"""Do about this many units of work; return how many were done."""


class Benchmark(NamedTuple):
    """One row of the table."""

    name: str
    """``GAME.what`` or ``uct.GAME``."""
    unit: str
    make: Callable[[], Work]


def playouts(name: str, spec: str, unit: str = "random games") -> Benchmark:
    """Playouts with uniformly random moves."""
    return Benchmark(name, unit, lambda: _playouts(spec))


def heavy_playouts(name: str, spec: str, unit: str = "games by policies") -> Benchmark:
    """Playouts with the default playout policies."""
    return Benchmark(name, unit, lambda: _heavy_playouts(spec))


def uct(name: str, spec: str, iterations: int, unit: str = "iterations") -> Benchmark:
    """UCT iterations from the start position and an empty tree.

    Plain UCB1 with c = 0.8 and uniform playouts, no forced moves and no solver.
    """
    return Benchmark(name, unit, lambda: _uct(spec, iterations))


def python_games(name: str, spec: str) -> Benchmark:
    """Plies of random games driven from Python, move by move."""
    return Benchmark(name, "plies from Python", lambda: _python_games(spec))


def _playouts(spec: str) -> Work:
    state: Any = make_game(spec).start()

    def work(count: int) -> int:
        state.playouts(count, 1)
        return count

    return work


def _heavy_playouts(spec: str) -> Work:
    from honte.search.uct_settings import default_playout

    game = make_game(spec)
    state: Any = game.start()
    policy = default_playout(game)

    def work(count: int) -> int:
        state.playouts(count, 1, policy)
        return count

    return work


def _uct(spec: str, iterations: int) -> Work:
    from honte.search.uct import Uct

    game = make_game(spec)

    def work(count: int) -> int:
        uct = Uct(
            game,
            c=0.8,
            playout="uniform",
            priors=0,
            rave="no",
            forced=False,
            solver=False,
            memory_mb=1024,
        )
        return uct.search(game.start(), Limit(iterations=iterations)).iterations

    return work


def _python_games(spec: str) -> Work:
    game = make_game(spec)
    draw = random.Random(1).random

    def work(count: int) -> int:
        plies = 0
        while plies < count:
            state = game.start()
            while not state.is_over:
                moves = state.legal_moves()
                state = state.play(moves[int(draw() * len(moves))])
                plies += 1
        return plies

    return work
