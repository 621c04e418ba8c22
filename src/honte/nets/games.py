"""What training asks of a game: its rules in JAX, for batches of positions."""

from __future__ import annotations

import importlib
from typing import Any, Protocol

from jax import Array

from honte.core.language import Message
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

    # Games with the heads "score" and "ownership" say these too, of positions that are over.
    # lead: points that the side to move is ahead, [batch]
    # ownership: +1, 0, −1 of each cell, for the side to move, [batch, cells]


class ArrayGame(Protocol):
    """A game as arrays; `honte/games/NAME/jax_rules.py` offers one."""

    name: str
    canvas: int
    """Rows and columns of the planes; smaller boards leave the rest of it empty."""
    planes: int
    actions: int
    heads: tuple[str, ...]
    """What networks say beyond policy and outcome: "pass", the last action, which has no cell;
    "score", the final lead; "ownership" of each cell at the end."""
    considered: int
    """Moves that a search compares at its root."""
    most_plies: int
    """A game is over then."""
    symmetries: int

    def openings(self, key: Array, batch: int, most_plies: int = ...) -> Position:
        """Positions to start games from."""

    def read(self, position: Position) -> Any: ...

    def advance(self, position: Position, action: Array) -> tuple[Position, Array]:
        """Play, and play on where there is one candidate; +1 where the mover moves again."""

    def split(self, position: Position) -> tuple[Position, Any]:
        """What each node of a search tree keeps, and what all nodes share with the root."""

    def join(self, node: Position, shared: Any) -> Position: ...

    def sample(self, position: Position) -> Position:
        """The part of a position that `read` and `observe` need."""

    def plies(self, position: Position) -> Array: ...

    def first_to_move(self, position: Position) -> Array: ...

    def observe(self, position: Position, read: Any) -> Array:
        """Planes [batch, canvas, canvas, planes] of 0 and 1; plane 0 marks the board."""

    def policy(self, cells: Array, observed: Array) -> Array:
        """Logits of moves from logits of cells."""

    def transform(self, position: Position, symmetry: Array) -> Position:
        """Samples turned or mirrored, each by its own symmetry, [batch] from 0 on."""

    def transform_moves(self, moves: Array, symmetry: Array) -> Array: ...

    def transform_cells(self, cells: Array, symmetry: Array) -> Array: ...


def find(spec: str) -> ArrayGame:
    """The arrays of a game by its name, with options for training: ``NAME[:key=value,...]``."""
    name, settings = split(spec)
    module = f"honte.games.{name}.jax_rules"
    try:
        rules = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in (module, f"honte.games.{name}"):
            raise
        raise ValueError(Message("no rules in JAX for {name!r}", name=name)) from None
    game: ArrayGame = rules.ARRAYS(settings)
    return game
