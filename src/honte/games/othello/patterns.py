"""The Othello engine: alpha-beta with the learned pattern evaluation.

>>> import honte
>>> from honte.games.othello.patterns import Patterns
>>> game = honte.game("othello")
>>> report = Patterns(game).search(game.start(), honte.Limit(depth=6))
>>> report.depth, len(report.candidates)
(6, 4)
"""

from __future__ import annotations

import math
import random
import threading
from functools import cache
from pathlib import Path
from typing import Any

from honte import _native
from honte.core import packed
from honte.core.contract import Game, State
from honte.core.language import Message
from honte.core.report import Candidate, Report
from honte.core.request import Request
from honte.core.spec import Options, renamed, whole, yes_no
from honte.games.othello.book import standard
from honte.search.base import Search, limit_of
from honte.search.loop import loop_of

LEARNED = Path(__file__).parent / "data" / "patterns.weights"
"""Made by ``honte learn othello``: a JSON header line, then the tables, compressed."""
EQUAL = 0.75
"""Book moves within this many discs of the best count as equal."""
EXACT = 15
"""Selectivity without forward pruning."""

OPTIONS = Options(
    whole("threads", 1, 1, 64, "threads that share one table"),
    whole("memory_mb", 128, 2, 32_000, "size of the transposition tables"),
    renamed(
        whole("selectivity", 1, 0, EXACT, "multi-ProbCut level: 0 prunes most, 15 nothing"), "level"
    ),
    yes_no("all", False, "evaluate every move, not only the best"),
    yes_no("book", True, "use the opening book; chooses at random among equal moves"),
    whole("seed", None, 0, 2**63 - 1, "makes the choice among equal book moves repeatable"),
)


def read(path: Path = LEARNED) -> tuple[dict[str, Any], bytes, bytes]:
    """The header, the tables and the multi-ProbCut margins of a weights file."""
    about, numbers = packed.read(path, "a file of Othello weights")
    size = 2 * _native.OTHELLO_PHASES * _native.OTHELLO_MARGIN_DEPTHS
    return about, numbers[:-size], numbers[-size:]


def write(path: Path, about: dict[str, Any], tables: bytes, sigmas: bytes) -> None:
    """Write weights as `read` reads them."""
    packed.write(path, about, tables + sigmas)


@cache
def learned(path: Path = LEARNED) -> _native.OthelloEvaluation:
    """The evaluation, cached."""
    _, tables, sigmas = read(path)
    return _native.OthelloEvaluation(tables, sigmas)


def expectation(score: float, empties: int) -> float:
    """Map a score in discs to an expected result from −1 to 1.

    The same lead is worth more later in the game.

    >>> expectation(0, 30), round(expectation(6, 50), 2), round(expectation(6, 10), 2)
    (0.0, 0.33, 0.75)
    """
    spread = 3 + 0.22 * empties  # about the standard error of the evaluation
    return math.erf(score / spread / math.sqrt(2)) * 0.999


