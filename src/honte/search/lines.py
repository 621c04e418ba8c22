"""Alpha-beta on Connect Four with an evaluation by open lines and threats, as Python sees it.

>>> import honte
>>> from honte.search.lines import Lines
>>> game = honte.game("connect4:rows=9,cols=9,blocked=4/4")
>>> report = Lines(game).search(game.start(), honte.Limit(depth=6))
>>> report.depth, len(report.candidates)
(6, 9)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from honte import _native
from honte.games.contract import Game, State
from honte.games.spec import Options, choice, whole
from honte.search.limit import Limit
from honte.search.report import Candidate, Report

WON = 1_000_000
"""A value beyond SURE is decided: WON less the value is the plies to the end."""
SURE = WON - 1000
HALF = 400.0
"""The evaluation that is half way to a win: about that of six good threats."""
SLICE = 0.05
"""Seconds after which a running search lets Ctrl-C and progress have their turn."""

OPTIONS = Options(
    choice("eval", "lines", ("lines",), "how it values the positions at its horizon"),
    whole("memory_mb", 64, 1, 32_000, "the size of its table"),
)


def squash(value: int) -> float:
    """A value between −1 and 1 that grows with the evaluation; ±1 are decided games.

    >>> squash(0), squash(400), squash(WON - 7), squash(7 - WON)
    (0.0, 0.495, 1.0, -1.0)
    """
    if abs(value) > SURE:
        return math.copysign(1.0, value)
    return 0.99 * value / (abs(value) + HALF)


class Lines:
    """Looks deeper and deeper until its limit; its table serves the next decision too."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        if game.name != "connect4":
            raise ValueError(f"an evaluation by lines is for connect4, not for {game.name}")
        self.game = game
        self.settings = OPTIONS.read("alphabeta", settings)
        self._native = _native.Connect4AlphaBeta(
            game._rules,  # type: ignore[attr-defined]
            self.settings["memory_mb"],
        )

    def evaluate(self, state: State) -> int:
        """What the evaluation says of a position for the side to move, in its own units."""
        return self._native.evaluate(state)  # type: ignore[arg-type]

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self._native.stop()

    def search(
        self,
        state: State,
        limit: Limit,
        on_progress: Callable[[Report], None] | None = None,
        every: float = 0.2,
    ) -> Report:
        """Think within a limit of seconds, of depth, or of both.

        Ctrl-C ends the search; what it has found so far is the `report` of the exception.
        """
        if state.is_over:
            raise ValueError("the game is over in this position; there is no move to choose")
        if limit.seconds is None and limit.depth is None:
            raise ValueError("alphabeta needs a limit of seconds or depth")
        started = told = time.perf_counter()
        seconds = math.inf if limit.seconds is None else limit.seconds
        self._native.start(state, limit.depth or 1000, seconds)  # type: ignore[arg-type]
        try:
            while not self._native.wait(SLICE):
                if on_progress is not None and time.perf_counter() - told >= every:
                    told = time.perf_counter()
                    on_progress(self._report(self._native.report(), started, "running"))
        except KeyboardInterrupt as interrupt:
            self._native.stop()
            interrupt.report = self._report(self._native.report(), started, "interrupted")  # type: ignore[attr-defined]
            raise
        found = self._native.report()
        why = "depth" if found["depth"] == limit.depth else "proven"
        if not found["finished"]:
            why = "time" if time.perf_counter() - started >= seconds else "stopped"
        return self._report(found, started, why)

    def _report(self, found: dict[str, Any], started: float, why: str) -> Report:
        value = found["value"]
        moves = found["moves"][:1] + sorted(found["moves"][1:], key=lambda move: -move[2])
        return Report(
            move=moves[0][0],
            value=squash(value),
            proven=_proof(value, value),
            distance=WON - abs(value) if abs(value) > SURE else 0,
            pv=found["pv"],
            candidates=[
                Candidate(
                    move,
                    value=squash(high),
                    proven=_proof(low, high),
                    low=squash(low),
                    high=squash(high),
                )
                for move, low, high in moves
            ],
            nodes=found["nodes"],
            seconds=time.perf_counter() - started,
            depth=found["depth"],
            stopped=why,
        )


def _proof(low: int, high: int) -> str | None:
    return "win" if low > SURE else "loss" if high < -SURE else None
