"""The course engine: UCT on boards of any size, and the solver from where it gets through.

>>> import honte
>>> from honte.search.course import Course
>>> game = honte.game("connect4:rows=4,cols=6,blocked=3/2")
>>> Course(game).search(game.start(), honte.Limit(seconds=5)).proven
'win'
"""

from __future__ import annotations

from typing import Any

from honte.games.contract import Game, State
from honte.games.spec import Options, yes_no
from honte.search.limit import Limit
from honte.search.perfect import Effort, Proving
from honte.search.solver import Solved, Solver, empties
from honte.search.uct import OPTIONS as UCT_OPTIONS
from honte.search.uct import Uct

OPTIONS = Options(
    *UCT_OPTIONS, yes_no("takeover", True, "let the solver play the end, once it can")
)
POLICY = "learned"
"""Who foresees moves, unless somebody else is named or the formula that chooses them."""
PROVABLE = 52
"""Free cells of a course's board with which most proofs get through."""
SHARE = 0.25
"""Of the time, for a proof."""
SOON = 100_000
"""Nodes to find the quickest way of a win that is proved."""


class Course(Proving):
    """UCT, and from where a proof comes within reach the solver.

    It knows who wins the rest of a course's board with 45 free cells in some hundredths of a
    second, so it is tried early, in a small part of the time.
    """

    def __init__(self, game: Game, /, **settings: object) -> None:
        values = OPTIONS.read("best", settings)
        self._takes_over = values["takeover"]
        self._failed = 0  # free cells when a proof did not get through
        table = max(values["memory_mb"] // 8, 1)
        others = {key: value for key, value in settings.items() if key != "takeover"}
        if "selection" not in others and getattr(game, "inarow", 4) == 4:
            others = {"policy": POLICY, **others}
        super().__init__(
            game,
            Solver(game, threads=values["threads"], memory_mb=table),
            Uct(game, **{**others, "memory_mb": max(values["memory_mb"] - table, 1)}),
        )

    def effort(self, state: State, limit: Limit) -> Effort | None:
        free = empties(state)
        if not self._takes_over or free > PROVABLE:
            return None
        if self._failed - 3 <= free <= self._failed:  # the tree has not grown small enough since
            return None
        return Effort(share=SHARE, wld=True, soon=SOON)

    def _prove(self, state: State, *how: Any) -> Solved:
        solved = super()._prove(state, *how)
        self._failed = 0 if solved.outcome else empties(state)
        return solved
