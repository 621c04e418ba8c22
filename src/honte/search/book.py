"""The opening book of Connect Four on 7×6: what our own solver found, kept.

>>> import honte
>>> game = honte.game("connect4")
>>> entry = standard().find(game.start())
>>> entry.score, game.format(entry.move)
(1, '4')
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from honte.games.contract import State
from honte.games.registry import game as make_game
from honte.search.solver import Solver

GAME = "connect4"
ROWS, COLS = 6, 7
FILE = Path(__file__).parent / "connect4.book"
"""Made by ``honte book``: a line of JSON that says how, then the entries, compressed."""
KEY_BYTES = 7


class Entry(NamedTuple):
    """The exact score of a position for the side to move, and a move that reaches it."""

    score: int
    move: int


def key_of(state: State) -> tuple[int, bool]:
    """A position and its mirror image as one number; and whether it is the image's.

    Seven bits a column: the first player's stones from the bottom up, below a one that says how
    high the column is filled.
    """
    cells = state.cells()  # type: ignore[attr-defined]
    columns = []
    for col in range(COLS):
        stones = [cells[row * COLS + col] for row in range(ROWS)]
        stones.reverse()
        filled = ROWS - stones.count(0)
        columns.append(1 << filled | sum(1 << i for i in range(filled) if stones[i] == 1))
    straight = sum(bits << 7 * col for col, bits in enumerate(columns))
    mirrored = sum(bits << 7 * col for col, bits in enumerate(reversed(columns)))
    return min(straight, mirrored), mirrored < straight


def state_of(key: int) -> State:
    """The position of a key."""
    game = make_game(GAME)
    cells = bytearray(ROWS * COLS)
    for col in range(COLS):
        bits = key >> 7 * col & 127
        for height in range(bits.bit_length() - 1):
            cells[(ROWS - 1 - height) * COLS + col] = 1 if bits >> height & 1 else 2
    text = "".join(".XO"[cell] for cell in cells)
    return game.from_text("/".join(text[i : i + COLS] for i in range(0, len(text), COLS)))


class Book:
    """Positions with their entries; a mirror image counts as the same position."""

    def __init__(self) -> None:
        self._entries: dict[int, Entry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def entries(self) -> list[tuple[int, Entry]]:
        """Keys and entries, in order."""
        return sorted(self._entries.items())

    def find(self, state: State) -> Entry | None:
        """The entry of a position, its move as it stands on this board."""
        key, is_image = key_of(state)
        entry = self._entries.get(key)
        if entry is None or not is_image:
            return entry
        return Entry(entry.score, COLS - 1 - entry.move)

    def add(self, state: State, entry: Entry) -> None:
        key, is_image = key_of(state)
        move = COLS - 1 - entry.move if is_image else entry.move
        self._entries[key] = Entry(entry.score, move)

    def write(self, path: Path, about: dict[str, object]) -> None:
        """Write a file as `read` reads it, in one step: never half of one."""
        keys = sorted(self._entries)
        numbers = b"".join(key.to_bytes(KEY_BYTES, "big") for key in keys)
        entries = [self._entries[key] for key in keys]
        moves = bytes(entry.move for entry in entries)
        scores = bytes(entry.score + 100 for entry in entries)
        packed = lzma.compress(numbers + moves + scores, preset=9 | lzma.PRESET_EXTREME)
        about = {**about, "positions": len(keys)}
        beside = path.with_name(path.name + ".new")
        beside.write_bytes(json.dumps(about).encode() + b"\n" + packed)
        beside.replace(path)


def read(path: Path) -> tuple[dict[str, object], Book]:
    """What a book says of itself, and the book."""
    book = Book()
    try:
        head, _, packed = path.read_bytes().partition(b"\n")
        about: dict[str, object] = json.loads(head)
        data = lzma.decompress(packed)
    except (OSError, ValueError, lzma.LZMAError) as error:
        raise ValueError(f"{path.name} is no opening book ({error})") from None
    count = len(data) // (KEY_BYTES + 2)
    for i in range(count):
        key = int.from_bytes(data[i * KEY_BYTES : (i + 1) * KEY_BYTES], "big")
        move, score = data[KEY_BYTES * count + i], data[(KEY_BYTES + 1) * count + i] - 100
        book._entries[key] = Entry(score, move)
    return about, book


@cache
def standard() -> Book:
    """The committed book, loaded once."""
    return read(FILE)[1]


# -- how it is made ----------------------------------------------------------------------------


def is_needed(state: State) -> bool:
    """Whether a position is worth an entry: where a move wins at once it is not."""
    return not any(state.play(move).is_over for move in state.legal_moves())


def lines(book: Book, plies: int) -> Iterator[list[State]]:
    """The positions met by a perfect player who plays by the book against anybody, by stones.

    Those of a list can be told only once the ones before are in the book.
    """
    start = make_game(GAME).start()
    layers = [[start], [start.play(move) for move in start.legal_moves()]]
    for _ in range(plies + 1):
        now = _distinct(layers[0])
        yield now
        after = []
        for state in now:
            entry = book.find(state)
            if entry is not None:  # else the player has won
                met = state.play(entry.move)
                after += [met.play(answer) for answer in _answers(met)]
        layers = [layers[1], after]


def everything(plies: int) -> Iterator[list[State]]:
    """All positions, by stones."""
    layer = [make_game(GAME).start()]
    for _ in range(plies + 1):
        layer = _distinct(layer)
        yield layer
        layer = [state.play(move) for state in layer for move in _answers(state)]


def _answers(state: State) -> list[int]:
    return [] if state.is_over else state.legal_moves()


def _distinct(states: list[State]) -> list[State]:
    """One of each with its mirror image, none whose game is over."""
    return list({key_of(state)[0]: state for state in states if not state.is_over}.values())


def build(
    book: Book,
    layers: Iterator[list[State]],
    solver: Solver,
    on_entry: Callable[[int, int, int], None],
) -> None:
    """Solve what is missing, layer by layer; `on_entry` gets stones, done, and of how many."""
    for stones, layer in enumerate(layers):
        wanted = [state for state in layer if is_needed(state)]
        for number, state in enumerate(wanted, 1):
            if book.find(state) is None:
                solved = solver.solve(state, line=False)
                assert solved.score is not None
                book.add(state, Entry(solved.score, solved.moves[0].move))
            on_entry(stones, number, len(wanted))
