"""The registry of games, and how a spec string becomes a game.

A game is known by a registered name (``NAME:size=6``), by an entry point of another package
(group ``honte.games``), or by a file: ``gomoku.py:Gomoku`` or ``gomoku.py:Gomoku:size=7``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from honte.core.contract import Game
from honte.core.descriptor import load
from honte.core.descriptor_parts import Ref
from honte.core.from_file import callable_of
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.spec import split

Factory = Callable[..., Game]
GROUP = "honte.games"
"""Entry point group for games of other packages."""
_FROM_FILE = re.compile(r"(?P<file>[^:]+\.py):(?P<factory>[^\W\d]\w*)(?::(?P<settings>.*))?", re.S)

_factories: dict[str, Factory | Ref] = {}


def register(name: str, factory: Factory | Ref) -> None:
    """Register a game; its factory takes the spec's settings as keywords.

    A factory given as ``"module:attribute"`` is imported on first use.
    """
    if not name.isidentifier():
        raise ValueError(
            Message("{name} cannot name a game; use letters, digits and _", name=quote(name))
        )
    _factories[name] = factory


def names() -> list[str]:
    """The registered games, those of other packages last."""
    return [*_factories, *(name for name in _installed() if name not in _factories)]


def settings_of(spec: str) -> dict[str, str]:
    """The settings of a game spec, as text."""
    from_file = _FROM_FILE.fullmatch(spec.strip())
    return split(f"game:{from_file['settings'] or ''}" if from_file else spec)[1]


def game(spec: str, **settings: object) -> Game:
    """The game of a spec.

    >>> import honte
    >>> honte.game("connect4:rows=12,cols=12,blocked=5/6")
    honte.game('connect4:rows=12,cols=12,blocked=5/6')
    >>> honte.game("connect4", rows=12, cols=12, blocked="5/6").spec
    'connect4:rows=12,cols=12,blocked=5/6'
    """
    from_file = _FROM_FILE.fullmatch(spec.strip()) if len(spec) <= 4096 else None
    if from_file:
        return _game_from_file(from_file["file"], from_file["factory"], spec, settings)
    name, in_spec = split(spec)
    factory = _factories.get(name)
    if factory is None and name in _installed():
        factory = _installed()[name]
    if factory is None:
        raise ValueError(
            Message(
                "there is no game {name}; there are {names}",
                name=quote(name),
                names=", ".join(names()),
            )
        )
    if isinstance(factory, str):
        factory = _factories[name] = load(factory)
        assert callable(factory)
    return factory(**{**in_spec, **settings})


@cache
def _installed() -> dict[str, Ref]:
    """Games of other packages, by entry point."""
    from importlib.metadata import entry_points  # slow to import

    return {entry.name: entry.value for entry in entry_points(group=GROUP)}


def is_from_file(spec: str) -> bool:
    """Whether a spec names a file: ``gomoku.py:Gomoku:size=7``."""
    return _FROM_FILE.fullmatch(spec.strip()) is not None


def register_file(spec: str) -> str:
    """Register the game of a file under its own name; return its spec with that name.

    ``gomoku.py:Gomoku:size=7`` becomes ``gomoku:size=7``.
    """
    found = _FROM_FILE.fullmatch(spec.strip())
    if found is None:
        raise ValueError(Message("{spec} names no file; write file.py:Class", spec=quote(spec)))
    name = game(spec).name
    file = found["file"]
    factory = callable_of(file, found["factory"])
    own: Game = factory(**settings_of(spec))
    if split(own.spec)[0] != name:
        raise ValueError(
            Message(
                "the spec of the game in {file} is {spec}; begin it with {name}:",
                file=file,
                spec=quote(own.spec),
                name=name,
            )
        )
    if name in names() and _factories.get(name) is not factory:
        raise ValueError(
            Message(
                "{file}: there is a game {name} already; give yours another name",
                file=file,
                name=quote(name),
            )
        )
    register(name, factory)
    return own.spec


def _game_from_file(file: str, factory: str, spec: str, settings: dict[str, object]) -> Game:
    """A game whose spec names its file, so that worker processes can recreate it."""
    made = callable_of(file, factory)
    try:
        found = made(**{**settings_of(spec), **settings})
    except TypeError as error:
        raise ValueError(
            Message(
                "{file}:{factory} does not take these settings: {error}",
                file=file,
                factory=factory,
                error=error,
            )
        ) from None
    if not isinstance(found, Game):
        raise ValueError(
            Message(
                "{file}:{factory} gives a {kind}, not a honte.Game",
                file=file,
                factory=factory,
                kind=type(found).__name__,
            )
        )
    own = split(found.spec)[1]
    words = ",".join(f"{key}={value}" for key, value in own.items())
    found.spec = f"{file}:{factory}" + (f":{words}" if words else "")
    return found
