"""Games with mistakes made on purpose: the review finds them, and no others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import honte
from honte.analysis.review import (
    MARKS,
    Remark,
    Reviewer,
    Worth,
    cost_of,
    ended,
    review,
    summary,
    turning_point,
)
from honte.core.player import Player
from honte.core.report import Candidate, Report
from honte.core.request import Limit

LIMIT = honte.Limit(iterations=3000)


def states_of(spec: str, moves: str, position: str | None = None) -> list[honte.State]:
    game = honte.game(spec)
    states = [game.start() if position is None else game.from_text(position)]
    for move in game.read_moves(moves, states[0]):
        states.append(states[-1].play(move))
    return states


def reviewed(spec: str, moves: str, limit: honte.Limit = LIMIT, **more: Any) -> list[Remark]:
    return list(review(states_of(spec, moves, **more), "uct:seed=1", limit))


def test_a_missed_win_in_one_is_marked_with_the_win_named() -> None:
    # X has three on the bottom of column 4 and plays 2 where 4 wins.
    remark = reviewed("connect4", "4141472")[-1]
    assert remark.mark == "mistake"  # it still wins, only later
    assert [reason.words for reason in remark.why] == ["4 wins at once."]
    assert (remark.number, remark.mover, remark.best) == (7, 0, 3)
    assert remark.best_proven == "win"
    assert remark.best_value == 1
    assert remark.line == [3]
    assert 0 < remark.cost <= 1 - remark.value


def test_a_forced_block_that_is_missed_is_marked_with_the_block_named() -> None:
    remarks = reviewed("connect4", "4141474")
    missed = remarks[5]
    assert (missed.number, missed.mover, missed.mark) == (6, 1, "mistake")
    assert missed.why[0].words.startswith("The opponent threatens to win on 4/4")
    assert missed.best == 3
    assert missed.proven == "loss"
    assert missed.value == -1
    assert remarks[6].mark == ""  # and the win was taken
    assert (remarks[6].proven, remarks[6].value) == ("win", 1)


def test_a_win_in_another_way_costs_nothing() -> None:
    # After 4 1 5 1 6 1 both 3 and 7 win; so does it still after any other move but one.
    remarks = reviewed("connect4", "4152627")
    assert remarks[-1].cost == 0
    assert remarks[-1].mark == ""
    assert remarks[-1].best == remarks[-1].move


def test_the_engines_own_game_has_no_blunder() -> None:
    game = honte.game("connect4:rows=5,cols=5")
    engine = honte.player("uct:seed=1", game)
    states = [game.start()]
    while not states[-1].is_over:
        states.append(states[-1].play(engine.choose(states[-1], LIMIT).move))
    remarks = list(review(states, "uct:seed=1", LIMIT))
    assert len(remarks) == len(states) - 1
    assert [remark.mark for remark in remarks if remark.mark in ("mistake", "blunder")] == []
    for side in (0, 1):
        assert summary(remarks, side).accuracy > 95


def test_a_lost_side_makes_no_mistakes_any_more() -> None:
    # O cannot stop both ends of X's three.
    remarks = reviewed("connect4", "4152637")
    assert [remark.mark for remark in remarks[4:]] == ["", "", ""]
    assert remarks[5].proven == "loss"
    assert remarks[5].cost == 0


def test_a_review_with_a_limit_of_iterations_is_repeatable() -> None:
    one, two = (reviewed("othello", "f5d6c3d3c4f4", Limit(iterations=500)) for _ in "ab")
    assert one == two


@pytest.mark.parametrize(
    ("spec", "moves"),
    [("othello:size=6", "d5c5b5d6e6"), ("go:size=5", "C3 C4 D4 pass pass"), ("connect4", "44")],
)
def test_every_game_can_be_reviewed_whether_it_is_over_or_not(spec: str, moves: str) -> None:
    game = honte.game(spec)
    legal = []
    state = game.start()
    for word in moves.split() if " " in moves else []:
        legal.append(game.parse(word))
    if not legal:
        for _ in range(5):
            legal.append(state.legal_moves()[0])
            state = state.play(legal[-1])
    states = [game.start()]
    for move in legal:
        states.append(states[-1].play(move))
    remarks = list(review(states, "uct:seed=1", Limit(iterations=200)))
    assert [remark.move for remark in remarks] == legal
    for remark in remarks:
        assert -1 <= remark.value <= 1
        assert 0 <= remark.cost <= 2
        assert remark.line[0] == remark.best
        least = dict(MARKS)
        if remark.mark == "inaccuracy":
            assert least["inaccuracy"] <= remark.cost < least["mistake"]


def test_a_forced_pass_is_not_held_against_anybody() -> None:
    game = honte.game("othello")
    draw, states = random.Random(1), [game.start()]
    while states[-1].legal_moves() != [64]:
        if states[-1].is_over:
            states = [game.start()]
        states.append(states[-1].play(draw.choice(states[-1].legal_moves())))
    states = [states[-1], states[-1].play(64)]
    (remark,) = review(states, "uct:seed=1", Limit(iterations=300))
    assert remark.forced
    assert (remark.cost, remark.mark) == (0, "")


def test_a_finished_game_is_worth_its_result_to_the_side_to_move() -> None:
    game = honte.game("othello")
    for side, value, proven in (("X", 1.0, "win"), ("O", -1.0, "loss")):
        worth = ended(game.from_text("X" * 40 + "O" * 24 + f" {side}"))
        assert (worth.value, worth.proven, worth.score) == (value, proven, 16 * value)
    drawn = ended(game.from_text("X" * 32 + "O" * 32 + " X"))
    assert (drawn.value, drawn.proven, drawn.score) == (0.0, "draw", 0)


def test_a_proven_result_is_worth_more_the_sooner_it_comes() -> None:
    game = honte.game("connect4")  # of 42 cells
    assert Worth(1.0, "win", distance=21).practical(game) == pytest.approx(0.75)
    assert Worth(-1.0, "loss", distance=21).practical(game) == pytest.approx(-0.75)
    assert Worth(1.0, "win", distance=50).practical(game) == pytest.approx(0.5)
    assert Worth(0.4).practical(game) == pytest.approx(0.4)


def test_a_win_of_unknown_length_is_no_better_than_another() -> None:
    game = honte.game("connect4")
    unknown, soon, late = (Worth(1.0, "win", distance) for distance in (None, 5, 27))
    assert unknown.turned().distance is None
    assert cost_of(game, unknown, late) == cost_of(game, late, unknown) == 0
    assert cost_of(game, Worth(-1.0, "loss", 28), unknown.turned()) == 0
    assert cost_of(game, soon, late) == pytest.approx(11 / 42)
    assert ended(states_of("connect4", "4141414")[-1]).turned().distance == 1


def test_a_review_tells_no_length_of_a_win_that_is_not_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from honte.core import players as registry

    monkeypatch.setitem(registry._factories, "oracle", Oracle)
    monkeypatch.setattr(Oracle, "values", ((1.0, "win", 3), (-1.0, "loss", 2)))
    monkeypatch.setattr(Oracle, "distance", 0)
    (remark,) = review(states_of("connect4", "1"), "oracle")
    assert (remark.proven, remark.distance, remark.best_distance) == ("win", 0, 0)
    assert (remark.cost, remark.mark) == (0, "")


def test_remarks_come_one_by_one() -> None:
    found = review(states_of("connect4", "4455"), "uct", Limit(iterations=100))
    assert next(found).number == 1
    assert next(found).number == 2
    found.close()


def test_a_player_that_does_not_evaluate_cannot_review() -> None:
    with pytest.raises(ValueError, match="does not evaluate its moves"):
        list(review(states_of("connect4", "44"), "random"))


class Oracle(Player):
    """Returns a given score for each position, by the moves played so far."""

    def __init__(self, game: honte.Game, /, **settings: object) -> None:
        self.spec = "oracle"

    values: Sequence[tuple[float, str | None, int]] = ()
    distance = 9

    def think(self, request: honte.Request) -> Report:
        plies = sum(map(bool, request.state.cells()))  # type: ignore[attr-defined]
        value, proven, best = self.values[plies]
        return Report(best, value, proven, pv=[best], iterations=1, distance=self.distance)


@pytest.mark.parametrize(
    ("before", "after", "mark"),
    [
        ((0.3, None), (-0.28, None), ""),
        ((0.3, None), (-0.15, None), "inaccuracy"),
        ((0.3, None), (0.0, None), "mistake"),
        ((0.3, None), (0.3, None), "blunder"),
        ((0.1, None), (0.0, None), "inaccuracy"),  # the least cost of each mark
        ((0.5, None), (-0.25, None), "mistake"),
        ((0.5, None), (0.0, None), "mistake"),
        ((0.5, None), (0.1, None), "blunder"),
        ((1.0, "win"), (0.0, "draw"), "blunder"),
        ((0.0, "draw"), (1.0, "win"), "blunder"),
        ((1.0, "win"), (-1.0, "loss"), ""),
        ((1.0, "win"), (-0.95, None), ""),
        ((-1.0, "loss"), (1.0, "win"), ""),
    ],
)
def test_the_marks_follow_the_cost_and_what_is_proven(
    monkeypatch: pytest.MonkeyPatch,
    before: tuple[float, str | None],
    after: tuple[float, str | None],
    mark: str,
) -> None:
    """Player 0 plays column 1 where column 4 is best; the second number is the opponent's."""
    from honte.core import players as registry

    def oracle(game: honte.Game, /, **settings: object) -> Oracle:
        found = Oracle(game)
        made.append(found)
        # The walking engine sees the move played, the other one the better move.
        beyond = after if len(made) == 1 else (-before[0], None)
        found.values = [(*before, 3), (*beyond, 2)]
        return found

    made: list[Oracle] = []
    monkeypatch.setitem(registry._factories, "oracle", oracle)
    (remark,) = review(states_of("connect4", "1"), "oracle")
    assert remark.mark == mark


