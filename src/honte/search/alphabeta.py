"""Alpha-beta on Othello with the report's evaluation, as Python sees it.

>>> import honte
>>> from honte.search.alphabeta import AlphaBeta
>>> game = honte.game("othello")
>>> report = AlphaBeta(game, depth=3).search(game.start())
>>> report.depth, len(report.candidates)
(3, 4)
"""

from __future__ import annotations

import math
import threading
import time
from typing import Any

from honte import _native
from honte.games.contract import Game, State
from honte.games.spec import Option, Options, choice, whole, yes_no
from honte.search import weights as weight_files
from honte.search.limit import Limit
from honte.search.report import Candidate, Report

WON = 1_000_000_000
"""Values beyond are those of finished games: ±(WON + the final score)."""
AT_ONCE = 5
"""Up to this depth a search takes so little time that it is not cut short."""

OPTIONS = Options(
    whole("depth", 3, 1, 60, "how many plies it looks ahead"),
    choice("eval", "weights", ("weights", "patterns"), "how it values the positions there"),
    Option(
        "weights", "textbook", "a preset or a file", str, "report, table, textbook, or a JSON file"
    ),
    yes_no("prune", True, "alpha-beta; `no` is plain minimax"),
)


def squash(value: int, scale: float) -> float:
    """A value between −1 and 1 that grows with the evaluation; ±1 are finished games.

    Half way, at 0.495, is an evaluation of four times the largest weight.

    >>> squash(0, 1), squash(100, 100), squash(WON + 12, 100), squash(-WON - 2, 100)
    (0.0, 0.495, 1.0, -1.0)
    """
    if abs(value) >= WON:
        return math.copysign(1.0, value)
    return 0.99 * value / (abs(value) + scale)


class AlphaBeta:
    """Minimax of a fixed depth; every move at the root gets its exact value."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        if game.name != "othello":
            raise ValueError(f"alphabeta does not know {game.name}; it plays othello")
        self.game = game
        self.settings = OPTIONS.read("alphabeta", settings)
        if self.settings["eval"] != "weights":
            raise ValueError("AlphaBeta has the report's evaluation; Patterns has the learned one")
        self.weights = weight_files.named(self.settings["weights"])
        numbers = self.weights.in_hundredths()
        self._scale = 4.0 * max(map(abs, numbers)) or 1.0
        self._native = _native.OthelloMinimax(numbers, self.settings["prune"])

    def evaluate(self, state: State) -> float:
        """What the evaluation says of a position for the side to move, in its own units."""
        return self._native.evaluate(state) / 100  # type: ignore[arg-type]

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self._native.stop()

    def search(self, state: State, limit: Limit | None = None) -> Report:
        """Look `depth` plies ahead; where a limit of seconds ends it, as many as were finished."""
        if state.is_over:
            raise ValueError("the game is over in this position; there is no move to choose")
        started = time.perf_counter()
        depth = self.settings["depth"]
        if limit is not None and limit.depth is not None:
            depth = min(depth, limit.depth)
        seconds = math.inf if limit is None or limit.seconds is None else limit.seconds
        self._native.go_on()
        first = self._native.run(state, min(depth, AT_ONCE), math.inf, True)  # type: ignore[arg-type]
        assert first is not None
        found, reached, nodes, why = first, min(depth, AT_ONCE), first["nodes"], "depth"
        while reached < depth:
            left = seconds - (time.perf_counter() - started)
            try:
                deeper = self._run(state, reached + 1, left)
            except KeyboardInterrupt as interrupt:
                interrupt.report = self._report(found, reached, nodes, started, "interrupted")  # type: ignore[attr-defined]
                raise
            if deeper is None:
                why = "time" if time.perf_counter() - started >= seconds else "stopped"
                break
            found, reached, nodes = deeper, reached + 1, nodes + deeper["nodes"]
        return self._report(found, reached, nodes, started, why)

    def _run(self, state: State, depth: int, seconds: float) -> dict[str, Any] | None:
        """A search in a thread of its own, so that Ctrl-C is heard."""
        if seconds <= 0:
            return None
        answer: list[dict[str, Any] | None] = []
        thread = threading.Thread(
            target=lambda: answer.append(self._native.run(state, depth, seconds, True)),  # type: ignore[arg-type]
            daemon=True,
        )
        thread.start()
        try:
            while thread.is_alive():
                thread.join(0.05)
        except KeyboardInterrupt:
            self._native.stop()
            thread.join()
            raise
        return answer[0] if answer else None

    def _report(
        self, found: dict[str, Any], depth: int, nodes: int, started: float, why: str
    ) -> Report:
        best = max(value for _, value in found["moves"])
        candidates = [
            Candidate(
                move,
                value=squash(value, self._scale),
                proven=_proof(value),
                score=_score(value),
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
            seconds=time.perf_counter() - started,
            depth=depth,
            stopped=why,
        )


def _proof(value: int) -> str | None:
    return "win" if value >= WON else "loss" if value <= -WON else None


def _score(value: int) -> float | None:
    """The final score of a finished game, for the side to move."""
    return math.copysign(abs(value) - WON, value) if abs(value) >= WON else None
