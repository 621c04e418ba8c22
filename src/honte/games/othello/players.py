"""The players of Othello: ``best``, ``alphabeta``, ``solver``."""

from __future__ import annotations

import dataclasses

from honte.core.contract import Game
from honte.core.language import Message
from honte.core.player import Player
from honte.core.report import Report
from honte.core.request import Interrupted, Limit, Request
from honte.core.spec import Options, whole
from honte.games.othello.alphabeta import OPTIONS as ALPHABETA_OPTIONS
from honte.games.othello.alphabeta import AlphaBeta
from honte.games.othello.patterns import EXACT, Patterns
from honte.games.othello.patterns import OPTIONS as PATTERNS_OPTIONS
from honte.search.base import limit_of
from honte.search.engine import DEFAULT_LIMIT, BestPlayer, Engine, Searcher
from honte.search.solver import OPTIONS as SOLVER_OPTIONS
from honte.search.solver import as_report, solver_of


class AlphaBetaPlayer(Engine):
    """Fixed-depth alpha-beta.

    >>> import honte
    >>> game = honte.game("othello")
    >>> player = honte.player("alphabeta:depth=3,weights=report", game)
    >>> game.format(player.choose(game.start()).move)
    'd3'
    """

    name = "alphabeta"
    options = ALPHABETA_OPTIONS
    limits = ("seconds",)

    def __init__(self, game: Game, /, **settings: object) -> None:
        super().__init__(game, **settings)
        self.search: AlphaBeta | Patterns
        if self.settings.get("eval") == "patterns":
            for name in ("weights", "prune"):
                if name in self.settings:
                    raise ValueError(
                        Message("alphabeta: {name} needs eval=weights; leave one out", name=name)
                    )
            self.search = Patterns(game, selectivity=EXACT, book=False)
        else:
            self.search = AlphaBeta(game, **self.settings)
        self._depth = self.options.read(self.name, self.settings)["depth"]

    def think(self, request: Request) -> Report:
        limit = limit_of(request)
        depth = min(limit.depth or self._depth, self._depth)
        return self.search.run(request.within(Limit(limit.seconds, depth=depth)))


class PatternsPlayer(Searcher):
    """Alpha-beta with learned patterns and exact endgames: ``best`` on 8×8.

    A limit of iterations is taken as nodes.

    >>> import honte
    >>> game = honte.game("othello")
    >>> honte.player("best:depth=4", game).choose(game.start()).depth
    4
    """

    name = "best"
    options = PATTERNS_OPTIONS
    limits = ("seconds", "iterations", "nodes", "depth")

    kind = Patterns


def best(game: Game, /, **settings: object) -> Player:
    """The strongest engine: learned patterns on 8×8, UCT on smaller boards."""
    whole_board = game.size == 8  # type: ignore[attr-defined]
    return (PatternsPlayer if whole_board else BestPlayer)(game, **settings)


class SolverPlayer(Engine):
    """Perfect endgame play; before that, a shallow search with the textbook weights.

    It attempts a proof if the estimated time is within twenty times the limit, and keeps a tenth
    of the time for the shallow search.
    """

    name = "solver"
    options = Options(
        *SOLVER_OPTIONS, whole("depth", 5, 1, 12, "depth of the search where nothing is proven")
    )
    limits = ("seconds",)

    def __init__(self, game: Game, /, **settings: object) -> None:
        super().__init__(game, **settings)
        values = self.options.read(self.name, self.settings)
        self.solver = solver_of(game, threads=values["threads"], memory_mb=values["memory_mb"])
        self._look_ahead = AlphaBeta(game, depth=values["depth"])

    def think(self, request: Request) -> Report:
        seconds = (request.limit or DEFAULT_LIMIT).seconds or 1.0
        solved = None
        if self.solver.expected_seconds(request.state) <= 20 * seconds:
            try:
                solved = self.solver.solve(
                    request.state, seconds=0.9 * seconds, cancel=request.cancel
                )
            except Interrupted as interrupted:
                raise Interrupted(as_report(interrupted.report)) from None
            if solved.score is not None or solved.outcome == "win":
                return as_report(solved)
        rest = Limit(seconds=max(0.1 * seconds, 0.001))
        report = self._look_ahead.run(request.within(rest))
        if solved is not None:
            report = dataclasses.replace(
                report, nodes=report.nodes + solved.nodes, seconds=report.seconds + solved.seconds
            )
        return report
