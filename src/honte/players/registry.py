"""Which players there are, and how a spec string becomes one."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from honte.games.contract import Game, quote
from honte.games.spec import split
from honte.players.contract import Player

Factory = Callable[..., Player]

# By the module and class that are imported when the player is first asked for.
_factories: dict[str, Factory | str] = {
    "random": "honte.players.random:RandomPlayer",
    "uct": "honte.players.engine:UctPlayer",
    "best": "honte.players.engine:BestPlayer",
    "textbook": "honte.players.engine:TextbookPlayer",
    "minimax": "honte.players.engine:MinimaxPlayer",
}


def register_player(name: str, factory: Factory) -> None:
    """Make a player known by a name; its factory takes the game and the spec's settings."""
    if not name.isidentifier():
        raise ValueError(f"{quote(name)} cannot name a player; use letters, digits and _")
    _factories[name] = factory


def names() -> list[str]:
    """The registered players."""
    return list(_factories)


def player(spec: str, game: Game, **settings: object) -> Player:
    """The player of a spec, for one game.

    >>> import honte
    >>> honte.player("random", honte.game("connect4"))
    honte.player('random')
    """
    name, in_spec = split(spec)
    factory = _factories.get(name)
    if factory is None:
        raise ValueError(f"there is no player {quote(name)}; there are {', '.join(names())}")
    if isinstance(factory, str):
        module, _, attribute = factory.partition(":")
        factory = getattr(import_module(module), attribute)
        _factories[name] = factory
    return factory(game, **{**in_spec, **settings})
