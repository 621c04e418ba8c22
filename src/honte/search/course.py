"""The course engine: UCT on boards of any size, and the solver from where it gets through.

>>> import honte
>>> from honte.search.course import Course
>>> game = honte.game("connect4:rows=5,cols=6,blocked=4/2")
>>> Course(game).search(game.start(), honte.Limit(seconds=5)).proven
'draw'
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from honte import _native
from honte.games.contract import Game, State
from honte.games.spec import Options, yes_no
from honte.search.limit import Limit
from honte.search.perfect import Effort, Proving
from honte.search.report import Candidate, Report
from honte.search.solver import Solved, Solver, empties
from honte.search.uct import OPTIONS as UCT_OPTIONS
from honte.search.uct import Uct

OPTIONS = Options(
    *UCT_OPTIONS,
    yes_no("takeover", True, "let the solver play the end, once it can"),
    yes_no("tactics", True, "look for combinations first, one's own and the opponent's"),
)
PROVABLE = 56
"""Free cells of a course's board with which a proof begins to get through."""
SHARE = 0.25
"""Of the time, for a proof."""
TACTICS_SHARE = 0.2
"""Of the time, for combinations."""


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
        own = ("takeover", "tactics")
        others = {key: value for key, value in settings.items() if key not in own}
        super().__init__(
            game,
            Solver(game, threads=values["threads"], memory_mb=table),
            Uct(game, **{**others, "memory_mb": max(values["memory_mb"] - table, 1)}),
        )

        self._tactics = _native.Connect4Tactics(game._rules, table) if values["tactics"] else None  # type: ignore[attr-defined]

    def stop(self) -> None:
        super().stop()
        if self._tactics is not None:
            self._tactics.stop()

    def effort(self, state: State, limit: Limit) -> Effort | None:
        free = empties(state)
        if not self._takes_over or free > PROVABLE:
            return None
        if self._failed - 3 <= free <= self._failed:  # the tree has not grown small enough since
            return None
        return Effort(share=SHARE, wld=True)

    def _prove(self, state: State, *how: Any) -> Solved:
        solved = super()._prove(state, *how)
        self._failed = 0 if solved.outcome else empties(state)
        return solved

    def _by_uct(
        self,
        state: State,
        limit: Limit,
        on_progress: Callable[[Report], None] | None,
        every: float,
    ) -> Report:
        if self._tactics is None:
            return super()._by_uct(state, limit, on_progress, every)
        started = time.perf_counter()
        seconds = math.inf if limit.seconds is None else TACTICS_SHARE * limit.seconds
        nodes = limit.nodes or limit.iterations or 2**62
        verdicts = self._tactics.look(state, seconds, nodes)  # type: ignore[arg-type]
        nodes = self._tactics.nodes()
        for move, outcome, _ in verdicts:
            if outcome > 0:
                seconds = time.perf_counter() - started
                best = Candidate(move, value=1.0, proven="win")
                return Report(
                    move,
                    1.0,
                    "win",
                    0,
                    [move],
                    [best],
                    nodes=nodes,
                    seconds=seconds,
                    stopped="proven",
                )
        # What loses is left out; where everything does, all but what resists longest.
        longest = max(depth if outcome else 1000 for _, outcome, depth in verdicts)
        lost = [move for move, outcome, depth in verdicts if outcome and depth < longest]
        left = None if limit.seconds is None else limit.seconds - (time.perf_counter() - started)
        rest = replace(limit, seconds=left and max(left, 0.001))
        report = self.uct.search(state, rest, on_progress, every, lost)
        if longest < 1000:
            report = replace(report, value=-1.0, proven="loss")
        return replace(report, nodes=report.nodes + nodes, seconds=time.perf_counter() - started)
