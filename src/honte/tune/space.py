"""What is tuned: some settings of an engine, each with its range, as one vector of numbers.

>>> space = Space("uct:iterations=100", [Coordinate("c", 0.2, 1.4, 0.8)])
>>> space.spec(space.start), space.spec((1.23456,))
('uct:iterations=100,c=0.8', 'uct:iterations=100,c=1.235')
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from honte.games.contract import quote
from honte.games.spec import join, split
from honte.search.weights import Weights

Point = tuple[float, ...]
"""A value for each coordinate, in its own units; of listed values, the place in the list."""

SQUARES = tuple(f"square {row}/{column}" for row in range(4) for column in range(row + 1))
WEIGHTS = (*SQUARES, "discs", "mobility", "stable")
"""The coordinates of Othello's weights."""


@dataclass(frozen=True)
class Coordinate:
    """One number that is tuned."""

    name: str
    low: float
    high: float
    start: float
    whole: bool = False
    log: bool = False
    """Whether equal factors count as equal steps."""
    values: tuple[str, ...] = ()
    """Where they are listed: the number is the place in this list."""

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(
                f"the range of {quote(self.name)} is empty: {self.low:g} to {self.high:g}; "
                "low must be less than high"
            )
        if self.log and self.low <= 0:
            raise ValueError(f"{quote(self.name)} has log = true, so low must be more than 0")
        if not self.low <= self.start <= self.high:
            raise ValueError(
                f"the start of {quote(self.name)}, {self.start:g}, is not within "
                f"{self.low:g} to {self.high:g}"
            )

    def settle(self, value: float) -> float:
        """The nearest number that a spec can say."""
        value = min(max(value, self.low), self.high)
        if self.whole or self.values:
            return float(round(value))
        return float(f"{value:.4g}")

    def unit(self, value: float) -> float:
        """Where a value stands between low, 0, and high, 1."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def from_unit(self, unit: float) -> float:
        unit = min(max(unit, 0.0), 1.0)
        if self.log:
            return self.low * math.exp(unit * math.log(self.high / self.low))
        return self.low + unit * (self.high - self.low)

    def words(self, value: float) -> str:
        """The value as a spec says it."""
        if self.values:
            return self.values[int(value)]
        return f"{int(value)}" if value == int(value) else f"{value:.4g}"


class Space:
    """The settings of an engine that are tuned; its other settings stay.

    Coordinates that ``weights`` names are Othello's, and become one setting.
    """

    def __init__(
        self, engine: str, coordinates: Sequence[Coordinate], weights: Weights | None = None
    ) -> None:
        if not coordinates:
            raise ValueError("nothing is tuned; name a parameter with its range")
        self.name, self.fixed = split(engine)
        self.coordinates = tuple(coordinates)
        self._weights = weights
        for one in coordinates:
            key = "weights" if weights and one.name in WEIGHTS else one.name
            if key in self.fixed:
                raise ValueError(
                    f"{quote(key)} is both tuned and set in {quote(engine)}; leave it out there"
                )

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.coordinates]

    @property
    def start(self) -> Point:
        return tuple(one.start for one in self.coordinates)

    def settle(self, point: Sequence[float]) -> Point:
        """The nearest point that a spec can say."""
        return tuple(one.settle(value) for one, value in zip(self.coordinates, point, strict=True))

    def unit(self, point: Sequence[float]) -> Point:
        """The point in the unit cube."""
        return tuple(one.unit(value) for one, value in zip(self.coordinates, point, strict=True))

    def from_unit(self, units: Sequence[float]) -> Point:
        return self.settle(
            [one.from_unit(unit) for one, unit in zip(self.coordinates, units, strict=True)]
        )

    def words(self, point: Point) -> dict[str, str]:
        """Every coordinate's value, by its name."""
        return {
            one.name: one.words(value) for one, value in zip(self.coordinates, point, strict=True)
        }

    def weights(self, point: Point) -> Weights | None:
        """Othello's weights at a point, where they are tuned."""
        if self._weights is None:
            return None
        values = dict(zip(WEIGHTS, self._weights.to_list(), strict=True))
        values |= {
            one.name: value
            for one, value in zip(self.coordinates, point, strict=True)
            if one.name in WEIGHTS
        }
        return Weights.from_list(list(values.values()))

    def spec(self, point: Point) -> str:
        """The player at a point."""
        settings: dict[str, object] = dict(self.fixed)
        weights = self.weights(point)
        for name, words in self.words(point).items():
            if weights is None or name not in WEIGHTS:
                settings[name] = words
        if weights is not None:
            settings["weights"] = weights.words()
        return join(self.name, settings)
