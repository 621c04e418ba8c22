"""Fixed-depth alpha-beta for Othello with a linear evaluation.

>>> import honte
>>> from honte.games.othello.alphabeta import AlphaBeta
>>> game = honte.game("othello")
>>> report = AlphaBeta(game, depth=3).search(game.start())
>>> report.depth, len(report.candidates)
(3, 4)
"""

from __future__ import annotations

import math
import threading
from typing import Any

from honte import _native
from honte.core.contract import Game, State
from honte.core.language import Message
from honte.core.report import Candidate, Report
from honte.core.request import Request
from honte.core.spec import Option, Options, choice, whole, yes_no
from honte.games.othello import weights as weight_files
from honte.search.base import Search, limit_of
from honte.search.loop import loop_of

WON = 1_000_000_000
"""Finished games have the value ±(WON + final score)."""
AT_ONCE = 5
"""Searches up to this depth are fast enough to run without a time check."""

OPTIONS = Options(
    whole("depth", 3, 1, 60, "search depth in plies"),
    choice("eval", "weights", ("weights", "patterns"), "evaluation at the leaves"),
    Option(
        "weights", "textbook", "a preset or a file", str, "report, table, textbook, or a JSON file"
    ),
    yes_no("prune", True, "alpha-beta; `no` is plain minimax"),
)


def squash(value: int, scale: float) -> float:
    """Map an evaluation to −1…1; ±1 are finished games.

    An evaluation of four times the largest weight maps to 0.495.

    >>> squash(0, 1), squash(100, 100), squash(WON + 12, 100), squash(-WON - 2, 100)
    (0.0, 0.495, 1.0, -1.0)
    """
    if abs(value) >= WON:
        return math.copysign(1.0, value)
    return 0.99 * value / (abs(value) + scale)


class AlphaBeta(Search):
    """Minimax to a fixed depth; every root move gets its exact value."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        if game.name != "othello":
            raise ValueError(
                Message("alphabeta does not know {name}; it plays othello", name=game.name)
            )
        self.game = game
        self.settings = OPTIONS.read("alphabeta", settings)
        if self.settings["eval"] != "weights":
            raise ValueError(
                Message("AlphaBeta has the report's evaluation; Patterns has the learned one")
            )
        self.weights = weight_files.named(self.settings["weights"])
        numbers = self.weights.in_hundredths()
        self._scale = 4.0 * max(map(abs, numbers)) or 1.0
        self._native = _native.OthelloMinimax(numbers, self.settings["prune"])
        self._thread: threading.Thread | None = None
        self._answer: dict[str, Any] | None = None

    def evaluate(self, state: State) -> float:
        """The static evaluation for the side to move."""
        return self._native.evaluate(state) / 100  # type: ignore[arg-type]

    def run(self, request: Request) -> Report:
        """Search to `depth`, or to the last depth finished within the time limit."""
        limit, state = limit_of(request), request.state
        depth = min(self.settings["depth"], limit.depth or 1000)
        loop = loop_of(request)
        self._native.go_on()
        found = self._native.run(state, min(depth, AT_ONCE), math.inf, True)  # type: ignore[arg-type]
        assert found is not None
        reached, nodes = min(depth, AT_ONCE), found["nodes"]

        def work(seconds: float) -> str | None:
            nonlocal found, reached, nodes
            if reached >= depth:
                return "depth"
            if not self._deepening(state, reached + 1, loop.left, seconds):
                return None
            deeper, self._answer = self._answer, None
            if deeper is None:
                return "time"
            found, reached, nodes = deeper, reached + 1, nodes + deeper["nodes"]
            return None if reached < depth else "depth"

        def report(why: str) -> Report:
            assert found is not None
            return self._report(found, reached, nodes, loop.seconds, why)

        return loop.run(work, report, self._halt)

    def _deepening(self, state: State, depth: int, left: float, seconds: float) -> bool:
        """Run a search of this depth in a thread for `seconds`; return whether it ended."""
        if self._thread is None:
            if left <= 0:
                return True

            def search() -> None:
                self._answer = self._native.run(state, depth, left, True)  # type: ignore[arg-type]

            self._thread = threading.Thread(target=search, daemon=True)
            self._thread.start()
        self._thread.join(seconds)
        if self._thread.is_alive():
            return False
        self._thread = None
        return True

    def _halt(self) -> None:
        if self._thread is not None:
            self._native.stop()
            self._thread.join()
            self._thread, self._answer = None, None

    def _report(
        self, found: dict[str, Any], depth: int, nodes: int, seconds: float, why: str
    ) -> Report:
        best = max(value for _, value in found["moves"])
        candidates = [
            Candidate(
                move,
                value=squash(value, self._scale),
                proven=_proof(value),
                score=_score(value),
                kind="estimate" if _score(value) is None else "exact",
                line=tuple(found["pv"]) if found["pv"][:1] == [move] else (),
            )
            for move, value in sorted(found["moves"], key=lambda pair: -pair[1])
        ]
        return Report(
            move=candidates[0].move,
            value=squash(best, self._scale),
            proven=_proof(best),
            pv=found["pv"],
            candidates=candidates,
            nodes=nodes,
            seconds=seconds,
            depth=depth,
            stopped=why,
            source="alphabeta",
        )


def _proof(value: int) -> str | None:
    return "win" if value >= WON else "loss" if value <= -WON else None


def _score(value: int) -> float | None:
    """The final score of a finished game, for the side to move."""
    return math.copysign(abs(value) - WON, value) if abs(value) >= WON else None
