"""The options of the commands that make us somebody else's engine."""

from __future__ import annotations

from typing import Annotated

import typer

GameOption = Annotated[str, typer.Option("--game", metavar="SPEC", help="A game spec.")]
PlayerOption = Annotated[str, typer.Option("--player", metavar="SPEC", help="Who decides.")]
SecondsOption = Annotated[
    float | None,
    typer.Option(
        "--seconds",
        min=0.01,
        max=86400,
        help="Time for a move where the controller tells none; 1, or the player's own.",
    ),
]
