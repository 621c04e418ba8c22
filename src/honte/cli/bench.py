"""``honte bench``: how fast the games run on this machine, in work per CPU second."""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Annotated, Any

import typer

import honte

Work = Callable[[int], int]
"""Do about this many units of work; return how many were done."""


def _playouts(spec: str) -> Work:
    state: Any = honte.game(spec).start()

    def work(count: int) -> int:
        state.playouts(count, 1)
        return count

    return work


def _heavy_playouts(spec: str) -> Work:
    """By the policies that the search plays out with."""
    from honte.search.uct import DEFAULTS, read_playout

    game = honte.game(spec)
    state: Any = game.start()
    policy = read_playout(game, str(DEFAULTS[game.name]["playout"]))

    def work(count: int) -> int:
        state.playouts(count, 1, policy)
        return count

    return work


def _othello_perft(bulk: bool) -> Work:
    state: Any = honte.game("othello").start()

    def work(count: int) -> int:
        done = 0
        while done < count:
            done += state.leaves(9, False, bulk)
        return done

    return work


def _python_games(spec: str) -> Work:
    """Plies of random games driven from Python, move by move."""
    game = honte.game(spec)
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


def _uct(spec: str, iterations: int) -> Work:
    """Iterations of a search of the first move, from an empty tree each time.

    Plain UCB1 with c = 0.8 and uniform playouts, no forced moves and no solver. In Connect
    Four the tree grows to more than a million nodes.
    """
    from honte.search.uct import Uct

    game = honte.game(spec)

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
        return uct.search(game.start(), honte.Limit(iterations=iterations)).iterations

    return work


BENCHMARKS: dict[str, tuple[str, Callable[[], Work]]] = {
    "connect4.playouts_7x6": ("random games", lambda: _playouts("connect4")),
    "connect4.playouts_12x12": (
        "random games, one cell blocked",
        lambda: _playouts("connect4:rows=12,cols=12,blocked=5/6"),
    ),
    "othello.perft_nodes": ("nodes, every move made", lambda: _othello_perft(bulk=False)),
    "othello.perft_leaves": ("leaves, the last ply counted", lambda: _othello_perft(bulk=True)),
    "othello.playouts": ("random games", lambda: _playouts("othello")),
    "go.playouts_9x9": ("random games, no eye filled", lambda: _playouts("go:size=9")),
    "go.playouts_13x13": ("random games, no eye filled", lambda: _playouts("go:size=13")),
    "go.playouts_19x19": ("random games, no eye filled", lambda: _playouts("go:size=19")),
    "go.heavy_9x9": ("games by policies", lambda: _heavy_playouts("go:size=9")),
    "go.heavy_19x19": ("games by policies", lambda: _heavy_playouts("go:size=19")),
    "uct.connect4_7x6": ("iterations", lambda: _uct("connect4", 1_000_000)),
    "uct.connect4_12x12": (
        "iterations, one cell blocked",
        lambda: _uct("connect4:rows=12,cols=12,blocked=5/6", 1_000_000),
    ),
    "uct.othello": ("iterations", lambda: _uct("othello", 100_000)),
    "uct.go_9x9": ("iterations", lambda: _uct("go:size=9", 40_000)),
    "python.random_games_connect4": ("plies from Python", lambda: _python_games("connect4")),
    "python.random_games_othello": ("plies from Python", lambda: _python_games("othello")),
    "python.random_games_go": ("plies from Python", lambda: _python_games("go")),
}


def measure(work: Work, seconds: float = 0.25, repeats: int = 5) -> float:
    """The median rate of some repeats, each about this long, by CPU time."""
    count, spent = 1, 0.0
    while spent < seconds / 4:  # find how much work that is; this also warms up
        count *= 2
        started = time.process_time()
        count = work(count)
        spent = time.process_time() - started
    count = max(1, int(count * seconds / spent))
    rates = []
    for _ in range(repeats):
        started = time.process_time()
        done = work(count)
        rates.append(done / (time.process_time() - started))
    return statistics.median(rates)


def choose(names: list[str]) -> list[str]:
    """The benchmarks of these names; a name may be the first part, like ``go``."""
    chosen = [key for key in BENCHMARKS if not names or any(_matches(key, n) for n in names)]
    for name in names:
        if not any(_matches(key, name) for key in BENCHMARKS):
            raise ValueError(f"there is no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    return chosen


def _matches(key: str, name: str) -> bool:
    return key == name or key.startswith(name + ".")


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help="Which; all by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    signature: Annotated[
        bool, typer.Option("--signature", help="One number that no refactoring may move.")
    ] = False,
) -> None:
    """Measure work per CPU second on one thread: the median of five runs each."""
    if signature:
        from honte._native import signature as native_signature

        typer.echo(str(native_signature()))
        return
    rates: dict[str, float] = {}
    for name in choose(names or []):
        unit, make = BENCHMARKS[name]
        rates[name] = measure(make())
        if not as_json:
            typer.echo(f"{name:<30} {rates[name]:>14,.0f} /s  {unit}")
    if as_json:
        typer.echo(json.dumps(rates))
