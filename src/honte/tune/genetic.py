"""Genetic algorithms: report O's, and one that allows for noise.

**The report's** (`preset = "report"`): 512 random individuals are cut to 64 by three knock-out
rounds. In each of 200 generations 64 children are made; each plays one game with the parent of its
place, and the winner stays. At the end a knock-out leaves one. The first mover wins ties.

**The default** is the same with pairs of games, against each other or against the study's
opponents, and its answer is the mean of the population.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from honte.core.language import Message
from honte.tune.optimiser import Optimiser, Problem, Score, Settings, Trial
from honte.tune.space import Point

MOST = 1_000_000
"""Maximum individuals of the first knock-out."""
Share = Annotated[float, Meta(ge=0, le=1)]


class ReportSettings(Settings, frozen=True, kw_only=True):
    population: Annotated[int, Meta(ge=2, le=100_000)] = 64
    first: Annotated[float, Meta(gt=0)] = math.inf
    """The first individuals are drawn from −first to first, within the range."""
    rounds: Annotated[int, Meta(ge=0, le=20)] = 3
    """Knock-out rounds before the first generation; each halves the population."""
    generations: Annotated[int, Meta(ge=0, le=1_000_000)] = 200
    crossover: Share = 0.75
    mutation: Share = 0.1
    step: Annotated[float, Meta(ge=0)] = 75
    """A mutation adds a whole number from −step to step."""
    games: Annotated[int, Meta(ge=1, le=10_000)] = 1
    """Games of a duel; an even number is played in pairs, with sides swapped."""


class ReportGenetic(Optimiser):
    """The report's genetic algorithm, as it describes it."""

    noise = Message(
        "None: one game decides, and the first mover wins ties. The population is the average."
    )
    Settings = ReportSettings

    def __init__(self, problem: Problem, settings: ReportSettings) -> None:
        super().__init__(problem, settings)
        self.settings: ReportSettings = settings
        self._draw = random.Random(problem.seed)
        size = settings.population
        if size << settings.rounds > MOST:
            raise ValueError(
                Message(
                    "the first knock-out has {size:,} individuals and {most:,} are the most; give "
                    "a smaller population, or fewer rounds",
                    size=size << settings.rounds,
                    most=MOST,
                )
            )
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
            self.stage = Message("knock-out of {count}", count=len(self._people))
        elif self.generation < self.settings.generations:
            self.generation += 1
            self.stage = Message(
                "generation {generation} of {generations}",
                generation=self.generation,
                generations=self.settings.generations,
            )
            self._people = self._people + self._children()
        elif len(self._people) > 1:
            self.stage = Message("last knock-out, of {count}", count=len(self._people))
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
        """Blend crossover: most genes near those of the parents, the others the first parent's."""
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
        # With an odd number of individuals, one gets a bye.
        odd = self._people[2 * len(self._duels) :]
        won = [score.value >= 0.5 for score in scores]
        self._people = [
            one if first else two for (one, two), first in zip(self._duels, won, strict=True)
        ] + odd
        self.notes = {"spread": self._spread()}
        if self.stage.startswith("generation"):
            self.notes["children who won"] = 1 - sum(won) / len(won)
        self.best = self._people[0] if len(self._people) == 1 else centre(self)

    def _spread(self) -> float:
        """The mean standard deviation of a gene, as a share of its range."""
        return spread([self.space.unit(point) for point in self._people])

    @property
    def people(self) -> list[Point]:
        return self._people


class GeneticSettings(Settings, frozen=True, kw_only=True):
    population: Annotated[int, Meta(ge=4, le=100_000)] = 32
    rounds: Annotated[int, Meta(ge=0, le=20)] = 2
    crossover: Share = 0.75
    mutation: Share = 0.1
    step: Annotated[float, Meta(gt=0, le=1)] = 0.12
    """Largest mutation, as a share of the range."""


class Genetic(Optimiser):
    """The report's algorithm with pairs of games; the answer is the mean of the population."""

    noise = Message(
        "Parent and child play each other in pairs, or the same opponents from the "
        "same openings; a tie is the parent's; the answer is the mean of the "
        "population, not one that was lucky."
    )
    Settings = GeneticSettings

    def __init__(self, problem: Problem, settings: GeneticSettings) -> None:
        super().__init__(problem, settings)
        self.settings: GeneticSettings = settings
        self._draw = random.Random(problem.seed)
        size = settings.population
        self._each = 1 if problem.relative else 2  # trials that a comparison takes
        self._left = problem.trials
        rounds = settings.rounds
        while rounds and self._each * ((size << rounds) - size) > self._left // 4:
            rounds -= 1
        count = len(self.space.coordinates)
        self._people: list[Point] = [
            tuple(self._draw.random() for _ in range(count)) for _ in range(size << rounds)
        ]
        self._people[0] = self.space.unit(self.space.start)
        self.generation = 0
        self._duels: list[tuple[Point, Point]] = []

    def ask(self) -> list[Trial]:
        size = self.settings.population
        if len(self._people) == size:
            if self.generation and self._left < self._each * size:
                return []
            self.generation += 1
            self._people = self._people + [self._child() for _ in range(size)]
        self.stage = Message("generation {generation}", generation=self.generation)
        half = len(self._people) // 2
        self._duels = list(zip(self._people[half:], self._people[:half], strict=True))
        self._left -= self._each * half
        ends = [(self.space.from_unit(one), self.space.from_unit(two)) for one, two in self._duels]
        if self.problem.relative:
            return [Trial(one, two) for one, two in ends]
        return [Trial(point) for pair in ends for point in pair]

    def _child(self) -> Point:
        father, mother = self._draw.sample(self._people, 2)
        genes = []
        for a, b in zip(father, mother, strict=True):
            gene = a
            if self._draw.random() < self.settings.crossover:
                gene = (a + b) / 2 + 1.5 * (a - b) * (self._draw.random() - 0.5)
            if self._draw.random() < self.settings.mutation:
                gene += self._draw.uniform(-1, 1) * self.settings.step
            genes.append(min(max(gene, 0.0), 1.0))
        return tuple(genes)

    def tell(self, scores: Sequence[Score]) -> None:
        if self.problem.relative:
            won = [score.value > 0.5 for score in scores]
        else:
            won = [a.value > b.value for a, b in zip(scores[::2], scores[1::2], strict=True)]
        self._people = [
            one if newcomer else two for (one, two), newcomer in zip(self._duels, won, strict=True)
        ]
        self.notes = {"spread": spread(self._people)}
        self.best = self.space.from_unit(mean(self._people))


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
