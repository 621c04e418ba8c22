"""The result of a search: the move, its value, and the candidates.

A number is *exact* (from a book, a solver, a proof), a *bound*, or an *estimate*; every candidate
says which. A bound is never shown as a chance: `Candidate.chance` is None for it.

>>> Candidate(3, value=0.2).chance, Candidate(3, value=0.0, kind="bound").chance
(0.6, None)
"""

from __future__ import annotations

import json
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from honte.core.descriptor import load

if TYPE_CHECKING:
    from honte.core.contract import State

DRAWN = "honte.drawing.picture:html"
"""Draws a report in a notebook; named by string because drawing depends on core."""
Kind = Literal["exact", "bound", "estimate"]
EXACT = {"win": 1.0, "draw": 0.0, "loss": -1.0}
"""The value of each proven result."""


def chance_of(value: float) -> float:
    """Map a value from −1…1 to a win probability."""
    return (1 + min(1.0, max(-1.0, value))) / 2


class Candidate(NamedTuple):
    """A root move with its search statistics."""

    move: int
    visits: int = 0
    value: float = 0.0
    """−1 to 1 for the side to move. For a bound it is the midpoint: use `low` and `high`."""
    prior: float | None = None
    proven: str | None = None
    distance: int = 0
    """Plies from the position to the end of the game, if the result is proven; 0: unknown."""
    low: float = -1.0
    high: float = 1.0
    """95 % confidence interval of an estimate; the limits of a bound."""
    exploration: float = 0.0
    """Current exploration term of the selection rule."""
    amaf_visits: int = 0
    amaf_value: float = 0.0
    rave_share: float = 0.0
    score: float | None = None
    """In the game's own unit (discs, points, moves), exact or estimated; None for a bound."""
    kind: Kind = "estimate"
    bounds: tuple[float, float] | None = None
    """Lower and upper bound of the score, in the game's unit."""
    line: tuple[int, ...] = ()
    """Principal variation, starting with this move; empty if not requested."""
    source: str = ""
    """Which search evaluated it: ``book``, ``solver``, ``uct``, ``alphabeta``, …"""
    score_error: float | None = None
    """Half-width of the 95 % confidence interval of an estimated score, if known."""

    @property
    def chance(self) -> float | None:
        """Win probability; None for a bound."""
        return None if self.kind == "bound" else chance_of(self.value)


@dataclass(frozen=True)
class Report:
    """One decision. Values run from −1 to 1, seen from the side to move."""

    move: int
    value: float = 0.0
    proven: str | None = None
    """``'win'``, ``'loss'`` or ``'draw'`` if proven."""
    distance: int = 0
    """Plies to the end of the game, if the result is proven."""
    pv: list[int] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    """The chosen move first, then by visits."""
    iterations: int = 0
    nodes: int = 0
    seconds: float = 0.0
    depth: int = 0
    memory: int = 0
    """Size of the tree in bytes."""
    full: bool = False
    """The tree reached its memory limit."""
    kept: bool = False
    """The search reused the tree of the previous move."""
    stopped: str = ""
    """Why it ended: time, iterations, nodes, proven, book, cancelled, interrupted; or running."""
    source: str = ""
    """Which search decided: ``book``, ``solver``, ``uct``, ``network`` (UCT with one),
    ``alphabeta``, ``random``, ``bot``."""
    ownership: tuple[float, ...] | None = field(default=None, repr=False)
    """Expected final owner of each cell, 1 (first player) to −1, if requested and supported."""
    starting: bool = False
    """Whether `seconds` includes the start-up of a program."""
    state: State | None = field(default=None, repr=False, compare=False)
    """The position that was searched."""

    @property
    def best(self) -> Candidate | None:
        """The candidate of the chosen move."""
        return next((found for found in self.candidates if found.move == self.move), None)

    @property
    def kind(self) -> Kind:
        """What kind of number `value` is."""
        if self.proven is not None:
            return "exact"
        return self.best.kind if self.best is not None else "estimate"

    @property
    def score(self) -> float | None:
        """The score in the game's unit, if known."""
        return self.best.score if self.best is not None else None

    @property
    def has_value(self) -> bool:
        """Whether the player evaluated the position rather than only naming a move."""
        return bool(self.iterations or self.nodes or self.proven or self.source == "book")

    @property
    def counts_visits(self) -> bool:
        """Whether the search counts visits; alpha-beta does not."""
        return any(candidate.visits for candidate in self.candidates)

    def has_seen(self, candidate: Candidate) -> bool:
        """Whether the search visited a candidate; if not, its value is meaningless.

        >>> report = Report(1, candidates=[Candidate(1, visits=9), Candidate(2)])
        >>> [report.has_seen(candidate) for candidate in report.candidates]
        [True, False]
        """
        return bool(candidate.visits or candidate.proven) or not self.counts_visits

    def at(self, state: State) -> Report:
        """The report with its position attached, so that a notebook draws the board."""
        attached = copy(self)  # runs every move; five times as fast as `replace`
        object.__setattr__(attached, "state", state)
        return attached

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values; moves in notation if the position is known.

        >>> import honte
        >>> game = honte.game("connect4")
        >>> found = honte.player("best", game).choose(game.start()).to_dict()
        >>> found["move"], found["proven"], found["kind"], found["unit"]
        ('4', 'win', 'exact', 'moves')
        """

        def name(move: int) -> str:
            return str(move) if self.state is None else self.state.game.format(move)

        descriptor = self.state.game.descriptor if self.state is not None else None
        unit = (descriptor.proof_unit or descriptor.unit) if descriptor is not None else ""
        return {
            "move": name(self.move),
            "value": self.value,
            "kind": self.kind,
            "proven": self.proven,
            "distance": self.distance,
            "score": self.score,
            "unit": unit,
            "source": self.source,
            "iterations": self.iterations,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "depth": self.depth,
            "stopped": self.stopped,
            "pv": [name(move) for move in self.pv],
            "candidates": [
                {
                    "move": name(found.move),
                    "visits": found.visits,
                    "value": found.value,
                    "kind": found.kind,
                    "proven": found.proven,
                    "distance": found.distance,
                    "score": found.score,
                    "score_error": found.score_error,
                    "bounds": None if found.bounds is None else list(found.bounds),
                    "low": found.low,
                    "high": found.high,
                    "prior": found.prior,
                    "line": [name(move) for move in found.line],
                    "source": found.source or self.source,
                }
                for found in self.candidates
            ],
        }

    def to_json(self) -> str:
        """`to_dict` as one line of JSON."""
        return json.dumps(self.to_dict())

    def _repr_html_(self) -> str:
        return str(load(DRAWN)(self))
