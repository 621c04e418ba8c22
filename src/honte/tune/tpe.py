"""TPE, the tree-structured Parzen estimator (Bergstra et al. 2011), by the package ``optuna``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta

from honte.core.language import Message
from honte.tune.grid import pooled
from honte.tune.optimiser import Optimiser, Problem, Score, Settings, Trial, library
from honte.tune.space import Point


class TpeSettings(Settings, frozen=True, kw_only=True):
    batch: Annotated[int, Meta(ge=1, le=1000)] = 8
    """Points asked for at once."""
    first: Annotated[int, Meta(ge=1, le=10_000)] = 20
    """Random points before it begins to model."""
    finalists: Annotated[int, Meta(ge=1, le=1000)] = 5
    final: Annotated[float, Meta(ge=0, le=0.9)] = 0.2
    """Share of the budget that measures the finalists again."""


class Tpe(Optimiser):
    """Models the densities of good and of bad points; then a final among the best."""

    noise = Message(
        "The model takes every score as it is; so that luck does not decide, the best "
        "few are measured again on fresh common openings with the last fifth of the "
        "budget."
    )
    Settings = TpeSettings

    def __init__(self, problem: Problem, settings: TpeSettings) -> None:
        super().__init__(problem, settings)
        self.settings: TpeSettings = settings
        optuna = library("optuna", "tpe")
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._optuna = optuna
        sampler = optuna.samplers.TPESampler(
            seed=problem.seed % 2**32,
            n_startup_trials=settings.first,
            multivariate=True,
            constant_liar=True,
        )
        self._study: Any = optuna.create_study(direction="maximize", sampler=sampler)
        self._space = {
            one.name: optuna.distributions.FloatDistribution(0.0, 1.0)
            if not one.values
            else optuna.distributions.CategoricalDistribution(list(range(len(one.values))))
            for one in self.space.coordinates
        }
        self._search = max(1, round((1 - settings.final) * problem.trials))
        self._finals = max(0, problem.trials - self._search) // settings.finalists
        self._asked: list[Any] = []
        self._points: list[Point] = []
        self._told: dict[Point, list[Score]] = {}
        self._final = 0
        self._finalists: list[Point] = []
        self._done = 0

    def ask(self) -> list[Trial]:
        if self._done < self._search:
            count = min(self.settings.batch, self._search - self._done)
            self._asked = [self._study.ask(self._space) for _ in range(count)]
            self._points = [self._point(trial.params) for trial in self._asked]
            self._done += count
            self.stage = Message("trial {done} of {search}", done=self._done, search=self._search)
            return [Trial(point) for point in self._points]
        if not self._finalists:
            ranked = sorted(self._told, key=lambda point: -pooled(self._told[point]).value)
            self._finalists = ranked[: self.settings.finalists]
            self._told = {point: [] for point in self._finalists}  # earlier luck does not count
        if self._final == self._finals:
            return []
        self._final += 1
        self.stage = Message("final {final} of {finals}", final=self._final, finals=self._finals)
        self._points = self._finalists
        return [Trial(point) for point in self._points]

    def _point(self, params: dict[str, float]) -> Point:
        return self.space.settle(
            [
                params[one.name] if one.values else one.from_unit(params[one.name])
                for one in self.space.coordinates
            ]
        )

    def tell(self, scores: Sequence[Score]) -> None:
        if not self._finalists:
            for trial, score in zip(self._asked, scores, strict=True):
                self._study.tell(trial, score.value)
        for point, score in zip(self._points, scores, strict=True):
            self._told.setdefault(point, []).append(score)
        self.best = max(self._told, key=lambda point: pooled(self._told[point]).value)
