"""Go as people write it: points, lists of moves, boards, and every refusal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import honte
from tests.pictures import chosen, refusal, try_to_read

# -- moves as text ---------------------------------------------------------------------


def test_points_skip_the_letter_i_and_row_1_is_at_the_bottom() -> None:
    game = honte.game("go:size=19")
    corners = [game.format(move) for move in (0, 18, 342, 360)]
    assert corners == ["A19", "T19", "A1", "T1"]
    assert [game.format(move) for move in (7, 8, 361)] == ["H19", "J19", "pass"]
    assert honte.game("go:size=2").format(0) == "A2"


@pytest.mark.parametrize("text", ["D4", "d4", " D4 ", "D04"])
def test_a_point_is_read_in_either_case(text: str) -> None:
    assert honte.game("go:size=5").parse(text) == 8


@pytest.mark.parametrize("text", ["pass", "PASS", "Pass"])
def test_a_pass_is_read_in_either_case(text: str) -> None:
    assert honte.game("go:size=5").parse(text) == 25


@pytest.mark.parametrize("text", ["D4Q16passC3", "d4 q16 PASS c3", "D4,Q16,pass,C3"])
def test_a_list_of_moves_may_be_joined_or_separated(text: str) -> None:
    game = honte.game("go:size=19")
    assert [game.format(move) for move in game.read_moves(text)] == ["D4", "Q16", "pass", "C3"]


@pytest.mark.parametrize("text", ["", "I5", "F1", "A6", "A0", "5A", "A", "AA1", "A111", "Á1", "A²"])
def test_what_is_not_a_point_is_refused(text: str) -> None:
    sentence = f"{text!r} is not a point; write A1 to E5 (no I), or pass"
    assert refusal(lambda: honte.game("go:size=5").parse(text)) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("D4D4", "D4 is taken; choose an empty point or pass"),
        ("D4x", "'D4x' is not a list of points like D4Q16"),
        ("pass pass D4", "8 cannot be played: the game is over"),
        ("D4F9", "'F9' is not a point; write A1 to E5 (no I), or pass"),
        ("E5A2E4B1A1", "A1 would be suicide; play elsewhere or pass"),
    ],
)
def test_a_list_with_a_wrong_move_is_refused(text: str, sentence: str) -> None:
    assert refusal(lambda: honte.game("go:size=5").read_moves(text)) == sentence


def test_a_number_that_is_no_point_is_not_written() -> None:
    game = honte.game("go:size=5")
    assert refusal(lambda: game.format(26)) == "26 is not a point of a board of size 5"
    assert refusal(lambda: game.format(-1)) == "-1 is not a point of a board of size 5"
    with pytest.raises(
        honte.IllegalMove, match=r"^26 is not a legal move here; choose one of A5 B5"
    ):
        game.start().play(26)


# -- positions as text -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "a position is rows joined by /, a blank, and the side to move, X or O"),
        (".../.../...", "a position is rows joined by /, a blank, and the side to move, X or O"),
        (".../... X", "the position has 2 rows, the board 3; join them with /"),
        (".../../... X", "row 2 has 2 points, the board 3"),
        (".../.#./... X", "'#' in row 2, column 2 is not X, O or ."),
        (".../.../... Z", "the side to move is 'Z'; write X or O"),
        (".../.../... X passes=3", "'passes=3' is not ko=POINTS, passes=0 to 2 or history=…"),
        (".../.../... X komi=3", "'komi=3' is not ko=POINTS, passes=0 to 2 or history=…"),
        (".../.../... X passes=1 passes=1", "passes= is given twice; leave one out"),
        (".../.../... X ko=D1", "'D1' is not a point; write A1 to C3 (no I), or pass"),
        (".../.../... X passes=2 ko=A1", "a finished game has no ko; leave ko= out"),
        (".../.../... X ko=pass", "the ko point cannot be played anyway; leave it out"),
        ("X../.../... X ko=A3", "the ko point cannot be played anyway; leave it out"),
        (".../.../... X history=xyz", "'xyz' in history= is not a hexadecimal number"),
        (
            "XXX/XXX/XXX X",
            "the group with the stone in row 1 from the top, column 1 has no liberty",
        ),
        (
            ".O./OXO/.O. O",
            "the group with the stone in row 2 from the top, column 2 has no liberty",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused(text: str, sentence: str) -> None:
    assert refusal(lambda: honte.game("go:size=3").from_text(text)) == sentence


def test_a_position_that_is_too_long_is_refused_before_it_is_read() -> None:
    found = refusal(lambda: honte.game("go").from_text("." * 10_000_000))
    assert found == "a position of 10,000,000 characters; a Go board has at most 361 points"


KO_RULES = st.sampled_from(["simple", "positional", "situational"])


@given(st.integers(2, 7), KO_RULES, st.booleans(), st.lists(st.integers(0, 49), max_size=150))
def test_text_brings_back_any_position_that_play_reaches(
    size: int, ko: str, suicide: bool, choices: list[int]
) -> None:
    game: Any = honte.game("go", size=size, ko=ko, suicide=suicide)
    state = chosen(game, choices)
    for twin in (game.from_text(state.to_text()), game.from_text(state.to_text(history=True))):
        assert twin == state
        assert hash(twin) == hash(state)
        assert twin.legal_moves() == state.legal_moves()
        assert twin.to_text() == state.to_text()


@given(st.integers(2, 19), KO_RULES, st.data())
def test_text_brings_back_any_position_that_can_be_set_up(
    size: int, ko: str, data: st.DataObject
) -> None:
    game: Any = honte.game("go", size=size, ko=ko)
    board = data.draw(st.text(".XO", min_size=size * size, max_size=size * size))
    rows = "/".join(board[i : i + size] for i in range(0, len(board), size))
    text = f"{rows} {data.draw(st.sampled_from('XO'))}"
    passes = data.draw(st.integers(0, 2))
    text += f" passes={passes}" if passes else ""
    state, complaint = try_to_read(game, text)
    if state is None:
        assert complaint.endswith("has no liberty")
    else:
        assert state.to_text() == text
        assert game.from_text(state.to_text()) == state
