"""Simulated annealing: the Othello report's, mended, and one that minds the noise.

As the report prints it, it never worked: the candidate was the same list as the current weights,
so both sides played alike; a misplaced bracket accepted everything; and the temperatures had
nothing to do with the scores. Here the candidate is a copy, a worse one is accepted with the
probability e^(score/T), and T is in discs, as the score is.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from honte.tune.genetic import Share, mean
from honte.tune.optimiser import Optimiser, Problem, Score, Settings, Trial
from honte.tune.space import Point

Positive = Annotated[float, Meta(gt=0)]


class ReportSettings(Settings, frozen=True, kw_only=True):
    hot: Positive = 30
    cold: Positive = 0.3
    """Discs. The report has 100 and 0.01, and its scores are discs in the tens."""
    cooling: Annotated[float, Meta(gt=0, lt=1)] = 0.98
    trials: Annotated[int, Meta(ge=1, le=100_000)] = 10
    """Of one temperature."""
    change: Share = 0.2
    """The probability that a weight is perturbed."""
    step: Positive = 50
    games: Annotated[int, Meta(ge=1, le=10_000)] = 1


class ReportAnnealing(Optimiser):
    """The report's annealing: one game against its own last self decides a step."""

    noise = "None: one game decides, the candidate moves first, and chance passes for heat."
    Settings = ReportSettings

    def __init__(self, problem: Problem, settings: ReportSettings) -> None:
        super().__init__(problem, settings)
        self.settings: ReportSettings = settings
        self._draw = random.Random(problem.seed)
        self._temperature = settings.hot
        self._left = settings.trials
        self._taken = 0
        self._candidate = self.best

    @property
    def steps(self) -> int:
        """How many temperatures there are."""
        span = math.log(self.settings.cold / self.settings.hot)
        return max(1, math.ceil(span / math.log(self.settings.cooling)))

    @property
    def expected_games(self) -> int:
        return self.steps * self.settings.trials * self.settings.games

    def ask(self) -> list[Trial]:
        if self._temperature <= self.settings.cold:
            return []
        self.stage = f"temperature {self._temperature:.3g}"
        step = round(self.settings.step)
        self._candidate = self.space.settle(
            [
                value + self._draw.randint(-step, step)
                if self._draw.random() < self.settings.change
                else value
                for value in self.best
            ]
        )
        return [Trial(self._candidate, self.best, self.settings.games)]

    def tell(self, scores: Sequence[Score]) -> None:
        score = scores[0].margin
        taken = score >= 0 or self._draw.random() < math.exp(score / self._temperature)
        if taken:
            self.best = self._candidate
        self._taken += taken
        self.notes = {}
        self._left -= 1
        if not self._left:
            self.notes = {
                "temperature": self._temperature,
                "accepted": self._taken / self.settings.trials,
            }
            self._left, self._taken = self.settings.trials, 0
            self._temperature *= self.settings.cooling


class AnnealingSettings(Settings, frozen=True, kw_only=True):
    hot: Positive = 0.02
    cold: Positive = 0.002
    """Shares of the points."""
    change: Share = 0.5
    step: Annotated[float, Meta(gt=0, le=1)] = 0.25
    """The length of a step, as a share of the range; it falls to a quarter."""
    patience: Annotated[float, Meta(ge=1, le=1000)] = 4
    """How many times as many games a step has at the end as at first."""


class Annealing(Optimiser):
    """Annealing on paired differences, which are measured better the colder it gets."""

    noise = (
        "Candidate and current point play the same opponents from the same openings in each "
        "step, and their difference counts; chance is heat too, so the colder it is, the more "
        "games a step has; the answer is the mean of the last tenth of the way."
    )
    Settings = AnnealingSettings

    def __init__(self, problem: Problem, settings: AnnealingSettings) -> None:
        super().__init__(problem, settings)
        self.settings: AnnealingSettings = settings
        self._draw = random.Random(problem.seed)
        self._spent = 0
        self._steps = 0
        self._at = self.space.unit(self.space.start)
        self._candidate = self._at
        self._path: list[Point] = []

    @property
    def _share(self) -> float:
        return self._spent / self.problem.trials

    def ask(self) -> list[Trial]:
        times = round(self.settings.patience**self._share)
        cost = times * (1 if self.problem.relative else 2)
        if self._steps and self._spent + cost > self.problem.trials:
            return []
        changed = [self._draw.random() < self.settings.change for _ in self._at]
        if not any(changed):
            changed[self._draw.randrange(len(changed))] = True
        size = self.settings.step * 0.25**self._share / math.sqrt(sum(changed))
        self._candidate = tuple(
            min(max(value + self._draw.gauss(0, size), 0.0), 1.0) if change else value
            for value, change in zip(self._at, changed, strict=True)
        )
        candidate, current = self.space.from_unit(self._candidate), self.space.from_unit(self._at)
        games = times * self.problem.games
        ratio = self.settings.cold / self.settings.hot
        self.notes = {"temperature": self.settings.hot * math.exp(self._share * math.log(ratio))}
        self.stage = f"temperature {self.notes['temperature']:.3g}"
        self._spent += cost
        self._steps += 1
        if self.problem.relative:
            return [Trial(candidate, current, games)]
        return [Trial(candidate, None, games), Trial(current, None, games)]

    def tell(self, scores: Sequence[Score]) -> None:
        gain = 2 * scores[0].value - 1
        if not self.problem.relative:
            gain = scores[0].value - scores[1].value
        # A tie is no step: where both lose every game, all ways are ties.
        taken = gain > 0 or 0 > gain > self.notes["temperature"] * math.log(1 - self._draw.random())
        if taken:
            self._at = self._candidate
        self._path.append(self._at)
        self.best = self.space.from_unit(mean(self._path[-max(1, len(self._path) // 10) :]))
        self.notes["accepted"] = float(taken)
