"""Go on any square board, a naive implementation that keeps every earlier board."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

EMPTY, BLACK, WHITE = 0, 1, 2


@cache
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """The points next to each point of a board."""
    table = []
    for row in range(size):
        for col in range(size):
            around = ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
            table.append(tuple(r * size + c for r, c in around if 0 <= r < size and 0 <= c < size))
    return tuple(table)


def stones_without_liberty(board: bytes | bytearray, size: int, point: int) -> list[int]:
    """The whole group on a point when it has no liberty, nothing when it has one."""
    around = neighbours(size)
    colour = board[point]
    group = [point]
    for stone in group:
        for near in around[stone]:
            if board[near] == EMPTY:
                return []
            if board[near] == colour and near not in group:
                group.append(near)
    return group


class Placement(NamedTuple):
    """The effect of a stone, whether or not the rules allow it."""

    board: bytes
    captured: int
    suicides: int
    ko_point: int | None


class Position:
    """A board with the side to move and all that the ko rule needs to remember."""

    def __init__(
        self,
        size: int = 9,
        komi: float = 7.5,
        ko: str = "positional",
        suicide: bool = False,
        board: bytes | None = None,
        to_move: int = 0,
    ) -> None:
        self.size = size
        self.komi = komi
        self.ko = ko
        self.suicide = suicide
        self.board = bytes(size * size) if board is None else board
        self.to_move = to_move
        self.passes = 0
        self.ko_point: int | None = None
        self.earlier = frozenset({self._remembered(self.board, to_move)})
        self._placed: dict[int, Placement] = {}
        self._legal: list[int] | None = None

    def _remembered(self, board: bytes, to_move: int) -> tuple[bytes, int | None]:
        """What must not recur: the board, under situational superko with the side to move."""
        return board, to_move if self.ko == "situational" else None

    def place(self, point: int) -> Placement:
        """Put a stone on an empty point: captured opponents leave first, then own stones."""
        if point in self._placed:
            return self._placed[point]
        around = neighbours(self.size)
        own, other = self.to_move + 1, 2 - self.to_move
        board = bytearray(self.board)
        board[point] = own
        captured: list[int] = []
        for near in around[point]:
            if board[near] == other:
                dead = stones_without_liberty(board, self.size, near)
                for stone in dead:
                    board[stone] = EMPTY
                captured += dead
        suicides = stones_without_liberty(board, self.size, point)
        for stone in suicides:
            board[stone] = EMPTY
        # A lone stone that took a lone stone and could be retaken at once: the usual ko.
        ko_point = None
        if len(captured) == 1 and not any(board[near] == own for near in around[point]):
            liberties = [near for near in around[point] if board[near] == EMPTY]
            if liberties == captured:
                ko_point = captured[0]
        placement = Placement(bytes(board), len(captured), len(suicides), ko_point)
        self._placed[point] = placement
        return placement

    @property
    def pass_move(self) -> int:
        return self.size * self.size

    @property
    def is_over(self) -> bool:
        return self.passes == 2

    def why_illegal(self, move: int) -> str | None:
        if self.is_over:
            return "over"
        if move == self.pass_move:
            return None
        if not 0 <= move < self.pass_move:
            return "range"
        if self.board[move] != EMPTY:
            return "occupied"
        placement = self.place(move)
        if placement.suicides and not self.suicide:
            return "suicide"
        if self.ko == "simple":
            return "ko" if move == self.ko_point else None
        if self._remembered(placement.board, 1 - self.to_move) in self.earlier:
            return "ko"
        return None

    def legal_moves(self) -> list[int]:
        if self._legal is None:
            moves = range(self.pass_move + 1)
            self._legal = [move for move in moves if self.why_illegal(move) is None]
        return list(self._legal)

    def play(self, move: int) -> Position:
        why = self.why_illegal(move)
        if why is not None:
            raise ValueError(why)
        after = Position.__new__(Position)
        after.size, after.komi, after.ko, after.suicide = (
            self.size,
            self.komi,
            self.ko,
            self.suicide,
        )
        after.to_move = 1 - self.to_move
        after._placed, after._legal = {}, None
        if move == self.pass_move:
            after.board = self.board
            after.passes = self.passes + 1
            after.ko_point = None
        else:
            placement = self.place(move)
            after.board = placement.board
            after.passes = 0
            after.ko_point = placement.ko_point
        after.earlier = self.earlier
        if self.ko != "simple":
            after.earlier = self.earlier | {self._remembered(after.board, after.to_move)}
        return after

    def area(self, player: int) -> int:
        """A player's stones and the empty regions that touch no stone of the other colour."""
        own = player + 1
        points = self.board.count(own)
        seen: set[int] = set()
        for start in range(self.size * self.size):
            if self.board[start] != EMPTY or start in seen:
                continue
            region, borders = [start], set()
            seen.add(start)
            for point in region:
                for near in neighbours(self.size)[point]:
                    if self.board[near] != EMPTY:
                        borders.add(self.board[near])
                    elif near not in seen:
                        seen.add(near)
                        region.append(near)
            if borders == {own}:
                points += len(region)
        return points

    @property
    def score(self) -> float:
        return self.area(0) - self.area(1) - self.komi

    @property
    def winner(self) -> int | None:
        if not self.is_over or self.score == 0:
            return None
        return 0 if self.score > 0 else 1

    def cells(self) -> bytes:
        return self.board
