"""The naive rules give the published counts, so that honte's may be checked against them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from tests.oracle import connect4, go, othello


def counts(start: Any, depth: int, key: Callable[[Any], object]) -> list[int]:
    """Lines of play of each length up to a depth, positions that share a key counted together."""
    level: dict[object, tuple[Any, int]] = {key(start): (start, 1)}
    found = [1]
    while True:
        found.append(sum(ways * len(position.legal_moves()) for position, ways in level.values()))
        if len(found) > depth:
            return found
        following: dict[object, tuple[Any, int]] = {}
        for position, ways in level.values():
            for move in position.legal_moves():
                after = position.play(move)
                name = key(after)
                following[name] = (after, ways + following.get(name, (after, 0))[1])
        level = following


def board_and_side(position: Any) -> object:
    return position.cells(), position.to_move


@pytest.mark.parametrize("depth", [7, pytest.param(8, marks=pytest.mark.long)])
def test_connect_four_has_the_known_number_of_games(depth: int) -> None:
    # A full column first shows at depth 7, a won position without successors at depth 8.
    expected = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    assert counts(connect4.Position(), depth, board_and_side) == expected[: depth + 1]


def test_a_line_through_the_last_piece_is_a_line_anywhere_on_the_board() -> None:
    rng = random.Random(4)
    for _ in range(60):
        rows, cols, inarow = rng.randint(4, 8), rng.randint(4, 8), rng.randint(2, 5)
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        position = connect4.Position(rows, cols, inarow, rng.sample(cells, 3))
        while not position.is_over:
            assert not any(has_line(position, player) for player in (0, 1))
            position = position.play(rng.choice(position.legal_moves()))
        for player in (0, 1):
            assert has_line(position, player) == (position.winner == player)


def has_line(position: connect4.Position, player: int) -> bool:
    """Look for a full line from every cell in every direction."""
    owned = {
        (row, col)
        for row in range(position.rows)
        for col in range(position.cols)
        if position.grid[row][col] == player + 1
    }
    return any(
        all((row + down * k, col + right * k) in owned for k in range(position.inarow))
        for row, col in owned
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def test_a_piece_rests_on_the_blocked_cell() -> None:
    position = connect4.Position(4, 4, 4, [(3, 0), (1, 0), (0, 1)])
    for move in (0, 0, 1, 1, 1):
        position = position.play(move)
    assert position.cells() == bytes(".XO#".index(mark) for mark in "O#..#X..XO..#X..")
    assert position.legal_moves() == [2, 3]
    assert position.why_illegal(1) == "full"


def test_a_column_with_nothing_but_blocked_cells_is_full() -> None:
    position = connect4.Position(4, 4, 4, [(row, 2) for row in range(4)])
    assert position.legal_moves() == [0, 1, 3]


@pytest.mark.long
def test_othello_has_the_known_number_of_games() -> None:
    # The four first moves are images of one another, so one of them stands for all.
    start = othello.Position()
    assert start.legal_moves() == [19, 26, 37, 44]
    found = [4 * count for count in counts(start.play(37), 7, board_and_side)]
    assert found == [4, 12, 56, 244, 1396, 8200, 55092, 390216]


@pytest.mark.parametrize(("first", "last"), [(19, 44), (26, 37)])
def test_othello_is_symmetric_under_a_half_turn(first: int, last: int) -> None:
    one, two = othello.Position().play(first), othello.Position().play(last)
    assert one.cells() == two.cells()[::-1]
    assert one.legal_moves() == [63 - move for move in reversed(two.legal_moves())]


@pytest.mark.long
def test_the_smallest_othello_is_won_by_white_eleven_to_three() -> None:
    values: dict[object, int] = {}

    def value(position: othello.Position) -> int:
        key = board_and_side(position)
        if key not in values:
            if position.is_over:
                values[key] = position.score
            else:
                best = max if position.to_move == 0 else min
                values[key] = best(value(position.play(m)) for m in position.legal_moves())
        return values[key]

    # Two squares stay empty and count for the winner.
    assert value(othello.Position(4)) == -(11 - 3 + 2)


@pytest.mark.parametrize("ko", ["simple", "positional"])
@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (3, [1, 10, 91, 738, 5281, 33384]),
        (4, [1, 17, 273, 4112]),
        (5, [1, 26, 651, 15650]),
    ],
)
def test_go_has_the_known_number_of_games(ko: str, size: int, expected: list[int]) -> None:
    assert counts(go.Position(size, ko=ko), len(expected) - 1, id) == expected


@pytest.mark.parametrize(
    ("ko", "last"), [("simple", 1168), ("situational", 1112), ("positional", 1088)]
)
def test_the_smallest_go_board_tells_the_ko_rules_apart(ko: str, last: int) -> None:
    found = counts(go.Position(2, ko=ko), 7, id)
    assert found[:5] == [1, 5, 21, 68, 156]
    assert found[7] == last
    if ko == "simple":
        assert found == [1, 5, 21, 68, 156, 316, 604, 1168]


@pytest.mark.parametrize(("size", "expected"), [(1, 1), (2, 57), (3, 12675)])
def test_the_boards_whose_groups_all_breathe_are_as_many_as_known(size: int, expected: int) -> None:
    boards = (bytes(cells) for cells in product(range(3), repeat=size * size))
    assert expected == sum(
        not any(board[p] and go.stones_without_liberty(board, size, p) for p in range(size * size))
        for board in boards
    )


def go_board(picture: str) -> bytes:
    return bytes(".XO".index(mark) for mark in picture if not mark.isspace())


KO = """
    . X O .
    X O . O
    . X O .
    . . . .
