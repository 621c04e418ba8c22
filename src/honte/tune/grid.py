"""Grid search: every combination of values, with the same number of games each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Annotated

from msgspec import Meta

from honte.core.language import Message
from honte.tune.optimiser import Optimiser, Problem, Score, Settings, Trial
from honte.tune.space import Coordinate, Point

MOST = 10_000


class GridSettings(Settings, frozen=True, kw_only=True):
    points: Annotated[int, Meta(ge=2, le=1000)] = 7
    """Number of values of a coordinate without a list of them."""


class Grid(Optimiser):
    """Every point in turn, round after round, all on the openings of the round."""

    noise = Message(
        "All points play the same openings in each round, and each point has its interval."
    )
    Settings = GridSettings

    def __init__(self, problem: Problem, settings: GridSettings) -> None:
        super().__init__(problem, settings)
        axes = [values(one, settings.points) for one in self.space.coordinates]
        if math.prod(map(len, axes)) > MOST:
            raise ValueError(
                Message(
                    "the grid has {count:,} points and {most:,} are the most; list fewer "
                    "values, or "
                    "use another optimiser",
                    count=math.prod(map(len, axes)),
                    most=MOST,
                )
            )
        self.points: list[Point] = list(dict.fromkeys(product(*axes)))
        self._rounds = max(1, problem.trials // len(self.points))
        self._round = 0
        self._scores: list[list[Score]] = [[] for _ in self.points]

    def ask(self) -> list[Trial]:
        if self._round == self._rounds:
            return []
        self._round += 1
        self.stage = Message("round {round} of {rounds}", round=self._round, rounds=self._rounds)
        return [Trial(point) for point in self.points]

    def tell(self, scores: Sequence[Score]) -> None:
        for mine, score in zip(self._scores, scores, strict=True):
            mine.append(score)
        table = self.table()
        self.best = max(table, key=lambda row: row[1].value)[0]

    def table(self) -> list[tuple[Point, Score]]:
        """Every point and its score over all rounds."""
        return [
            (point, pooled(scores))
            for point, scores in zip(self.points, self._scores, strict=True)
            if scores
        ]


def values(one: Coordinate, points: int) -> list[float]:
    """The values of a coordinate to try."""
    if one.values:
        return [float(place) for place in range(len(one.values))]
    even = [one.settle(one.from_unit(k / (points - 1))) for k in range(points)]
    return list(dict.fromkeys(even))


def pooled(scores: Sequence[Score]) -> Score:
    """Pool several measurements of a point."""
    games = sum(score.games for score in scores)
    return Score(
        value=sum(score.games * score.value for score in scores) / games,
        error=math.sqrt(sum((score.games * score.error) ** 2 for score in scores)) / games,
        games=games,
        margin=sum(score.games * score.margin for score in scores) / games,
    )
