"""Exact solvers: the interface shared by all games.

>>> import honte
>>> from honte.search.solver import solver_of
>>> game = honte.game("othello")
>>> state = game.from_text("X" * 62 + "O- X")
>>> solved = solver_of(game).solve(state)
>>> solved.score, [game.format(move) for move in solved.pv]
(64, ['h8'])
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from honte.core.contract import Game, State
from honte.core.descriptor import load
from honte.core.games import game as make_game
from honte.core.games import names
from honte.core.language import Message
from honte.core.report import Candidate, Report
from honte.core.request import CancelToken
from honte.core.spec import Options, whole
from honte.search.loop import SLICE, Loop

OPTIONS = Options(
    whole("threads", 1, 1, 64, "threads that share one table"),
    whole("memory_mb", 256, 1, 32_000, "size of the transposition table"),
)


class SolvedMove(NamedTuple):
    """Proven bounds on a move's score, for the side to move."""

    move: int
    low: int
    high: int

    @property
    def score(self) -> int | None:
        return self.low if self.low == self.high else None


@dataclass(frozen=True)
class Solved:
    """Proven bounds on a position's score, for the side to move.

    Scores are in the game's own unit: see `GameDescriptor.unit` and `proof_unit`.
    """

    low: int
    high: int
    moves: list[SolvedMove]
    """Best first."""
    pv: list[int]
    nodes: int
    seconds: float
    finished: bool
    """Everything requested is proven."""
    stopped: str
    """Why it ended: proven, time, stopped, interrupted; or running."""

    @property
    def score(self) -> int | None:
        """The exact score, if proven."""
        return self.low if self.low == self.high else None

    @property
    def outcome(self) -> str | None:
        """``'win'``, ``'loss'`` or ``'draw'``, if proven."""
        if self.low > 0:
            return "win"
        if self.high < 0:
            return "loss"
        return "draw" if self.low == self.high == 0 else None


class Problem(NamedTuple):
    """A position of a file, with its known value and those of its moves."""

    state: State
    value: int | None
    moves: dict[int, int]


def empties(state: State) -> int:
    """The number of empty cells."""
    board: str = state.to_text().split()[0]
    return board.count("-") + board.count(".")


class Solver(ABC):
    """Solves positions of one game; keeps its transposition table between calls."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        self.game = game
        values = OPTIONS.read("solver", settings)
        self._native = self.make(values["threads"], values["memory_mb"])

    @abstractmethod
    def make(self, threads: int, memory_mb: int) -> Any:
        """Create the native solver."""

    @abstractmethod
    def start(
        self, state: State, wld: bool, all_moves: bool, line: bool, seconds: float, nodes: int
    ) -> None:
        """Start the native solver."""

    @abstractmethod
    def expected_seconds(self, state: State) -> float:
        """Estimated time on one thread, within a factor of ten."""

    def read_file(self, path: str) -> list[Problem]:
        """Read a file of positions in the game's format."""
        raise ValueError(
            Message("there is no format for files of {name} positions", name=self.game.name)
        )

    def explain(self, state: State, score: int) -> str:
        """A proven score in words, as ``with stone 41``; "" if it needs none."""
        return ""

    def check(self, state: State) -> None:
        """Refuse a position without moves."""
        if state.is_over:
            raise ValueError(
                Message("the game is over in this position; there is nothing to solve")
            )

    def forget(self) -> None:
        """Clear the transposition table."""
        self._native.forget()

    def solve(
        self,
        state: State,
        *,
        wld: bool = False,
        all_moves: bool = False,
        seconds: float | None = None,
        nodes: int | None = None,
        line: bool = True,
        cancel: CancelToken | None = None,
        on_progress: Callable[[Solved], None] | None = None,
        every: float = SLICE,
    ) -> Solved:
        """Prove the score, or with `wld` the outcome; with `all_moves` that of every move.

        `line=False` skips the principal variation. Ctrl-C raises `Interrupted` with
        the bounds so far.
        """
        self.check(state)
        loop = Loop[Solved](seconds, cancel, on_progress, every)
        limit = math.inf if seconds is None else seconds
        self.start(state, wld, all_moves, line, limit, 2**64 - 1 if nodes is None else nodes)

        def found(why: str) -> Solved:
            return self._solved(loop.seconds, why, nodes)

        return loop.run(
            lambda slice: "time" if self._native.wait(slice) else None,
            found,
            self._halt,
            ends_itself=True,
        )

    def _halt(self) -> None:
        self._native.stop()

    def _solved(self, seconds: float, why: str, nodes: int | None) -> Solved:
        found: dict[str, Any] = self._native.report()
        if nodes is not None and found["nodes"] >= nodes:
            why = "nodes"
        moves = [SolvedMove._make(move) for move in found["moves"]]
        # The best move first, the others by upper bound.
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


def solver_of(game: Game, /, **settings: object) -> Solver:
    """The solver of a game; raises ValueError if it has none."""
    if game.descriptor.solver is None:
        others = ", ".join(name for name in names() if make_game(name).descriptor.solver)
        raise ValueError(
            Message(
                "there is no solver for {name}; there is one for {others}",
                name=game.name,
                others=others,
            )
        )
    found: Solver = load(game.descriptor.solver)(game, **settings)
    return found


def as_report(solved: Solved, source: str = "solver") -> Report:
    """A proof as a report."""
    return Report(
        move=solved.moves[0].move,
        value=_value(solved.low, solved.high),
        proven=solved.outcome,
        distance=0 if solved.score is None else len(solved.pv),
        pv=solved.pv,
        candidates=[_candidate(move, solved.pv, source) for move in solved.moves],
        nodes=solved.nodes,
        seconds=solved.seconds,
        stopped=solved.stopped,
        source=source,
    )


def _candidate(move: SolvedMove, pv: list[int], source: str) -> Candidate:
    """A candidate with its exact score or its bounds."""
    return Candidate(
        move.move,
        value=_value(move.low, move.high),
        proven=_outcome(move.low, move.high),
        low=_value(move.low, move.low),
        high=_value(move.high, move.high),
        score=move.score,
        kind="bound" if move.score is None else "exact",
        bounds=None if move.score is not None else (move.low, move.high),
        line=tuple(pv) if pv[:1] == [move.move] else (),
        source=source,
    )


def _outcome(low: int, high: int) -> str | None:
    if low > 0 or high < 0:
        return "win" if low > 0 else "loss"
    return "draw" if low == high == 0 else None


def _value(low: int, high: int) -> float:
    """1, 0 or −1 if the outcome is known, else the midpoint."""
    sign = [(bound > 0) - (bound < 0) for bound in (low, high)]
    return sum(sign) / 2
