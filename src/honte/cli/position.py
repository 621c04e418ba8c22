"""Options of commands that take a position."""

from __future__ import annotations

from typing import Annotated

import typer

import honte
from honte.core.contract import Game, State
from honte.core.language import tr
from honte.games import DEFAULT

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help=tr("A game spec, like {default}.", default=DEFAULT))
]
PositionOption = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help=tr("Start from this position."))
]
MovesOption = Annotated[
    str | None, typer.Option("--moves", metavar="M,M", help=tr("Moves to play first: 4455, f5d6."))
]


def read_position(spec: str, position: str | None, moves: str | None) -> tuple[Game, State]:
    """The game, and the state after the given position and moves."""
    game = honte.game(spec)
    state = game.from_text(position) if position is not None else game.start()
    for move in game.read_moves(moves, state) if moves else ():
        state = state.play(move)
    return game, state
