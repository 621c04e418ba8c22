"""Connect Four by proof as a player: ``best`` on 7×6, and ``solver`` on any board."""

from __future__ import annotations

from collections.abc import Callable

from honte.games.contract import Game, State
from honte.players.contract import Player, check_choice
from honte.players.engine import Engine
from honte.search.limit import Limit
from honte.search.perfect import OPTIONS, Perfect
from honte.search.report import Report


class PerfectPlayer(Engine):
    """The book, then the solver, then UCT.

    >>> import honte
    >>> game = honte.game("connect4")
    >>> honte.player("best", game).choose(game.start()).proven
    'win'
    """

    name = "best"
    options = OPTIONS
    limits = ("seconds", "iterations", "nodes")

    def __init__(self, game: Game, /, **settings: object) -> None:
        super().__init__(game, **settings)
        self.search = Perfect(game, **self.settings)

    def choose(
        self,
        state: State,
        limit: Limit | None = None,
        on_progress: Callable[[Report], None] | None = None,
    ) -> Report:
        check_choice(state)
        return self.search.search(state, self.chosen_limit(limit), on_progress)


class ExactPlayer(PerfectPlayer):
    """The solver without the book, then UCT."""

    name = "solver"

    def __init__(self, game: Game, /, **settings: object) -> None:
        super().__init__(game, **settings)
        self.search = Perfect(game, **{"book": False, **self.settings})


def solver(game: Game, /, **settings: object) -> Player:
    """The exact player of a game."""
    if game.name == "connect4":
        return ExactPlayer(game, **settings)
    from honte.players.alphabeta import SolverPlayer

    return SolverPlayer(game, **settings)
