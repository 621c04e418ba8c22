"""The Othello engine with the learned evaluation, as Python sees it.

>>> import honte
>>> from honte.search.patterns import Patterns
>>> game = honte.game("othello")
>>> report = Patterns(game).search(game.start(), honte.Limit(depth=6))
>>> report.depth, len(report.candidates)
(6, 4)
"""

from __future__ import annotations

import json
import lzma
import math
import random
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from honte import _native
from honte.games.contract import Game, State
from honte.games.spec import Options, whole, yes_no
from honte.search.limit import Limit
from honte.search.openings import standard
from honte.search.report import Candidate, Report

LEARNED = Path(__file__).parent / "othello.weights"
"""Made by ``honte learn othello``: a line of JSON that says how, then the tables, compressed."""
SLICE = 0.05
EQUAL = 0.75
"""Moves of the book within so many discs of the best are as good."""
EXACT = 15
"""The level of searches that leave nothing out."""

OPTIONS = Options(
    whole("threads", 1, 1, 64, "how many search with one table"),
    whole("memory_mb", 128, 2, 32_000, "the size of the tables"),
    whole("level", 1, 0, EXACT, "how sure it is of what it leaves out; 15: leaves out nothing"),
    yes_no("all", False, "a value for every move, not only for the best"),
    yes_no("book", True, "play the opening from the book; where moves are equal, any of them"),
    whole("seed", None, 0, 2**63 - 1, "makes the choice among equals repeatable"),
)


def read(path: Path = LEARNED) -> tuple[dict[str, Any], bytes, bytes]:
    """What a file of weights says of itself, its tables, and the margins of its searches."""
    try:
        head, _, packed = path.read_bytes().partition(b"\n")
        about: dict[str, Any] = json.loads(head)
        numbers = lzma.decompress(packed)
        size = 2 * _native.OTHELLO_PHASES * _native.OTHELLO_MARGIN_DEPTHS
    except (OSError, ValueError, lzma.LZMAError) as error:
        raise ValueError(f"{path.name} is no file of Othello weights ({error})") from None
    return about, numbers[:-size], numbers[-size:]


def write(path: Path, about: dict[str, Any], tables: bytes, sigmas: bytes) -> None:
    """Write weights as `read` reads them."""
    packed = lzma.compress(tables + sigmas, preset=9 | lzma.PRESET_EXTREME)
    path.write_bytes(json.dumps(about).encode() + b"\n" + packed)


@cache
def learned(path: Path = LEARNED) -> _native.OthelloEvaluation:
    """The evaluation, loaded once."""
    _, tables, sigmas = read(path)
    return _native.OthelloEvaluation(tables, sigmas)


def expectation(score: float, empties: int) -> float:
    """A score in discs as a value from −1 to 1: how likely it is to hold, less to break.

    The later in the game, the surer a lead is.

    >>> expectation(0, 30), round(expectation(6, 50), 2), round(expectation(6, 10), 2)
    (0.0, 0.33, 0.75)
    """
    spread = 3 + 0.22 * empties  # about the standard error of the evaluation
    return math.erf(score / spread / math.sqrt(2)) * 0.999


class Patterns:
    """A search of 8×8 Othello that keeps its table from one decision to the next."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        if game.name != "othello" or game.size != 8:  # type: ignore[attr-defined]
            raise ValueError(f"the learned evaluation is for othello on 8×8, not for {game.spec}")
        self.game = game
        self.settings = OPTIONS.read("patterns", settings)
        self._native = _native.OthelloEngine(learned(), self.settings["memory_mb"])
        self._random = random.Random(self.settings["seed"])
        self._lock = threading.Lock()
        self._stopped = False

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self._stopped = True

    def search(
        self,
        state: State,
        limit: Limit,
        on_progress: Callable[[Report], None] | None = None,
        every: float = 0.2,
    ) -> Report:
        """Think within a limit; `on_progress` gets partial reports about `every` so many seconds.

        Ctrl-C ends the search; what it has found so far is the `report` of the exception.
        """
        if state.is_over:
            raise ValueError("the game is over in this position; there is no move to choose")
        started = time.perf_counter()
        with self._lock:
            self._stopped = False
            moves = state.legal_moves()
            if moves == [64]:
                return Report(move=64, pv=[64], candidates=[Candidate(64)], stopped="forced")
            settings = self.settings
            asks_for_search = limit.depth or limit.nodes or limit.iterations or settings["all"]
            if settings["book"] and not asks_for_search and (known := standard().find(state)):
                return self._from_book(state, known, started)
            seconds = math.inf if limit.seconds is None else limit.seconds
            self._native.start(
                state,  # type: ignore[arg-type]
                limit.depth or 60,
                seconds,
                limit.nodes or limit.iterations or 2**63,
                settings["level"],
                EXACT,
                settings["all"],
                settings["threads"],
            )
            told = started
            try:
                while not self._native.wait(min(SLICE, seconds)):
                    if self._stopped:
                        break
                    now = time.perf_counter()
                    if on_progress is not None and now - told >= every:
                        told = now
                        on_progress(self._report(state, started, "running"))
            except KeyboardInterrupt as interrupt:
                self._native.stop()
                interrupt.report = self._report(state, started, "interrupted")  # type: ignore[attr-defined]
                raise
            finally:
                self._native.stop()
            why = "stopped" if self._stopped else "time"
            if time.perf_counter() - started < seconds and not self._stopped:
                why = "depth"
            return self._report(state, started, why)

    def _from_book(self, state: State, known: list[tuple[int, float]], started: float) -> Report:
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
            seconds=time.perf_counter() - started,
            stopped="book",
        )

    def _report(self, state: State, started: float, why: str) -> Report:
        found = self._native.thought()
        empties = state.to_text().split()[0].count("-")
        solved = found["solved"]
        candidates = [
            _candidate(move, score, is_bound, empties, solved)
            for move, score, is_bound in found["moves"]
        ]
        best = candidates[0]
        return Report(
            move=best.move,
            value=best.value,
            proven=best.proven,
            distance=empties if solved else 0,
            pv=found["pv"],
            candidates=candidates,
            nodes=found["nodes"],
            seconds=time.perf_counter() - started,
            depth=found["depth"],
            stopped="proven" if solved else why,
        )


def _candidate(move: int, score: float, is_bound: bool, empties: int, solved: bool) -> Candidate:
    """One move; where it was only refuted, its score is the most it can be."""
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
        score=score,
    )
