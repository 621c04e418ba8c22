"""Boards as `print(state)` draws them: every test is a picture."""

from __future__ import annotations

import re
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

import pytest

import honte
from honte.drawing import text
from honte.games.go.descriptor import star_points
from tests.pictures import OwnGame


def after(spec: str, moves: str = "") -> Any:
    """The state of a game after these moves, written as people write them."""
    game = honte.game(spec)
    state = game.start()
    for move in game.read_moves(moves):
        state = state.play(move)
    return state


def picture(drawing: str) -> str:
    return dedent(drawing).strip("\n")


# --- Connect Four ---


def test_an_empty_board_of_connect_four() -> None:
    assert text.draw(after("connect4")) == picture("""
        | . . . . . . . |
        | . . . . . . . |
        | . . . . . . . |
        | . . . . . . . |
        | . . . . . . . |
        | . . . . . . . |
        +---------------+
          1 2 3 4 5 6 7

        X to move
    """)


def test_brackets_mark_the_piece_that_fell_last() -> None:
    assert text.draw(after("connect4", "4453")) == picture("""
        | . . . . . . . |
        | . . . . . . . |
        | . . . . . . . |
        | . . . . . . . |
        | . . . O . . . |
        | . .(O)X X . . |
        +---------------+
          1 2 3 4 5 6 7

        X to move
    """)


def test_brackets_fit_between_the_frame_and_the_outer_columns() -> None:
    assert text.draw(after("connect4:rows=4,cols=4", "14")) == picture("""
        | . . . . |
        | . . . . |
        | . . . . |
        | X . .(O)|
        +---------+
          1 2 3 4

        X to move
    """)
    assert text.draw(after("connect4:rows=4,cols=4", "41")) == picture("""
        | . . . . |
        | . . . . |
        | . . . . |
        |(O). . X |
        +---------+
          1 2 3 4

        X to move
    """)


def test_blocked_cells_are_drawn_and_the_piece_above_one_is_marked() -> None:
    assert text.draw(after("connect4:rows=5,cols=6,blocked=4/2+1/4+3/0", "1123")) == picture("""
        | . . . . . . |
        | . . . . # . |
        | O . . . . . |
        | # .(O). . . |
        | X X # . . . |
        +-------------+
          1 2 3 4 5 6

        X to move
    """)


def test_a_won_game_names_the_winner() -> None:
    assert text.draw(after("connect4", "4455667")) == picture("""
        | . . . . . . . |
        | . . . . . . . |
        | . . . . . . . |
        | . . . . . . . |
        | . . . O O O . |
        | . . . X X X(X)|
        +---------------+
          1 2 3 4 5 6 7

        X wins
    """)


def test_the_second_player_wins_as_o() -> None:
    assert text.draw(after("connect4", "17273767")) == picture("""
        | . . . . . . . |
        | . . . . . . . |
        | . . . . . .(O)|
        | . . . . . . O |
        | . . . . . . O |
        | X X X . . X O |
        +---------------+
          1 2 3 4 5 6 7

        O wins
    """)


def test_a_full_board_without_a_line_is_a_draw() -> None:
    state = honte.game("connect4:rows=4,cols=4").from_text("XOXO/XOXO/OXOX/OXOX X")
    assert text.draw(state) == picture("""
        | X O X O |
        | X O X O |
        | O X O X |
        | O X O X |
        +---------+
          1 2 3 4

        draw
    """)


def test_a_position_without_its_moves_has_no_brackets() -> None:
    state = honte.game("connect4:rows=4,cols=5,blocked=1/2").from_text("...../..#../.OX../.XO.X O")
    assert text.draw(state) == picture("""
        | . . . . . |
        | . . # . . |
        | . O X . . |
        | . X O . X |
        +-----------+
          1 2 3 4 5

        O to move
    """)


def test_columns_past_the_ninth_have_letters() -> None:
    assert text.draw(after("connect4:rows=4,cols=16", "9ag")) == picture("""
        | . . . . . . . . . . . . . . . . |
        | . . . . . . . . . . . . . . . . |
        | . . . . . . . . . . . . . . . . |
        | . . . . . . . . X O . . . . .(X)|
        +---------------------------------+
          1 2 3 4 5 6 7 8 9 a b c d e f g

        O to move
    """)


# --- Othello ---


