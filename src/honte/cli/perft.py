"""``honte perft GAME DEPTH``: count move sequences."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Annotated

import typer

from honte.cli.position import GameArgument, MovesOption, PositionOption, read_position
from honte.cli.progress import Progress
from honte.core.language import Message, tr


def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(min=0, max=60, help=tr("Plies to look ahead."))],
    position: PositionOption = None,
    moves: MovesOption = None,
    pass_free: Annotated[
        bool, typer.Option("--pass-free", help=tr("Do not count forced passes as plies."))
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help=tr("One JSON object."))] = False,
) -> None:
    """Count the move sequences of each length up to DEPTH, to check the rules."""
    from honte.games.perft import perft as count

    rules, state = read_position(game, position, moves)
    if pass_free and not rules.descriptor.forced_pass:
        raise ValueError(
            Message("--pass-free is for forced passes; {name} has none", name=rules.name)
        )
    found = 0
    started = time.perf_counter()
    for ply in range(depth if as_json else 0, depth + 1):
        with Progress() as progress:
            found = count(
                state, ply, pass_free, counting(progress, tr("depth {ply}, leaves", ply=ply))
            )
        if not as_json:
            typer.echo(f"{ply:>3} {found}")
    if as_json:
        seconds = round(time.perf_counter() - started, 6)
        typer.echo(
            json.dumps({"game": rules.spec, "depth": depth, "count": found, "seconds": seconds})
        )


def counting(progress: Progress, stage: str) -> Callable[[int], None]:
    """A callback that adds counts to the progress bar."""
    total = 0

    def add(count: int) -> None:
        nonlocal total
        total += count
        progress.tell(stage, total)

    return add
