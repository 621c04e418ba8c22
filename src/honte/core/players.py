"""The registry of players, and how a spec string becomes a player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from honte.core.contract import Game
from honte.core.descriptor import load
from honte.core.descriptor_parts import Ref
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.player import Player
from honte.core.spec import MAX_SPEC, split

Factory = Callable[..., Player]
Namer = Callable[[str], dict[str, Any] | None]

_factories: dict[str, Factory | Ref] = {}
# Names resolved by each game's descriptor; the factory is the fallback.
_by_game: dict[str, Factory | Ref | None] = {}
# Names whose spec continues with a command line, passed on verbatim.
_commands: set[str] = set()
# Lookups for names that are not registered.
_namers: list[Namer | Ref] = []


def register_player(name: str, factory: Factory | Ref, *, command: bool = False) -> None:
    """Register a player; its factory takes the game and the spec's settings.

    A factory given as ``"module:attribute"`` is imported on first use. With ``command`` the rest
    of the spec is a command line, passed on verbatim.
    """
    if not name.isidentifier():
        raise ValueError(
            Message("{name} cannot name a player; use letters, digits and _", name=quote(name))
        )
    _factories[name] = factory
    (_commands.add if command else _commands.discard)(name)


def register_engine(name: str, otherwise: Factory | Ref | None = None) -> None:
    """Register a name that each game's descriptor resolves: ``best``, ``solver``.

    `otherwise` is used for games whose descriptor lacks it.
    """
    _by_game[name] = otherwise


def register_names(namer: Namer | Ref) -> None:
    """Register a lookup from a name to settings, which include the player's ``spec``."""
    _namers.append(namer)


def names() -> list[str]:
    """The registered players."""
    return [*_factories, *_by_game]


def player(spec: str, game: Game, **settings: object) -> Player:
    """The player of a spec, for one game.

    >>> import honte
    >>> honte.player("random", honte.game("connect4"))
    honte.player('random')
    """
    made = _made(spec, game, settings)
    made.game = game
    return made


def _made(spec: str, game: Game, settings: dict[str, object]) -> Player:
    word, _, command = spec.strip().partition(":")
    if word in _commands:
        if len(spec) > MAX_SPEC:
            raise ValueError(
                Message(
                    "a spec of {count:,} characters; {max_spec:,} is the most",
                    count=len(spec),
                    max_spec=MAX_SPEC,
                )
            )
        return _factory(word)(game, command, **settings)
    name, in_spec = split(spec)
    if name in _by_game:
        return _engine(name, game)(game, **{**in_spec, **settings})
    if name not in _factories:
        return _named(name, game, {**in_spec, **settings})
    return _factory(name)(game, **{**in_spec, **settings})


def _factory(name: str) -> Factory:
    found: Factory = _imported(_factories[name])
    _factories[name] = found
    return found


def _engine(name: str, game: Game) -> Factory:
    """The factory of an engine such as ``best`` for a game."""
    found = game.descriptor.engines.get(name) or _by_game[name]
    if found is None:
        engines = ", ".join([*game.descriptor.engines, *_factories])
        raise ValueError(
            Message(
                "{game} has no {name}; it has {engines}",
                game=game.name,
                name=name,
                engines=engines,
            )
        )
    factory: Factory = _imported(found)
    return factory


def _named(name: str, game: Game, settings: dict[str, Any]) -> Player:
    """The player of a name that a registered lookup resolves."""
    for namer in _namers:
        found = _imported(namer)(name)
        if found is None:
            continue
        spec = str(found.pop("spec"))
        word = spec.strip().partition(":")[0]
        if word not in _factories and word not in _by_game:  # an alias of an alias could loop
            raise ValueError(
                Message(
                    "{name} stands for {spec}, which is not a player",
                    name=quote(name),
                    spec=quote(spec),
                )
            )
        if word not in _commands:
            found.pop("folder", None)
        return player(spec, game, **{**found, **settings})
    raise ValueError(
        Message(
            "there is no player {name}; there are {names}",
            name=quote(name),
            names=", ".join(names()),
        )
    )


def _imported(what: Any) -> Any:
    """Import a `Ref`; return anything else unchanged."""
    return load(what) if isinstance(what, str) else what
