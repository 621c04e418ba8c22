"""``alphabeta``, by the evaluation of each game, and Othello's ``solver``, exact at the end."""

from __future__ import annotations

import dataclasses

from honte.games.contract import Game, State
from honte.games.spec import Options, whole
from honte.players.contract import Player, check_choice
from honte.players.engine import Engine, Searcher
from honte.search.alphabeta import OPTIONS as ALPHABETA_OPTIONS
from honte.search.alphabeta import AlphaBeta
from honte.search.limit import Limit
from honte.search.lines import OPTIONS as LINES_OPTIONS
from honte.search.lines import Lines
from honte.search.patterns import EXACT, Patterns
from honte.search.report import Report
from honte.search.solver import OPTIONS as SOLVER_OPTIONS
from honte.search.solver import Solver, as_report, expected


class AlphaBetaPlayer(Engine):
    """Alpha-beta of a fixed depth; the depth stands over the request's time.

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
                    raise ValueError(f"alphabeta: {name} goes with eval=weights, not with patterns")
            self.search = Patterns(game, level=EXACT, book=False)
        else:
            self.search = AlphaBeta(game, **self.settings)
        self._depth = self.options.read(self.name, self.settings)["depth"]

    def choose(self, state: State, limit: Limit | None = None) -> Report:
        check_choice(state)
        seconds = self.limit.seconds if self.limit else limit.seconds if limit else None
        asked = limit.depth if limit and limit.depth else self._depth
        return self.search.search(state, Limit(seconds, depth=min(asked, self._depth)))


class LinesPlayer(Searcher):
    """Alpha-beta on Connect Four by open lines and threats, as deep as its time allows.

    >>> import honte
    >>> game = honte.game("connect4:rows=9,cols=10,blocked=3/4")
    >>> honte.player("alphabeta:depth=4", game).choose(game.start()).depth
    4
    """

    name = "alphabeta"
    options = LINES_OPTIONS
    limits = ("seconds", "depth")

    kind = Lines


def alphabeta(game: Game, /, **settings: object) -> Player:
    """Alpha-beta with the evaluation that there is for a game."""
    if game.name == "connect4":
        return LinesPlayer(game, **settings)
    return AlphaBetaPlayer(game, **settings)


class SolverPlayer(Engine):
    """Plays the end exactly; before it can, a look of some plies with the textbook weights.

    It tries to prove a position whose expected time is within twenty times the limit, and
    gives up in time for the look ahead.
    """

    name = "solver"
    options = Options(
        *SOLVER_OPTIONS, whole("depth", 5, 1, 12, "the look ahead where nothing is proved")
    )
    limits = ("seconds",)

    def __init__(self, game: Game, /, **settings: object) -> None:
        super().__init__(game, **settings)
        values = self.options.read(self.name, self.settings)
        self.solver = Solver(game, threads=values["threads"], memory_mb=values["memory_mb"])
        self._look_ahead = AlphaBeta(game, depth=values["depth"])

    def choose(self, state: State, limit: Limit | None = None) -> Report:
        check_choice(state)
        seconds = self.chosen_limit(limit).seconds or 1.0
        solved = None
        if expected(state) <= 20 * seconds:
            try:
                solved = self.solver.solve(state, seconds=0.9 * seconds)
            except KeyboardInterrupt as interrupt:
                if hasattr(interrupt, "report"):
                    interrupt.report = as_report(interrupt.report)
                raise
            if solved.score is not None or solved.outcome == "win":
                return as_report(solved)
        report = self._look_ahead.search(state, Limit(seconds=max(0.1 * seconds, 0.001)))
        if solved is not None:
            report = dataclasses.replace(
                report, nodes=report.nodes + solved.nodes, seconds=report.seconds + solved.seconds
            )
        return report