class Patterns(Search):
    """Search of 8×8 Othello; keeps its transposition table between moves."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        if game.name != "othello" or game.size != 8:  # type: ignore[attr-defined]
            raise ValueError(
                Message(
                    "the learned evaluation is for othello on 8×8, not for {spec}", spec=game.spec
                )
            )
        self.game = game
        self.settings = OPTIONS.read("patterns", settings)
        self._native = self._engine()
        self._random = random.Random(self.settings["seed"])
        self._lock = threading.Lock()
        self._state: State | None = None
        self._known: list[tuple[int, float]] = []
        self._in_book = False

    has_tree = True

    def _engine(self) -> _native.OthelloEngine:
        return _native.OthelloEngine(learned(), self.settings["memory_mb"])

    def forget(self) -> None:
        """Clear the transposition tables, so that earlier searches do not affect results."""
        with self._lock:
            if self._state is not None:
                self._state, self._native = None, self._engine()  # cheaper than clearing them

    def run(self, request: Request) -> Report:
        """Search within a limit; the book answers first if the request allows it.

        A request for all moves gets the book's scores at once and the search's for the others.
        """
        state, limit, settings = request.state, limit_of(request), self.settings
        loop = loop_of(request)
        with self._lock:
            self._state = state
            if state.legal_moves() == [64]:
                return Report(
                    move=64, pv=[64], candidates=[Candidate(64)], stopped="forced", source="rules"
                )
            every = settings["all"] or request.all_moves
            fixed = limit.depth or limit.nodes or limit.iterations
            known = standard().find(state) if settings["book"] and not fixed else []
            self._known, self._in_book = known, bool(known) and not every
            if known:
                report = self._from_book(state, known, loop.seconds)
                if not every:
                    return report
                if request.on_progress is not None:
                    request.on_progress(report)
            self._native.start(
                state,  # type: ignore[arg-type]
                limit.depth or 60,
                math.inf if limit.seconds is None else limit.seconds,
                limit.nodes or limit.iterations or 2**63,
                settings["selectivity"],
                EXACT,
                every,
                settings["threads"],
            )

            def work(seconds: float) -> str | None:
                if not self._native.wait(seconds):
                    return None
                return "depth" if loop.left > 0 else "time"

            return loop.run(
                work,
                lambda why: self._report(state, loop.seconds, why, known),
                self._native.stop,
                ends_itself=True,
            )

    def look(self, moves: list[int]) -> Report | None:
        """The transposition table's entries after these moves from the last searched position."""
        state = self._state
        if state is None or state.legal_moves() == [64]:
            return None
        if not moves:
            if self._in_book:
                return self._from_book(state, standard().find(state), 0.0)
            return self._report(state, 0.0, "", self._known)
        for move in moves:
            state = state.play(move)
        if state.is_over:
            return None
        empties = state.to_text().split()[0].count("-")
        found = [
            _probed(move, low, high, exact, empties)
            for move, low, high, _, exact in self._native.probe(state)  # type: ignore[arg-type]
        ]
        if not found:
            return None
        found.sort(key=lambda one: (one.kind == "bound", -one.value))
        return Report(
            move=found[0].move,
            value=found[0].value,
            candidates=found,
            nodes=1,
            source="alphabeta",
        )

    def _from_book(self, state: State, known: list[tuple[int, float]], seconds: float) -> Report:
        empties = state.to_text().split()[0].count("-")
        chosen = self._random.choice([pair for pair in known if pair[1] > known[0][1] - EQUAL])
        known.sort(key=lambda pair: (pair != chosen, -pair[1]))
        candidates = [_candidate(move, score, False, empties, False) for move, score in known]
        line: list[int] = []
        while known:
            line.append(known[0][0])
            state = state.play(line[-1])
            known = [] if state.is_over else standard().find(state)
        return Report(
            move=candidates[0].move,
            value=candidates[0].value,
            pv=line,
            candidates=candidates,
            seconds=seconds,
            stopped="book",
            source="book",
        )

    def _report(
        self, state: State, seconds: float, why: str, known: list[tuple[int, float]]
    ) -> Report:
        found = self._native.thought()
        empties = state.to_text().split()[0].count("-")
        in_book = dict(known)
        candidates = [
            _candidate(move, in_book[move], False, empties, False)._replace(source="book")
            if move in in_book and not exact
            else _candidate(move, score, is_bound, empties, exact or found["solved"])
            for move, score, is_bound, exact in found["moves"]
        ]
        if in_book:
            best = max(in_book, key=lambda move: in_book[move])
            candidates.sort(key=lambda one: (one.move != best, one.kind == "bound", -one.value))
        chosen = candidates[0]
        pv = found["pv"] if found["pv"][:1] == [chosen.move] else [chosen.move]
        return Report(
            move=chosen.move,
            value=chosen.value,
            proven=chosen.proven if found["solved"] else None,
            distance=plies_to_end(state, pv) if found["solved"] else 0,
            pv=pv,
            candidates=candidates,
            nodes=found["nodes"],
            seconds=seconds,
            depth=found["depth"],
            stopped="proven" if found["solved"] else why,
            source="alphabeta",
        )


def plies_to_end(state: State, line: list[int]) -> int:
    """The length of a line, passes included, if it ends the game; else 0: unknown."""
    for move in line:
        state = state.play(move)
    return len(line) if state.is_over else 0


def _probed(move: int, low: float, high: float, exact: bool, empties: int) -> Candidate:
    """A candidate from the transposition table: its value, or a bound on it."""
    if low == high:
        return _candidate(move, low, False, empties, exact)
    return Candidate(
        move,
        value=expectation(high if high < 64 else low, empties),
        low=expectation(low, empties) if low > -64 else -1.0,
        high=expectation(high, empties) if high < 64 else 1.0,
        kind="bound",
        bounds=(max(-64.0, low), min(64.0, high)),
    )


def _candidate(move: int, score: float, is_bound: bool, empties: int, solved: bool) -> Candidate:
    """A candidate; if only refuted, its score is an upper bound."""
    value = expectation(score, empties)
    proven = None
    if solved and not (is_bound and score > 0):
        proven = "win" if score > 0 else "loss" if score < 0 else None if is_bound else "draw"
        value = {"win": 1.0, "loss": -1.0}.get(proven or "", 0.0 if proven else value)
    return Candidate(
        move,
        value=value,
        proven=proven,
        low=-1.0 if is_bound else value,
        high=value,
        score=None if is_bound else score,
        kind="bound" if is_bound else "exact" if solved else "estimate",
        bounds=(-64.0, score) if is_bound else None,
    )
