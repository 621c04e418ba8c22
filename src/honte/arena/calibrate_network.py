"""Calibrate the levels that a network plays, on the scale of a game's other levels.

Settings of the network's dial play each other and every tenth level of the table, whose ratings are
taken as they are. Up to `NetworkLevels.kept` a level keeps its rating and gets the network's
setting of that strength; from there equal steps of Elo lead to the top of the network's dial, which
is level 100. Steps below the network's weakest setting use the other dial; weaker levels are
unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from honte.arena.calibrate import between, isotonic, refuse_fault, row_of, smooth
from honte.arena.game import Played
from honte.arena.schedule import Plan, Task
from honte.arena.statistics import CONFIDENCE, SCALE
from honte.core.descriptor_parts import Levels, NetworkLevels
from honte.core.language import Message
from honte.core.spec import join, split
from honte.players.level import HIGHEST, NAME, WEAKEST, Rung, engine_spec, rank

WARM, SEARCHING = 8, 8
"""Settings with a temperature, and without."""
DISTANCES = (1, 2)
ANCHORS = tuple(range(10, HIGHEST + 1, 10))
SEARCHED_FROM = 60
"""Settings without a temperature are too strong to learn from weaker anchors."""
GAMES = 40
"""Games of a pair of settings; a fifth as many against each anchor."""
PRIOR_GAMES = 0.5
"""Virtual draws of every setting against the mean of the anchors, to keep ratings finite."""


@dataclass(frozen=True)
class Setting:
    """A setting of the network's dial."""

    temperature: float
    iterations: int

    @property
    def spec(self) -> str:
        return join(NAME, {"temperature": self.temperature, "iterations": self.iterations})


@dataclass(frozen=True)
class Point:
    """A measured setting."""

    temperature: float
    iterations: int
    elo: float
    """Elo above the random player."""
    error: float
    fitted: float
    games: int


def settings(dial: NetworkLevels) -> list[Setting]:
    """From the hottest policy to the largest search.

    >>> [s.spec for s in settings(NetworkLevels("", top=100, hottest=2))][6:10:2]
    ['level:temperature=0.5,iterations=1', 'level:temperature=0.0,iterations=1']
    """
    warm = WARM if dial.hottest > 0 else 0
    found = [Setting(round(dial.hottest * (warm - i) / warm, 4), 1) for i in range(warm)]
    for i in range(SEARCHING):
        found.append(Setting(0.0, round(dial.top ** (i / (SEARCHING - 1)))))
    return found


def at(dial: NetworkLevels, x: float) -> Setting:
    """The setting at a fractional index into `settings`.

    >>> at(NetworkLevels("", top=10_000), 3.5)
    Setting(temperature=0.0, iterations=100)
    """
    warm = WARM if dial.hottest > 0 else 0
    if x < warm:
        return Setting(round(dial.hottest * (warm - x) / warm, 4), 1)
    return Setting(0.0, round(dial.top ** ((x - warm) / (SEARCHING - 1))))


def anchors(rungs: Sequence[Rung]) -> dict[str, Rung]:
    """The anchors: levels without a network, by their uncalibrated specs."""
    found = {}
    for level in ANCHORS:
        rung = rungs[level - 1]
        iterations = split(rung.spec)[1]["iterations"]
        found[join(NAME, {"noise": rung.noise, "iterations": iterations})] = rung
    return found


