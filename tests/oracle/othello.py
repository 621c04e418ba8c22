"""Othello on 4x4, 6x6 and 8x8, a naive implementation of the rules."""

from __future__ import annotations

EMPTY, BLACK, WHITE, EDGE = 0, 1, 2, 3
PASS = 64


class Position:
    """A flat board with an edge all round, so that a walk in any direction stops at the edge."""

    def __init__(self, size: int = 8) -> None:
        self.size = size
        self.width = size + 2
        self.board = [EDGE] * self.width**2
        for row in range(size):
            for col in range(size):
                self.board[self.square(row, col)] = EMPTY
        low, high = size // 2 - 1, size // 2
        self.board[self.square(low, low)] = self.board[self.square(high, high)] = WHITE
        self.board[self.square(low, high)] = self.board[self.square(high, low)] = BLACK
        self.to_move = 0
        self._legal: list[int] | None = None

    def square(self, row: int, col: int) -> int:
        """The place of a square on the flat board with its edge."""
        return (row + 1) * self.width + col + 1

    def square_of(self, move: int) -> int | None:
        """The square a move names, eight to a row whatever the size; None when off the board."""
        if not 0 <= move < 64:
            return None
        row, col = divmod(move, 8)
        return self.square(row, col) if row < self.size and col < self.size else None

    def flips(self, square: int, player: int) -> list[int]:
        """The discs that flip when a player puts one on an empty square."""
        own, other = player + 1, 2 - player
        board, width = self.board, self.width
        turned: list[int] = []
        for step in (-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1):
            at = square + step
            if board[at] != other:
                continue
            line = []
            while board[at] == other:
                line.append(at)
                at += step
            if board[at] == own:
                turned += line
        return turned

    def placements(self, player: int) -> list[int]:
        """The moves that flip at least one disc."""
        moves = []
        for row in range(self.size):
            for col in range(self.size):
                square = self.square(row, col)
                if self.board[square] == EMPTY and self.flips(square, player):
                    moves.append(row * 8 + col)
        return moves

    def legal_moves(self) -> list[int]:
        if self._legal is None:
            self._legal = self.placements(self.to_move)
            if not self._legal and self.placements(1 - self.to_move):
                self._legal = [PASS]
        return list(self._legal)

    @property
    def is_over(self) -> bool:
        return not self.legal_moves()

    def why_illegal(self, move: int) -> str | None:
        if self.is_over:
            return "over"
        if move == PASS:
            return None if self.legal_moves() == [PASS] else "pass"
        square = self.square_of(move)
        if square is None:
            return "range"
        if self.board[square] != EMPTY:
            return "occupied"
        return None if self.flips(square, self.to_move) else "no flip"

    def play(self, move: int) -> Position:
        why = self.why_illegal(move)
        if why is not None:
            raise ValueError(why)
        after = Position.__new__(Position)
        after.size, after.width = self.size, self.width
        after.board = list(self.board)
        after.to_move = 1 - self.to_move
        after._legal = None
        square = self.square_of(move)
        if square is not None:
            for disc in [square, *self.flips(square, self.to_move)]:
                after.board[disc] = self.to_move + 1
        return after

    @property
    def score(self) -> int:
        """Black's discs minus White's; once the game is over the winner owns the empty squares."""
        difference = self.board.count(BLACK) - self.board.count(WHITE)
        if not self.is_over or difference == 0:
            return difference
        empties = self.board.count(EMPTY)
        return difference + empties if difference > 0 else difference - empties

    @property
    def winner(self) -> int | None:
        if not self.is_over or self.score == 0:
            return None
        return 0 if self.score > 0 else 1

    def cells(self) -> bytes:
        return bytes(cell for cell in self.board if cell != EDGE)
