"""Calibrate the levels of a game: a tournament along its strength dial, and the table from it.

Settings along the dial play their neighbours. Their ratings, made monotonic, map any Elo between
the random player's and the strongest's to a setting; a hundred equal steps of Elo are the levels.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from honte.arena.game import Played
from honte.arena.match import Standing
from honte.arena.ratings import Array, Game, rate
from honte.arena.schedule import Plan, Task
from honte.arena.statistics import SCALE, expected
from honte.core.descriptor_parts import Levels
from honte.core.language import Message
from honte.core.spec import join
from honte.players.level import HIGHEST, NAME, WEAKEST, Rung, dial_at, engine_spec, rank

POINTS = 21
GAMES = 80
COSTLY = 40
"""Searches within this factor of the largest play fewer games, in proportion to the root of
their cost."""
PRIOR = 3000 / SCALE
"""Width of the prior, much wider than the ladder: it does not pull the strongest to the mean."""

BEND = 40.0
"""Typical difference between successive steps along the dial, in Elo."""

SAMPLE = ((10, 20), (30, 40), (50, 60), (70, 80), (90, 100))
CHECK_GAMES = 40
TOLERANCE = 0.06
"""Error of a score allowed for interpolation and the model, besides the sampling error."""


@dataclass(frozen=True)
class Setting:
    """A setting of the dial."""

    x: float
    noise: float
    iterations: int

    @property
    def spec(self) -> str:
        return join(NAME, {"noise": self.noise, "iterations": self.iterations})


@dataclass(frozen=True)
class Point:
    """A measured setting of the dial."""

    x: float
    noise: float
    iterations: int
    elo: float
    """Measured Elo above the random player."""
    error: float
    fitted: float
    """The Elo smoothed along the dial: see `smooth`."""
    games: int


def settings(dial: Levels, points: int | None = None) -> list[Setting]:
    """Equally spaced settings, from the random player to the strongest."""
    points = points or POINTS
    return [Setting(x, *dial_at(dial, x)) for x in (i / (points - 1) for i in range(points))]


def pairings(dial: Levels, places: Sequence[Setting], games: int) -> list[tuple[int, int, int]]:
    """Pairings of neighbours, each with its number of pairs of games."""
    found = []
    for i in range(len(places)):
        for j in (i + distance for distance in dial.distances):
            if j < len(places):
                costly = places[j].iterations * COSTLY / dial.top
                share = min(1.0, 1 / math.sqrt(costly))
                found.append((i, j, max(1, round(games * share / 2))))
    return found


def schedule(plan: Plan, dial: Levels, places: Sequence[Setting], games: int) -> Iterator[Task]:
    """The games, each pairing spread over the whole run so that the time left can be estimated."""
    order = sorted(
        ((round + 0.5) / rounds, i, j, round)
        for i, j, rounds in pairings(dial, places, games)
        for round in range(rounds)
    )
    for number, (_, i, j, round) in enumerate(order):
        yield from plan.pair(places[j].spec, places[i].spec, 2 * number, round)


def refuse_fault(played: Played) -> None:
    """Raise if a level faulted: it cannot be rated."""
    if played.fault is not None:
        raise ValueError(
            Message(
                "{faulty} faulted ({reason}: {detail})",
                faulty=played.faulty,
                reason=played.reason,
                detail=played.detail,
            )
        )


class Calibration:
    """The results of the games along the dial."""

    def __init__(self, places: Sequence[Setting]) -> None:
        self.places = list(places)
        self.stopped = ""
        self._games: Counter[Game] = Counter()
        self._played: Counter[int] = Counter()
        self._index = {place.spec: index for index, place in enumerate(places)}

    def add(self, played: Played) -> None:
        refuse_fault(played)
        one, two = (self._index[spec] for spec in played.task.players)
        self._games[one, two, played.for_first] += 1
        self._played.update((one, two))

    @property
    def total(self) -> int:
        return sum(self._games.values())

    def points(self) -> list[Point]:
        """The ratings above the random player, with their errors."""
        ratings = rate(len(self.places), list(self._games.elements()), PRIOR)
        measured = [ratings.difference(index, 0) for index in range(len(self.places))]
        c = ratings.covariance
        above_first = c[1:, 1:] - c[1:, :1] - c[:1, 1:] + c[0, 0]
        fitted = [0.0, *smooth([elo for elo, _ in measured[1:]], above_first)]
        return [
            Point(
                round(place.x, 4),
                place.noise,
                place.iterations,
                round(elo, 1),
                round(error, 1),
                round(fit, 1),
                self._played[index],
            )
            for index, (place, (elo, error), fit) in enumerate(
                zip(self.places, measured, fitted, strict=True)
            )
        ]


def smooth(values: Sequence[float], covariance: Array, from_zero: bool = True) -> list[float]:
    """Ratings along the dial, with improbable bends smoothed out.

    Minimises the sum of two penalties: the distance from the measured values, weighted by their
    covariance, and the second differences, weighted by `BEND`. With `from_zero` the values are
    ratings above a first point, which is exactly 0.
    """
    count = len(values)
    precision = np.linalg.inv(covariance)
    # Second differences of 0, values[0], values[1], …; the column of the leading 0 is left out.
    bends = np.diff(np.eye(count + from_zero), 2, axis=0)[:, int(from_zero) :]
    matrix = precision + bends.T @ bends / BEND**2
    return [float(value) for value in np.linalg.solve(matrix, precision @ np.array(values))]


def isotonic(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Isotonic regression by pooling adjacent violators.

    >>> isotonic([1, 3, 2, 4], [1, 1, 1, 1])
    [1, 2.5, 2.5, 4]
    """
    pools: list[list[float]] = []  # value, weight, how many
    for value, weight in zip(values, weights, strict=True):
        pools.append([value, weight, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (one, u, m), (two, v, n) = pools[-2:]
            pools[-2:] = [[(one * u + two * v) / (u + v), u + v, m + n]]
    return [value for value, _, count in pools for _ in range(int(count))]


def between(x: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """Linear interpolation at x between points with non-decreasing xs.

    >>> between(1.5, [0, 1, 2], [0, 10, 30])
    20.0
    """
    for left in range(len(xs) - 1):
        if x <= xs[left + 1] and xs[left] < xs[left + 1]:
            share = max(0.0, (x - xs[left]) / (xs[left + 1] - xs[left]))
            return ys[left] + share * (ys[left + 1] - ys[left])
    return float(ys[-1])


def levels(dial: Levels, points: Sequence[Point], count: int = HIGHEST) -> list[Rung]:
    """Levels at equal steps of Elo; the last is the top of the dial."""
    # The first point is the anchor, exactly 0; its weight keeps it there.
    weights = [1 / max(point.error, 0.1) ** 2 for point in points]
    elos = isotonic([point.fitted for point in points], weights)
    if elos[-1] <= elos[0]:
        raise ValueError(Message("the dial does not get stronger; play more games"))
    xs = [point.x for point in points]
    errors = [point.error for point in points]
    found = []
    for level in range(1, count + 1):
        elo = elos[0] + (elos[-1] - elos[0]) * level / count
        x = xs[-1] if level == count else between(elo, elos, xs)
        noise, iterations = dial_at(dial, x)
        error = between(x, xs, errors)
        found.append(
            Rung(level, engine_spec(dial, iterations), noise, round(elo, 1), round(error, 1))
        )
    if dial.anchor is None:
        return found
    iterations, kyu = dial.anchor
    even = between(iterations, [point.iterations for point in points], elos)
    step = even / (WEAKEST - kyu)
    return [replace(rung, rank=rank(WEAKEST - rung.elo / step)) for rung in found]


def row_of(rung: Rung) -> dict[str, object]:
    """A level as a row of its file, without a rank or a temperature if it has none."""
    row = asdict(rung)
    return {key: value for key, value in row.items() if key not in ("rank", "temperature") or value}


def document(
    dial: Levels, points: Sequence[Point], games: int, about: dict[str, object]
) -> dict[str, object]:
    """The file of a game's levels."""
    return {
        "measured_on": dial.game,
        **about,
        "games": games,
        "distances": list(dial.distances),
        "points": [asdict(point) for point in points],
        "levels": [row_of(rung) for rung in levels(dial, points)],
    }


def check_schedule(plan: Plan, games: int) -> Iterator[Task]:
    """Games of every level against the one ten above it."""
    number = 0
    for round in range((games + 1) // 2):
        for low, high in SAMPLE:
            yield from plan.pair(f"{NAME}:{high}", f"{NAME}:{low}", number, round)
            number += 2


@dataclass(frozen=True)
class Checked:
    """Predicted and measured score between two levels."""

    low: int
    high: int
    games: int
    predicted: float
    measured: float

    @property
    def error(self) -> float:
        """Standard error of the measured score, if the table is right."""
        return math.sqrt(self.predicted * (1 - self.predicted) / self.games)

    @property
    def fine(self) -> bool:
        return abs(self.measured - self.predicted) <= 3 * self.error + TOLERANCE


class Check:
    """The results of a check of the table."""

    def __init__(self, rungs: Sequence[Rung]) -> None:
        self.rungs = rungs
        self.stopped = ""
        self._standings = {pair: Standing() for pair in SAMPLE}

    def add(self, played: Played) -> None:
        one, two = (int(spec.partition(":")[2]) for spec in played.task.players)
        self._standings[min(one, two), max(one, two)].add(played)

    @property
    def total(self) -> int:
        return sum(standing.total.games for standing in self._standings.values())

    def rows(self) -> list[Checked]:
        found = []
        for (low, high), standing in self._standings.items():
            if standing.total.games:
                predicted = expected(self.rungs[high - 1].elo - self.rungs[low - 1].elo)
                share = standing.total.points / standing.total.games
                found.append(Checked(low, high, standing.total.games, predicted, share))
        return found
