"""Weights of the linear Othello evaluation: presets and JSON files.

    {"squares": [[293], [-18, -67], [39, -62, -10], [40, -4, 13, 1]],
     "discs": 0, "mobility": 72, "stable": 0}

Row i, entry j of ``squares`` is the weight of square (i, j) of the triangle at the corner; the
others follow by symmetry. ``discs``, ``mobility`` and ``stable`` are the weights of a disc, a legal
move and a stable disc. Each term is the difference between the side to move and the opponent.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from honte.core.language import Message
from honte.core.messages import quote
from honte.core.vector import Vector

ROWS = (1, 2, 3, 4)
SCALARS = ("discs", "mobility", "stable")
LARGEST = 10_000
MAX_FILE = 100_000
_SHAPE = "four rows of 1, 2, 3 and 4 numbers under squares, and discs, mobility and stable"


@dataclass(frozen=True)
class Weights:
    """Thirteen numbers, each from −10,000 to 10,000, kept to a hundredth.

    >>> PRESETS["report"].squares[1]
    (-18.0, -67.0)
    >>> Weights.from_list(PRESETS["report"].to_list()) == PRESETS["report"]
    True
    """

    squares: tuple[tuple[float, ...], ...]
    discs: float = 0.0
    mobility: float = 0.0
    stable: float = 0.0

    @staticmethod
    def from_list(numbers: Sequence[float]) -> Weights:
        """From thirteen numbers: the triangle row by row, discs, mobility, stable."""
        if len(numbers) != 13:
            raise ValueError(
                Message(
                    "there are {count} weights; give 13: {shape}", count=len(numbers), shape=_SHAPE
                )
            )
        rows, at = [], 0
        for length in ROWS:
            rows.append(tuple(_number(n, "squares") for n in numbers[at : at + length]))
            at += length
        scalars = {name: _number(n, name) for name, n in zip(SCALARS, numbers[10:], strict=True)}
        return Weights(tuple(rows), **scalars)

    def to_list(self) -> list[float]:
        """The thirteen numbers, for tuning."""
        return [*(n for row in self.squares for n in row), self.discs, self.mobility, self.stable]

    def words(self) -> str:
        """The thirteen numbers as a spec value: ``weights=100/-20/...``."""
        return "/".join(str(_plain(number)) for number in self.to_list())

    def in_hundredths(self) -> list[int]:
        """In hundredths, for the native evaluation."""
        return [round(100 * number) for number in self.to_list()]

    def save(self, path: str | PathLike[str]) -> None:
        """Write the file that `load` reads."""
        rows = ",\n".join(f"    {json.dumps(list(map(_plain, row)))}" for row in self.squares)
        rest = ",\n".join(f'  "{name}": {json.dumps(_plain(vars(self)[name]))}' for name in SCALARS)
        text = f'{{\n  "squares": [\n{rows}\n  ],\n{rest}\n}}\n'
        Path(path).write_text(text, encoding="utf-8")


def load(path: str | PathLike[str]) -> Weights:
    """Read a weights file."""
    name = quote(Path(path).name)
    try:
        raw = Path(path).read_bytes()[: MAX_FILE + 1]
    except ValueError as error:  # not a valid file name
        raise ValueError(
            Message("{name} cannot be read: {error}", name=name, error=error)
        ) from None
    if len(raw) > MAX_FILE:
        raise ValueError(
            Message(
                "{name} is larger than {max_file:,} bytes; give a weights file",
                name=name,
                max_file=MAX_FILE,
            )
        )
    try:
        return parse(json.loads(raw.decode("utf-8")))
    except RecursionError:
        raise ValueError(
            Message("{name} nests too deeply; a weights file has {shape}", name=name, shape=_SHAPE)
        ) from None
    except (ValueError, TypeError) as error:
        raise ValueError(
            Message("{name} is not a weights file: {error}", name=name, error=error)
        ) from None


def parse(given: object) -> Weights:
    """Weights from the contents of a JSON file."""
    if not isinstance(given, Mapping) or set(given) != {"squares", *SCALARS}:
        raise ValueError(Message("it must have {shape}, and nothing else", shape=_SHAPE))
    rows = given["squares"]
    if not isinstance(rows, list) or [
        len(row) if isinstance(row, list) else -1 for row in rows
    ] != list(ROWS):
        raise ValueError(Message("it must have {shape}", shape=_SHAPE))
    return Weights.from_list([*(n for row in rows for n in row), *(given[k] for k in SCALARS)])


def named(text: str) -> Weights:
    """A preset, thirteen numbers as `Weights.words` writes them, or else a file.

    >>> named(PRESETS["report"].words()) == PRESETS["report"]
    True
    """
    if text in PRESETS:
        return PRESETS[text]
    if text.count("/") == 12:
        with suppress(ValueError):
            return Weights.from_list([float(word) for word in text.split("/")])
    if not Path(text).is_file():
        presets = ", ".join(PRESETS)
        raise ValueError(
            Message(
                "weights={given} is neither a file nor a preset; the presets are {presets}",
                given=quote(text),
                presets=presets,
            )
        )
    return load(text)


def _number(given: object, where: str) -> float:
    fine = isinstance(given, int | float) and not isinstance(given, bool)
    if not fine or not math.isfinite(given) or abs(given) > LARGEST:  # type: ignore[arg-type]
        raise ValueError(
            Message(
                "{given} in {where} is not a number from {value:,} to {largest:,}",
                given=quote(str(given)[:40]),
                where=where,
                value=-LARGEST,
                largest=LARGEST,
            )
        )
    return round(float(given), 2)  # type: ignore[arg-type]


def _plain(number: float) -> float | int:
    return int(number) if number == int(number) else number


_TABLE = [100, -20, -50, 10, -2, -1, 5, -2, -1, -1]
"""The square table found in textbooks."""

PRESETS = {
    # The Othello report's result. It does not name the term of weight 72; we assume mobility.
    "report": Weights.from_list([293, -18, -67, 39, -62, -10, 40, -4, 13, 1, 0, 72, 0]),
    # The textbook table alone.
    "table": Weights.from_list([*_TABLE, 0, 0, 0]),
    # The textbook table plus two terms: 10 per legal move, 15 per stable disc.
    "textbook": Weights.from_list([*_TABLE, 0, 10, 15]),
}


def by_square(numbers: Sequence[float]) -> list[list[float]]:
    """The weight of each square, row by row."""
    triangle = Weights.from_list(numbers).squares

    def worth(row: int, column: int) -> float:
        down, right = min(row, 7 - row), min(column, 7 - column)
        return triangle[max(down, right)][min(down, right)]

    return [[worth(row, column) for column in range(8)] for row in range(8)]


SQUARES = tuple(f"square {row}/{column}" for row in range(4) for column in range(row + 1))
VECTOR = Vector(
    names=(*SQUARES, *SCALARS),
    read=lambda text: named(text).to_list(),
    write=lambda numbers: Weights.from_list(numbers).words(),
    start="textbook",
    groups={"squares": SQUARES},
    board=by_square,
)
"""The weights for ``honte tune``."""
