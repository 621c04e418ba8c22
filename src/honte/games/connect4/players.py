"""The players of Connect Four: ``best``, ``solver``, ``alphabeta``."""

from __future__ import annotations

from collections.abc import Callable

from honte.core.contract import Game
from honte.core.player import Player
from honte.games.connect4.alphabeta import OPTIONS as ALPHABETA_OPTIONS
from honte.games.connect4.alphabeta import Lines
from honte.games.connect4.course import OPTIONS as COURSE_OPTIONS
from honte.games.connect4.course import Course
from honte.games.connect4.perfect import OPTIONS, Perfect, is_standard
from honte.search.engine import Searcher


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


class CoursePlayer(Searcher):
    """UCT, with the solver near the end: ``best`` on boards other than 7×6.

    >>> import honte
    >>> game = honte.game("connect4:rows=9,cols=9,blocked=4/4")
    >>> honte.player("best:iterations=500", game).choose(game.start()).iterations
    500
    """

    name = "best"
    options = COURSE_OPTIONS
    limits = ("seconds", "iterations", "nodes")

    kind = Course


def without_book(game: Game, /, **settings: object) -> Perfect:
    """The solver, then UCT."""
    return Perfect(game, **{"book": False, **settings})


class ExactPlayer(PerfectPlayer):
    """The solver without the book, then UCT."""

    name = "solver"
    kind = staticmethod(without_book)


class AlphaBetaPlayer(Searcher):
    """Iterative-deepening alpha-beta; evaluates open lines and threats.

    >>> import honte
    >>> game = honte.game("connect4:rows=9,cols=10,blocked=3/4")
    >>> honte.player("alphabeta:depth=4", game).choose(game.start()).depth
    4
    """

    name = "alphabeta"
    options = ALPHABETA_OPTIONS
    limits = ("seconds", "depth")

    kind = Lines


def best(game: Game, /, **settings: object) -> Player:
    """The strongest engine: book and solver on 7×6, UCT and solver on other boards."""
    return (PerfectPlayer if is_standard(game) else CoursePlayer)(game, **settings)
