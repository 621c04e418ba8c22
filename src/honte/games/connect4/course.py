"""The course engine: UCT with a network on any board, the solver taking over near the end.

>>> import honte
>>> from honte.games.connect4.course import Course
>>> game = honte.game("connect4:rows=4,cols=6,blocked=3/2")
>>> Course(game).search(game.start(), honte.Limit(seconds=5)).proven
'win'
"""

from __future__ import annotations

from honte.core.contract import Game
from honte.core.request import Request
from honte.core.spec import Options, yes_no
from honte.games.connect4.perfect import Effort, Proving
from honte.search.solver import Solved, empties, solver_of
from honte.search.uct import Uct
from honte.search.uct_settings import OPTIONS as UCT_OPTIONS

OPTIONS = Options(
    *UCT_OPTIONS, yes_no("takeover", True, "try the solver before UCT near the end of the game")
)
NETWORK = "learned"
"""The default network; a selection rule, a policy or another network in the spec replaces it."""
PROVABLE = 52
"""Empty cells from which the solver is tried."""
SHARE = 0.25
"""Share of the time for the solver."""
SOON = 100_000
"""Nodes spent on the shortest line of a proven win."""


def has_network(game: Game) -> bool:
    """Whether the installed network knows this board."""
    inarow: int = game.inarow  # type: ignore[attr-defined]
    return inarow == 4


class Course(Proving):
    """UCT, preceded by the solver once few cells are empty.

    The solver decides a course board with 45 empty cells within some hundredths of a second, so
    it is tried early, with a small share of the time.
    """

    has_tree = True

    def __init__(self, game: Game, /, **settings: object) -> None:
        values = OPTIONS.read("best", settings)
        self._takes_over = values["takeover"]
        self._failed = 0  # empty cells at the last failed proof
        table = max(values["memory_mb"] // 8, 1)
        others = {key: value for key, value in settings.items() if key != "takeover"}
        if has_network(game) and not others.keys() & {"selection", "policy", "net"}:
            others = {"net": NETWORK, **others}
        super().__init__(
            game,
            solver_of(game, threads=values["threads"], memory_mb=table),
            Uct(game, **{**others, "memory_mb": max(values["memory_mb"] - table, 1)}),
        )
        self.settings = {**values, **self.uct.settings, "memory_mb": values["memory_mb"]}

    def forget(self) -> None:
        super().forget()
        self._failed = 0

    def effort(self, request: Request) -> Effort | None:
        free = empties(request.state)
        if not self._takes_over or free > PROVABLE:
            return None
        if self._failed - 3 <= free <= self._failed:  # not enough moves since then
            return None
        return Effort(share=SHARE, wld=True, soon=SOON, all_moves=request.all_moves)

    def _prove(self, request: Request, effort: Effort) -> Solved:
        solved = super()._prove(request, effort)
        self._failed = 0 if solved.outcome else empties(request.state)
        return solved
