"""A game of your own: Gomoku, five in a row, in plain Python and in one file.

    honte play examples/gomoku.py:Gomoku                     # on the page
    honte tui examples/gomoku.py:Gomoku:size=13              # in the terminal
    honte match best random --game examples/gomoku.py:Gomoku --games 2
    python examples/gomoku.py                                # this file's own main()

The two classes are the rules; the descriptor says what the board looks like and what can be set.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import honte
from honte.core.contract import Game
from honte.core.descriptor_parts import BLACK_AND_WHITE, BoardStyle, Cell
from honte.core.spec import Options, join, whole, yes_no

COLUMNS = "ABCDEFGHJKLMNOPQRST"
OPTIONS = Options(
    whole("size", 9, 5, 19, "length of a side", label="Size", choices=("9", "13", "15")),
    yes_no("exact", False, "must a row have exactly five stones to win?", label="Exactly five"),
)


@dataclass(frozen=True)
class Position:
    """A byte for each cell from the top left: 0 empty, 1 Black, 2 White. Move m is cell m."""

    game: Gomoku
    board: bytes
    to_move: int = 0
    last_move: int | None = None
    winner: int | None = None

    @property
    def is_over(self) -> bool:
        return self.winner is not None or 0 not in self.board

    @property
    def score(self) -> int:
        return {0: 1, 1: -1, None: 0}[self.winner]

    def legal_moves(self) -> list[int]:
        return [] if self.is_over else [i for i, cell in enumerate(self.board) if not cell]

    def play(self, move: int) -> Position:
        if self.is_over or not 0 <= move < len(self.board) or self.board[move]:
            raise self.game.illegal(self, move)
        board = b"%b%c%b" % (self.board[:move], self.to_move + 1, self.board[move + 1 :])
        winner = self.to_move if self.game.winning_rows(board, move) else None
        return Position(self.game, board, 1 - self.to_move, move, winner)

    def cells(self) -> bytes:
        return self.board

    def to_text(self) -> str:
        return "".join(".XO"[cell] for cell in self.board)


class Gomoku(Game):
    """The rules: who first has five stones in a row wins."""

    name = "gomoku"

    def __init__(self, **settings: object) -> None:
        values = OPTIONS.read(self.name, settings)
        self.size: int = values["size"]
        self.exact: bool = values["exact"]
        size = {} if self.size == 9 else {"size": self.size}
        self.spec = join(self.name, size | ({"exact": "yes"} if self.exact else {}))

    def start(self) -> Position:
        return Position(self, bytes(self.size**2))

    def from_text(self, text: str) -> Position:
        if len(text) != self.size**2 or set(text) - set(".XO"):
            raise ValueError(f"a position is {self.size**2} of . X O, row by row")
        board = bytes(".XO".index(mark) for mark in text)
        won = [board[cell] - 1 for cell in range(len(board)) if self.winning_rows(board, cell)]
        to_move = board.count(1) - board.count(2)
        return Position(self, board, to_move, winner=won[0] if won else None)

    def parse(self, text: str) -> int:
        col, row = COLUMNS[: self.size].find(text[:1].upper()), text[1:]
        if not text or col < 0 or not row.isdecimal() or not 1 <= int(row) <= self.size:
            raise ValueError(f"{text[:20]!r} is not a point of the board; write one like C3")
        return (self.size - int(row)) * self.size + col

    def format(self, move: int) -> str:
        return f"{COLUMNS[move % self.size]}{self.size - move // self.size}"

    def winning_rows(self, board: bytes, cell: int) -> list[list[int]]:
        """The winning rows that a stone stands in."""
        stone, found = board[cell], []
        for line in lines(self.size)[cell] if stone else ():
            row = [cell]
            for ray in line:
                for other in ray:
                    if board[other] != stone:
                        break
                    row.append(other)
            if len(row) == 5 or (len(row) > 5 and not self.exact):
                found.append(sorted(row))
        return found


@cache
def lines(size: int) -> list[list[list[list[int]]]]:
    """For each cell the four lines through it, each as the cells on either side, nearest first."""

    def ray(row: int, col: int, down: int, right: int) -> list[int]:
        cells = ((row + n * down, col + n * right) for n in range(1, size))
        return [r * size + c for r, c in cells if 0 <= r < size and 0 <= c < size]

    directions = ((0, 1), (1, 0), (1, 1), (1, -1))
    return [
        [[ray(row, col, down, right), ray(row, col, -down, -right)] for down, right in directions]
        for row in range(size)
        for col in range(size)
    ]


def winning_lines(state: Any) -> list[tuple[Cell, ...]]:
    """The rows that won, for the drawings."""
    cells = range(len(state.board)) if state.winner is not None else ()
    won = {tuple(row) for cell in cells for row in state.game.winning_rows(state.board, cell)}
    return [tuple(divmod(cell, state.game.size) for cell in row) for row in sorted(won)]


Gomoku.descriptor = honte.GameDescriptor(
    title="Gomoku",
    about="Five in a row",
    sides=BLACK_AND_WHITE,
    board=BoardStyle("points", columns=COLUMNS, rows="up", winning_lines=winning_lines),
    options=OPTIONS,
)

if __name__ == "__main__":
    rules = Gomoku(size=7)
    players = honte.player("textbook:iterations=300,seed=1", rules), honte.player("random", rules)
    position = rules.start()
    while not position.is_over:
        position = position.play(players[position.to_move].choose(position).move)
        print(rules.format(position.last_move or 0), end=" ")
    print(f"\n{rules.descriptor.sides[position.winner or 0].name} wins")
