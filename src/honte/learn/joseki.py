"""The opening book of Go, grown by our own searches: 9×9 as a whole, and corners.

One search of a position gives the values of its moves; those that it looked at often enough are
expanded in turn. A corner is searched alone on a board of 13×13, where the best move outside of it
tells what playing elsewhere is worth.
"""

from __future__ import annotations

from pathlib import Path

import honte
from honte.games.contract import State
from honte.learn.openings import Grower
from honte.search import joseki
from honte.search.joseki import ELSEWHERE, Book
from honte.search.uct import Uct

SHARE = 0.005
"""Of the simulations that a move must have had for its value to count."""


class GoGrower(Grower):
    """The book of a board's one window: of 9×9 the whole, of 13×13 a corner."""

    ply = 0.03  # of a value from −1 to 1
    deepest = 12

    def __init__(self, work: Path, size: int, iterations: int) -> None:
        self.game = honte.game("go", size=size)
        self._window = joseki.windows(size)[0]
        super().__init__(work, key_of(self.game.start()), ("iterations", iterations))
        self._limit = honte.Limit(iterations=iterations)
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
        """Of each position the moves that were expanded, or the one that its search chose."""
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
    """The name of what a position is worth to the opponent after a move outside its window."""
    return "-" + key
