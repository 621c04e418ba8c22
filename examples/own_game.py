"""A game of your own, from its rules to a match: noughts and crosses in plain Python.

python examples/own_game.py
"""

from __future__ import annotations

from dataclasses import dataclass

import honte
from honte.arena.match import play_game
from honte.games.contract import Game, State

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass(frozen=True)
class Position:
    """Nine squares; move m puts a mark on square m."""

    game: Noughts
    board: str = "." * 9
    last_move: int | None = None

    @property
    def to_move(self) -> int:
        return (9 - self.board.count(".")) % 2

    @property
    def winner(self) -> int | None:
        for line in LINES:
            marks = {self.board[square] for square in line}
            if len(marks) == 1 and "." not in marks:
                return "XO".index(marks.pop())
        return None

    @property
    def is_over(self) -> bool:
        return self.winner is not None or "." not in self.board

    @property
    def score(self) -> int:
        return {0: 1, 1: -1, None: 0}[self.winner]

    def legal_moves(self) -> list[int]:
        return [] if self.is_over else [i for i in range(9) if self.board[i] == "."]

    def play(self, move: int) -> Position:
        if move not in self.legal_moves():
            raise self.game.illegal(self, move)
        mark = "XO"[self.to_move]
        return Position(self.game, self.board[:move] + mark + self.board[move + 1 :], move)

    def to_text(self) -> str:
        return self.board

    def __str__(self) -> str:
        return "\n".join(" ".join(self.board[row : row + 3]) for row in (0, 3, 6))


class Noughts(Game):
    """The rules: three in a line win."""

    name = spec = "noughts"

    def start(self) -> Position:
        return Position(self)

    def from_text(self, text: str) -> Position:
        if len(text) != 9 or set(text) - set(".XO"):
            raise ValueError("a position is nine of . X O, row by row")
        return Position(self, text)


def main() -> State:
    """Let the textbook UCT play the textbook minimax."""
    honte.register("noughts", Noughts)
    game = honte.game("noughts")
    uct = honte.player("textbook:iterations=1000,seed=1", game)
    minimax = honte.player("minimax:depth=9", game)
    for players in ((uct, minimax), (minimax, uct)):
        end, moves = play_game(game, players)
        result = "a draw" if end.winner is None else f"{players[end.winner].spec} wins"
        print(f"{players[0].spec} against {players[1].spec}: {result} after {len(moves)} moves")
    print(end)
    return end


if __name__ == "__main__":
    main()
