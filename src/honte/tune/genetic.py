"""Genetic algorithms: the Othello report's own, and one that minds the noise.

**The report's** (`preset = "report"`): 512 random individuals are cut to 64 by three knock-out
rounds. In each of 200 generations 64 children are made; each plays one game with the parent of its
place, and the winner stays. At the end a knock-out leaves one. The first mover wins ties.

**The default**: a generation of children meets the objective on common openings, and the best
quarter are the parents of the next. Nobody stays: a lucky score dies with its generation.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from honte.tune.optimiser import Optimiser, Problem, Score, Settings, Trial
from honte.tune.space import Point

Share = Annotated[float, Meta(ge=0, le=1)]


class ReportSettings(Settings, frozen=True, kw_only=True):
    population: Annotated[int, Meta(ge=2, le=100_000)] = 64
    first: Annotated[float, Meta(gt=0)] = math.inf
    """The first individuals are drawn from −first to first, within the range."""
    rounds: Annotated[int, Meta(ge=0, le=20)] = 3
    """Knock-out rounds before the first generation: so much larger it begins."""
    generations: Annotated[int, Meta(ge=0, le=1_000_000)] = 200
    crossover: Share = 0.75
    mutation: Share = 0.1
    step: Annotated[float, Meta(ge=0)] = 75
    """A mutation adds a whole number from −step to step."""
    games: Annotated[int, Meta(ge=1, le=10_000)] = 1
    """Of a duel; an even number is played in pairs, with the sides changed."""


class ReportGenetic(Optimiser):
    """The report's genetic algorithm, as it describes it."""

    noise = "None: one game decides, and the first mover wins ties. The population is the average."
    Settings = ReportSettings

    def __init__(self, problem: Problem, settings: ReportSettings) -> None:
        super().__init__(problem, settings)
        self.settings: ReportSettings = settings
        self._draw = random.Random(problem.seed)
        size = settings.population
        self._people = [self._random() for _ in range(size << settings.rounds)]
        self._duels: list[tuple[Point, Point]] = []
        self.generation = 0

    def _random(self) -> Point:
        first = self.settings.first
        return self.space.settle(
            [
                self._draw.uniform(max(one.low, -first), min(one.high, first))
                for one in self.space.coordinates
            ]
        )

    @property
    def expected_games(self) -> int:
        size = self.settings.population
        first = (size << self.settings.rounds) - size
        return self.settings.games * (first + self.settings.generations * size + size - 1)

    def ask(self) -> list[Trial]:
        size = self.settings.population
        if len(self._people) > size:
            self.stage = f"knock-out of {len(self._people)}"
        elif self.generation < self.settings.generations:
            self.generation += 1
            self.stage = f"generation {self.generation} of {self.settings.generations}"
            self._people = self._people + self._children()
        elif len(self._people) > 1:
            self.stage = f"last knock-out, of {len(self._people)}"
        else:
            return []
        half = len(self._people) // 2
        self._duels = list(zip(self._people[:half], self._people[half:], strict=False))
        return [Trial(one, two, self.settings.games) for one, two in self._duels]

    def _children(self) -> list[Point]:
        fathers, mothers = self._people[:], self._people[:]
        self._draw.shuffle(fathers)
        self._draw.shuffle(mothers)
        return [
            self._mutated(self._crossed(father, mother))
            for father, mother in zip(fathers, mothers, strict=True)
        ]

    def _crossed(self, father: Point, mother: Point) -> Point:
        """Each gene, mostly, somewhere about its parents' two; otherwise the father's."""
        return tuple(
            (a + b) / 2 + 1.5 * abs(a - b) * (self._draw.random() - 0.5)
            if self._draw.random() < self.settings.crossover
            else a
            for a, b in zip(father, mother, strict=True)
        )

    def _mutated(self, point: Point) -> Point:
        step = round(self.settings.step)
        return self.space.settle(
            [
                gene + self._draw.randint(-step, step)
                if self._draw.random() < self.settings.mutation
                else gene
                for gene in point
            ]
        )

    def tell(self, scores: Sequence[Score]) -> None:
        # The odd one out of a last knock-out with an odd number of players goes on.
        odd = self._people[2 * len(self._duels) :]
        won = [score.value >= 0.5 for score in scores]
        self._people = [
            one if first else two for (one, two), first in zip(self._duels, won, strict=True)
        ] + odd
        self.notes = {"children who won": 1 - sum(won) / len(won), "spread": self._spread()}
        self.best = self._people[0] if len(self._people) == 1 else centre(self)

    def _spread(self) -> float:
        """The mean standard deviation of a gene, as a share of its range."""
        return spread([self.space.unit(point) for point in self._people])

    @property
    def people(self) -> list[Point]:
        return self._people


