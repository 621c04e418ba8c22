"""What a search found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from honte.games.contract import State


class Candidate(NamedTuple):
    """One move that was considered, with what the search thinks of it."""

    move: int
    visits: int = 0
    value: float = 0.0
    prior: float | None = None
    proven: str | None = None
    distance: int = 0
    """Plies to the end of the game, where the result is proven."""
    low: float = -1.0
    high: float = 1.0
    """Where the value lies, with 95 % confidence."""
    exploration: float = 0.0
    """What the formula adds to the value now, so that the move gets its chance."""
    amaf_visits: int = 0
    amaf_value: float = 0.0
    rave_share: float = 0.0
    score: float | None = None
    """The final score in the game's own measure, where the search knows it (Othello: discs)."""


@dataclass(frozen=True)
class Report:
    """One decision. Values run from −1 to 1, seen from the side to move."""

    move: int
    value: float = 0.0
    proven: str | None = None
    """``'win'``, ``'loss'`` or ``'draw'`` where the search has proved it."""
    distance: int = 0
    """Plies to the end of the game, where the result is proven."""
    pv: list[int] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    """The chosen move first, then by visits."""
    iterations: int = 0
    nodes: int = 0
    seconds: float = 0.0
    depth: int = 0
    memory: int = 0
    """Bytes of the tree."""
    full: bool = False
    """The tree reached its cap and grew no more."""
    kept: bool = False
    """The search went on with the tree of the move before."""
    stopped: str = ""
    """Why it ended: time, iterations, nodes, proven, stopped, interrupted."""
    state: State | None = field(default=None, repr=False, compare=False)
    """The position it is about, where `at` has said so."""

    def at(self, state: State) -> Report:
        """The same report with the position it is about: a notebook then draws the board too."""
        return replace(self, state=state)

    def _repr_html_(self) -> str:
        from honte.search.picture import html

        return html(self)
