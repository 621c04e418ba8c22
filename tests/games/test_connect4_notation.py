"""Connect Four as people write it: columns, cells, lists of moves, boards, and every refusal."""

from __future__ import annotations

import re
from typing import Any

import pytest

import honte
from tests.pictures import after, picture, refusal, show

SMALL = honte.game("connect4")
WIDE: Any = honte.game("connect4:rows=12,cols=12,blocked=5/6+11/2")


def test_columns_are_written_from_1_with_letters_past_9() -> None:
    widest = honte.game("connect4:cols=16")
    written = [widest.format(move) for move in range(16)]
    assert "".join(written) == "123456789abcdefg"
    assert [widest.parse(text) for text in written] == list(range(16))


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("1", 0),
        ("9", 8),
        ("a", 9),
        ("C", 11),
        (" 4 ", 3),
        ("10", 9),
        ("12", 11),
        ("5/6", 6),
        ("(5,6)", 6),
        ("(5, 6)", 6),
        ("5,6", 6),
        ("0/11", 11),
    ],
)
def test_a_single_move_is_a_column_or_a_cell(text: str, move: int) -> None:
    assert WIDE.parse(text) == move


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("4455", [3, 3, 4, 4]),
        ("4,4,5,5", [3, 3, 4, 4]),
        ("4 4 5 5", [3, 3, 4, 4]),
        (" 44, 55\n", [3, 3, 4, 4]),
        ("1ac2", [0, 9, 11, 1]),
        ("112", [0, 0, 1]),
        ("1 2", [0, 1]),
        ("13", [0, 2]),  # there is no column 13, so these are two moves
        ("21", [1, 0]),
        ("11/0 10/0", [0, 0]),
        ("(11/0),(10/0)", [0, 0]),
        ("10/2", [2]),  # it rests on the blocked cell 11/2
        ("", []),
        (" , ,, ", []),
    ],
)
def test_a_list_of_moves_may_be_joined_or_separated(text: str, moves: list[int]) -> None:
    assert WIDE.read_moves(text) == moves


@pytest.mark.parametrize("text", ["10", "11", "12", "4 12", "12,4"])
def test_two_digits_in_a_list_are_ambiguous_where_there_is_such_a_column(text: str) -> None:
    with pytest.raises(ValueError, match="is ambiguous on a board 12 wide: write"):
        WIDE.read_moves(text)
    assert SMALL.read_moves("11") == [0, 0]


def test_a_list_goes_on_from_a_position() -> None:
    state = after("connect4", "444444")
    assert SMALL.read_moves("5", state) == [4]
    with pytest.raises(honte.IllegalMove):
        SMALL.read_moves("4", state)


@pytest.mark.parametrize(
    ("game", "text", "sentence"),
    [
        (SMALL, "0", "'0' is not a column; write 1 to 7 or row/column like 5/6"),
        (SMALL, "", "'' is not a column; write 1 to 7 or row/column like 5/6"),
        (SMALL, "x", "'x' is not a column; write 1 to 7 or row/column like 5/6"),
        (SMALL, "-1", "'-1' is not a column; write 1 to 7 or row/column like 5/6"),
        (SMALL, "8", "'8' is off the board; columns are 1 to 7"),
        (SMALL, "12", "'12' is off the board; columns are 1 to 7"),
        (SMALL, "g", "'g' is off the board; columns are 1 to 7"),
        (WIDE, "d", "'d' is off the board; columns are 1 to 9, a to c"),
        (WIDE, "00", "'00' is not a column; write 1 to 9, a to c or row/column like 5/6"),
        (WIDE, "²", "'²' is not a column; write 1 to 9, a to c or row/column like 5/6"),
        (
            SMALL,
            "6/1",
            "'6/1' is off the board; rows run from 0 to 5, columns from 0 to 6",
        ),
        (
            SMALL,
            "1/7",
            "'1/7' is off the board; rows run from 0 to 5, columns from 0 to 6",
        ),
    ],
)
def test_what_is_not_a_column_is_refused(game: Any, text: str, sentence: str) -> None:
    assert refusal(lambda: game.parse(text)) == sentence


def test_the_range_of_ten_columns_reads_well() -> None:
    ten = honte.game("connect4:cols=10")
    assert refusal(lambda: ten.parse("b")) == "'b' is off the board; columns are 1 to 9 or a"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("5/0", "a piece in column 1 lands on 11/0, not on 5/0"),
        ("11/0 11/0", "a piece in column 1 lands on 10/0, not on 11/0"),
        ("(9/3)", "a piece in column 4 lands on 11/3, not on (9/3)"),
        ("11/2", "a piece in column 3 lands on 10/2, not on 11/2"),
        ("1" * 13, "column 1 is full on move 13; choose one of 2 3 4 5 6 7 8 9 a b c"),
        ("4455667 7", "6 cannot be played: the game is over"),
        ("4x", "'x' is not a column; write 1 to 9, a to c or row/column like 5/6"),
        (
            "4,12",
            "'12' is ambiguous on a board 12 wide: write c for column 12, or 1 2 for two moves",
        ),
        ("10", "'10' is ambiguous on a board 12 wide: write a for column 10"),
        ("²³", "'²' is not a column; write 1 to 9, a to c or row/column like 5/6"),
    ],
)
def test_a_list_with_a_wrong_move_is_refused(text: str, sentence: str) -> None:
    assert refusal(lambda: WIDE.read_moves(text)) == sentence


def test_a_list_that_is_too_long_is_refused_before_it_is_read() -> None:
    sentence = "a list of moves of 20,001 characters; 20,000 is enough"
    assert refusal(lambda: SMALL.read_moves("4" * 20_001)) == sentence


