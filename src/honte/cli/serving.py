"""Options of the commands that serve our players to other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from honte.core.language import tr

GameOption = Annotated[str, typer.Option("--game", metavar="SPEC", help=tr("A game spec."))]
PlayerOption = Annotated[str, typer.Option("--player", metavar="SPEC", help=tr("The player."))]
SecondsOption = Annotated[
    float | None,
    typer.Option(
        "--seconds",
        min=0.01,
        max=86400,
        help=tr("Seconds per move if the controller sets none; default: the player's limit, or 1."),
    ),
]
