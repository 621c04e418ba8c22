"""The Connect Four solver.

A score counts moves: half the playable cells, rounded up, plus one, less the stones that the
winner has played; negative for the loser.

>>> import honte
>>> from honte.search.solver import solver_of
>>> game = honte.game("connect4")
>>> state = game.start()
>>> for move in game.read_moves("32164625"):
...     state = state.play(move)
>>> solver_of(game).solve(state).score
11
"""

from __future__ import annotations

from typing import Any

from honte import _native
from honte.core.contract import State
from honte.core.language import Message
from honte.games.connect4 import columns
from honte.search.solver import Problem, Solver, empties


class Connect4Solver(Solver):
    """Solves positions on boards of any size."""

    def make(self, threads: int, memory_mb: int) -> Any:
        rules = self.game._rules  # type: ignore[attr-defined]
        return _native.Connect4Solver(rules, threads, memory_mb)

    def start(
        self, state: State, wld: bool, all_moves: bool, line: bool, seconds: float, nodes: int
    ) -> None:
        self._native.start(state, wld, all_moves, line, seconds, nodes)

    def expected_seconds(self, state: State) -> float:
        # Fitted to 7×6; each further column raises the branching factor.
        cols: int = self.game.cols  # type: ignore[attr-defined]
        return float(40.0 * (1.9 + 0.1 * (cols - 7)) ** (empties(state) - 42))

    def read_file(self, path: str) -> list[Problem]:
        """Read lines of moves or a board, with an optional value."""
        return [Problem(state, value, {}) for state, value in columns.load(self.game, path)]

    def explain(self, state: State, score: int) -> str:
        """The stone that completes the win."""
        if not score:
            return ""
        playable = sum(cell != 3 for cell in state.cells())  # type: ignore[attr-defined]
        stones = (playable + 1) // 2 + 1 - abs(score)
        winner = state.to_move ^ (score < 0)
        return Message("with stone {stones}", stones=2 * stones - 1 + winner)