def test_the_turning_point_is_the_last_move_that_could_have_held() -> None:
    remarks = reviewed("connect4", "4141474")
    turning = turning_point(remarks)
    assert turning is not None
    assert turning.mover == 1
    assert turning.number <= 6
    assert turning_point([]) is None
    assert summary([], 0).accuracy == 100


class Forgetful(Player):
    """Proves on the empty board that columns 3 and 4 win, and knows nothing a move later."""

    spec = "forgetful"

    def __init__(self, game: honte.Game, /, **settings: object) -> None:
        pass

    def think(self, request: honte.Request) -> Report:
        if any(request.state.cells()):  # type: ignore[attr-defined]
            return Report(3, 0.1, pv=[3], iterations=1)
        wins = [Candidate(move, 1, 1.0, proven="win", distance=9, kind="exact") for move in (3, 2)]
        return Report(3, 1.0, "win", 9, pv=[3], candidates=wins, iterations=1)


@pytest.mark.parametrize("move", ["3", "4"])
def test_a_move_that_was_proven_before_it_was_made_stays_so(
    monkeypatch: pytest.MonkeyPatch, move: str
) -> None:
    from honte.core import players as registry

    monkeypatch.setitem(registry._factories, "forgetful", Forgetful)
    one, two = review(states_of("connect4", f"{move}7"), "forgetful")
    assert (one.proven, one.value, one.mark) == ("win", 1.0, "")
    assert (two.best_proven, two.best_value) == (("loss", -1.0) if two.cost else (None, -0.1))


def test_what_is_not_proven_of_a_move_is_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    from honte.core import players as registry

    monkeypatch.setitem(registry._factories, "forgetful", Forgetful)
    (one,) = review(states_of("connect4", "1"), "forgetful")
    assert (one.proven, one.value, one.mark) == (None, -0.1, "blunder")


@pytest.mark.parametrize(("seconds", "expected"), [(0.6, 4.0), (0.05, 1.0), (None, 1.0)])
def test_playouts_for_the_lead_grow_with_the_limit(
    monkeypatch: pytest.MonkeyPatch, seconds: float | None, expected: float
) -> None:
    game = honte.game("go:size=7")
    asked = []

    def lead(state: honte.State, effort: float) -> tuple[float, float]:
        asked.append(effort)
        return 5.0, 0.5

    monkeypatch.setattr("honte.analysis.review.load", lambda ref: lead)
    limit = Limit(seconds=seconds) if seconds else Limit(iterations=10)
    reviewer = Reviewer(game, "uct", limit, {})
    worth = reviewer.with_lead(Worth(0.0), game.start().play(10))
    reviewer.close()
    assert asked == [pytest.approx(expected)]
    assert (worth.score, worth.score_error) == (5.0, 0.5)
