"""Ko in Go: which repetitions each of the three rules forbids, and how text records them."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import honte
from tests.pictures import after, picture, play, refusal, set_up, show, written

RULES = ("simple", "positional", "situational")
SUPERKO = RULES[1:]

KO = """
    . X O .
    X O . O
    . X O .
    . . . .
"""


@pytest.mark.parametrize("rule", RULES)
def test_a_ko_may_not_be_taken_back_at_once(rule: str) -> None:
    state = play(set_up(f"go:size=4,ko={rule}", KO), "C3")
    assert show(state) == picture("""
        . X O .
        X . X O
        . X O .
        . . . .
    """)
    assert "B3" not in written(state)
    sentence = f"B3 would repeat an earlier position ({rule} ko); play elsewhere or pass"
    assert refusal(lambda: play(state, "B3")) == sentence
    with pytest.raises(honte.IllegalMove):
        state.play(state.game.parse("B3"))


@pytest.mark.parametrize("rule", RULES)
def test_a_ko_may_be_taken_back_after_a_threat_and_its_answer(rule: str) -> None:
    state = play(set_up(f"go:size=4,ko={rule}", KO), "C3 A1 D1")
    assert "B3" in written(state)
    assert show(play(state, "B3")) == picture("""
        . X O .
        X O . O
        . X O .
        O . . X
    """)


@pytest.mark.parametrize("rule", RULES)
def test_a_pass_is_as_good_as_a_threat(rule: str) -> None:
    state = play(set_up(f"go:size=4,ko={rule}", KO), "C3 pass")
    assert state.forbidden() == []
    assert "B3" in written(play(state, "D1"))


SEND_TWO = """
    . . . .
    . . . .
    O O X .
    . X . X
"""


@pytest.mark.parametrize(
    ("rule", "allowed"), [("simple", True), ("positional", False), ("situational", True)]
)
def test_sending_two_returning_one_repeats_the_board_with_the_other_side_to_move(
    rule: str, allowed: bool
) -> None:
    state = set_up(f"go:size=4,ko={rule}", SEND_TWO)
    sent = play(state, "A1 C1")  # Black sends a second stone, White takes both
    assert show(sent) == picture("""
        . . . .
        . . . .
        O O X .
        . . O X
    """)
    assert ("B1" in written(sent)) == allowed
    if allowed:
        assert show(play(sent, "B1")) == picture(SEND_TWO)


def test_sending_two_a_second_time_is_too_much_for_situational_ko() -> None:
    once = play(set_up("go:size=4,ko=situational", SEND_TWO), "A1 C1 B1 pass")
    assert show(once) == picture(SEND_TWO)
    assert "A1" not in written(once)
    twice = play(set_up("go:size=4,ko=simple", SEND_TWO), "A1 C1 B1 pass A1 C1 B1 pass")
    assert show(twice) == picture(SEND_TWO)


# Three kos: Black can take at A and C, White at B.
TRIPLE_KO = """
    . X O . . . X O .
    X O . O . X . X O
    . X O . . . X O .
    . . . . . . . . .
    . X O . . . . . .
    X O . O . . . . .
    . X O . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


@pytest.mark.parametrize("rule", RULES)
def test_a_triple_ko_goes_round_for_ever_under_simple_ko_only(rule: str) -> None:
    state = set_up(f"go:size=9,ko={rule}", TRIPLE_KO)
    five = play(state, "C8 G8 C4 B8 H8")
    assert ("B4" in written(five)) == (rule == "simple")
    if rule == "simple":
        round_once = play(five, "B4")
        assert show(round_once) == show(state)
        assert show(play(round_once, "C8 G8 C4 B8 H8 B4")) == show(state)
    else:
        # G8 was taken just now; B4 would bring the first position back
        assert five.forbidden() == [five.game.parse("G8"), five.game.parse("B4")]


@pytest.mark.parametrize("rule", SUPERKO)
def test_a_pass_makes_no_repetition(rule: str) -> None:
    state = after(f"go:size=3,ko={rule}", "B2 pass")
    assert not state.is_over
    assert len(written(state)) == 9


# -- ko as text ------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_text_names_the_points_that_ko_forbids(rule: str) -> None:
    state = play(set_up(f"go:size=4,ko={rule}", KO), "C3")
    assert state.to_text() == ".XO./X.XO/.XO./.... O ko=B3"
    twin = state.game.from_text(state.to_text())
    assert twin == state
    assert twin.legal_moves() == state.legal_moves()
    assert twin.forbidden() == [state.game.parse("B3")]


@pytest.mark.parametrize("rule", RULES)
def test_positions_that_differ_in_the_ko_are_not_equal(rule: str) -> None:
    state = play(set_up(f"go:size=4,ko={rule}", KO), "C3")
    free = state.game.from_text(state.to_text().removesuffix(" ko=B3"))
    assert free != state
    assert "B3" in written(free)


def test_superko_may_forbid_several_points() -> None:
    game: Any = honte.game("go:size=9")
    board = "/".join("".join(line.split()) for line in TRIPLE_KO.strip().splitlines())
    state = game.from_text(f"{board} X ko=C8+C4")
    assert state.forbidden() == [game.parse("C8"), game.parse("C4")]
    assert state.to_text() == f"{board} X ko=C8+C4"


def test_simple_ko_forbids_one_point_only() -> None:
    game = honte.game("go:size=9,ko=simple")
    board = "/".join("".join(line.split()) for line in TRIPLE_KO.strip().splitlines())
    sentence = "simple ko forbids one point at a time; leave one point in ko="
    assert refusal(lambda: game.from_text(f"{board} X ko=C8+C4")) == sentence
    sentence = "simple ko needs no history; leave history= out"
    assert refusal(lambda: game.from_text(f"{board} X history=1f")) == sentence
    sentence = "a stone on the ko point would not take back a ko"
    assert refusal(lambda: game.from_text(f"{board} X ko=A1")) == sentence


@pytest.mark.parametrize("rule", SUPERKO)
def test_plain_text_forgets_what_came_before_and_history_brings_it_back(rule: str) -> None:
    start = set_up(f"go:size=9,ko={rule}", TRIPLE_KO)
    game = start.game
    middle = play(start, "C8 G8 C4")
    rest = "B8 H8"
    remembered = play(game.from_text(middle.to_text(history=True)), rest)
    forgotten = play(game.from_text(middle.to_text()), rest)
    pickled = play(pickle.loads(pickle.dumps(middle)), rest)
    b4 = game.parse("B4")
    assert b4 not in play(middle, rest).legal_moves()
    assert b4 not in remembered.legal_moves()
    assert b4 not in pickled.legal_moves()
    assert b4 in forgotten.legal_moves()


@pytest.mark.parametrize("rule", RULES)
def test_history_is_written_only_where_the_rule_looks_at_it(rule: str) -> None:
    state = play(set_up(f"go:size=4,ko={rule}", KO), "C3")
    assert ("history=" in state.to_text(history=True)) == (rule != "simple")
    assert len(state.history()) == (0 if rule == "simple" else 2)
    assert state.game.from_text(state.to_text(history=True)) == state
