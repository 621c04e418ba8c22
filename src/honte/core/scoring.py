"""Results that people agree on: which pieces are dead, and the count that follows.

The rules' own score stays what `state.score` says. A game whose players settle the end between
themselves names a `Scoring` in its descriptor; the page and the terminal ask that.
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
    """One line of a count: what is counted, and how much of it each player has."""

    label: str
    values: tuple[float, float]
    counted: bool = True
    """Whether it adds to the score; what does not is told for information."""


@dataclass(frozen=True)
class Count:
    """What a final position is worth once the dead pieces are taken off."""

    dead: tuple[int, ...]
    """Cells, counted from the top left."""
    owners: tuple[int, ...]
    """For each cell 1 for the first player's, −1 for the second's, 0 for nobody's."""
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
    """A function of the positions of a game, the last one to be counted, and of cells with dead
    pieces; None leaves it to the engine to say which are dead."""
    group: Callable[[State, int], Iterable[int]]
    """The pieces that live or die with the one on a cell."""
    nothing_left: Callable[[State], bool]
    """Whether the side to move, whose opponent has just passed, loses nothing by passing too."""


def scoring_of(state: State) -> Scoring | None:
    """The scoring of a position's game, if it has one."""
    ref = state.game.descriptor.scoring
    found: Scoring | None = None if ref is None else load(ref)
    return found


def agreed_pass(state: State) -> Report | None:
    """A pass in answer to a pass, where nothing is left to play; None where there is.

    By the rules dead pieces must be taken before the last pass; between people they are agreed
    upon. So this is for games with a person, not for matches.
    """
    scoring, passes = scoring_of(state), state.game.descriptor.pass_move
    if scoring is None or passes is None or state.is_over:
        return None
    move = passes(state.game)
    if state.last_move != move or not scoring.nothing_left(state):
        return None
    return Report(move, pv=[move], source="count", stopped="count")
