"""CMA-ES (Hansen & Ostermeier 2001), by the package ``cma``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta

from honte.core.language import Message
from honte.tune.optimiser import Optimiser, Problem, Score, Settings, Trial, library
from honte.tune.space import Point


class CmaSettings(Settings, frozen=True, kw_only=True):
    population: Annotated[int, Meta(ge=4, le=10_000)] | None = None
    """None: 4 + 3 ln n for n coordinates, and half as many again for the noise."""
    step: Annotated[float, Meta(gt=0, le=1)] = 0.25
    """The first standard deviation, as a share of the range."""


class CmaEs(Optimiser):
    """Samples from a normal distribution whose covariance is adapted."""

    noise = Message(
        "A generation plays in pairs on common openings and only its order counts; the "
        "answer is the mean of the distribution, which averages over all generations."
    )
    Settings = CmaSettings

    def __init__(self, problem: Problem, settings: CmaSettings) -> None:
        super().__init__(problem, settings)
        cma, numpy = library("cma", "cma"), library("numpy", "cma")
        count = len(self.space.coordinates)
        if count < 2:
            raise ValueError(Message("cma needs two parameters or more; use spsa or grid for one"))
        size = settings.population or round(1.5 * (4 + 3 * math.log(count)))
        self._generations = max(1, problem.trials // size)
        self._generation = 0
        dice = numpy.random.RandomState(problem.seed % 2**32)
        self._strategy: Any = cma.CMAEvolutionStrategy(
            list(self.space.unit(self.space.start)),
            settings.step,
            {
                "bounds": [0, 1],
                "popsize": size,
                "randn": lambda *shape: dice.randn(*shape),  # its own, for reproducibility
                "seed": math.nan,
                "verbose": -9,
                "tolfun": 0,
                "tolfunhist": 0,
                "tolx": 0,
            },
        )
        self._asked: list[Any] = []

    def ask(self) -> list[Trial]:
        if self._generation == self._generations:
            return []
        self._generation += 1
        self.stage = Message(
            "generation {generation} of {generations}",
            generation=self._generation,
            generations=self._generations,
        )
        self._asked = self._strategy.ask()
        return [Trial(self._point(units)) for units in self._asked]

    def _point(self, units: Any) -> Point:
        return self.space.from_unit([float(unit) for unit in units])

    def tell(self, scores: Sequence[Score]) -> None:
        self._strategy.tell(self._asked, [-score.value for score in scores])
        self.best = self._point(self._strategy.result.xfavorite)
        self.notes = {"sigma": float(self._strategy.sigma)}
