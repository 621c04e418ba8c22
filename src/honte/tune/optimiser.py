"""The contract of optimisers: an ask-and-tell interface over trials that are games.

An optimiser knows nothing of games and stores. It gets a space, a seed and a number of trials; the
trials it asks for depend only on those and on the scores it was told. So a stopped study resumes by
running again from its beginning, with the games that are in the store.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import msgspec

from honte.core.descriptor import load
from honte.core.language import Message
from honte.core.messages import quote
from honte.tune.space import Point, Space


@dataclass(frozen=True)
class Trial:
    """A trial: the games of one point."""

    point: Point
    against: Point | None = None
    """The opposing point; None: the opponents of the study's objective."""
    games: int | None = None
    """Number of games; None: as the objective says, in pairs on the openings of this round."""


@dataclass(frozen=True)
class Score:
    """The result of a trial."""

    value: float
    """From 0 to 1, the higher the better; against another point 0.5 is a tie."""
    error: float = 0.0
    """Standard error of the value."""
    games: int = 1
    margin: float = 0.0
    """The mean final score, in the game's own measure."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of an optimiser."""


@dataclass(frozen=True)
class Problem:
    """The problem that an optimiser solves."""

    space: Space
    seed: int
    trials: int
    """How many trials the budget of games allows."""
    games: int = 16
    """Games of a trial that does not set a number."""
    relative: bool = False
    """Whether trials play the optimiser's own points, so that only duels compare."""


class Optimiser(ABC):
    """An optimiser: `ask` and `tell` in turn, until `ask` returns nothing."""

    noise: ClassVar[str]
    """One sentence: how it deals with the noise of games."""
    Settings: ClassVar[type[Settings]] = Settings

    def __init__(self, problem: Problem, settings: Any) -> None:
        self.problem, self.space, self.settings = problem, problem.space, settings
        self.best: Point = problem.space.start
        """The answer so far."""
        self.notes: dict[str, float] = {}
        """Numbers of the last step to plot: temperature, acceptance rate."""
        self.stage = ""
        """The current stage, in a few words."""

    @abstractmethod
    def ask(self) -> list[Trial]:
        """The next trials, independent of each other; none when it has finished."""

    @abstractmethod
    def tell(self, scores: Sequence[Score]) -> None:
        """Take the scores of the trials of the last `ask`, in their order."""

    @property
    def expected_games(self) -> int | None:
        """The total number of games, if it does not follow from the budget."""
        return None


_optimisers: dict[str, type[Optimiser] | str] = {
    "genetic": "honte.tune.genetic:Genetic",
    "annealing": "honte.tune.annealing:Annealing",
    "spsa": "honte.tune.spsa:Spsa",
    "grid": "honte.tune.grid:Grid",
    "sweep": "honte.tune.grid:Grid",
    "cma": "honte.tune.cmaes:CmaEs",
    "tpe": "honte.tune.tpe:Tpe",
}
_presets = {
    ("genetic", "report"): "honte.tune.genetic:ReportGenetic",
    ("annealing", "report"): "honte.tune.annealing:ReportAnnealing",
}


def register_optimiser(name: str, optimiser: type[Optimiser] | str) -> None:
    """Register an optimiser; ``"module:class"`` is imported on first use."""
    _optimisers[name] = optimiser


def names() -> list[str]:
    """The registered optimisers."""
    return list(_optimisers)


def kind(name: str, preset: str = "") -> type[Optimiser]:
    """The class of an optimiser."""
    if name not in _optimisers:
        raise ValueError(
            Message(
                "there is no optimiser {name}; there are {names}",
                name=quote(name),
                names=", ".join(names()),
            )
        )
    found: Any = _optimisers[name] if not preset else _presets.get((name, preset))
    if found is None:
        known = [of for by, of in _presets if by == name]
        if not known:
            raise ValueError(
                Message(
                    "{name} has no preset {preset}; it has none", name=name, preset=quote(preset)
                )
            )
        raise ValueError(
            Message(
                "{name} has no preset {preset}; it has: {presets}",
                name=name,
                preset=quote(preset),
                presets=", ".join(known),
            )
        )
    chosen: type[Optimiser] = load(found) if isinstance(found, str) else found
    return chosen


def library(name: str, optimiser: str) -> Any:
    """Import a package that an optimiser needs, or say how to install it."""
    try:
        return import_module(name)
    except ImportError:
        raise ValueError(
            Message(
                "{optimiser} needs the package {name}; install it with `pip install honte[tune]`",
                optimiser=optimiser,
                name=name,
            )
        ) from None
