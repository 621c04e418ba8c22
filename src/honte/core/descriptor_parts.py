"""The small typed parts of a game's descriptor: sides, board style, levels, record formats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from honte.core.contract import Game, State

Ref = str
"""``"module:attribute"``, imported on first use."""
Cell = tuple[int, int]
"""Row and column, counted from 0 at the top left."""


@dataclass(frozen=True)
class Side:
    """One of the two players as shown to people."""

    name: str
    """In sentences: ``Black``, ``Red``."""
    symbol: str
    """On a text board: ``X``."""
    piece: str
    """Within a line of text: ``●``."""
    color: str
    """The fill in pictures, one of `COLORS`."""


COLORS = ("black", "white", "red", "yellow")
X_AND_O = Side("X", "X", "X", "red"), Side("O", "O", "O", "yellow")
BLACK_AND_WHITE = Side("Black", "X", "●", "black"), Side("White", "O", "○", "white")


@dataclass(frozen=True)
class BoardStyle:
    """How a board is drawn, and which cell a move is on."""

    shape: Literal["cells", "points", "columns"] = "cells"
    """Pieces go in cells, on intersections, or drop into columns."""
    columns: str = ""
    """Column labels from the left, one character each; "" for none."""
    rows: Literal["", "down", "up"] = ""
    """Row numbers: from 1 at the top (``down``), from 1 at the bottom (``up``), or none."""
    cell: Callable[[State, int], Cell | None] | None = None
    """The cell on which a legal move puts its piece; None for a pass. By default a move is
    ``row · cols + col``, and any larger number is a pass."""
    move: Callable[[Game, Cell], int] | None = None
    """The move at a cell, legal or not; by default ``row · cols + col``."""
    last_cell: Callable[[State], Cell | None] | None = None
    """The cell of the last move, where the move number does not determine it."""
    winning_lines: Callable[[State], list[tuple[Cell, ...]]] | None = None
    stars: Callable[[int], list[Cell]] | None = None
    """Star points of a board of this size."""
    forbidden: Callable[[State], list[Cell]] | None = None
    """Empty cells that are illegal for a reason the board does not show, such as ko."""
    shows_legal: bool = False
    """Mark the legal moves, because they are hard to see."""


@dataclass(frozen=True)
class NetworkLevels:
    """A second strength dial, for boards that a network knows: its policy alone, then search.

    It sets the strength of the levels it covers; see honte.arena.calibrate_network.
    """

    plays: Ref
    """``plays(game)``: whether the network knows the board."""
    top: int
    """Iterations of level 100: about half a second a move."""
    hottest: float = 0.0
    """Temperature of the policy at the low end; 0: only searches."""
    choices: int | None = None
    """Draw from this many likeliest moves, so that a larger board adds no worse ones."""
    engine: str = "uct:net=learned"
    kept: int = 90
    """Levels up to this one match the other dial's; equal steps lead from there to level 100."""


@dataclass(frozen=True)
class Levels:
    """The strength dial of a game's calibrated levels, from 0 (random) to 1 (level 100)."""

    game: str
    """The spec of the game on which the levels are measured."""
    low: int
    """Iterations of the small search that is mixed with random moves."""
    top: int
    """Iterations of level 100: about half a second a move."""
    bend: float = 0.4
    """Below this setting the share of random moves shrinks; above it the search grows."""
    engine: str = "best"
    distances: tuple[int, ...] = (2, 3)
    """Calibration pairs players this many steps apart on the dial."""
    anchor: tuple[int, int] | None = None
    """(iterations, kyu): a search of this many iterations has this rank, in games with ranks."""
    network: NetworkLevels | None = None


@dataclass(frozen=True)
class RecordFormat:
    """A file format for game records."""

    suffix: str
    """Lower case, with the dot."""
    loads: Ref
    """``loads(data: bytes)`` returns the records of a file."""
    begins: Callable[[bytes], bool] | None = None
    """Detects the format from the first bytes of a file with another suffix."""
    dumps: Ref | None = None
    """``dumps(records)`` returns the text of a file."""
    result: Ref | None = None
    """``result(winner, score, reason)`` returns the result as the format writes it; winner is 1,
    0 or −1 for the first mover, score the final score or None."""
    variations: bool = False
    """Holds variations, comments and marks: `Record.tree`."""
    binary: bool = False
    """Not text: recognised by suffix only, with no length limit."""
