"""The Othello engine with the learned evaluation, as a player; and who is ``best`` at what."""

from __future__ import annotations

from honte.games.contract import Game
from honte.players.connect4 import CoursePlayer, PerfectPlayer
from honte.players.contract import Player
from honte.players.engine import BestPlayer, Searcher
from honte.players.go import GoPlayer
from honte.search.patterns import OPTIONS, Patterns
from honte.search.perfect import is_standard


class PatternsPlayer(Searcher):
    """Alpha-beta over learned patterns, exact at the end: ``best`` on 8×8 Othello.

    A limit of iterations counts as one of nodes.

    >>> import honte
    >>> game = honte.game("othello")
    >>> honte.player("best:depth=4", game).choose(game.start()).depth
    4
    """

    name = "best"
    options = OPTIONS
    limits = ("seconds", "iterations", "nodes", "depth")

    kind = Patterns


def best(game: Game, /, **settings: object) -> Player:
    """The strongest engine there is for a game."""
    if game.name == "othello" and game.size == 8:  # type: ignore[attr-defined]
        return PatternsPlayer(game, **settings)
    if is_standard(game):
        return PerfectPlayer(game, **settings)
    if game.name == "connect4":
        return CoursePlayer(game, **settings)
    if game.name == "go":
        return GoPlayer(game, **settings)
    return BestPlayer(game, **settings)
