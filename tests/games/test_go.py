"""Go: captures, suicide, groups, passes, scoring, handicap."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import honte
from tests.pictures import after, picture, play, refusal, set_up, show, try_to_read, written

# -- captures --------------------------------------------------------------------------


def test_a_stone_without_liberties_is_taken() -> None:
    state = set_up(
        "go:size=4",
        """
        . X . .
        X O . .
        . X . .
        . . . .
        """,
    )
    assert show(play(state, "C3")) == picture("""
        . X . .
        X . X .
        . X . .
        . . . .
    """)


def test_a_stone_in_the_corner_has_two_liberties() -> None:
    assert show(after("go:size=3", "A3 B3 C1 A2")) == picture("""
        . O .
        O . .
        . . X
    """)


def test_a_group_is_taken_as_a_whole() -> None:
    state = set_up(
        "go:size=5",
        """
        . X X . .
        X O O X .
        X O X . .
        . . . . .
        . . . . .
        """,
    )
    assert show(play(state, "B2")) == picture("""
        . X X . .
        X . . X .
        X . X . .
        . X . . .
        . . . . .
    """)


def test_one_move_may_take_four_groups() -> None:
    state = set_up(
        "go:size=5",
        """
        . . X . .
        . X O X .
        X O . O X
        . X O X .
        . . X . .
        """,
    )
    assert show(play(state, "C3")) == picture("""
        . . X . .
        . X . X .
        X . X . X
        . X . X .
        . . X . .
    """)


def test_a_capture_comes_before_the_question_of_suicide() -> None:
    state = set_up(
        "go:size=4",
        """
        . X O .
        X O . .
        O O . .
        . . . .
        """,
        "O",
    )
    assert show(play(state, "A4")) == picture("""
        O . O .
        . O . .
        O O . .
        . . . .
    """)


def test_snapback_who_takes_one_stone_loses_four() -> None:
    state = set_up(
        "go:size=4",
        """
        . . . X
        X X . .
        . O X .
        . O O X
        """,
    )
    given = play(state, "A1 A2")
    assert show(given) == picture("""
        . . . X
        X X . .
        O O X .
        . O O X
    """)
    assert show(play(given, "A1")) == picture("""
        . . . X
        X X . .
        . . X .
        X . . X
    """)


# -- suicide ---------------------------------------------------------------------------

EYE = """
    . O . .
    O . O .
    . O . .
    . . . .
"""


def test_suicide_is_illegal_unless_the_game_allows_it() -> None:
    state = set_up("go:size=4", EYE)
    assert "B3" not in written(state)
    assert "A4" not in written(state)
    assert "D4" in written(state)
    assert refusal(lambda: play(state, "B3")) == "B3 would be suicide; play elsewhere or pass"


def test_suicide_of_a_group_takes_it_off_where_it_is_allowed() -> None:
    state = set_up(
        "go:size=4,suicide=yes",
        """
        X . O .
        O O O .
        . . . .
        . . . .
        """,
    )
    assert show(play(state, "B4")) == picture("""
        . . O .
        O O O .
        . . . .
        . . . .
    """)


def test_suicide_of_one_stone_repeats_the_board_and_only_simple_ko_lets_it() -> None:
    assert "B3" in written(set_up("go:size=4,suicide=yes,ko=simple", EYE))
    assert "B3" not in written(set_up("go:size=4,suicide=yes,ko=positional", EYE))
    # Under the situational rule it is another situation: now the other side is to move.
    assert "B3" in written(set_up("go:size=4,suicide=yes,ko=situational", EYE))


# -- groups ----------------------------------------------------------------------------


def test_a_group_knows_its_stones_and_its_liberties() -> None:
    state = set_up(
        "go:size=4",
        """
        X X . .
        . X O .
        X O O .
        . . . .
        """,
    )
    name = state.game.format

    def group(point: str) -> tuple[list[str], list[str]]:
        stones, liberties = state.group(state.game.parse(point))
        return [name(stone) for stone in stones], [name(liberty) for liberty in liberties]

    assert group("A4") == group("B3") == (["A4", "B4", "B3"], ["C4", "A3"])
    assert group("B2") == (["C3", "B2", "C2"], ["C4", "D3", "D2", "B1", "C1"])
    assert group("A2") == (["A2"], ["A3", "A1"])
    assert group("D4") == ([], [])


# -- passing, ending, scoring ----------------------------------------------------------


def test_two_passes_in_a_row_end_the_game() -> None:
    state = after("go:size=3", "B2 pass")
    assert not state.is_over
    assert (state.passes, state.to_move) == (1, 0)
    ended = play(state, "pass")
    assert (ended.is_over, ended.passes, ended.legal_moves()) == (True, 2, [])
    assert not play(state, "A1 pass").is_over


def test_a_pass_is_always_legal_and_comes_last() -> None:
    assert written(honte.game("go:size=2").start()) == ["A2", "B2", "A1", "B1", "pass"]
    only_a_pass = set_up("go:size=2", "X O\nX .", "X")
    assert written(only_a_pass)[-1] == "pass"


@pytest.mark.parametrize(
    ("drawing", "area"),
    [
        (". . . .\n. . . .\n. . . .\n. . . .", 0),  # nobody borders on it
        (". . . .\n. X . .\n. . . .\n. . . .", 16),
        (". X O .\n. X O .\n. X O .\n. X O .", 0),
        (". X O .\n. X O .\n. X . .\n. X . .", 6),  # the six points right touch both
        ("X X X X\nX . X X\nX X X X\nX X X .", 16),
        ("O O O O\nO . O O\nO O O O\nO O O .", -16),
        (". X X O\nX X . O\nX . X O\nX X O O", 5),  # B2 is an eye, C3 is nobody's
    ],
)
def test_area_is_stones_and_the_empty_points_that_touch_one_colour(drawing: str, area: int) -> None:
    assert set_up("go:size=4,komi=0", drawing).score == area
    assert set_up("go:size=4,komi=0.5", drawing).score == area - 0.5


def test_in_a_seki_both_groups_stand_and_the_shared_liberties_are_neutral() -> None:
    state = set_up(
        "go:size=5,komi=0",
        """
        X . O X X
        X . O X .
        X O O X X
        X O X X .
        X O X . X
        """,
    )
    black, white = state.cells().count(1), state.cells().count(2)
    assert state.score == black - white + 3  # A5's and C5's two common liberties are nobody's


def test_komi_decides_and_an_even_score_is_a_draw() -> None:
    even = play(after("go:size=2,komi=4", "A1"), "pass pass")
    assert (even.is_over, even.score, even.winner) == (True, 0, None)
    assert play(after("go:size=2,komi=3.5", "A1"), "pass pass").winner == 0
    assert play(after("go:size=2,komi=4.5", "A1"), "pass pass").winner == 1


def test_nobody_has_won_while_the_game_runs() -> None:
    state = after("go", "E5")
    assert (state.score, state.winner) == (81 - 7.5, None)


DEAD = """
    . . O X .
    O . O X X
    . O O X .
    O O X X .
    . O X O .
