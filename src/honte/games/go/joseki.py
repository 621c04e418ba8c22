"""The opening book of Go: the whole board on 9×9, the corners of larger ones.

An entry covers a window: the whole board, or one corner of a larger board. Symmetric windows share
an entry. Each entry has the backed-up values of its moves; for a corner also that of tenuki.

>>> import honte
>>> board = honte.game("go:size=13")
>>> book = Book({"." * 36: {14: 0.0, ELSEWHERE: 0.0}})
>>> sorted(board.format(move) for move, _ in book.find(board.start()))
['C11', 'C3', 'L11', 'L3']
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from honte.core import packed
from honte.core.contract import Game, State
from honte.core.language import Message

WHAT = "an opening book of Go"
FILE = Path(__file__).parent / "data" / "joseki.book"
"""Made by ``honte book go``: a JSON header line, then the entries, compressed."""
WHOLE = 9
"""The board size covered as a whole."""
CORNER = 6
"""The side length of a corner window."""
SMALLEST = 13
"""The smallest board with corner windows, which must not touch."""
ELSEWHERE = -1
"""Tenuki: a move outside the corner."""
KOMI = 5.0, 8.0
"""The komi range for which the values, computed with 7.5, are used."""
SEEN = str.maketrans("XO", "OX")


def is_for(game: Game) -> bool:
    """Whether the book covers a board."""
    if game.name != "go" or game.handicap:  # type: ignore[attr-defined]
        return False
    return bool(windows(game.size)) and KOMI[0] <= game.komi <= KOMI[1]  # type: ignore[attr-defined]


@cache
def windows(size: int) -> list[list[list[int]]]:
    """The windows of a board, each as a list of symmetric images (lists of points).

    >>> len(windows(9)), len(windows(9)[0]), len(windows(19)), len(windows(19)[0])
    (1, 8, 4, 2)
    >>> windows(11)
    []
    """

    def image(side: int, turned: int) -> list[int]:
        points = []
        for row in range(side):
            for col in range(side):
                r, c = (col, row) if turned & 1 else (row, col)
                r, c = size - 1 - r if turned & 2 else r, size - 1 - c if turned & 4 else c
                points.append(r * size + c)
        return points

    if size == WHOLE:
        return [[image(WHOLE, turned) for turned in range(8)]]
    if size < SMALLEST:
        return []
    return [[image(CORNER, corner), image(CORNER, corner | 1)] for corner in (0, 2, 4, 6)]


def views(state: State) -> Iterator[tuple[str, list[list[int]]]]:
    """The key of each window, from the side to move's point of view, and the matching images.

    >>> import honte
    >>> board = honte.game("go:size=9")
    >>> state = board.start().play(board.parse("C3"))
    >>> [(key.count("O"), len(images)) for key, images in views(state)]
    [(1, 2)]
    """
    rows, side = state.to_text().split()[:2]
    board = rows.replace("/", "")
    if side == "O":
        board = board.translate(SEEN)
    for images in windows(state.game.size):  # type: ignore[attr-defined]
        seen = [("".join([board[point] for point in image]), image) for image in images]
        key = min(seen)[0]
        yield key, [image for text, image in seen if text == key]


class Book:
    """Windows by their keys, each with its moves (as places of the key) and their values."""

    def __init__(self, entries: dict[str, dict[int, float]] | None = None) -> None:
        self.entries = entries or {}

    def __len__(self) -> int:
        return len(self.entries)

    def find(self, state: State) -> list[tuple[int, float]]:
        """The moves of a position with their values, the best first; empty without an entry.

        In corners the value is the gain over tenuki, and moves worse than tenuki are left out.
        All symmetric moves are included.
        """
        values = {}
        for key, images in views(state):
            moves = self.entries.get(key, {})
            elsewhere = moves.get(ELSEWHERE)
            for place, value in moves.items():
                if place != ELSEWHERE and (elsewhere is None or value >= elsewhere):
                    for image in images:
                        values[image[place]] = value - (elsewhere or 0.0)
        legal = set(state.legal_moves())
        found = [(move, value) for move, value in values.items() if move in legal]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def write(self, path: Path, about: dict[str, Any]) -> None:
        """Write the file atomically."""
        entries = {
            key: {move: round(value, 3) for move, value in sorted(moves.items())}
            for key, moves in sorted(self.entries.items())
        }
        packed.write(path, {**about, "positions": len(self)}, json.dumps(entries).encode())


def read(path: Path = FILE) -> tuple[dict[str, Any], Book]:
    """The header of a book file, and the book."""
    about, data = packed.read(path, WHAT)
    try:
        entries = {
            key: {int(move): float(value) for move, value in moves.items()}
            for key, moves in json.loads(data).items()
        }
    except (ValueError, AttributeError) as error:
        raise ValueError(
            Message("{name} is not {what} ({error})", name=path.name, what=WHAT, error=error)
        ) from None
    return about, Book(entries)


@cache
def standard() -> Book:
    """The installed book, cached."""
    return read()[1]
