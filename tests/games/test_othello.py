"""Othello: what turns, when one must pass, when it ends, and how it is written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import honte
from tests.pictures import after, chosen, picture, play, refusal, set_up, show, written

PASS = 64
BOARD: Any = honte.game("othello")
# Eight moves after which Black has none: the earliest pass there can be.
TO_A_PASS = "c4c3f5b4a4a5c2a3"

# -- turning discs ---------------------------------------------------------------------


def test_the_game_starts_with_white_on_d4_and_e5() -> None:
    assert show(BOARD.start()) == picture("""
        - - - - - - - -
        - - - - - - - -
        - - - - - - - -
        - - - O X - - -
        - - - X O - - -
        - - - - - - - -
        - - - - - - - -
        - - - - - - - -
    """)
    assert BOARD.start().to_move == 0
    assert written(BOARD.start()) == ["d3", "c4", "f5", "e6"]


@pytest.mark.parametrize(
    ("size", "start", "moves"),
    [
        (4, "-----OX--XO-----", ["b1", "a2", "d3", "c4"]),
        (6, "--------------OX----XO--------------", ["c2", "b3", "e4", "d5"]),
    ],
)
def test_smaller_boards_start_in_their_own_middle(size: int, start: str, moves: list[str]) -> None:
    state = honte.game(f"othello:size={size}").start()
    assert state.to_text() == f"{start} X"
    assert written(state) == moves


def test_a_move_turns_what_it_flanks() -> None:
    assert show(after("othello", "f5d6")) == picture("""
        - - - - - - - -
        - - - - - - - -
        - - - - - - - -
        - - - O X - - -
        - - - O X X - -
        - - - O - - - -
        - - - - - - - -
        - - - - - - - -
    """)


def test_a_move_turns_discs_in_all_eight_directions() -> None:
    state = set_up(
        "othello",
        """
        X - - X - - X -
        - O - O - O - -
        - - O O O - - -
        X O O - O O O X
        - - O O O - - -
        - O - O - O - -
        X - - O - - X -
        - - - X - - - -
        """,
    )
    assert show(play(state, "d4")) == picture("""
        X - - X - - X -
        - X - X - X - -
        - - X X X - - -
        X X X X X X X X
        - - X X X - - -
        - X - X - X - -
        X - - X - - X -
        - - - X - - - -
    """)


def test_turned_discs_turn_no_further_discs() -> None:
    state = set_up(
        "othello:size=4",
        """
        - O X -
        - - O -
        - - X -
        - - - -
        """,
    )
    assert show(play(state, "a1")) == picture("""
        X X X -
        - - O -
        - - X -
        - - - -
    """)


def test_a_line_does_not_go_round_the_edge() -> None:
    state = set_up(
        "othello",
        """
        - - - - - - X O
        O - - - - - - -
        X - - - - - - -
        - - - - - - - -
        - - - - - - - -
        - - - - - - - -
        - - - - - - - -
        - - - - - - - -
        """,
        "O",
    )
    assert written(state) == ["f1", "a4"]


# -- passing and ending ----------------------------------------------------------------


def test_a_side_without_a_move_has_to_pass() -> None:
    state = after("othello", TO_A_PASS)
    assert show(state) == picture("""
        - - - - - - - -
        - - X - - - - -
        O - X - - - - -
        O O X X X - - -
        O - - X X X - -
        - - - - - - - -
        - - - - - - - -
        - - - - - - - -
    """)
    assert not state.is_over
    assert state.legal_moves() == [PASS]
    passed = state.play(PASS)
    assert show(passed) == show(state)
    assert (passed.to_move, passed.last_move) == (1, PASS)
    assert written(passed) == ["d2", "f4"]


def test_nobody_may_pass_who_has_a_move() -> None:
    with pytest.raises(
        honte.IllegalMove, match=r"^Black has a move and may not pass; choose one of"
    ):
        BOARD.start().play(PASS)


def test_nothing_but_the_pass_may_be_played_by_who_has_no_move() -> None:
    with pytest.raises(
        honte.IllegalMove, match=r"^Black has no move, so d2 cannot be played; pass$"
    ):
        after("othello", TO_A_PASS).play(BOARD.parse("d2"))


def test_the_game_ends_when_neither_side_can_move() -> None:
    state = after("othello:size=4", "b1c1d1a1a3d4")
    assert show(state) == picture("""
        O X X X
        - X X -
        X X X -
        - - - X
    """)
    assert state.is_over
    assert state.legal_moves() == []


def test_the_empty_squares_go_to_the_winner() -> None:
    state = after("othello:size=4", "b1c1d1a1a3d4")  # 9 discs to 1, and 6 squares empty
    assert (state.winner, state.score) == (0, 14)


def test_while_the_game_runs_the_score_is_the_discs() -> None:
    assert [after("othello", TO_A_PASS[:n]).score for n in (0, 2, 4, 16)] == [0, 3, 0, 4]


def test_the_empty_squares_of_a_draw_go_to_nobody() -> None:
    state = after("othello:size=4", "c4b4a1d4a4b1a2d1c1d2")
    assert show(state) == picture("""
        X X X O
        X X X O
        - O O -
        X O O O
    """)
    assert (state.is_over, state.winner, state.score) == (True, None, 0)


def test_a_side_without_discs_has_lost_everything() -> None:
    state = after("othello", "e6f4e3f6g5d6e7f5c5")
    assert show(state) == picture("""
        - - - - - - - -
        - - - - - - - -
        - - - - X - - -
        - - - X X X - -
        - - X X X X X -
        - - - X X X - -
        - - - - X - - -
        - - - - - - - -
    """)
    assert (state.is_over, state.winner, state.score) == (True, 0, 64)


def test_white_wins_with_a_negative_score() -> None:
    state = honte.game("othello:size=4").from_text("OOOO OOOO OOOO OOOX X")
    assert (state.is_over, state.winner, state.score) == (True, 1, -14)


def test_an_empty_board_is_over_and_drawn() -> None:
    state = BOARD.from_text("-" * 64 + " X")
    assert (state.is_over, state.winner, state.score) == (True, None, 0)


# -- moves as text ---------------------------------------------------------------------


def test_squares_are_letters_for_columns_and_row_1_at_the_top() -> None:
    assert [BOARD.format(move) for move in (0, 7, 8, 37, 63)] == ["a1", "h1", "a2", "f5", "h8"]
    assert BOARD.format(PASS) == "pass"
    small = honte.game("othello:size=4")
    assert [small.format(move) for move in (0, 3, 8, 27)] == ["a1", "d1", "a2", "d4"]


@pytest.mark.parametrize("text", ["f5", "F5", " f5\n"])
def test_a_square_is_read_in_either_case(text: str) -> None:
    assert BOARD.parse(text) == 37


@pytest.mark.parametrize("text", ["pass", "PASS", "pa", "PA", "ps", "--"])
def test_a_pass_is_read_as_every_program_writes_it(text: str) -> None:
    assert BOARD.parse(text) == PASS


@pytest.mark.parametrize("text", ["f5d6c3", "F5D6C3", "f5 d6 c3", "f5,d6,c3", "f5d6 c3,"])
def test_a_transcript_may_be_joined_or_separated(text: str) -> None:
    assert BOARD.read_moves(text) == [37, 43, 18]


@pytest.mark.parametrize("passing", ["", "pass", "PA", "--", " pass "])
def test_passes_may_be_left_out_of_a_transcript(passing: str) -> None:
    moves = BOARD.read_moves(f"{TO_A_PASS}{passing}d2")
    assert moves[8:] == [PASS, BOARD.parse("d2")]


def test_a_transcript_may_end_with_a_pass() -> None:
    assert BOARD.read_moves(TO_A_PASS + "pass")[8:] == [PASS]
    assert len(BOARD.read_moves(TO_A_PASS)) == 8  # nobody says that the pass was made


def test_a_transcript_goes_on_from_a_position() -> None:
    assert BOARD.read_moves("d2", after("othello", TO_A_PASS)) == [PASS, BOARD.parse("d2")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("i1", "'i1' is not a square; write a1 to h8, or pass"),
        ("a9", "'a9' is not a square; write a1 to h8, or pass"),
        ("a0", "'a0' is not a square; write a1 to h8, or pass"),
        ("", "'' is not a square; write a1 to h8, or pass"),
        ("f", "'f' is not a square; write a1 to h8, or pass"),
        ("5f", "'5f' is not a square; write a1 to h8, or pass"),
        ("f5d6", "'f5d6' is not a square; write a1 to h8, or pass"),
        ("f٥", "'f٥' is not a square; write a1 to h8, or pass"),
        ("x" * 100, f"'{'x' * 39}…' is not a square; write a1 to h8, or pass"),
    ],
)
def test_what_is_not_a_square_is_refused(text: str, sentence: str) -> None:
    assert refusal(lambda: BOARD.parse(text)) == sentence


def test_a_square_of_the_large_board_may_be_off_the_small_one() -> None:
    small = honte.game("othello:size=6")
    assert refusal(lambda: small.parse("g1")) == "'g1' is not a square; write a1 to f6, or pass"
    assert refusal(lambda: small.format(6)) == "6 is not a square of a board of size 6"
    assert refusal(lambda: small.format(48)) == "48 is not a square of a board of size 6"
    assert refusal(lambda: small.format(65)) == "65 is not a square of a board of size 6"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("f5d", "'f5d' is not a list of squares like f5d6c3"),
        ("f5;d6", "'f5;d6' is not a list of squares like f5d6c3"),
        ("f5d6a1", "a1 turns no disc for Black; choose one of c3 c4 c5 c6 c7"),
        ("f5f5", "f5 turns no disc for White; choose one of f4 d6 f6"),
        ("f5pass", "White has a move and may not pass; choose one of f4 d6 f6"),
        ("f55", "'f55' is not a square; write a1 to h8, or pass"),
        ("e6f4e3f6g5d6e7f5c5 a1", "0 cannot be played: the game is over"),
        ("f5" * 20_000, "a list of moves of 40,000 characters; 20,000 is enough"),
    ],
)
def test_a_transcript_with_a_wrong_move_is_refused(text: str, sentence: str) -> None:
    assert refusal(lambda: BOARD.read_moves(text)) == sentence


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (0, "a1 turns no disc for Black; choose one of d3 c4 f5 e6"),
        (27, "d4 turns no disc for Black; choose one of d3 c4 f5 e6"),
        (65, "65 is not a legal move here; choose one of d3 c4 f5 e6"),
        (-1, "-1 is not a legal move here; choose one of d3 c4 f5 e6"),
        (PASS, "Black has a move and may not pass; choose one of d3 c4 f5 e6"),
    ],
)
def test_a_move_that_cannot_be_made_is_refused(move: int, sentence: str) -> None:
    assert refusal(lambda: BOARD.start().play(move)) == sentence
    with pytest.raises(honte.IllegalMove):
        BOARD.start().play(move)


# -- positions as text -----------------------------------------------------------------


@pytest.mark.parametrize("black", "Xx*bB")
@pytest.mark.parametrize("white", "OowW")
@pytest.mark.parametrize("empty", "-.")
def test_a_board_is_read_in_every_alphabet(black: str, white: str, empty: str) -> None:
    state = after("othello", "f5d6c3")
    text = state.to_text().translate(str.maketrans("XO-", black + white + empty))
    assert BOARD.from_text(text) == state


def test_blanks_and_line_ends_do_not_count() -> None:
    state = after("othello", "f5d6c3")
    board, side = state.to_text().split()
    eight = [board[i : i + 8] for i in range(0, 64, 8)]
    for text in (board + side, "\n".join([*eight, side]), "/".join(eight) + " " + side):
        assert BOARD.from_text(text) == state
    assert BOARD.from_text(" ".join(board) + "  " + side) == state


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "",
            "the position has 0 characters; it needs 16 squares and then the side to move, X or O",
        ),
        (
            "-" * 16,
            "the position has 16 characters; it needs 16 squares and then the side to move, X or O",
        ),
        (
            "-" * 16 + "XX",
            "the position has 18 characters; it needs 16 squares and then the side to move, X or O",
        ),
        ("----?----------- X", "'?' on a2 is not a disc; write X, O or -"),
        ("-----OX--XO----- -", "the side to move is '-'; write X or O"),
        ("-" * 1001, "a position of 1,001 characters; a board has at most 64 squares"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, sentence: str) -> None:
    assert refusal(lambda: honte.game("othello:size=4").from_text(text)) == sentence


SIZES = st.sampled_from([4, 6, 8])


@given(SIZES, st.lists(st.integers(0, 59), max_size=70))
def test_text_brings_back_any_position_that_play_reaches(size: int, choices: list[int]) -> None:
    game: Any = honte.game("othello", size=size)
    state = chosen(game, choices)
    twin = game.from_text(state.to_text())
    assert twin == state
    assert hash(twin) == hash(state)
    assert twin.legal_moves() == state.legal_moves()


@given(SIZES, st.data())
def test_text_brings_back_any_position_that_can_be_set_up(size: int, data: st.DataObject) -> None:
    game: Any = honte.game("othello", size=size)
    board = data.draw(st.text("XO-", min_size=size * size, max_size=size * size))
    text = f"{board} {data.draw(st.sampled_from('XO'))}"
    state = game.from_text(text)
    assert state.to_text() == text
    assert game.from_text(state.to_text()) == state
    assert state.is_over == (state.legal_moves() == [])
    assert state.score == -game.from_text(text.translate(str.maketrans("XO", "OX"))).score
