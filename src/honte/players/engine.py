"""Players that are searches of ours: ``uct``, ``textbook``, ``minimax``, ``best``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Protocol

from honte.games.contract import Game, State
from honte.games.spec import Options, join, number, whole
from honte.players.contract import Player, check_choice
from honte.search import textbook
from honte.search.limit import Limit
from honte.search.report import Report
from honte.search.uct import OPTIONS as UCT_OPTIONS
from honte.search.uct import Uct

LIMITS = Options(
    number("seconds", None, 0.001, 1e6, "its own time for a move"),
    whole("iterations", None, 1, 2**62, "its own number of simulations for a move"),
    whole("nodes", None, 1, 2**62, "its own size of tree"),
    whole("depth", None, 1, 1000, "its own depth"),
)
DEFAULT_LIMIT = Limit(seconds=1)


class Engine(Player):
    """A player with settings of its own, limits among them.

    A limit in the spec is the player's own and stands over the request's.
    """

    name: str
    options: Options
    limits: tuple[str, ...] = ("seconds", "iterations")

    def __init__(self, game: Game, /, **settings: object) -> None:
        own = Options(*(option for option in LIMITS if option.name in self.limits))
        values = Options(*own, *self.options).read(self.name, settings)
        limits = {name: values[name] for name in self.limits if values[name] is not None}
        self.limit = Limit(**limits) if limits else None
        self.settings = {key: value for key, value in settings.items() if key not in self.limits}
        self.spec = join(self.name, settings)

    def chosen_limit(self, limit: Limit | None) -> Limit:
        return self.limit or limit or DEFAULT_LIMIT


class Search(Protocol):
    """A search of a position within a limit, which tells how it goes."""

    def search(
        self,
        state: State,
        limit: Limit,
        on_progress: Callable[[Report], None] | None = None,
    ) -> Report: ...


class Searcher(Engine):
    """A player around one of our searches, which it keeps from move to move as `search`."""

    kind: Callable[..., Search]
    """What makes the search, of the game and the player's settings."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        super().__init__(game, **settings)
        self.search = type(self).kind(game, **self.settings)

    def choose(
        self,
        state: State,
        limit: Limit | None = None,
        on_progress: Callable[[Report], None] | None = None,
    ) -> Report:
        check_choice(state)
        return self.search.search(state, self.chosen_limit(limit), on_progress)


class UctPlayer(Searcher):
    """The native UCT.

    >>> import honte
    >>> game = honte.game("othello")
    >>> player = honte.player("uct:iterations=500,seed=3", game)
    >>> player.choose(game.start()).iterations
    500
    """

    name = "uct"
    options = UCT_OPTIONS
    limits = ("seconds", "iterations", "nodes")

    kind = Uct
    search: Uct

    @property
    def uct(self) -> Uct:
        return self.search

    def new_game(self) -> None:
        self.search.forget()


class HasUct(Search, Protocol):
    """A search with a UCT inside."""

    uct: Uct

    def forget(self) -> None: ...


class UctInside(Searcher):
    """A player around a search with a UCT inside, which others may look into."""

    limits = ("seconds", "iterations", "nodes")
    search: HasUct

    @property
    def uct(self) -> Uct:
        return self.search.uct

    def new_game(self) -> None:
        self.search.forget()


class BestPlayer(UctPlayer):
    """The strongest engine there is for the game."""

    name = "best"


class TextbookPlayer(Engine):
    """UCT in plain Python, for any game that keeps the contract."""

    name = "textbook"
    options = Options(
        number("c", 0.8, 0, 10, "how much it explores"),
        whole("seed", None, 0, 2**63 - 1, "makes its choices repeatable"),
    )

    def __init__(self, game: Game, /, **settings: object) -> None:
        super().__init__(game, **settings)
        self._values = self.options.read(self.name, self.settings)

    def choose(self, state: State, limit: Limit | None = None) -> Report:
        check_choice(state)
        return textbook.uct(state, self.chosen_limit(limit), **self._values)


class MinimaxPlayer(Engine):
    """Depth-limited alpha-beta in plain Python, for any game that keeps the contract."""

    name = "minimax"
    options = Options()
    limits = ("depth",)

    def choose(self, state: State, limit: Limit | None = None) -> Report:
        check_choice(state)
        depth = (self.limit or limit or DEFAULT_LIMIT).depth or 4
        report = textbook.Minimax(depth).search(state)
        return dataclasses.replace(report, stopped="depth")
