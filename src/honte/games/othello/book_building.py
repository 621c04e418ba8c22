"""Builds the opening book of 8×8 Othello."""

from __future__ import annotations

from pathlib import Path

from honte.core.games import game as make_game
from honte.core.request import Limit
from honte.games.othello.book import PASS, Book, key_of
from honte.games.othello.patterns import Patterns
from honte.search.growing import Grower


class OthelloGrower(Grower):
    """Grows the book; searches every move of a position to a fixed depth."""

    ply = 0.5  # discs
    deepest = 24
    pass_move = PASS

    def __init__(self, work: Path, depth: int) -> None:
        self.game = make_game("othello")
        super().__init__(work, key_of(self.game.start())[0], ("depth", depth))
        self._limit = Limit(depth=depth)
        self._search = Patterns(self.game, book=False)

    def expand(self, key: str) -> None:
        state = self.game.from_text(f"{key} X")
        moves = {}
        for move in state.legal_moves():
            after = state.play(move)
            if after.is_over:
                return  # too near the end for a book
            name = key_of(after)[0]
            if name not in self.searched:
                found = self._search.search(after, self._limit)
                self.searched[name] = found.candidates[0].score or 0.0
            moves[move] = name
        self.moves[key] = moves

    def book(self) -> Book:
        values = self.values()
        return Book(
            {
                key: {move: -values[after] for move, after in moves.items()}
                for key, moves in self.moves.items()
            }
        )
