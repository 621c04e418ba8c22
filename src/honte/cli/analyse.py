"""``honte analyse``: positions in, reports out, as lines of JSON."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from honte.cli.serving import PlayerOption
from honte.core.language import tr


def analyse(
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="SPEC", help=tr("The game of queries that name none.")),
    ] = None,
    player: PlayerOption = "best",
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", min=1, max=256, help=tr("Positions searched at once; default: the cores.")
        ),
    ] = None,
    wait: Annotated[
        bool,
        typer.Option(
            "--wait/--no-wait",
            help=tr("At the end of the input, finish the queries that are left."),
        ),
    ] = True,
) -> None:
    """Analyse positions for other programs: queries as lines of JSON on standard input, many at
    once, and reports on standard output."""
    from honte.protocols.json_engine import serve

    serve(workers or os.cpu_count() or 1, game, player, wait=wait)
