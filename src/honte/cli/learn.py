"""``honte learn GAME``: train the weights of an evaluation or of a policy."""

from __future__ import annotations

import typer

from honte.cli.builder import OutputOption, build
from honte.cli.position import GameArgument


def learn(context: typer.Context, game: GameArgument, output: OutputOption = None) -> None:
    """Train evaluation or policy weights from games. Resumes a run that was stopped.

    `honte learn GAME --help` lists the options of a game; `honte learn net GAME` trains a network.
    """
    build("learn", game, output, context.obj)
