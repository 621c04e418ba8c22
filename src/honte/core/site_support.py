"""What a game adds to a program that another site compiles: `honte export --as`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from honte.core.contract import Game


@dataclass(frozen=True)
class SiteEngine:
    """An engine of C++ source, besides UCT."""

    header: str
    """The file of ``native/`` that has it."""
    thinker: str
    """The expression that makes it; ``{memory_mb}`` is the memory it may use."""
    learned: Mapping[str, str] = field(default_factory=dict)
    """Headers with learned numbers that it includes, by name."""


@dataclass(frozen=True)
class SiteSupport:
    """The parts of a program that depend on the game."""

    header: str
    """The file of ``native/`` with the game's coordinates on the sites."""
    game: Callable[[Game], str]
    """The expression that makes the game; raises ValueError for boards that no site has."""
    state: str
    sites: tuple[str, ...] = ("botzone",)
    policy: Callable[[str], list[float]] | None = None
    """The log-weights that the setting ``policy`` names."""
    policy_class: str = ""
    network: Path | None = None
    """The file that ``net=learned`` names."""
    best: Callable[[Game, dict[str, object]], SiteEngine | dict[str, object]] | None = None
    """What ``best`` is with these settings: an engine, or settings of UCT."""


def numbers_header(name: str, kind: str, numbers: str) -> str:
    """A header with an array of numbers.

    >>> print(numbers_header("kWeights", "int16_t", "1,2"))
    #pragma once
    #include <cstdint>
    namespace honte {
    inline constexpr int16_t kWeights[] = {1,2};
    }
    """
    return (
        "#pragma once\n#include <cstdint>\nnamespace honte {\n"
        f"inline constexpr {kind} {name}[] = {{{numbers}}};\n}}"
    )
