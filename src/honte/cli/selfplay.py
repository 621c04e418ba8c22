"""``honte selfplay GAME``: positions with policies and values, for learners."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from honte.cli.match import OnOption
from honte.core.language import Message, tr


def selfplay(
    game: Annotated[str, typer.Argument(metavar="GAME", help=tr("A game spec."))],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help=tr("The folder to write."))
    ],
    games: Annotated[int, typer.Option("--games", min=1, help=tr("How many games."))] = 1000,
    player: Annotated[
        str, typer.Option("--player", metavar="SPEC", help=tr("Who plays against itself."))
    ] = "uct",
    iterations: Annotated[
        int | None, typer.Option("--iterations", help=tr("Simulations per move; default: 200."))
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help=tr("Per move."))] = None,
    opening_plies: Annotated[
        int,
        typer.Option(
            "--opening-plies", min=0, max=60, help=tr("Random moves at the start of each game.")
        ),
    ] = 2,
    sampled_plies: Annotated[
        int,
        typer.Option(
            "--sampled-plies",
            min=0,
            help=tr("Plies sampled by visits; after that, the best move."),
        ),
    ] = 12,
    temperature: Annotated[
        float,
        typer.Option("--temperature", min=0.05, max=20, help=tr("Temperature of sampled moves.")),
    ] = 1.0,
    per_file: Annotated[
        int, typer.Option("--per-file", min=1, max=100_000, help=tr("Games in a file."))
    ] = 250,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=2**31, help=tr("Determines the games."))
    ] = 1,
    workers: Annotated[
        int, typer.Option("--workers", min=0, max=10_000, help=tr("0: one per core."))
    ] = 0,
    on: OnOption = "local",
) -> None:
    """Play games of a player against itself and write the positions, with policy targets and
    values, as NumPy files. The same command goes on with a run that was stopped."""
    import honte
    from honte.arena.samples import load_samples
    from honte.arena.selfplay import Run, Settings
    from honte.cli.progress import Progress
    from honte.core import signals
    from honte.games.native import NativeGame

    rules = honte.game(game)
    if not isinstance(rules, NativeGame):
        raise ValueError(
            Message("{name} does not number its moves; self-play data needs that", name=rules.name)
        )
    honte.player(player, rules).close()
    settings = Settings(
        game, player, games, seed, seconds, iterations, opening_plies, sampled_plies, temperature,
        per_file,
    )  # fmt: skip
    with Progress() as bar:
        run = Run(output, settings, workers=workers, on=on)
        try:
            with signals.heard(run.stop, run.team.kill) as heard:
                run.play(lambda have: bar.tell(Message("games"), have, games))
        finally:
            run.close()
    if heard:
        typer.echo(
            tr(
                "stopped after {have:,} of {games:,} games; the same command goes on",
                have=run.have,
                games=games,
            )
        )
        raise typer.Exit(130)
    found = load_samples(output)
    typer.echo(
        tr(
            "{folder}: {positions:,} positions of {games:,} games",
            folder=output,
            positions=len(found),
            games=len(found.games),
        )
    )
