"""Alpha-beta for Connect Four; evaluates open lines and threats.

>>> import honte
>>> from honte.games.connect4.alphabeta import Lines
>>> game = honte.game("connect4:rows=9,cols=9,blocked=4/4")
>>> report = Lines(game).search(game.start(), honte.Limit(depth=6))
>>> report.depth, len(report.candidates)
(6, 9)
"""

from __future__ import annotations

import math
from typing import Any

from honte import _native
from honte.core.contract import Game, State
from honte.core.language import Message
from honte.core.report import Candidate, Report
from honte.core.request import Request
from honte.core.spec import Options, choice, whole
from honte.search.base import Search, limit_of
from honte.search.loop import loop_of

WON = 1_000_000
"""A value beyond SURE is a proven result; WON − |value| is the plies to the end."""
SURE = WON - 1000
HALF = 400.0
"""The evaluation that maps to about ±0.5: roughly six good threats."""

OPTIONS = Options(
    choice("eval", "lines", ("lines",), "evaluation at the leaves"),
    whole("memory_mb", 64, 1, 32_000, "size of the transposition table"),
)


def squash(value: int) -> float:
    """Map an evaluation to −1…1; ±1 are proven results.

    >>> squash(0), squash(400), squash(WON - 7), squash(7 - WON)
    (0.0, 0.495, 1.0, -1.0)
    """
    if abs(value) > SURE:
        return math.copysign(1.0, value)
    return 0.99 * value / (abs(value) + HALF)


class Lines(Search):
    """Iterative deepening; keeps its transposition table between moves."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        if game.name != "connect4":
            raise ValueError(Message("eval=lines is for connect4, not for {name}", name=game.name))
        self.game = game
        self.settings = OPTIONS.read("alphabeta", settings)
        self._native = _native.Connect4AlphaBeta(
            game._rules,  # type: ignore[attr-defined]
            self.settings["memory_mb"],
        )

    def evaluate(self, state: State) -> int:
        """The static evaluation for the side to move."""
        return self._native.evaluate(state)  # type: ignore[arg-type]

    def run(self, request: Request) -> Report:
        """Search within a limit of seconds, depth, or both."""
        limit = limit_of(request)
        if limit.seconds is None and limit.depth is None:
            raise ValueError(Message("alphabeta needs a limit of seconds or depth"))
        loop = loop_of(request)
        seconds = math.inf if limit.seconds is None else limit.seconds
        self._native.start(request.state, limit.depth or 1000, seconds)  # type: ignore[arg-type]

        def found(why: str) -> Report:
            so_far = self._native.report()
            if so_far["finished"]:
                why = "depth" if so_far["depth"] == limit.depth else "proven"
            return self._report(so_far, loop.seconds, why)

        wait, stop = self._native.wait, self._native.stop
        return loop.run(
            lambda slice: "time" if wait(slice) else None, found, stop, ends_itself=True
        )

    def _report(self, found: dict[str, Any], seconds: float, why: str) -> Report:
        value = found["value"]
        moves = found["moves"][:1] + sorted(found["moves"][1:], key=lambda move: -move[2])
        return Report(
            move=moves[0][0],
            value=squash(value),
            proven=_proof(value, value),
            distance=WON - abs(value) if abs(value) > SURE else 0,
            pv=found["pv"],
            candidates=[_candidate(move, low, high, found["pv"]) for move, low, high in moves],
            nodes=found["nodes"],
            seconds=seconds,
            depth=found["depth"],
            stopped=why,
            source="alphabeta",
        )


def _candidate(move: int, low: int, high: int, pv: list[int]) -> Candidate:
    proven = _proof(low, high)
    return Candidate(
        move,
        value=squash(high),
        proven=proven,
        low=squash(low),
        high=squash(high),
        kind="exact" if proven else "estimate" if low == high else "bound",
        line=tuple(pv) if pv[:1] == [move] else (),
    )


def _proof(low: int, high: int) -> str | None:
    return "win" if low > SURE else "loss" if high < -SURE else None
