"""Scoring by agreement: people settle which pieces are dead, then the position is counted.

`state.score` remains the score by the rules. A game whose players agree on the result names a
`Scoring` in its descriptor, which the page and the terminal use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from honte.core.descriptor import load
from honte.core.report import Report

if TYPE_CHECKING:
    from honte.core.contract import State


class Line(NamedTuple):
    """One line of a count: an item, and how much of it each player has."""

    label: str
    values: tuple[float, float]
    counted: bool = True
    """Whether it adds to the score; other lines are for information only."""


@dataclass(frozen=True)
class Count:
    """The count of a final position without its dead pieces."""

    dead: tuple[int, ...]
    """Cells of dead pieces, counted from the top left."""
    owners: tuple[int, ...]
    """The owner of each cell: 1 for the first player, −1 for the second, 0 for neither."""
    lines: tuple[Line, ...]

    @property
    def totals(self) -> tuple[float, float]:
        counted = [line.values for line in self.lines if line.counted]
        return sum(first for first, _ in counted), sum(second for _, second in counted)

    @property
    def score(self) -> float:
        """The first player's margin."""
        first, second = self.totals
        return first - second


@dataclass(frozen=True)
class Scoring:
    """How a game is counted by agreement."""

    count: Callable[[Sequence[State], Iterable[int] | None], Count]
    """``count(states, dead)``: the count of the last of a game's positions. `dead` lists cells of
    dead pieces; None lets the engine decide which are dead."""
    group: Callable[[State, int], Iterable[int]]
    """``group(state, cell)``: the pieces that live or die together with the one on a cell."""
    nothing_left: Callable[[State], bool]
    """Whether the side to move, whose opponent has just passed, loses nothing by passing too."""


def scoring_of(state: State) -> Scoring | None:
    """The scoring of a position's game, if it has one."""
    ref = state.game.descriptor.scoring
    found: Scoring | None = None if ref is None else load(ref)
    return found


def agreed_pass(state: State) -> Report | None:
    """A pass in reply to a pass if nothing is left to play, else None.

    By the rules dead pieces must be captured before the last pass; people agree on them instead.
    So this is for games with a person, not for matches.
    """
    scoring, passes = scoring_of(state), state.game.descriptor.pass_move
    if scoring is None or passes is None or state.is_over:
        return None
    move = passes(state.game)
    if state.last_move != move or not scoring.nothing_left(state):
        return None
    return Report(move, pv=[move], source="count", stopped="count")
