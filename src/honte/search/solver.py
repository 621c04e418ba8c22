"""The exact values of Othello's end and of Connect Four, as Python sees them.

>>> import honte
>>> from honte.search.solver import Solver
>>> game = honte.game("othello")
>>> state = game.from_text("X" * 62 + "O- X")
>>> solved = Solver(game).solve(state)
>>> solved.score, [game.format(move) for move in solved.pv]
(64, ['h8'])
>>> game = honte.game("connect4")
>>> state = game.start()
>>> for move in game.read_moves("32164625"):
...     state = state.play(move)
>>> Solver(game).solve(state).score
11
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
from honte.search.report import Candidate, Report

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
    """What is proved of a position, for the side to move.

    Scores are final disc differences in Othello; in Connect Four they count stones: half the
    cells, rounded up, plus one, less the stones that the winner has played.
    """

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
    """How many cells are free."""
    board: str = state.to_text().split()[0]
    return board.count("-") + board.count(".")


def expected_seconds(count: int) -> float:
    """About how long one thread takes with so many empties, by what FFO #40 to #49 took.

    A guess within a factor of ten: positions differ, and machines.

    >>> expected_seconds(20) < 1 < expected_seconds(26) < 3600 < expected_seconds(36)
    True
    """
    # The game tree grows about twofold for each empty up to 26, and faster beyond.
    return 0.4 * 2.0 ** min(count - 20, 6) * 3.0 ** max(count - 26, 0)


def expected(state: State) -> float:
    """About how many seconds one thread takes to solve a position."""
    free = empties(state)
    if state.game.name == "othello":
        return expected_seconds(free)
    # Connect Four by what 7×6 takes; each column more makes the tree broader.
    return float(40.0 * (1.9 + 0.1 * (state.game.cols - 7)) ** (free - 42))  # type: ignore[attr-defined]


class Solver:
    """Solves positions of one game; its table serves from one to the next."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        if game.name not in ("othello", "connect4"):
            raise ValueError(
                f"the solver does not know {game.name}; it solves othello and connect4"
            )
        self.game = game
        values = OPTIONS.read("solver", settings)
        size = values["threads"], values["memory_mb"]
        self._native: Any = (
            _native.OthelloSolver(*size)
            if game.name == "othello"
            else _native.Connect4Solver(game._rules, *size)  # type: ignore[attr-defined]
        )

    def forget(self) -> None:
        """Keep nothing for the next position (Connect Four)."""
        self._native.forget()

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
        nodes: int | None = None,
        line: bool = True,
        on_progress: Callable[[Solved], None] | None = None,
    ) -> Solved:
        """Prove the score, or with `wld` only who wins; with `every` that of each move.

        `nodes` limits the search in Connect Four; without `line` it leaves out the moves that
        both sides expect.

        Ctrl-C ends it; the bounds so far are the `report` of the exception.
        """
        check_solvable(self.game, state)
        started = time.perf_counter()
        limit = math.inf if seconds is None else seconds
        if self.game.name == "othello":
            self._native.start(state, wld, every, limit)
        else:
            most = 2**64 - 1 if nodes is None else nodes
            self._native.start(state, wld, every, line, limit, most)
        try:
            while not self._native.wait(SLICE):
                if on_progress is not None:
                    on_progress(self._solved(started, "running"))
        except KeyboardInterrupt as interrupt:
            self._native.stop()
            interrupt.report = self._solved(started, "interrupted")  # type: ignore[attr-defined]
            raise
        return self._solved(started, "stopped", limit, nodes)

    def _solved(
        self, started: float, why: str, limit: float = math.inf, nodes: int | None = None
    ) -> Solved:
        seconds = time.perf_counter() - started
        found: dict[str, Any] = self._native.report()
        if seconds >= limit:
            why = "time"
        elif nodes is not None and found["nodes"] >= nodes:
            why = "nodes"
        moves = [SolvedMove._make(move) for move in found["moves"]]
        # The move that reaches the score stands first; the others by what they can reach.
        rest = sorted(moves[1:], key=lambda move: (-move.high, -move.low, move.move))
        return Solved(
            low=found["low"],
            high=found["high"],
            moves=moves[:1] + rest,
            pv=found["pv"],
            nodes=found["nodes"],
            seconds=seconds,
            finished=found["finished"],
            stopped="proven" if found["finished"] else why,
        )


def check_solvable(game: Game, state: State) -> None:
    """Refuse a position in which there is nothing to solve."""
    if game.name == "connect4":
        if state.is_over:
            raise ValueError("the game is over in this position; there is nothing to solve")
        return
    if empties(state) == game.size**2:  # type: ignore[attr-defined]
        raise ValueError("there is no disc on the board; give a position with discs")
    if state.is_over:
        raise ValueError("neither side has a move in this position; its game is over")


def as_report(solved: Solved) -> Report:
    """A proof as a decision; the first move is the best."""
    return Report(
        move=solved.moves[0].move,
        value=_value(solved.low, solved.high),
        proven=solved.outcome,
        distance=len(solved.pv),
        pv=solved.pv,
        candidates=[
            Candidate(
                move.move,
                value=_value(move.low, move.high),
                proven=_outcome(move.low, move.high),
                low=_value(move.low, move.low),
                high=_value(move.high, move.high),
                score=move.score,
            )
            for move in solved.moves
        ],
        nodes=solved.nodes,
        seconds=solved.seconds,
        stopped=solved.stopped,
    )


def _outcome(low: int, high: int) -> str | None:
    if low > 0 or high < 0:
        return "win" if low > 0 else "loss"
    return "draw" if low == high == 0 else None


def _value(low: int, high: int) -> float:
    """1, 0, −1 where the result is known; otherwise the middle of what is possible."""
    sign = [(bound > 0) - (bound < 0) for bound in (low, high)]
    return sum(sign) / 2
