"""``honte bench``: how fast the games run on this machine, in work per CPU second."""

from __future__ import annotations

import json
import statistics
import time
from functools import cache
from typing import Annotated

import typer

from honte.core.descriptor import load
from honte.core.games import game as make_game
from honte.core.games import names as game_names
from honte.core.language import Message, tr
from honte.search.benchmarks import Benchmark, Work, python_games

SHARED = ("uct", "python")
"""Name prefixes that are listed last."""


@cache
def benchmarks() -> dict[str, Benchmark]:
    """All rows by name: per-game rows, then searches, then Python-driven games."""
    rows: list[Benchmark] = []
    for name in game_names():
        if own := make_game(name).descriptor.benchmarks:
            rows += load(own)
    rows += [python_games(f"python.random_games_{name}", name) for name in game_names()]

    def group(row: Benchmark) -> int:
        first = row.name.partition(".")[0]
        return SHARED.index(first) + 1 if first in SHARED else 0

    return {row.name: row for row in sorted(rows, key=group)}


def measure(work: Work, seconds: float = 0.25, repeats: int = 5) -> float:
    """The median rate per CPU second over several runs of about this length."""
    count, spent = 1, 0.0
    while spent < seconds / 4:  # calibrate the amount of work, and warm up
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
    """Select benchmarks by name or prefix, like ``uct``."""
    known = benchmarks()
    chosen = [key for key in known if not names or any(_matches(key, n) for n in names)]
    for name in names:
        if not any(_matches(key, name) for key in known):
            raise ValueError(
                Message(
                    "there is no benchmark {name!r}; there are {known}",
                    name=name,
                    known=", ".join(known),
                )
            )
    return chosen


def _matches(key: str, name: str) -> bool:
    return key == name or key.startswith(name + ".")


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME...]", help=tr("Which benchmarks; default: all.")),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=tr("One JSON object."))] = False,
    signature: Annotated[
        bool, typer.Option("--signature", help=tr("Print one number over all move decisions."))
    ] = False,
    rules: Annotated[
        bool,
        typer.Option("--rules", help=tr("The signature of the native rules and UCT only.")),
    ] = False,
) -> None:
    """Measure work per CPU second on one thread: the median of five runs each."""
    if signature:
        from honte.games import BUILTIN
        from honte.search.signature import parts, total

        typer.echo(str(total(parts(BUILTIN))))
        return
    if rules:
        from honte._native import signature as native_signature

        typer.echo(str(native_signature()))
        return
    rates: dict[str, float] = {}
    for name in choose(names or []):
        row = benchmarks()[name]
        rates[name] = measure(row.make())
        if not as_json:
            typer.echo(f"{name:<30} {rates[name]:>14,.0f} /s  {row.unit}")
    if as_json:
        typer.echo(json.dumps(rates))
