"""Gravity Connect Four on any board, a naive implementation of the rules."""

from __future__ import annotations

from collections.abc import Iterable

EMPTY, BLOCKED = 0, 3
DIRECTIONS = {"row": (0, 1), "column": (1, 0), "falling": (1, 1), "rising": (-1, 1)}


class Position:
    """A board as a list of rows, the top row first; player 0 owns 1s, player 1 owns 2s."""

    def __init__(
        self,
        rows: int = 6,
        cols: int = 7,
        inarow: int = 4,
        blocked: Iterable[tuple[int, int]] = (),
    ) -> None:
        self.rows = rows
        self.cols = cols
        self.inarow = inarow
        self.grid = [[EMPTY] * cols for _ in range(rows)]
        for row, col in blocked:
            self.grid[row][col] = BLOCKED
        self.to_move = 0
        self.winner: int | None = None
        self.won_by: list[str] = []
        self.landed: tuple[int, int] | None = None

    def landing_row(self, col: int) -> int | None:
        """The lowest free cell of a column: blocked cells are passed over like pieces."""
        for row in range(self.rows - 1, -1, -1):
            if self.grid[row][col] == EMPTY:
                return row
        return None

    @property
    def is_over(self) -> bool:
        return self.winner is not None or all(EMPTY not in row for row in self.grid)

    @property
    def score(self) -> int:
        return {None: 0, 0: 1, 1: -1}[self.winner]

    def why_illegal(self, move: int) -> str | None:
        if self.is_over:
            return "over"
        if not 0 <= move < self.cols:
            return "range"
        if self.landing_row(move) is None:
            return "full"
        return None

    def legal_moves(self) -> list[int]:
        if self.is_over:
            return []
        return [col for col in range(self.cols) if self.landing_row(col) is not None]

    def play(self, move: int) -> Position:
        why = self.why_illegal(move)
        if why is not None:
            raise ValueError(why)
        row = self.landing_row(move)
        assert row is not None
        after = Position.__new__(Position)
        after.rows, after.cols, after.inarow = self.rows, self.cols, self.inarow
        after.grid = [list(cells) for cells in self.grid]
        after.grid[row][move] = self.to_move + 1
        after.to_move = 1 - self.to_move
        after.landed = (row, move)
        after.won_by = after.lines_through(row, move)
        after.winner = self.to_move if after.won_by else None
        return after

    def lines_through(self, row: int, col: int) -> list[str]:
        """The directions in which the piece on a cell stands in a line that is long enough."""
        return [
            name
            for name, (down, right) in DIRECTIONS.items()
            if 1 + self._run(row, col, down, right) + self._run(row, col, -down, -right)
            >= self.inarow
        ]

    def _run(self, row: int, col: int, down: int, right: int) -> int:
        """How many more pieces of the same side follow in one direction."""
        piece = self.grid[row][col]
        length = 0
        while True:
            row, col = row + down, col + right
            if not (0 <= row < self.rows and 0 <= col < self.cols):
                return length
            if self.grid[row][col] != piece:
                return length
            length += 1

    def cells(self) -> bytes:
        return bytes(cell for row in self.grid for cell in row)
