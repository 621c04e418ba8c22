"""``honte book GAME``: build an opening book."""

from __future__ import annotations

from typing import Annotated

import typer

from honte.cli.builder import OutputOption, build
from honte.core.language import tr
from honte.games import DEFAULT


def book(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="[GAME]", help=tr("A game spec."))] = DEFAULT,
    output: OutputOption = None,
) -> None:
    """Build the opening book of a game. Resumes a run that was stopped.

    `honte book GAME --help` lists the options of a game.
    """
    build("book", game, output, context.obj)