def test_othello_begins_with_four_discs_and_marks_the_legal_moves() -> None:
    assert text.draw(after("othello")) == picture("""
           a b c d e f g h
        1  . . . . . . . .
        2  . . . . . . . .
        3  . . . + . . . .
        4  . . + O X . . .
        5  . . . X O + . .
        6  . . . . + . . .
        7  . . . . . . . .
        8  . . . . . . . .

        X to move; X 2, O 2
    """)


def test_othello_after_five_moves() -> None:
    assert text.draw(after("othello", "f5d6c3d3c4")) == picture("""
           a b c d e f g h
        1  . . . . . . . .
        2  . . . . . . . .
        3  . + X O . + . .
        4  . .(X)X X + . .
        5  . + . O X X + .
        6  . . . O . . + .
        7  . . . . . . . .
        8  . . . . . . . .

        O to move; X 6, O 3
    """)


def test_small_boards_of_othello_use_the_same_names() -> None:
    assert text.draw(after("othello:size=4", "b1")) == picture("""
           a b c d
        1  +(X)+ .
        2  . X X .
        3  + X O .
        4  . . . .

        O to move; X 4, O 1
    """)
    assert text.draw(after("othello:size=6")) == picture("""
           a b c d e f
        1  . . . . . .
        2  . . + . . .
        3  . + O X . .
        4  . . X O + .
        5  . . . + . .
        6  . . . . . .

        X to move; X 2, O 2
    """)


def test_a_pass_is_told_in_words() -> None:
    state = honte.game("othello:size=4").from_text("XO--XXXXXXXXXXXX O")
    assert text.draw(state.play(64)) == picture("""
           a b c d
        1  X O + .
        2  X X X X
        3  X X X X
        4  X X X X

        O passed, X to move; X 13, O 1
    """)


def test_the_empty_squares_of_a_finished_game_count_for_the_winner() -> None:
    state = honte.game("othello:size=4").from_text("XXX-XXXXXXXXXXX- O")
    assert text.draw(state) == picture("""
           a b c d
        1  X X X .
        2  X X X X
        3  X X X X
        4  X X X .

        X wins by 16; X 14, O 0, empty 2
    """)


def test_an_even_count_of_discs_is_a_draw() -> None:
    state = honte.game("othello:size=4").from_text("XXXXXXXXOOOOOOOO X")
    assert text.draw(state).endswith("\n\ndraw; X 8, O 8")


# --- Go ---


def test_a_board_of_go_shows_its_star_points() -> None:
    assert text.draw(after("go:size=9", "D4E5")) == picture("""
           A B C D E F G H J
        9  . . . . . . . . .  9
        8  . . . . . . . . .  8
        7  . . + . . . + . .  7
        6  . . . . . . . . .  6
        5  . . . .(O). . . .  5
        4  . . . X . . . . .  4
        3  . . + . . . + . .  3
        2  . . . . . . . . .  2
        1  . . . . . . . . .  1
           A B C D E F G H J

        X to move
    """)


def test_captured_stones_are_gone() -> None:
    assert text.draw(after("go:size=3", "A2A1B1")) == picture("""
           A B C
        3  . . .  3
        2  X . .  2
        1  .(X).  1
           A B C

        O to move
    """)


def test_the_smallest_board_of_go() -> None:
    assert text.draw(after("go:size=2", "A2")) == picture("""
           A B
        2 (X).  2
        1  . .  1
           A B

        O to move
    """)


def test_the_largest_board_of_go_keeps_two_digits_aligned() -> None:
    assert text.draw(after("go:size=19", "A1T19Q16")) == picture("""
            A B C D E F G H J K L M N O P Q R S T
        19  . . . . . . . . . . . . . . . . . . O  19
        18  . . . . . . . . . . . . . . . . . . .  18
        17  . . . . . . . . . . . . . . . . . . .  17
        16  . . . + . . . . . + . . . . .(X). . .  16
        15  . . . . . . . . . . . . . . . . . . .  15
        14  . . . . . . . . . . . . . . . . . . .  14
        13  . . . . . . . . . . . . . . . . . . .  13
        12  . . . . . . . . . . . . . . . . . . .  12
        11  . . . . . . . . . . . . . . . . . . .  11
        10  . . . + . . . . . + . . . . . + . . .  10
         9  . . . . . . . . . . . . . . . . . . .   9
         8  . . . . . . . . . . . . . . . . . . .   8
         7  . . . . . . . . . . . . . . . . . . .   7
         6  . . . . . . . . . . . . . . . . . . .   6
         5  . . . . . . . . . . . . . . . . . . .   5
         4  . . . + . . . . . + . . . . . + . . .   4
         3  . . . . . . . . . . . . . . . . . . .   3
         2  . . . . . . . . . . . . . . . . . . .   2
         1  X . . . . . . . . . . . . . . . . . .   1
            A B C D E F G H J K L M N O P Q R S T

        O to move
    """)


