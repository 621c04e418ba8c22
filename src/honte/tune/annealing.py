"""Simulated annealing: report O's, corrected, and one that allows for noise.

As the report prints it, it never worked: the candidate was the same list as the current weights,
so both sides played alike; a misplaced bracket accepted everything; and the temperatures had
nothing to do with the scores. Here the candidate is a copy, a worse one is accepted with the
probability e^(score/T), and T is in discs, as the score is.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from msgspec import Meta

from honte.core.language import Message
from honte.tune.genetic import Share
from honte.tune.grid import pooled
from honte.tune.optimiser import Optimiser, Problem, Score, Settings, Trial
from honte.tune.space import Point

Positive = Annotated[float, Meta(gt=0)]


class ReportSettings(Settings, frozen=True, kw_only=True):
    hot: Positive = 30
    cold: Positive = 0.3
    """Discs. The report has 100 and 0.01, and its scores are discs in the tens."""
    cooling: Annotated[float, Meta(gt=0, lt=1)] = 0.98
    trials: Annotated[int, Meta(ge=1, le=100_000)] = 10
    """Trials at each temperature."""
    change: Share = 0.2
    """The probability that a weight is perturbed."""
    step: Positive = 50
    games: Annotated[int, Meta(ge=1, le=10_000)] = 1


class ReportAnnealing(Optimiser):
    """The report's annealing: one game against the current point decides a step."""

    noise = Message(
        "None: one game decides, the candidate moves first, and chance passes for heat."
    )
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
        """Number of temperatures."""
        span = math.log(self.settings.cold / self.settings.hot)
        return max(1, math.ceil(span / math.log(self.settings.cooling)))

    @property
    def expected_games(self) -> int:
        return self.steps * self.settings.trials * self.settings.games

    def ask(self) -> list[Trial]:
        if self._temperature <= self.settings.cold:
            return []
        self.stage = Message("temperature {temperature:.3g}", temperature=self._temperature)
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
    hot: Positive = 0.3
    cold: Positive = 0.05
    """Temperatures, in standard errors of the difference that is measured."""
    change: Share = 0.5
    step: Annotated[float, Meta(gt=0, le=1)] = 0.25
    """Step length as a share of the range; it shrinks to a quarter."""
    second: Annotated[int, Meta(ge=1, le=1000)] = 2
    """Games of the second measurement, as a multiple of the first."""


FIRST, SECOND = 0.5, 1.0
"""Standard errors by which a candidate must lead in each measurement, at temperature 0."""


class Annealing(Optimiser):
    """Annealing that measures every step twice.

    Most steps lead down, and a few games cannot tell; a walk that accepts whatever looks better
    drifts downhill by chance. So a candidate plays a few games, and only one that is ahead plays
    more of them, which alone decide. With fixed opponents, the known score of the current point is
    reused, and the first measurement costs only the candidate's games.
    """

    noise = Message(
        "A candidate that is ahead in its first games plays others, beside the current "
        "point from the same openings, and those alone decide: what was luck in the "
        "first does not count. Temperatures are in standard errors. The answer is the "
        "point where it stands."
    )
    Settings = AnnealingSettings

    def __init__(self, problem: Problem, settings: AnnealingSettings) -> None:
        super().__init__(problem, settings)
        self.settings: AnnealingSettings = settings
        self._draw = random.Random(problem.seed)
        self._spent = 0
        self._at = self._candidate = self.space.unit(self.space.start)
        self._known: list[Score] = []
        """The score of the current point, against fixed opponents."""
        self._again = False
        """Whether the candidate is being measured again."""

    @property
    def _temperature(self) -> float:
        share = self._spent / self.problem.trials
        fall = math.log(self.settings.cold / self.settings.hot)
        return self.settings.hot * math.exp(share * fall)

    def ask(self) -> list[Trial]:
        relative, times = self.problem.relative, self.settings.second if self._again else 1
        unknown = not relative and not self._known
        both = not relative and self._again
        cost = self.settings.second if unknown else 2 * times if both else times
        if self._spent and self._spent + cost > self.problem.trials:
            return []
        if not self._again and not unknown:
            self._candidate = self._step()
        self._spent += cost
        self.notes = {}
        self.stage = Message("temperature {temperature:.3g}", temperature=self._temperature)
        candidate, current = self.space.from_unit(self._candidate), self.space.from_unit(self._at)
        if relative:
            return [Trial(candidate, current, times * self.problem.games)]
        if unknown:
            return [Trial(current, None, cost * self.problem.games)]
        trial = Trial(candidate, None, times * self.problem.games)
        return [trial, replace(trial, point=current)] if both else [trial]

    def _step(self) -> Point:
        changed = [self._draw.random() < self.settings.change for _ in self._at]
        if not any(changed):
            changed[self._draw.randrange(len(changed))] = True
        size = self.settings.step * 0.25 ** (self._spent / self.problem.trials)
        size /= math.sqrt(sum(changed))
        return tuple(
            min(max(value + self._draw.gauss(0, size), 0.0), 1.0) if change else value
            for value, change in zip(self._at, changed, strict=True)
        )

    def tell(self, scores: Sequence[Score]) -> None:
        if not self.problem.relative and not self._known:
            self._known = list(scores)
            return
        ahead = self._ahead(scores)
        if ahead and not self._again:
            self._again = True
            return
        self.notes = {"temperature": self._temperature, "accepted": float(ahead)}
        if ahead:
            self._at = self._candidate
            self._known = [scores[0]]
            self.best = self.space.from_unit(self._at)
        elif self._again and not self.problem.relative:
            self._known.append(scores[1])
        self._again = False

    def _ahead(self, scores: Sequence[Score]) -> bool:
        """Whether these games accept the candidate at this temperature."""
        if self.problem.relative:
            gain, error = scores[0].value - 0.5, scores[0].error
        else:
            current = scores[1] if self._again else pooled(self._known)
            gain = scores[0].value - current.value
            error = math.hypot(scores[0].error, current.error)
        luck = self._temperature * math.log(1 - self._draw.random())
        return gain > error * ((SECOND if self._again else FIRST) + luck)
