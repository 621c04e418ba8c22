"""The options by which commands are given a position."""

from __future__ import annotations

from typing import Annotated

import typer

import honte
from honte.games.contract import Game, State

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="A game spec, like connect4.")]
PositionOption = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help="Start from this position.")
]
MovesOption = Annotated[
    str | None, typer.Option("--moves", metavar="M,M", help="Moves to play first: 4455, f5d6.")
]


def read_position(spec: str, position: str | None, moves: str | None) -> tuple[Game, State]:
    """The game, and the state after the given position and moves."""
    game = honte.game(spec)
    state = game.from_text(position) if position is not None else game.start()
    for move in game.read_moves(moves, state) if moves else ():
        state = state.play(move)
    return game, state
