"""Connect Four by proof as a player: ``best``, and ``solver`` on any board."""

from __future__ import annotations

from collections.abc import Callable

from honte.games.contract import Game
from honte.players.contract import Player
from honte.players.engine import Searcher, UctInside
from honte.search.course import OPTIONS as COURSE_OPTIONS
from honte.search.course import Course
from honte.search.perfect import OPTIONS, Perfect


class PerfectPlayer(Searcher):
    """The book, then the solver, then UCT.

    >>> import honte
    >>> game = honte.game("connect4")
    >>> honte.player("best", game).choose(game.start()).proven
    'win'
    """

    name = "best"
    options = OPTIONS
    limits = ("seconds", "iterations", "nodes")

    kind: Callable[..., Perfect] = Perfect


class CoursePlayer(UctInside):
    """UCT, and the solver from where it gets through: ``best`` on boards other than 7×6.

    >>> import honte
    >>> game = honte.game("connect4:rows=9,cols=9,blocked=4/4")
    >>> honte.player("best:iterations=500", game).choose(game.start()).iterations
    500
    """

    name = "best"
    options = COURSE_OPTIONS

    kind = Course


def without_book(game: Game, /, **settings: object) -> Perfect:
    """The solver, then UCT."""
    return Perfect(game, **{"book": False, **settings})


class ExactPlayer(PerfectPlayer):
    """The solver without the book, then UCT."""

    name = "solver"
    kind = staticmethod(without_book)


def solver(game: Game, /, **settings: object) -> Player:
    """The exact player of a game."""
    if game.name == "connect4":
        return ExactPlayer(game, **settings)
    from honte.players.alphabeta import SolverPlayer

    return SolverPlayer(game, **settings)
