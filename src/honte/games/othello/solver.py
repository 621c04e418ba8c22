"""The Othello endgame solver. Scores are final disc differences.

>>> import honte
>>> from honte.search.solver import solver_of
>>> game = honte.game("othello")
>>> solved = solver_of(game).solve(game.from_text("X" * 62 + "O- X"))
>>> solved.score, [game.format(move) for move in solved.pv]
(64, ['h8'])
"""

from __future__ import annotations

from typing import Any

from honte import _native
from honte.core.contract import State
from honte.core.language import Message
from honte.games.othello import obf
from honte.search.solver import Problem, Solver, empties


class OthelloSolver(Solver):
    """Solves endgames on boards of any size."""

    def make(self, threads: int, memory_mb: int) -> Any:
        return _native.OthelloSolver(threads, memory_mb)

    def start(
        self, state: State, wld: bool, all_moves: bool, line: bool, seconds: float, nodes: int
    ) -> None:
        self._native.start(state, wld, all_moves, seconds)

    def expected_seconds(self, state: State) -> float:
        return expected_seconds(empties(state))

    def read_file(self, path: str) -> list[Problem]:
        """Read OBF, which gives a value for each move."""
        if self.game.spec != "othello":
            raise ValueError(Message("OBF files hold 8×8 positions; use the game othello"))
        return [
            Problem(
                self.game.from_text(problem.position),
                max(problem.moves.values(), default=None),
                dict(problem.moves),
            )
            for problem in obf.load(path)
        ]

    def check(self, state: State) -> None:
        if empties(state) == self.game.size**2:  # type: ignore[attr-defined]
            raise ValueError(Message("the board is empty; give a position with discs"))
        if state.is_over:
            raise ValueError(Message("the game is over in this position; neither side has a move"))


def expected_seconds(count: int) -> float:
    """Estimated time on one thread, fitted to FFO #40 to #49.

    >>> expected_seconds(20) < 1 < expected_seconds(26) < 3600 < expected_seconds(36)
    True
    """
    # The tree doubles with each empty up to 26, and grows faster beyond.
    return 0.4 * 2.0 ** min(count - 20, 6) * 3.0 ** max(count - 26, 0)
