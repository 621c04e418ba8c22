"""What training asks of a game: its rules in JAX, for batches of positions."""

from __future__ import annotations

import importlib
from typing import Any, Protocol

from jax import Array

from honte.core.spec import split

Position = Any
"""A tree of arrays whose first axis is the batch."""


class Read(Protocol):
    """What the rules alone say about positions."""

    @property
    def candidates(self) -> Array:
        """Moves to search, [batch, actions]."""

    @property
    def over(self) -> Array:
        """Decided: [batch]."""

    @property
    def value(self) -> Array:
        """+1, 0, −1 for the side to move where it is decided."""


class ArrayGame(Protocol):
    """A game as arrays; `honte/games/NAME/jax_rules.py` offers one."""

    name: str
    canvas: int
    """Rows and columns of the planes; smaller boards leave the rest of it empty."""
    planes: int
    actions: int

    def openings(self, key: Array, batch: int, most_plies: int = ...) -> Position:
        """Positions to start games from."""

    def read(self, position: Position) -> Any: ...

    def advance(self, position: Position, action: Array) -> tuple[Position, Array]:
        """Play, and play on where there is one candidate; +1 where the mover moves again."""

    def plies(self, position: Position) -> Array: ...

    def first_to_move(self, position: Position) -> Array: ...

    def observe(self, position: Position, read: Any) -> Array:
        """Planes [batch, canvas, canvas, planes] of 0 and 1; plane 0 marks the board."""

    def policy(self, cells: Array, observed: Array) -> Array:
        """Logits of moves from logits of cells."""

    def mirror(self, position: Position) -> Position: ...

    def mirror_moves(self, moves: Array) -> Array: ...


def find(spec: str) -> ArrayGame:
    """The arrays of a game by its name, with options for training: ``NAME[:key=value,...]``."""
    name, settings = split(spec)
    module = f"honte.games.{name}.jax_rules"
    try:
        rules = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in (module, f"honte.games.{name}"):
            raise
        raise ValueError(f"no rules in JAX for {name!r}") from None
    game: ArrayGame = rules.ARRAYS(settings)
    return game
