"""What network training on CPU cores needs from Connect Four."""

from __future__ import annotations

import numpy as np

from honte import _native
from honte.core.contract import Game, State
from honte.core.language import Message
from honte.games.connect4.planes import PLANES as PLANES
from honte.games.connect4.planes import Planes

MOVES = 16
"""The maximum number of moves in a position."""
LARGEST_DRAWN = (12, 12)
"""Columns and rows of the largest board that a spec may draw."""


def check(game: Game) -> None:
    """Refuse a board that networks do not support."""
    if game.inarow != 4:  # type: ignore[attr-defined]
        raise ValueError(Message("networks know four in a row alone; leave inarow out"))


def canvas(game: Game, drawn: bool) -> tuple[int, int]:
    """Columns and rows that hold every board of the spec."""
    return LARGEST_DRAWN if drawn else (game.cols, game.rows)  # type: ignore[attr-defined]


def observe(state: State) -> Planes:
    """The input planes [columns, rows, planes] of a position."""
    rules = state.game
    planes = _native.connect4_planes(state)  # type: ignore[arg-type]
    shape = rules.cols, rules.rows, len(PLANES)  # type: ignore[attr-defined]
    return np.frombuffer(planes, np.uint8).reshape(shape)


def cell(state: State, move: int) -> tuple[int, int]:
    """Column and row (from the bottom) of the cell that carries a move's logit."""
    rows: int = state.game.rows  # type: ignore[attr-defined]
    return move, rows - 1 - state.landing_row(move)  # type: ignore[attr-defined]


def on_accelerator(game: Game, drawn: bool) -> str:
    """The spec of the JAX rules that covers the boards of a game's spec."""
    if drawn:
        return game.name
    if game.blocked:  # type: ignore[attr-defined]
        raise ValueError(
            Message(
                "an accelerator trains boards of one shape without blocked cells, or `course`; "
                "use --device cpu"
            )
        )
    return f"{game.name}:rows={game.rows},cols={game.cols}"  # type: ignore[attr-defined]
