"""How strong is each level? A tournament along a game's dial, and a table made from it.

Settings along the dial play their neighbours. Their ratings, made to rise along the dial, say
where it must stand for any Elo between the random player's and the strongest's; a hundred equal
steps of Elo are the levels.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from honte.arena.game import Played
from honte.arena.match import Standing
from honte.arena.ratings import SCALE, Game, Matrix, inverse, rate, solve
from honte.arena.schedule import Plan, Task
from honte.arena.statistics import expected
from honte.games.spec import join
from honte.players.level import HIGHEST, NAME, WEAKEST, Dial, Rung, rank

POINTS = 21
GAMES = 80
COSTLY = 40
"""Searches within this factor of the strongest play fewer games, the costlier the fewer."""
PRIOR = 3000 / SCALE
"""Far wider than a ladder is high: the strongest is not drawn to the middle."""

BEND = 40.0
"""Elo by which one step along the dial usually differs from the next."""

SAMPLE = ((10, 20), (30, 40), (50, 60), (70, 80), (90, 100))
CHECK_GAMES = 40
TOLERANCE = 0.06
"""Of a score: interpolation and the model may be off by so much beside chance."""


@dataclass(frozen=True)
class Setting:
    """A place of the dial."""

    x: float
    noise: float
    iterations: int

    @property
    def spec(self) -> str:
        return join(NAME, {"noise": self.noise, "iterations": self.iterations})


@dataclass(frozen=True)
class Point:
    """A measured place of the dial."""

    x: float
    noise: float
    iterations: int
    elo: float
    """Above the random player, as measured."""
    error: float
    fitted: float
    """The same with its neighbours' help: strength grows smoothly along a dial."""
    games: int


def settings(dial: Dial, points: int | None = None) -> list[Setting]:
    """Places at equal distances, from the random player to the strongest."""
    points = points or POINTS
    return [Setting(x, *dial.at(x)) for x in (i / (points - 1) for i in range(points))]


def pairings(dial: Dial, places: Sequence[Setting], games: int) -> list[tuple[int, int, int]]:
    """Neighbours at some distances, and how many pairs of games they play."""
    found = []
    for i in range(len(places)):
        for j in (i + distance for distance in dial.distances):
            if j < len(places):
                costly = places[j].iterations * COSTLY / dial.top
                share = min(1.0, 1 / math.sqrt(costly))
                found.append((i, j, max(1, round(games * share / 2))))
    return found


def schedule(plan: Plan, dial: Dial, places: Sequence[Setting], games: int) -> Iterator[Task]:
    """The games, each pairing's spread over the whole: so the time left can be foretold."""
    order = sorted(
        ((round + 0.5) / rounds, i, j, round)
        for i, j, rounds in pairings(dial, places, games)
        for round in range(rounds)
    )
    for number, (_, i, j, round) in enumerate(order):
        yield from plan.pair(places[j].spec, places[i].spec, 2 * number, round)


class Calibration:
    """The results of the games along a dial."""

    def __init__(self, places: Sequence[Setting]) -> None:
        self.places = list(places)
        self.stopped = ""
        self._games: Counter[Game] = Counter()
        self._played: Counter[int] = Counter()
        self._index = {place.spec: index for index, place in enumerate(places)}

    def add(self, played: Played) -> None:
        if played.fault is not None:
            raise ValueError(f"{played.faulty} faulted ({played.reason}: {played.detail})")
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
        others = range(1, len(self.places))
        spread = [[c[i][j] - c[i][0] - c[0][j] + c[0][0] for j in others] for i in others]
        fitted = [0.0, *smooth([elo for elo, _ in measured[1:]], spread)]
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


def smooth(values: Sequence[float], covariance: Matrix) -> list[float]:
    """Measured heights above 0, drawn together where they bend more than they are likely to.

    The sum of two penalties is least: for leaving the measured values, by their covariance, and
    for the second differences, by `BEND`. The height before the first is 0 and exact.
    """
    count = len(values)
    matrix = inverse(covariance)
    right = [sum(map(float.__mul__, row, values)) for row in matrix]
    for i in range(-1, count - 2):  # of the heights i, i + 1, i + 2; height −1 is the 0
        row = {i: 1.0, i + 1: -2.0, i + 2: 1.0}
        row.pop(-1, None)
        for a, u in row.items():
            for b, v in row.items():
                matrix[a][b] += u * v / BEND**2
    return solve(matrix, right)


def isotonic(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The rising sequence that is closest to some values: neighbours in disorder are pooled.

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
    """The height at x of the line through some points whose xs do not fall.

    >>> between(1.5, [0, 1, 2], [0, 10, 30])
    20.0
    """
    for left in range(len(xs) - 1):
        if x <= xs[left + 1] and xs[left] < xs[left + 1]:
            share = max(0.0, (x - xs[left]) / (xs[left + 1] - xs[left]))
            return ys[left] + share * (ys[left + 1] - ys[left])
    return float(ys[-1])


def levels(dial: Dial, points: Sequence[Point], count: int = HIGHEST) -> list[Rung]:
    """Levels at equal steps of Elo; the last is the end of the dial."""
    # The first point is the anchor, exactly 0; its weight keeps it there.
    weights = [1 / max(point.error, 0.1) ** 2 for point in points]
    elos = isotonic([point.fitted for point in points], weights)
    if elos[-1] <= elos[0]:
        raise ValueError("the dial does not get stronger; play more games")
    xs = [point.x for point in points]
    errors = [point.error for point in points]
    found = []
    for level in range(1, count + 1):
        elo = elos[0] + (elos[-1] - elos[0]) * level / count
        x = xs[-1] if level == count else between(elo, elos, xs)
        noise, iterations = dial.at(x)
        error = between(x, xs, errors)
        found.append(Rung(level, dial.spec(iterations), noise, round(elo, 1), round(error, 1)))
    if dial.anchor is None:
        return found
    iterations, kyu = dial.anchor
    even = between(iterations, [point.iterations for point in points], elos)
    step = even / (WEAKEST - kyu)
    return [replace(rung, rank=rank(WEAKEST - rung.elo / step)) for rung in found]


def document(
    dial: Dial, points: Sequence[Point], games: int, about: dict[str, object]
) -> dict[str, object]:
    """The file of a game's levels."""
    return {
        "measured_on": dial.game,
        **about,
        "games": games,
        "distances": list(dial.distances),
        "points": [asdict(point) for point in points],
        "levels": [
            {key: value for key, value in asdict(rung).items() if value != ""}
            for rung in levels(dial, points)
        ],
    }


def check_schedule(plan: Plan, games: int) -> Iterator[Task]:
    """Levels against others ten above them."""
    number = 0
    for round in range((games + 1) // 2):
        for low, high in SAMPLE:
            yield from plan.pair(f"{NAME}:{high}", f"{NAME}:{low}", number, round)
            number += 2


@dataclass(frozen=True)
class Checked:
    """What a table says about two levels, and what their games say."""

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
    """The results of a check."""

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
