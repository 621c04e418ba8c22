"""The exact end of an Othello game, as Python sees it.

>>> import honte
>>> from honte.search.solver import Solver
>>> game = honte.game("othello")
>>> state = game.from_text("X" * 62 + "O- X")
>>> solved = Solver(game).solve(state)
>>> solved.score, [game.format(move) for move in solved.pv]
(64, ['h8'])
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from honte import _native
from honte.games.contract import Game, State
from honte.games.spec import Options, whole

SLICE = 0.05
"""Seconds after which a running solver lets Ctrl-C and progress have their turn."""

OPTIONS = Options(
    whole("threads", 1, 1, 64, "how many search with one table"),
    whole("memory_mb", 256, 1, 32_000, "the size of the table"),
)


class SolvedMove(NamedTuple):
    """What is proved of a move: its score for the side to move lies within."""

    move: int
    low: int
    high: int

    @property
    def score(self) -> int | None:
        return self.low if self.low == self.high else None


@dataclass(frozen=True)
class Solved:
    """What is proved of a position. Scores are final disc differences for the side to move."""

    low: int
    high: int
    moves: list[SolvedMove]
    """The best first."""
    pv: list[int]
    nodes: int
    seconds: float
    finished: bool
    """Everything that was asked for is proved."""
    stopped: str
    """Why it ended: proven, time, stopped, interrupted; or running."""

    @property
    def score(self) -> int | None:
        """The exact score, where it is proved."""
        return self.low if self.low == self.high else None

    @property
    def outcome(self) -> str | None:
        """``'win'``, ``'loss'`` or ``'draw'``, where it is proved."""
        if self.low > 0:
            return "win"
        if self.high < 0:
            return "loss"
        return "draw" if self.low == self.high == 0 else None


def empties(state: State) -> int:
    """How many squares are free."""
    board: str = state.to_text().split()[0]
    return board.count("-")


def expected_seconds(count: int) -> float:
    """About how long one thread takes with so many empties, by what FFO #40 to #49 took.

    A guess within a factor of ten: positions differ, and machines.

    >>> expected_seconds(20) < 1 < expected_seconds(26) < 3600 < expected_seconds(36)
    True
    """
    # The game tree grows about twofold for each empty up to 26, and faster beyond.
    return 0.4 * 2.0 ** min(count - 20, 6) * 3.0 ** max(count - 26, 0)


class Solver:
    """Solves positions of one game; its table serves from one to the next."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        if game.name != "othello":
            raise ValueError(f"the solver does not know {game.name}; it solves othello")
        self.game = game
        values = OPTIONS.read("solver", settings)
        self._native = _native.OthelloSolver(values["threads"], values["memory_mb"])

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self._native.stop()

    def solve(
        self,
        state: State,
        *,
        wld: bool = False,
        every: bool = False,
        seconds: float | None = None,
        on_progress: Callable[[Solved], None] | None = None,
    ) -> Solved:
        """Prove the score, or with `wld` only who wins; with `every` that of each move.

        Ctrl-C ends it; the bounds so far are the `report` of the exception.
        """
        check_solvable(self.game, state)
        started = time.perf_counter()
        limit = math.inf if seconds is None else seconds
        self._native.start(state, wld, every, limit)  # type: ignore[arg-type]
        try:
            while not self._native.wait(SLICE):
                if on_progress is not None:
                    on_progress(self._solved(started, "running"))
        except KeyboardInterrupt as interrupt:
            self._native.stop()
            interrupt.report = self._solved(started, "interrupted")  # type: ignore[attr-defined]
            raise
        why = "time" if time.perf_counter() - started >= limit else "stopped"
        return self._solved(started, why)

    def _solved(self, started: float, why: str) -> Solved:
        found: dict[str, Any] = self._native.report()
        moves = [SolvedMove._make(move) for move in found["moves"]]
        # The move that reaches the score stands first; the others by what they can reach.
        rest = sorted(moves[1:], key=lambda move: (-move.high, -move.low, move.move))
        return Solved(
            low=found["low"],
            high=found["high"],
            moves=moves[:1] + rest,
            pv=found["pv"],
            nodes=found["nodes"],
            seconds=time.perf_counter() - started,
            finished=found["finished"],
            stopped="proven" if found["finished"] else why,
        )


def check_solvable(game: Game, state: State) -> None:
    """Refuse a position in which there is nothing to solve."""
    if empties(state) == game.size**2:  # type: ignore[attr-defined]
        raise ValueError("there is no disc on the board; give a position with discs")
    if state.is_over:
        raise ValueError("neither side has a move in this position; its game is over")
