"""Players around the built-in searches: ``uct``, ``textbook``, ``minimax``, ``best``."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from honte.core.contract import Game
from honte.core.player import Player
from honte.core.report import Report
from honte.core.request import Limit, Request
from honte.core.spec import Options, join, number, whole
from honte.search import textbook
from honte.search.base import Search
from honte.search.uct import Uct
from honte.search.uct_settings import OPTIONS as UCT_OPTIONS

LIMITS = Options(
    number("seconds", None, 0.001, 1e6, "seconds per move"),
    whole("iterations", None, 1, 2**62, "simulations per move"),
    whole("nodes", None, 1, 2**62, "nodes per move"),
    whole("depth", None, 1, 1000, "search depth in plies"),
)
DEFAULT_LIMIT = Limit(seconds=1)


class Engine(Player):
    """A player configured by settings, which may include limits."""

    name: ClassVar[str]
    limits: ClassVar[tuple[str, ...]] = ("seconds", "iterations")

    def __init__(self, game: Game, /, **settings: object) -> None:
        own = Options(*(option for option in LIMITS if option.name in self.limits))
        values = Options(*own, *self.options).read(self.name, settings)
        limits = {name: values[name] for name in self.limits if values[name] is not None}
        self.limit = Limit(**limits) if limits else None
        self.settings = {key: value for key, value in settings.items() if key not in self.limits}
        self.spec = join(self.name, settings)

    def effective_settings(self) -> dict[str, Any]:
        return self.options.read(self.name, self.settings)


class Searcher(Engine):
    """A player around a `search`, which it keeps between moves."""

    kind: Callable[..., Search]
    """Makes the search from the game and the player's settings."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        super().__init__(game, **settings)
        self.search = type(self).kind(game, **self.settings)

    def effective_settings(self) -> dict[str, Any]:
        return {**super().effective_settings(), **self.search.settings}

    def think(self, request: Request) -> Report:
        return self.search.run(request.within(request.limit or DEFAULT_LIMIT))

    @property
    def files(self) -> tuple[Path, ...]:
        return self.search.files

    @property
    def has_tree(self) -> bool:
        return self.search.has_tree

    def look(self, moves: list[int]) -> Report | None:
        return self.search.look(moves)

    def new_game(self) -> None:
        self.search.forget()


class UctPlayer(Searcher):
    """Native UCT.

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


class BestPlayer(UctPlayer):
    """``best`` for a game with native UCT whose descriptor has no ``best``."""

    name = "best"


def best(game: Game, /, **settings: object) -> Player:
    """The fallback for ``best``: native UCT, or textbook UCT."""
    if game.descriptor.uct is not None:
        return BestPlayer(game, **settings)
    return BestTextbookPlayer(game, **settings)


class TextbookPlayer(Engine):
    """UCT in plain Python, for any game that keeps the contract."""

    name = "textbook"
    options = Options(
        number("c", 0.8, 0, 10, "exploration constant"),
        whole("seed", None, 0, 2**63 - 1, "random seed; makes its choices repeatable"),
    )

    def __init__(self, game: Game, /, **settings: object) -> None:
        super().__init__(game, **settings)
        values = self.options.read(self.name, self.settings)
        self._c, self._seed = values["c"], values["seed"]
        self._root: textbook.Node | None = None

    def think(self, request: Request) -> Report:
        self._root = textbook.Node(request.state)
        within = request.within(request.limit or DEFAULT_LIMIT)
        return textbook.uct(within, self._c, self._seed, self._root)

    @property
    def has_tree(self) -> bool:
        return self._root is not None

    def look(self, moves: list[int]) -> Report | None:
        node = self._root
        for move in moves:
            children = node.children if node is not None else []
            node = next((child for child in children if child.move == move), None)
        return textbook.report_of(node, self._c) if node is not None and node.children else None

    def new_game(self) -> None:
        self._root = None


class BestTextbookPlayer(TextbookPlayer):
    """``best`` for a game in plain Python."""

    name = "best"
    options = Options(
        *TextbookPlayer.options,
        whole("memory_mb", None, 1, 32_000, "accepted by every `best`; ignored by this one"),
        whole("threads", None, 1, 1024, "accepted by every `best`; this one is single-threaded"),
    )


class MinimaxPlayer(Engine):
    """Depth-limited alpha-beta in plain Python, for any game that keeps the contract."""

    name = "minimax"
    options = Options()
    limits = ("depth",)

    def think(self, request: Request) -> Report:
        depth = (request.limit or DEFAULT_LIMIT).depth or 4
        report = textbook.Minimax(depth, cancel=request.cancel).search(request.state)
        return dataclasses.replace(report, stopped="depth")
