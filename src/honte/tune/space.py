"""The search space: settings of an engine, each with its range, as one vector of numbers.

>>> space = Space("uct:iterations=100", [Coordinate("c", 0.2, 1.4, 0.8)])
>>> space.spec(space.start), space.spec((1.23456,))
('uct:iterations=100,c=0.8', 'uct:iterations=100,c=1.235')
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from honte.core.language import Message
from honte.core.messages import quote
from honte.core.spec import join, split
from honte.core.vector import Vector

Point = tuple[float, ...]
"""A value for each coordinate, in its own units; for listed values, the index in the list."""


@dataclass(frozen=True)
class Coordinate:
    """One number that is tuned."""

    name: str
    low: float
    high: float
    start: float
    whole: bool = False
    log: bool = False
    """Logarithmic scale."""
    values: tuple[str, ...] = ()
    """Listed values, if any; the coordinate is an index into this list."""

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(
                Message(
                    "the range of {name} is empty: {low:g} to {high:g}; low must be less than high",
                    name=quote(self.name),
                    low=self.low,
                    high=self.high,
                )
            )
        if self.log and self.low <= 0:
            raise ValueError(
                Message("{name} has log = true, so low must be more than 0", name=quote(self.name))
            )
        if not self.low <= self.start <= self.high:
            raise ValueError(
                Message(
                    "the start of {name}, {start:g}, is not within {low:g} to {high:g}",
                    name=quote(self.name),
                    start=self.start,
                    low=self.low,
                    high=self.high,
                )
            )

    def settle(self, value: float) -> float:
        """The nearest number that a spec can hold."""
        value = min(max(value, self.low), self.high)
        if self.whole or self.values:
            return float(round(value))
        return float(f"{value:.4g}")

    def unit(self, value: float) -> float:
        """The value scaled to 0 (low) … 1 (high)."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def from_unit(self, unit: float) -> float:
        unit = min(max(unit, 0.0), 1.0)
        if self.log:
            return self.low * math.exp(unit * math.log(self.high / self.low))
        return self.low + unit * (self.high - self.low)

    def words(self, value: float) -> str:
        """The value as a spec holds it."""
        if self.values:
            return self.values[int(value)]
        return f"{int(value)}" if value == int(value) else f"{value:.4g}"


@dataclass(frozen=True)
class TunedVector:
    """A setting that is a vector, with the value that the study starts from."""

    setting: str
    vector: Vector
    start: Sequence[float]


class Space:
    """The settings of an engine that are tuned; its other settings stay.

    Coordinates that belong to a vector become one setting.
    """

    def __init__(
        self, engine: str, coordinates: Sequence[Coordinate], vectors: Sequence[TunedVector] = ()
    ) -> None:
        if not coordinates:
            raise ValueError(Message("nothing is tuned; name a parameter with its range"))
        self.name, self.fixed = split(engine)
        self.coordinates = tuple(coordinates)
        self.vectors = tuple(vectors)
        self._setting = {
            name: tuned.setting for tuned in self.vectors for name in tuned.vector.names
        }
        for one in coordinates:
            key = self._setting.get(one.name, one.name)
            if key in self.fixed:
                raise ValueError(
                    Message(
                        "{key} is both tuned and set in {engine}; leave it out there",
                        key=quote(key),
                        engine=quote(engine),
                    )
                )

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.coordinates]

    @property
    def start(self) -> Point:
        return tuple(one.start for one in self.coordinates)

    def settle(self, point: Sequence[float]) -> Point:
        """The nearest point that a spec can hold."""
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

    def vector_at(self, tuned: TunedVector, point: Point) -> list[float]:
        """All numbers of a vector at a point, including those that are not tuned."""
        values = dict(zip(tuned.vector.names, tuned.start, strict=True))
        for one, value in zip(self.coordinates, point, strict=True):
            if one.name in values:
                values[one.name] = value
        return list(values.values())

    def spec(self, point: Point) -> str:
        """The player at a point."""
        settings: dict[str, object] = dict(self.fixed)
        for name, words in self.words(point).items():
            if name not in self._setting:
                settings[name] = words
        for tuned in self.vectors:
            settings[tuned.setting] = tuned.vector.write(self.vector_at(tuned, point))
        return join(self.name, settings)
