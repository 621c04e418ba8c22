"""Dead stones, and the count that follows from them."""

from __future__ import annotations

from typing import Any

import pytest

import honte
from honte.core.scoring import agreed_pass
from honte.games.go.counting import count, group, lead, nothing_left
from tests.pictures import SETTLED, set_up

NEUTRAL = """
    . X . X . O . O .
    X X X X . O O O O
    . X . X . O . O .
    X X X X . O O O O
    . X . X X O . O .
    X X X X . O O O O
    . X . X . O . O .
    X X X X . O O O O
    . X . X . O . O .
"""


def points(state: Any, words: str) -> set[int]:
    return {state.game.parse(word) for word in words.split()}


@pytest.mark.parametrize(
    ("size", "picture", "dead"),
    [
        (9, SETTLED, "E7 F7"),
        (9, NEUTRAL, ""),
        (  # a stone in atari in the corner of the other side's area
            7,
            """
            O . X . . O .
            . X X . . O .
            X X . X O O .
            . X X X O . O
            X . . X O O O
            X X X X O . .
            . . X O O . .
            """,
            "A7",
        ),
        (  # one eye is not enough
            7,
            """
            . X X X X X .
            X O O O O X X
            X O . . O X .
            X O O O O X X
            X X X X X X .
            . X . X . X X
            X X X X X . X
            """,
            "B6 C6 D6 E6 B5 E5 B4 C4 D4 E4",
        ),
    ],
)
def test_the_dead_stones_of_clear_positions_are_found(size: int, picture: str, dead: str) -> None:
    state = set_up(f"go:size={size}", picture)
    assert set(count([state]).dead) == points(state, dead)


def test_the_lines_of_a_count_add_up_to_its_score() -> None:
    state: Any = set_up("go:size=9", SETTLED)
    found = count([state])
    assert [(line.label, line.values) for line in found.lines] == [
        ("Stones", (17, 14)),
        ("Territory", (23, 27)),
        ("Komi", (0, 7.5)),
        ("Prisoners", (2, 0)),
    ]
    assert found.totals == (40, 48.5)
    assert found.score == state.game.score(state, found.dead) == -8.5
    assert state.score == -33.5  # the rules' own: the dead stones make Black's area neutral


def test_a_negative_komi_is_points_for_black() -> None:
    state: Any = set_up("go:size=9,komi=-3.5", SETTLED)
    assert count([state]).score == state.game.score(state, count([state]).dead) == 2.5


def test_the_result_follows_from_the_dead_stones_that_are_agreed_on() -> None:
    state: Any = set_up("go:size=9", SETTLED)
    assert count([state], []).score == state.score
    corrected = count([state], points(state, "E7 B4"))
    assert {state.game.format(cell) for cell in corrected.dead} >= {"E7", "F7", "B4"}
    assert corrected.score == state.game.score(state, corrected.dead)


def test_what_was_captured_on_the_way_counts_as_prisoners() -> None:
    game = honte.game("go:size=5,komi=0.5")
    states = [game.start()]
    for word in ["A4", "A5", "C3", "pass", "B5", "pass", "pass"]:
        states.append(states[-1].play(game.parse(word)))
    assert count(states).lines[-1].values == (1, 0)


def test_a_group_is_the_chain_of_a_stone() -> None:
    state: Any = set_up("go:size=9", SETTLED)
    assert set(group(state, state.game.parse("E7"))) == points(state, "E7 F7")
    for cell in (state.game.parse("A9"), 81, -1):
        with pytest.raises(ValueError, match="there is no stone on that point"):
            group(state, cell)


def test_a_settled_position_leads_by_its_count() -> None:
    assert lead(set_up("go:size=9", SETTLED)) == -8.5
    assert abs(lead(honte.game("go:size=9").start()) + 7.5) < 8


def passed(picture: str, spec: str = "go:size=9", side: str = "X") -> Any:
    """The position after a pass, with this side to answer."""
    state = set_up(spec, picture)
    return state.game.from_text(state.to_text().split()[0] + f" {side} passes=1")


@pytest.mark.parametrize("side", "XO")
def test_whoever_is_passed_to_has_nothing_left_in_a_settled_position(side: str) -> None:
    assert nothing_left(passed(SETTLED, side=side))


def test_neutral_points_are_played_unless_they_cannot_matter() -> None:
    assert not nothing_left(passed(NEUTRAL, "go:size=9,komi=0.5", "O"))
    assert nothing_left(passed(NEUTRAL, "go:size=9,komi=30.5", "O"))
    assert not nothing_left(passed(NEUTRAL, "go:size=9,komi=30.5", "X"))


@pytest.mark.parametrize("spec", ["go:size=9", "go:size=9,handicap=4", "go:size=13,handicap=9"])
def test_a_pass_at_the_beginning_is_no_end(spec: str) -> None:
    game = honte.game(spec)
    state = game.start()
    assert agreed_pass(state.play(game.pass_move)) is None  # type: ignore[attr-defined]


@pytest.mark.parametrize("side", "XO")
def test_the_engine_passes_within_two_moves_when_a_person_only_passes(side: str) -> None:
    for picture in (SETTLED, NEUTRAL):
        state = set_up("go:size=9", picture)
        game: Any = state.game
        state = game.from_text(state.to_text().split()[0] + f" {side}")
        player = honte.player("best:iterations=400,seed=1", game)
        answers = list[int]()
        while not state.is_over:
            state = state.play(game.pass_move)
            answers.append((agreed_pass(state) or player.choose(state)).move)
            state = state.play(answers[-1])
            assert len(answers) <= 12
        own = sum(answer != game.pass_move for answer in answers)
        assert own <= (0 if picture is SETTLED else 8)  # the eight neutral points


def test_an_analysis_tells_the_score_that_is_expected_in_points() -> None:
    state = set_up("go:size=9", SETTLED)
    player = honte.player("best:iterations=2000,seed=1", state.game)
    report = player.choose(honte.Request(state, lines=3, all_moves=True))
    assert report.score is not None
    assert report.kind == "estimate"
    assert abs(report.score + 8.5) < 6
    assert report.to_dict()["unit"] == "points"


def test_a_move_of_a_match_costs_no_playouts_for_a_score() -> None:
    game = honte.game("go:size=9")
    assert honte.player("best:net=no,iterations=50", game).choose(game.start()).score is None
