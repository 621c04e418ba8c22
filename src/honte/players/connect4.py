"""Connect Four by proof as a player: ``best`` on 7×6, and ``solver`` on any board."""

from __future__ import annotations

from collections.abc import Callable

from honte.games.contract import Game
from honte.players.contract import Player
from honte.players.engine import Searcher
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