"""


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_a_ko_may_not_be_retaken_at_once(ko: str) -> None:
    position = go.Position(4, ko=ko, board=go_board(KO)).play(6)
    assert position.board[5] == go.EMPTY
    assert position.why_illegal(5) == "ko"
    assert position.play(15).play(12).why_illegal(5) is None


def test_the_simple_ko_is_what_would_bring_back_the_board_of_two_plies_ago() -> None:
    rng = random.Random(2)
    kos = 0
    for _ in range(60):
        position = go.Position(rng.randint(2, 5), ko="simple")
        boards = [position.board]
        for _ in range(60):
            for point in range(position.pass_move):
                if position.board[point] == go.EMPTY and len(boards) > 1:
                    if position.place(point).suicides:
                        continue
                    again = position.place(point).board == boards[-2]
                    assert again == (position.why_illegal(point) == "ko")
                    kos += again
            legal = position.legal_moves()
            captures = [m for m in legal[:-1] if position.place(m).captured]
            position = position.play(rng.choice(captures or legal[:-1] or legal))
            boards.append(position.board)
            if position.is_over:
                break
    assert kos > 20


@pytest.mark.parametrize(
    ("ko", "why"), [("simple", None), ("positional", "ko"), ("situational", None)]
)
def test_a_lone_suicide_leaves_the_board_as_it_was(ko: str, why: str | None) -> None:
    board = go_board(". O . / O . . / . . .".replace("/", ""))
    position = go.Position(3, ko=ko, suicide=True, board=board)
    assert position.why_illegal(0) == why
    assert go.Position(3, ko=ko, board=board).why_illegal(0) == "suicide"
    if why is None:
        after = position.play(0)
        assert after.board == board
        assert after.to_move == 1
        # White passes, and the same suicide would bring back a board with White to move.
        assert after.play(9).why_illegal(0) == ("ko" if ko == "situational" else None)


def test_a_region_that_touches_both_colours_is_nobodys() -> None:
    position = go.Position(3, komi=0.5, board=go_board(". X . X . O . O ."))
    assert (position.area(0), position.area(1)) == (3, 3)
    assert position.score == -0.5


def test_suicide_of_several_stones_takes_them_all() -> None:
    board = go_board(". X O O O . . . .")
    position = go.Position(3, ko="positional", suicide=True, board=board)
    after = position.play(0)
    assert after.board == go_board(". . O O O . . . .")
    assert Counter(after.board)[go.BLACK] == 0
