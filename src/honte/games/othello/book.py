"""The opening book of 8×8 Othello, built by long searches.

Symmetric positions share an entry. An entry has the backed-up value of every move in discs, so a
player can choose among equal moves.

>>> import honte
>>> game = honte.game("othello")
>>> sorted(game.format(move) for move, _ in standard().find(game.start()))
['c4', 'd3', 'e6', 'f5']
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from honte.core import packed
from honte.core.contract import State
from honte.core.language import Message

WHAT = "an opening book of Othello"
FILE = Path(__file__).parent / "data" / "openings.book"
"""Made by ``honte book othello``: a JSON header line, then the entries, compressed."""
PASS = 64
UNIT = 0.5
"""Resolution of the stored values, in discs."""


def _images() -> list[list[int]]:
    """The eight symmetries: where each cell of the image comes from."""
    images = []
    for turned in range(8):
        cells = []
        for row in range(8):
            for col in range(8):
                r, c = (col, row) if turned & 1 else (row, col)
                cells.append((7 - r if turned & 2 else r) * 8 + (7 - c if turned & 4 else c))
        images.append(cells)
    return images


IMAGES = _images()
SWAPPED = str.maketrans("XO", "OX")


def key_of(state: State) -> tuple[str, list[int]]:
    """The smallest of the symmetric images from the side to move's point of view.

    >>> import honte
    >>> start = honte.game("othello").start()
    >>> len({key_of(start.play(move))[0] for move in start.legal_moves()})
    1
    """
    return min(_views(state))


def _views(state: State) -> list[tuple[str, list[int]]]:
    board, side = state.to_text().split()
    if side == "O":
        board = board.translate(SWAPPED)
    return [("".join([board[cell] for cell in image]), image) for image in IMAGES]


class Book:
    """Positions by their keys, each with its moves (as cells of the key) and their values."""

    def __init__(self, entries: dict[str, dict[int, float]] | None = None) -> None:
        self.entries = entries or {}

    def __len__(self) -> int:
        return len(self.entries)

    def find(self, state: State) -> list[tuple[int, float]]:
        """The moves of a position with their values for the side to move, the best first.

        All symmetric moves are included. Empty without an entry.
        """
        views = _views(state)
        key = min(views)[0]
        found = self.entries.get(key, {})
        values = {}
        for view, image in views:
            if view == key:
                values.update({image[move] if move < PASS else PASS: found[move] for move in found})
        return sorted(values.items(), key=lambda pair: -pair[1])

    def write(self, path: Path, about: dict[str, Any]) -> None:
        """Write the file atomically."""
        data = bytearray()
        for key, moves in sorted(self.entries.items()):
            for colour in "XO":
                data += int("".join("1" if cell == colour else "0" for cell in key), 2).to_bytes(8)
            data.append(len(moves))
            for move, value in sorted(moves.items()):
                data += bytes((move, round(value / UNIT) + 128))
        packed.write(path, {**about, "positions": len(self)}, bytes(data))


def read(path: Path = FILE) -> tuple[dict[str, Any], Book]:
    """The header of a book file, and the book."""
    book = Book()
    about, data = packed.read(path, WHAT)
    try:
        at = 0
        while at < len(data):
            mine, other = (f"{int.from_bytes(data[at + i : at + i + 8]):064b}" for i in (0, 8))
            key = "".join(
                "X" if a == "1" else "O" if b == "1" else "-"
                for a, b in zip(mine, other, strict=True)
            )
            at += 16
            book.entries[key] = {
                data[i]: (data[i + 1] - 128) * UNIT for i in range(at + 1, at + 1 + 2 * data[at], 2)
            }
            at += 1 + 2 * data[at]
    except IndexError:
        raise ValueError(
            Message("{name} is not {what} (it is truncated)", name=path.name, what=WHAT)
        ) from None
    return about, book


@cache
def standard() -> Book:
    """The installed book, cached."""
    return read()[1]
