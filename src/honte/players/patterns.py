"""The Othello engine with the learned evaluation, as a player; and who is ``best`` at what."""

from __future__ import annotations

from collections.abc import Callable

from honte.games.contract import Game, State
from honte.players.connect4 import PerfectPlayer
from honte.players.contract import Player, check_choice
from honte.players.engine import BestPlayer, Engine
from honte.search.limit import Limit
from honte.search.patterns import OPTIONS, Patterns
from honte.search.perfect import is_standard
from honte.search.report import Report


class PatternsPlayer(Engine):
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

    def __init__(self, game: Game, /, **settings: object) -> None:
        super().__init__(game, **settings)
        self.search = Patterns(game, **self.settings)

    def choose(
        self,
        state: State,
        limit: Limit | None = None,
        on_progress: Callable[[Report], None] | None = None,
    ) -> Report:
        check_choice(state)
        return self.search.search(state, self.chosen_limit(limit), on_progress)


def best(game: Game, /, **settings: object) -> Player:
    """The strongest engine there is for a game."""
    if game.name == "othello" and game.size == 8:  # type: ignore[attr-defined]
        return PatternsPlayer(game, **settings)
    if is_standard(game):
        return PerfectPlayer(game, **settings)
    return BestPlayer(game, **settings)
