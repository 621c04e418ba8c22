"""The opening book of Connect Four on 7×6, computed by our own solver.

>>> import honte
>>> game = honte.game("connect4")
>>> entry = standard().find(game.start())
>>> entry.score, game.format(entry.move)
(1, '4')
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path

from honte.core import packed
from honte.core.contract import State
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.search.solver import Solved, SolvedMove, Solver

GAME = "connect4"
ROWS, COLS = 6, 7
FILE = Path(__file__).parent / "data" / "openings.book"
"""Made by ``honte book``: a JSON header line, then the entries, compressed."""
MOST = ROWS * COLS // 2
"""The largest possible score."""
WIN, LOSS, DRAW = 1, 2, 100
"""Encoding of a score: score + 100 if exact, else WIN or LOSS."""


def key_of(state: State) -> tuple[int, bool]:
    """The key shared by a position and its mirror image, and whether it is the image's.

    Seven bits per column: the first player's stones from the bottom up, then a 1 that marks the
    height.
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
    """Positions with a best move and its proven bounds; mirror images share an entry.

    Some entries have an exact score, others only win, loss or draw.
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[int, int]] = {}  # move, encoded score

    def __len__(self) -> int:
        return len(self._entries)

    def keys(self) -> list[int]:
        """The positions, in order."""
        return sorted(self._entries)

    def find(self, state: State) -> SolvedMove | None:
        """The entry of a position, its move mirrored to this board."""
        key, is_image = key_of(state)
        if key not in self._entries:
            return None
        move, written = self._entries[key]
        return SolvedMove(COLS - 1 - move if is_image else move, *_bounds(written))

    def add(self, state: State, entry: SolvedMove) -> None:
        key, is_image = key_of(state)
        move = COLS - 1 - entry.move if is_image else entry.move
        self._entries[key] = move, _written(entry)

    def write(self, path: Path, about: dict[str, object]) -> None:
        """Write the file atomically."""
        keys = self.keys()
        steps = array("Q", [after - before for before, after in pairwise([0, *keys])])
        if sys.byteorder == "big":
            steps.byteswap()
        entries = [self._entries[key] for key in keys]
        moves = bytes(move for move, _ in entries)
        scores = bytes(written for _, written in entries)
        # Bytes of equal significance are alike, so they compress better side by side.
        columns = b"".join(steps.tobytes()[i::8] for i in range(8))
        packed.write(path, {**about, "positions": len(keys)}, columns + moves + scores)


def _bounds(written: int) -> tuple[int, int]:
    if written == WIN:
        return 1, MOST
    if written == LOSS:
        return -MOST, -1
    return written - DRAW, written - DRAW


def _written(entry: SolvedMove) -> int:
    if entry.score is not None:
        return entry.score + DRAW
    return WIN if entry.low > 0 else LOSS


def read(path: Path) -> tuple[dict[str, object], Book]:
    """The header of a book file, and the book."""
    book = Book()
    about, data = packed.read(path, "an opening book")
    count, rest = divmod(len(data), 10)
    if rest:
        raise ValueError(Message("{name} is not an opening book (it is truncated)", name=path.name))
    mixed = bytearray(8 * count)
    for i in range(8):
        mixed[i::8] = data[i * count : (i + 1) * count]
    steps = array("Q", bytes(mixed))
    if sys.byteorder == "big":
        steps.byteswap()
    entries = zip(data[8 * count : 9 * count], data[9 * count :], strict=True)
    book._entries = dict(zip(accumulate(steps), entries, strict=True))
    return about, book


@cache
def standard() -> Book:
    """The installed book, cached."""
    return read(FILE)[1]


# -- building it -------------------------------------------------------------------------------

OnEntry = Callable[[int, int, int], None]
"""Called with the stones on the board, entries done and entries to do."""


def is_needed(state: State) -> bool:
    """Whether a position needs an entry: one with an immediate win does not."""
    return not any(state.play(move).is_over for move in state.legal_moves())


def is_missing(book: Book, state: State, exact: bool) -> bool:
    """Whether a position still needs an entry, or with `exact` its score."""
    if not is_needed(state):
        return False
    entry = book.find(state)
    return entry is None or (exact and entry.score is None)


def lines(book: Book, plies: int) -> Iterator[list[State]]:
    """The positions that a book player can meet against any opponent, by number of stones.

    Each layer depends on the entries of the layers before it.
    """
    start = make_game(GAME).start()
    layers = [[start], [start.play(move) for move in start.legal_moves()]]
    for _ in range(plies + 1):
        now = _distinct(layers[0])
        yield now
        after = []
        for state in now:
            entry = book.find(state)
            if entry is not None:  # otherwise the player wins at once
                met = state.play(entry.move)
                after += [met.play(answer) for answer in _answers(met)]
        layers = [layers[1], after]


def everything(plies: int) -> Iterator[list[State]]:
    """All positions, by number of stones."""
    layer = [make_game(GAME).start()]
    for _ in range(plies + 1):
        layer = _distinct(layer)
        yield layer
        layer = [state.play(move) for state in layer for move in _answers(state)]


def _answers(state: State) -> list[int]:
    return [] if state.is_over else state.legal_moves()


def _distinct(states: list[State]) -> list[State]:
    """Unfinished positions, one per mirror pair."""
    return list({key_of(state)[0]: state for state in states if not state.is_over}.values())


def build_lines(book: Book, plies: int, solver: Solver, on_entry: OnEntry) -> None:
    """Solve exactly the positions of `lines`."""
    for stones, layer in enumerate(lines(book, plies)):
        missing = [state for state in layer if is_missing(book, state, exact=True)]
        for number, state in enumerate(missing, 1):
            book.add(state, _best(solver.solve(state, line=False)))
            on_entry(stones, number, len(missing))


def build_all(
    book: Book, plies: int, solver: Solver, on_entry: OnEntry, *, exact: bool = False
) -> None:
    """Every position: solve the last layer, back up the others.

    Win, loss or draw; with `exact` the score. Neighbours in the order of keys share many positions
    of the solver's table.
    """
    layers = list(everything(plies))
    for stones in range(plies, -1, -1):
        missing = [
            state
            for state in sorted(layers[stones], key=lambda state: key_of(state)[0])
            if is_missing(book, state, exact)
        ]
        for number, state in enumerate(missing, 1):
            if stones == plies:
                book.add(state, _best(solver.solve(state, wld=not exact, line=False)))
            else:
                book.add(state, _by_answers(book, state))
            on_entry(stones, number, len(missing))


def _best(solved: Solved) -> SolvedMove:
    assert solved.finished
    return SolvedMove(solved.moves[0].move, solved.low, solved.high)


def _by_answers(book: Book, state: State) -> SolvedMove:
    """The best move by the entries of its successors; no move wins at once."""
    found = []
    empty = list(state.cells()).count(0)  # type: ignore[attr-defined]
    at_once = empty // 2
    """The score of the other side if its next stone wins."""
    for move in state.legal_moves():
        answered = book.find(state.play(move)) or SolvedMove(0, at_once, at_once)
        found.append(SolvedMove(move, -answered.high, -answered.low))
    best = max(found, key=lambda move: (move.low, move.high))
    return SolvedMove(best.move, best.low, max(move.high for move in found))