class GeneticSettings(Settings, frozen=True, kw_only=True):
    population: Annotated[int, Meta(ge=4, le=100_000)] = 32
    parents: Share = 0.25
    """The share of a generation that has children."""
    crossover: Share = 0.75
    mutation: Share = 0.25
    step: Annotated[float, Meta(gt=0, le=1)] = 0.15
    """The standard deviation of a mutation, as a share of the range; it falls to a tenth."""


class Genetic(Optimiser):
    """A genetic algorithm for noisy scores."""

    noise = (
        "A generation plays in pairs on common openings; nobody outlives it by a lucky score; "
        "the answer is the mean of the last parents, not the one that scored best."
    )
    Settings = GeneticSettings

    def __init__(self, problem: Problem, settings: GeneticSettings) -> None:
        super().__init__(problem, settings)
        self.settings: GeneticSettings = settings
        self._draw = random.Random(problem.seed)
        self._generations = max(1, problem.trials // settings.population)
        self.generation = 0
        self._people = [self.space.unit(self.space.start)]
        count = len(self.space.coordinates)
        self._people += [
            tuple(self._draw.random() for _ in range(count)) for _ in range(settings.population - 1)
        ]

    def ask(self) -> list[Trial]:
        if self.generation == self._generations:
            return []
        self.generation += 1
        self.stage = f"generation {self.generation} of {self._generations}"
        return [Trial(self.space.from_unit(point)) for point in self._people]

    def tell(self, scores: Sequence[Score]) -> None:
        ranked = sorted(zip(scores, self._people, strict=True), key=lambda pair: -pair[0].value)
        count = max(2, round(self.settings.parents * len(ranked)))
        parents = [point for _, point in ranked[:count]]
        self.best = self.space.from_unit(mean(parents))
        self.notes = {"spread": spread(self._people)}
        self._people = [self._child(parents) for _ in self._people]

    def _child(self, parents: list[Point]) -> Point:
        father, mother = self._draw.sample(parents, 2)
        step = self.settings.step * 0.1 ** (self.generation / self._generations)
        genes = []
        for a, b in zip(father, mother, strict=True):
            gene = a
            if self._draw.random() < self.settings.crossover:
                gene = (a + b) / 2 + 1.5 * (a - b) * (self._draw.random() - 0.5)
            if self._draw.random() < self.settings.mutation:
                gene += self._draw.gauss(0, step)
            genes.append(min(max(gene, 0.0), 1.0))
        return tuple(genes)


def mean(points: Sequence[Point]) -> Point:
    return tuple(sum(values) / len(points) for values in zip(*points, strict=True))


def centre(report: ReportGenetic) -> Point:
    """The mean individual."""
    return report.space.settle(mean(report.people))


def spread(points: Sequence[Point]) -> float:
    """The mean standard deviation of a coordinate."""
    total = 0.0
    for values in zip(*points, strict=True):
        middle = sum(values) / len(values)
        total += (sum((value - middle) ** 2 for value in values) / len(values)) ** 0.5
    return total / len(points[0])