def schedule(
    plan: Plan, places: Sequence[Setting], known: Mapping[str, Rung], games: int
) -> Iterator[Task]:
    """The games, each pairing spread over the whole run."""
    pairs = [
        (place.spec, places[i - distance].spec, games)
        for i, place in enumerate(places)
        for distance in DISTANCES
        if i >= distance
    ]
    few = max(2, games // 5)
    for spec, rung in known.items():
        for place in places:
            if place.temperature > 0 or rung.level >= SEARCHED_FROM:
                pairs.append((place.spec, spec, few))
    order = sorted(
        ((round + 0.5) / ((count + 1) // 2), index, round)
        for index, (_, _, count) in enumerate(pairs)
        for round in range((count + 1) // 2)
    )
    for number, (_, index, round) in enumerate(order):
        first, second, _ = pairs[index]
        yield from plan.pair(first, second, 2 * number, round)


class NetworkCalibration:
    """The results of the games, and ratings on the scale of the anchors."""

    def __init__(self, places: Sequence[Setting], known: Mapping[str, Rung]) -> None:
        self.places = list(places)
        self.stopped = ""
        self._index = {place.spec: index for index, place in enumerate(places)}
        self._known = {spec: rung.elo for spec, rung in known.items()}
        self._scores: list[tuple[str, str, float]] = []

    def add(self, played: Played) -> None:
        refuse_fault(played)
        one, two = played.task.players
        self._scores.append((one, two, (played.for_first + 1) / 2))

    @property
    def total(self) -> int:
        return len(self._scores)

    def points(self) -> list[Point]:
        """The most likely ratings of the settings; those of the anchors are given."""
        count = len(self.places)
        middle = float(np.mean(list(self._known.values())))
        elo = np.full(count, middle)
        games = np.zeros(count, int)
        for _ in range(100):
            gradient = -PRIOR_GAMES * np.tanh((elo - middle) / SCALE / 2) / 2
            curvature = np.diag(np.full(count, PRIOR_GAMES / 4))
            games[:] = 0
            for one, two, score in self._scores:
                i, j = self._index.get(one), self._index.get(two)
                a = elo[i] if i is not None else self._known[one]
                b = elo[j] if j is not None else self._known[two]
                p = 1 / (1 + math.exp(-(a - b) / SCALE))
                weight = max(p * (1 - p), 1e-6)
                for place, other, sign in ((i, j, 1), (j, i, -1)):
                    if place is None:
                        continue
                    games[place] += 1
                    gradient[place] += sign * (score - p)
                    curvature[place, place] += weight
                    if other is not None:
                        curvature[place, other] -= weight
            step = np.linalg.solve(curvature, gradient) * SCALE
            elo += np.clip(step, -200, 200)
            if np.abs(step).max() < 0.01:
                break
        covariance = np.linalg.inv(curvature) * SCALE**2
        errors = CONFIDENCE * np.sqrt(covariance.diagonal())
        fitted = smooth(list(elo), covariance, from_zero=False)
        return [
            Point(
                place.temperature,
                place.iterations,
                round(float(elo[i]), 1),
                round(float(errors[i]), 1),
                round(fitted[i], 1),
                int(games[i]),
            )
            for i, place in enumerate(self.places)
        ]


def levels(dial: Levels, points: Sequence[Point], rungs: Sequence[Rung]) -> list[Rung]:
    """The levels that the network plays from now on."""
    assert dial.network is not None
    network = dial.network
    elos = isotonic([point.fitted for point in points], [1 / point.error**2 for point in points])
    xs = [float(i) for i in range(len(points))]
    errors = [point.error for point in points]
    base = rungs[network.kept - 1].elo
    if elos[-1] <= base:
        raise ValueError(Message("the network is no stronger than level {kept}", kept=network.kept))
    found = []
    for rung in rungs:
        elo = rung.elo
        if rung.level > network.kept:
            share = (rung.level - network.kept) / (HIGHEST - network.kept)
            elo = base + share * (elos[-1] - base)
            if elo < elos[0]:
                nearest = min(rungs, key=lambda other: abs(other.elo - elo))
                found.append(replace(nearest, level=rung.level))
                continue
        if elo < elos[0] or (network.hottest == 0 and rung.level <= network.kept):
            continue
        x = xs[-1] if rung.level == HIGHEST else between(elo, elos, xs)
        setting = at(network, x)
        found.append(
            Rung(
                level=rung.level,
                spec=engine_spec(network, setting.iterations),
                noise=0.0,
                elo=round(elo, 1),
                error=round(between(x, xs, errors), 1),
                rank=rung.rank,
                temperature=setting.temperature,
            )
        )
    return ranked(found, rungs, network.kept)


def ranked(found: Sequence[Rung], rungs: Sequence[Rung], kept: int) -> list[Rung]:
    """Add ranks on the other levels' scale, up to 1 dan: nothing was measured above 1 kyu."""
    known = [rung for rung in rungs if rung.rank.endswith("kyu")]
    if not known:
        return list(found)
    last = known[-1]
    step = last.elo / (WEAKEST - int(last.rank.split()[0]))
    return [
        replace(rung, rank=rank(max(0.0, WEAKEST - rung.elo / step))) if rung.level > kept else rung
        for rung in found
    ]


def document(
    dial: Levels, points: Sequence[Point], found: Sequence[Rung], about: dict[str, object]
) -> dict[str, Any]:
    """The file of a network's levels."""
    return {
        "measured_on": dial.game,
        **about,
        "points": [asdict(point) for point in points],
        "levels": [row_of(rung) for rung in found],
    }
