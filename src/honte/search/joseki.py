"""The opening book of Go: the whole board on 9×9, the corners of larger ones.

A window is what an entry sees: the whole board, or one corner of a board that is large enough.
A window and its mirrored or turned images are one. Each entry has the values of moves, from the
searches below it; for a corner also that of playing elsewhere.

>>> import honte
>>> board = honte.game("go:size=13")
>>> book = Book({"." * 36: {14: 0.0, ELSEWHERE: 0.0}})
>>> sorted(board.format(move) for move, _ in book.find(board.start()))
['C11', 'C3', 'L11', 'L3']
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from honte.games.contract import Game, State

FILE = Path(__file__).parent / "go.book"
"""Made by ``honte book go``: a line of JSON that says how, then the entries, compressed."""
WHOLE = 9
"""The size of the boards that are known as a whole."""
CORNER = 6
"""The side of a corner on others."""
SMALLEST = 13
"""The smallest board with corners: they must not touch."""
ELSEWHERE = -1
"""The move that leaves a corner."""
KOMI = 5.0, 8.0
"""Between these the values are about right; they were found with 7.5."""
SEEN = str.maketrans("XO", "OX")


def is_for(game: Game) -> bool:
    """Whether the book has anything to say on a board."""
    if game.name != "go" or game.handicap:  # type: ignore[attr-defined]
        return False
    return bool(windows(game.size)) and KOMI[0] <= game.komi <= KOMI[1]  # type: ignore[attr-defined]


@cache
def windows(size: int) -> list[list[list[int]]]:
    """The windows of a board, each as its images: lists of the board's points.

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
    """The key of each window, as the side to move sees it, and the images that look so.

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
        """The moves of a position, the best first: with their values, or in corners with what they
        gain over playing elsewhere, and only where they gain something or lose nothing.

        Moves that lead to images of each other are all there. Empty where nothing is known.
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
        """Write a file as `read` reads it, in one step: never half of one."""
        entries = {
            key: {move: round(value, 3) for move, value in sorted(moves.items())}
            for key, moves in sorted(self.entries.items())
        }
        head = json.dumps({**about, "positions": len(self)}).encode()
        packed = lzma.compress(json.dumps(entries).encode(), preset=9 | lzma.PRESET_EXTREME)
        beside = path.with_name(path.name + ".new")
        beside.write_bytes(head + b"\n" + packed)
        beside.replace(path)


def read(path: Path = FILE) -> tuple[dict[str, Any], Book]:
    """What a book says of itself, and the book."""
    try:
        head, _, packed = path.read_bytes().partition(b"\n")
        about: dict[str, Any] = json.loads(head)
        entries = {
            key: {int(move): float(value) for move, value in moves.items()}
            for key, moves in json.loads(lzma.decompress(packed)).items()
        }
    except (OSError, ValueError, AttributeError, lzma.LZMAError) as error:
        raise ValueError(f"{path.name} is no opening book of Go ({error})") from None
    return about, Book(entries)


@cache
def standard() -> Book:
    """The book that is installed, loaded once."""
    return read()[1]
