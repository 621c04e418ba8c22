"""A game's part of an exported program, which another site compiles: `honte export --as`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from honte.core.contract import Game


@dataclass(frozen=True)
class SiteEngine:
    """An engine in C++ source, other than UCT."""

    header: str
    """The file in ``native/`` that defines it."""
    thinker: str
    """The C++ expression that constructs it; ``{memory_mb}`` is the memory it may use."""
    learned: Mapping[str, str] = field(default_factory=dict)
    """Headers with learned numbers that it includes, by name."""


@dataclass(frozen=True)
class SiteSupport:
    """The game-specific parts of an exported program."""

    header: str
    """The file in ``native/`` with the game's coordinates on the sites."""
    game: Callable[[Game], str]
    """The C++ expression that constructs the game; raises ValueError for boards no site has."""
    state: str
    sites: tuple[str, ...] = ("botzone",)
    policy: Callable[[str], list[float]] | None = None
    """The log-weights that the setting ``policy`` names."""
    policy_class: str = ""
    network: Path | None = None
    """The file that ``net=learned`` names."""
    best: Callable[[Game, dict[str, object]], SiteEngine | dict[str, object]] | None = None
    """What ``best`` exports with these settings: an engine, or UCT settings."""
