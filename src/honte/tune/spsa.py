"""SPSA (Spall 1992): the gradient along random directions, two measurements each."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from honte.core.language import Message
from honte.tune.genetic import mean
from honte.tune.optimiser import Optimiser, Problem, Score, Settings, Trial
from honte.tune.space import Point

Positive = Annotated[float, Meta(gt=0)]


class SpsaSettings(Settings, frozen=True, kw_only=True):
    probe: Annotated[float, Meta(gt=0, le=0.5)] = 0.15
    """First perturbation c, as a share of the range."""
    gain: Positive = 0.25
    """First gain a: the step for a score difference of 1."""
    directions: Annotated[int, Meta(ge=1, le=1000)] = 4
    """Directions measured at once and averaged."""


class Spsa(Optimiser):
    """Stochastic gradient ascent on score differences."""

    noise = Message(
        "Both ends of a direction play the same opponents from the same openings (or "
        "each other); shrinking steps average over the whole walk, and the answer is "
        "the mean of its last tenth."
    )
    Settings = SpsaSettings

    def __init__(self, problem: Problem, settings: SpsaSettings) -> None:
        super().__init__(problem, settings)
        self.settings: SpsaSettings = settings
        self._draw = random.Random(problem.seed)
        each = settings.directions * (1 if problem.relative else 2)
        self._steps = max(1, problem.trials // each)
        self._step = 0
        self._at = self.space.unit(self.space.start)
        self._path: deque[Point] = deque(maxlen=max(1, self._steps // 10))
        self._signs: list[tuple[int, ...]] = []

    @property
    def _probe(self) -> float:
        return float(self.settings.probe / max(1, self._step) ** 0.101)

    def _end(self, signs: tuple[int, ...], side: int) -> Point:
        return self.space.from_unit(
            [at + side * self._probe * sign for at, sign in zip(self._at, signs, strict=True)]
        )

    def ask(self) -> list[Trial]:
        if self._step == self._steps:
            return []
        self._step += 1
        self.stage = Message("step {step} of {steps}", step=self._step, steps=self._steps)
        self._signs = [
            tuple(self._draw.choice((-1, 1)) for _ in self._at)
            for _ in range(self.settings.directions)
        ]
        ends = [(self._end(signs, 1), self._end(signs, -1)) for signs in self._signs]
        if self.problem.relative:
            return [Trial(one, other) for one, other in ends]
        return [Trial(end) for pair in ends for end in pair]

    def tell(self, scores: Sequence[Score]) -> None:
        if self.problem.relative:
            gains = [2 * score.value - 1 for score in scores]
        else:
            gains = [
                one.value - other.value
                for one, other in zip(scores[::2], scores[1::2], strict=True)
            ]
        stability = 0.1 * self._steps
        size = self.settings.gain * ((stability + 1) / (stability + self._step)) ** 0.602
        slope = [
            sum(gain * signs[k] for gain, signs in zip(gains, self._signs, strict=True))
            / len(gains)
            * (self.settings.probe / self._probe)
            for k in range(len(self._at))
        ]
        self._at = tuple(
            min(max(at + size * rise, 0.0), 1.0) for at, rise in zip(self._at, slope, strict=True)
        )
        self._path.append(self._at)
        self.best = self.space.from_unit(mean(list(self._path)))
        self.notes = {"step": size * max(map(abs, slope))}
