"""Which games there are, and how a spec string becomes one."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from honte.games.contract import Game, quote
from honte.games.spec import split

Factory = Callable[..., Game]

# Ours, by the module and class that are imported when the game is first asked for.
_factories: dict[str, Factory | str] = {
    "connect4": "honte.games.connect4:ConnectFour",
    "othello": "honte.games.othello:Othello",
    "go": "honte.games.go:Go",
}


def register(name: str, factory: Factory) -> None:
    """Make a game known by a name; its factory takes the spec's settings as keywords."""
    if not name.isidentifier():
        raise ValueError(f"{quote(name)} cannot name a game; use letters, digits and _")
    _factories[name] = factory


def names() -> list[str]:
    """The registered games."""
    return list(_factories)


def game(spec: str, **settings: object) -> Game:
    """The game of a spec.

    >>> import honte
    >>> honte.game("connect4:rows=12,cols=12,blocked=5/6")
    honte.game('connect4:rows=12,cols=12,blocked=5/6')
    >>> honte.game("connect4", rows=12, cols=12, blocked="5/6").spec
    'connect4:rows=12,cols=12,blocked=5/6'
    """
    name, in_spec = split(spec)
    factory = _factories.get(name)
    if factory is None:
        raise ValueError(f"there is no game {quote(name)}; there are {', '.join(names())}")
    if isinstance(factory, str):
        module, _, attribute = factory.partition(":")
        factory = getattr(import_module(module), attribute)
        _factories[name] = factory
    return factory(**{**in_spec, **settings})