def test_two_passes_end_a_game_of_go_with_its_margin() -> None:
    assert text.draw(after("go:size=9", "C3,pass")).endswith("\n\nO passed, X to move")
    assert text.draw(after("go:size=3,komi=2.5", "B2,pass,pass")) == picture("""
           A B C
        3  . . .  3
        2  . X .  2
        1  . . .  1
           A B C

        X wins by 6.5
    """)
    assert text.draw(after("go:size=3,komi=7.5", "pass,pass")).endswith("\n\nO wins by 7.5")
    assert text.draw(after("go:size=3,komi=0", "pass,pass")).endswith("\n\ndraw")


@pytest.mark.parametrize(
    ("size", "count"),
    [(2, 0), (4, 0), (5, 1), (6, 0), (7, 5), (8, 4), (9, 5), (13, 5), (14, 4), (15, 9), (19, 9)],
)
def test_star_points_are_the_customary_ones(size: int, count: int) -> None:
    points = star_points(size)
    assert len(points) == count
    assert {(size - 1 - row, col) for row, col in points} == set(points)


# --- every game ---

EVERY_SIZE = [
    *(f"connect4:rows={n},cols={n}" for n in (4, 7, 16)),
    "connect4:rows=4,cols=16",
    "connect4:rows=16,cols=4",
    *(f"othello:size={n}" for n in (4, 6, 8)),
    *(f"go:size={n}" for n in range(2, 20)),
]


@pytest.mark.parametrize("spec", EVERY_SIZE)
def test_lines_are_short_and_end_without_blanks(spec: str) -> None:
    state = after(spec)
    for _ in range(6):
        for line in text.draw(state).split("\n"):
            assert len(line) <= 80
            assert line == line.rstrip()
        moves = state.legal_moves()
        if state.is_over:
            break
        state = state.play(moves[-1])


@pytest.mark.parametrize("spec", EVERY_SIZE)
def test_color_changes_no_character(spec: str) -> None:
    state = after(spec)
    state = state.play(state.legal_moves()[0])
    colored = text.draw(state, color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == text.draw(state)
    assert "\x1b" not in text.draw(state)


def test_color_reverses_the_winning_line() -> None:
    assert text.draw(after("connect4", "4455667"), color=True).count("\x1b[1;36;7mX") == 4


@pytest.mark.parametrize("spec", ["connect4", "othello", "go:size=9"])
def test_print_shows_the_drawing(spec: str) -> None:
    state = after(spec)
    assert str(state) == text.draw(state)


# --- games of one's own ---


def own(game: dict[str, Any], **state: Any) -> Any:
    """A state of a game that keeps the contract and no more."""
    known = {"to_move": 0, "is_over": False, "winner": None, "to_text": lambda: "as text"}
    known |= {"last_move": None}
    rules = OwnGame(**game)
    return SimpleNamespace(game=rules, **(known | state))


def test_a_game_of_your_own_is_drawn_as_a_grid() -> None:
    state = own({"name": "nine", "rows": 2, "cols": 3}, cells=lambda: bytes([0, 1, 2, 3, 0, 9]))
    assert text.draw(state) == picture("""
        . X O
        # . ?

        X to move
    """)


def test_a_square_game_of_your_own_needs_only_its_size() -> None:
    state = own({"name": "ttt", "size": 2}, cells=lambda: [1, 2, 0, 0], is_over=True, winner=1)
    assert text.draw(state) == picture("""
        X O
        . .

        O wins
    """)


@pytest.mark.parametrize(
    ("game", "cells"),
    [
        ({"name": "nim"}, None),
        ({"name": "nim", "rows": 2, "cols": 2}, None),
        ({"name": "nim", "rows": 2, "cols": 2}, lambda: bytes(5)),
        ({"name": "nim", "rows": 0, "cols": 0}, lambda: b""),
        ({"name": "nim", "rows": 1, "cols": 1}, lambda: ["X"]),
        ({"name": "go", "size": "nine"}, lambda: bytes(81)),
    ],
)
def test_a_game_without_a_board_is_drawn_as_its_text(game: dict[str, Any], cells: Any) -> None:
    assert text.draw(own(game, cells=cells)) == "as text"
