"""Builds the opening book of Go: 9×9 as a whole, and corners.

A search of a position gives the values of its moves; those with enough visits are expanded in
turn. A corner is searched on an otherwise empty 13×13 board, where the best move outside it gives
the value of tenuki.
"""

from __future__ import annotations

from pathlib import Path

from honte.core.contract import State
from honte.core.games import game as make_game
from honte.core.request import Limit
from honte.games.go import joseki
from honte.games.go.joseki import ELSEWHERE, Book
from honte.search.growing import Grower
from honte.search.uct import Uct

SHARE = 0.005
"""Minimum share of the simulations for a move's value to count."""


class GoGrower(Grower):
    """Grows the book of one window: the whole 9×9 board, or a corner of 13×13."""

    ply = 0.03  # of a value from −1 to 1
    deepest = 12

    def __init__(self, work: Path, size: int, iterations: int) -> None:
        self.game = make_game("go", size=size)
        self._window = joseki.windows(size)[0]
        super().__init__(work, key_of(self.game.start()), ("iterations", iterations))
        self._limit = Limit(iterations=iterations)
        self._search = Uct(self.game, seed=1, memory_mb=1024)

    def state_of(self, key: str) -> State:
        """A position with nothing outside the window, Black to move."""
        size = self.game.size  # type: ignore[attr-defined]
        board = ["."] * (size * size)
        for point, seen in zip(self._window[0], key, strict=True):
            board[point] = seen
        rows = ["".join(board[i : i + size]) for i in range(0, size * size, size)]
        return self.game.from_text("/".join(rows) + " X")

    def expand(self, key: str) -> None:
        state = self.state_of(key)
        self._search.forget()
        report = self._search.search(state, self._limit)
        inside = {point: place for place, point in enumerate(self._window[0])}
        moves: dict[int, str] = {}
        for candidate in report.candidates:  # the chosen one first, then by visits
            if candidate.visits < SHARE * report.iterations:
                continue
            place = inside.get(candidate.move, ELSEWHERE)
            if place in moves or candidate.move == self.game.pass_move:  # type: ignore[attr-defined]
                continue
            name = elsewhere(key) if place == ELSEWHERE else key_of(state.play(candidate.move))
            self.searched.setdefault(name, -candidate.value)
            moves[place] = name
        if not moves:  # it would pass
            moves[ELSEWHERE] = elsewhere(key)
            self.searched[elsewhere(key)] = -report.value
        self.moves[key] = moves

    def can_grow(self, key: str) -> bool:
        return not key.startswith("-")

    def book(self) -> Book:
        """The expanded moves of each position, or the one its search chose."""
        values = self.values()
        entries = {}
        for key, moves in self.moves.items():
            known = {move: after for move, after in moves.items() if after in self.moves}
            if not known:
                known = {move: moves[move] for move in list(moves)[:1]}
            if ELSEWHERE in moves:
                known[ELSEWHERE] = moves[ELSEWHERE]
            entries[key] = {move: -values[after] for move, after in known.items()}
        return Book(entries)


def key_of(state: State) -> str:
    """The key of the first window."""
    return next(joseki.views(state))[0]


def elsewhere(key: str) -> str:
    """The key of a position after tenuki."""
    return "-" + key
