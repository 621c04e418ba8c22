"""Which players there are, and how a spec string becomes one."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from honte.games.contract import Game, quote
from honte.games.spec import MAX_SPEC, split
from honte.players.contract import Player

Factory = Callable[..., Player]
Namer = Callable[[str], dict[str, Any] | None]

# By the module and class that are imported when the player is first asked for.
_factories: dict[str, Factory | str] = {
    "random": "honte.players.random:RandomPlayer",
    "uct": "honte.players.engine:UctPlayer",
    "best": "honte.players.patterns:best",
    "textbook": "honte.players.engine:TextbookPlayer",
    "minimax": "honte.players.engine:MinimaxPlayer",
    "alphabeta": "honte.players.alphabeta:alphabeta",
    "solver": "honte.players.connect4:solver",
    "level": "honte.players.level:LevelPlayer",
}


# Those whose spec goes on with a command line, which is theirs as it stands.
_commands: set[str] = set()
# Where other names come from: a function, or the module and function to import for it.
_namers: list[Namer | str] = []


def register_player(name: str, factory: Factory | str, *, command: bool = False) -> None:
    """Make a player known by a name; its factory takes the game and the spec's settings.

    A factory given as ``"module:attribute"`` is imported when it is first asked for. With
    ``command`` the rest of the spec is a command line, handed over as it stands.
    """
    if not name.isidentifier():
        raise ValueError(f"{quote(name)} cannot name a player; use letters, digits and _")
    _factories[name] = factory
    (_commands.add if command else _commands.discard)(name)


def register_names(namer: Namer | str) -> None:
    """Make a source of names known: a name gives settings, the player's ``spec`` among them."""
    _namers.append(namer)


def names() -> list[str]:
    """The registered players."""
    return list(_factories)


def player(spec: str, game: Game, **settings: object) -> Player:
    """The player of a spec, for one game.

    >>> import honte
    >>> honte.player("random", honte.game("connect4"))
    honte.player('random')
    """
    word, _, command = spec.strip().partition(":")
    if word in _commands:
        if len(spec) > MAX_SPEC:
            raise ValueError(f"a spec of {len(spec):,} characters; {MAX_SPEC:,} is the most")
        return _factory(word)(game, command, **settings)
    name, in_spec = split(spec)
    if name not in _factories:
        return _named(name, game, {**in_spec, **settings})
    return _factory(name)(game, **{**in_spec, **settings})


def _factory(name: str) -> Factory:
    found: Factory = _imported(_factories[name])
    _factories[name] = found
    return found


def _named(name: str, game: Game, settings: dict[str, Any]) -> Player:
    """The player that a source of names knows by a name."""
    for namer in _namers:
        found = _imported(namer)(name)
        if found is None:
            continue
        spec = str(found.pop("spec"))
        word = spec.strip().partition(":")[0]
        if word not in _factories:  # nor a name for a name: that could go round in circles
            raise ValueError(f"{quote(name)} stands for {quote(spec)}, which is no player")
        if word not in _commands:
            found.pop("folder", None)
        return player(spec, game, **{**found, **settings})
    raise ValueError(f"there is no player {quote(name)}; there are {', '.join(names())}")


def _imported(what: Any) -> Any:
    """What a string ``module:attribute`` names, or what is not a string itself."""
    if not isinstance(what, str):
        return what
    module, _, attribute = what.partition(":")
    return getattr(import_module(module), attribute)