@pytest.mark.parametrize(
    ("moves", "move", "sentence"),
    [
        ("", 7, "7 is not a legal move here; choose one of 1 2 3 4 5 6 7"),
        ("", -1, "-1 is not a legal move here; choose one of 1 2 3 4 5 6 7"),
        ("", 10**50, "a huge number is not a legal move here; choose one of 1 2 3 4 5 6 7"),
        ("444444", 3, "column 4 is full on move 7; choose one of 1 2 3 5 6 7"),
        ("1122334", 3, "3 cannot be played: the game is over"),
    ],
)
def test_a_move_that_cannot_be_made_is_refused(moves: str, move: int, sentence: str) -> None:
    state = after("connect4", moves)
    with pytest.raises(honte.IllegalMove) as refused:
        state.play(move)
    assert str(refused.value) == sentence


def test_a_number_that_is_no_column_is_not_written() -> None:
    assert refusal(lambda: SMALL.format(7)) == "7 is not a column of a board 7 wide"
    assert refusal(lambda: SMALL.format(-1)) == "-1 is not a column of a board 7 wide"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("rows=3", "connect4: rows='3' is not a whole number from 4 to 16"),
        ("cols=17", "connect4: cols='17' is not a whole number from 4 to 16"),
        ("inarow=1", "connect4: inarow='1' is not a whole number from 2 to 16"),
        (
            "inarow=8",
            "connect4: inarow=8 does not fit on the board of 6 rows and 7 columns",
        ),
        (
            "blocked=6/0",
            "connect4: blocked cell 6/0 is off the board of 6 rows and 7 columns; "
            "rows run from 0 to 5, columns from 0 to 6",
        ),
        (
            "rows=12,cols=12,blocked=5/6+3/12",
            "connect4: blocked cell 3/12 is off the board of 12 rows and 12 columns; "
            "rows run from 0 to 11, columns from 0 to 11",
        ),
        ("blocked=5", "connect4: blocked='5' is not a list of cells like 5/6+2/3"),
        ("blocked=-1/2", "connect4: blocked='-1/2' is not a list of cells like 5/6+2/3"),
        ("course,rows=9", "connect4: `course` draws rows itself; leave one of them out"),
        ("course,blocked=1/1", "connect4: `course` draws blocked itself; leave one of them out"),
        ("seed=-1", f"connect4: seed='-1' is not a whole number from 0 to {2**63 - 1}"),
    ],
)
def test_a_board_that_cannot_be_is_refused(settings: str, sentence: str) -> None:
    assert refusal(lambda: honte.game(f"connect4:{settings}")) == sentence


def test_a_board_with_no_playable_cell_is_refused() -> None:
    every = [(row, col) for row in range(4) for col in range(5)]
    sentence = (
        "connect4: every cell of the board of 4 rows and 5 columns is blocked; "
        "leave some to play on"
    )
    assert refusal(lambda: honte.game("connect4", rows=4, cols=5, blocked=every)) == sentence


@pytest.mark.parametrize(
    "blocked", [5, [5], [(1, 2, 3)], [("a", 1)], [(1.5, 2)], [None], [(-1, 0)]]
)
def test_blocked_cells_that_are_no_pairs_are_refused(blocked: object) -> None:
    found = refusal(lambda: honte.game("connect4", blocked=blocked))
    assert re.match("connect4: blocked=.* is not a list of ", found)


@pytest.mark.parametrize(
    "text",
    [
        "......./......./......./......./...o.../...x... X",
        "------- ------- ------- ------- ---O--- ---X--- x",
        "_______\n_______\n_______\n_______\n___O___\n___X___\nX",
        "......./......./......./......./...O.../...X...",
    ],
)
def test_a_board_may_be_pasted_in_several_ways(text: str) -> None:
    assert SMALL.from_text(text) == after("connect4", "44")


def test_blocked_cells_stand_in_the_text() -> None:
    state = after("connect4:rows=4,cols=5,blocked=1/1+3/4", "5")
    assert show(state) == picture("""
        . . . . .
        . # . . .
        . . . . X
        . . . . #
    """)
    assert state.to_text() == "...../.#.../....X/....# O"


FULL = "connect4:rows=4,cols=4,blocked=3/0"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the position has 0 rows, the board 4; join them with /"),
        ("X", "the position has 0 rows, the board 4; join them with /"),
        ("..../..../.... X", "the position has 3 rows, the board 4; join them with /"),
        ("..../..../..../#.. X", "row 4 has 3 cells, the board 4 columns"),
        ("..../..../..../#..? X", "'?' in row 4, column 4 is not X, O, . or #"),
        ("..../..../..../#... Z", "the side to move is 'Z'; write X or O"),
        ("..../..../..../.... X", "row 4, column 1 must be marked blocked in this game"),
        (
            "..../..../..../##.. X",
            "row 4, column 2 is marked blocked, but it is not in this game",
        ),
        (
            "..../.X../..../#... O",
            "the piece in row 2, column 2 hangs above an empty cell; pieces fall",
        ),
        (
            "..../..../..../#X.. X",
            "X has 1 and O 0 pieces, so X cannot be to move; X moves first",
        ),
        (
            "..../..../..../#XXO X",
            "X has 2 and O 1 pieces, so X cannot be to move; X moves first",
        ),
        (
            "..../..../..../#OO. O",
            "X has 0 and O 2 pieces, so O cannot be to move; X moves first",
        ),
        (
            ".X../.X../.XOO/#XOO X",
            "the side to move, X, already has a line; the game ended before this position",
        ),
        ("." * 1001, "a position of 1,001 characters; a board has at most 256 cells"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, sentence: str) -> None:
    assert refusal(lambda: honte.game(FULL).from_text(text)) == sentence
