"""What training needs from a game: its rules in JAX, for batches of positions."""

from __future__ import annotations

import importlib
from typing import Any, Protocol

from jax import Array

from honte.core.language import Message
from honte.core.spec import split

Position = Any
"""A tree of arrays whose first axis is the batch."""


class Read(Protocol):
    """The status of positions under the rules, without a network."""

    @property
    def candidates(self) -> Array:
        """Moves to search, [batch, actions]."""

    @property
    def over(self) -> Array:
        """Whether the result is decided, [batch]."""

    @property
    def value(self) -> Array:
        """The result for the side to move where it is decided: +1, 0, −1."""

    # Games with the heads "score" and "ownership" also have these, for positions that are over:
    # lead: lead of the side to move in points, [batch]
    # ownership: owner of each cell for the side to move, +1, 0, −1, [batch, cells]


class ArrayGame(Protocol):
    """A game as arrays; `honte/games/NAME/jax_rules.py` offers one."""

    name: str
    canvas: int
    """Rows and columns of the planes; smaller boards leave the rest of it empty."""
    planes: int
    actions: int
    heads: tuple[str, ...]
    """Network outputs beyond policy and outcome: "pass", the last action, which has no cell;
    "score", the final lead; "ownership" of each cell at the end."""
    considered: int
    """Number of moves that a search considers at its root."""
    most_plies: int
    """Maximum length of a game."""
    symmetries: int

    def openings(self, key: Array, batch: int, most_plies: int = ...) -> Position:
        """Positions to start games from."""

    def read(self, position: Position) -> Any: ...

    def advance(self, position: Position, action: Array) -> tuple[Position, Array]:
        """Play an action, and perhaps forced moves after it; +1 where the mover moves again."""

    def split(self, position: Position) -> tuple[Position, Any]:
        """Split off what each tree node keeps from what all nodes share with the root."""

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
        """Transform each sample by its own symmetry, [batch], numbered from 0."""

    def transform_moves(self, moves: Array, symmetry: Array) -> Array: ...

    def transform_cells(self, cells: Array, symmetry: Array) -> Array: ...


def find(spec: str) -> ArrayGame:
    """The `ArrayGame` of a spec with options for training: ``NAME[:key=value,...]``."""
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