"""


def test_dead_stones_are_taken_off_before_counting() -> None:
    state = set_up("go:size=5,komi=0", DEAD)
    game = state.game
    assert game.score(state) == state.score
    alive, dead = state.score, game.score(state, dead=[game.parse("D1")])
    # White's stone at D1 kept E1 to E3 from being Black's.
    assert dead - alive == 1 + 1 + 3
    assert state.cells()[game.parse("D1")] == 2, "the position stays as it is"


def test_a_dead_stone_stands_for_its_whole_group() -> None:
    state = set_up("go:size=5,komi=0", DEAD)
    game = state.game
    one, all_ = [game.parse("A2")], [game.parse(point) for point in ("A2", "B2", "B1", "C5")]
    assert game.score(state, dead=one) == game.score(state, dead=all_)
    assert game.score(state, dead=[game.parse("A4"), *one, game.parse("D1")]) == 25
    assert game.score(state, dead=[game.parse("E1")]) == state.score  # an empty point: no stone


@pytest.mark.parametrize("point", [-1, 25, 1000])
def test_a_dead_stone_off_the_board_is_refused(point: int) -> None:
    state = set_up("go:size=5", DEAD)
    assert refusal(lambda: state.game.score(state, [point])) == f"point {point} is off the board"
    assert refusal(lambda: state.area([point])) == f"point {point} is off the board"
    assert refusal(lambda: state.group(point)) == f"point {point} is off the board"


# -- handicap --------------------------------------------------------------------------

HANDICAP = {
    (19, 2): "D4 Q16",
    (19, 3): "D4 Q16 Q4",
    (19, 4): "D4 Q16 Q4 D16",
    (19, 5): "D4 Q16 Q4 D16 K10",
    (19, 6): "D4 Q16 Q4 D16 D10 Q10",
    (19, 7): "D4 Q16 Q4 D16 D10 Q10 K10",
    (19, 8): "D4 Q16 Q4 D16 D10 Q10 K4 K16",
    (19, 9): "D4 Q16 Q4 D16 D10 Q10 K4 K16 K10",
    (13, 9): "D4 K10 K4 D10 D7 K7 G4 G10 G7",
    (9, 5): "C3 G7 G3 C7 E5",
    (8, 4): "C3 F6 F3 C6",
    (7, 4): "C3 E5 E3 C5",
}


@pytest.mark.parametrize(("size", "stones"), HANDICAP)
def test_handicap_stones_stand_where_gtp_puts_them(size: int, stones: int) -> None:
    state: Any = honte.game("go", size=size, handicap=stones).start()
    found = {state.game.format(i) for i, cell in enumerate(state.cells()) if cell}
    assert found == set(HANDICAP[size, stones].split())
    assert state.cells().count(1) == stones
    assert state.to_move == 1, "White moves first"


def test_a_handicap_game_has_half_a_point_of_komi() -> None:
    game: Any = honte.game("go:size=19,handicap=2")
    assert game.komi == 0.5
    assert honte.game("go:size=19,handicap=2,komi=7.5").spec == "go:size=19,komi=7.5,handicap=2"


@pytest.mark.parametrize(
    ("size", "stones", "allowed"),
    [(19, 1, "0 or 2 to 9"), (8, 5, "0 or 2 to 4"), (7, 5, "0 or 2 to 4"), (5, 2, "0")],
)
def test_a_handicap_that_does_not_fit_is_refused(size: int, stones: int, allowed: str) -> None:
    sentence = f"go: handicap={stones} does not fit size {size}; use {allowed}"
    assert refusal(lambda: honte.game("go", size=size, handicap=stones)) == sentence


# -- every position --------------------------------------------------------------------


@pytest.mark.parametrize(("size", "legal"), [(2, 57), (3, 12675)])
def test_as_many_positions_can_be_set_up_as_are_legal(size: int, legal: int) -> None:
    game = honte.game("go", size=size)
    count = 0
    for points in itertools.product(".XO", repeat=size * size):
        board = "".join(points)
        text = "/".join(board[i : i + size] for i in range(0, len(board), size)) + " X"
        state, complaint = try_to_read(game, text)
        if state is None:
            assert complaint.endswith("has no liberty")
        else:
            count += 1
            assert state.to_text() == text
    assert count == legal
