"""Match statistics: intervals, margins, warnings."""

from __future__ import annotations

import json
import math
import random

import pytest

from honte.arena.game import Played
from honte.arena.match import Standing
from honte.arena.schedule import Task
from honte.arena.statistics import (
    SCALE,
    elo,
    elo_and_error,
    expected,
    mean_and_error,
    pentanomial,
    score_and_error,
    summary,
    wilson,
)


def play(number: int, result: int, **more: object) -> Played:
    task = Task(number, "connect4", ("a", "b"), number % 2 == 0, 0, (), None)
    moves = more.pop("moves", (number,))
    return Played(task, moves, result, float(result), "played out", **more)  # type: ignore[arg-type]


def standing_of(results: list[int], **more: object) -> Standing:
    standing = Standing()
    for number, result in enumerate(results):
        standing.add(play(number, result, **more))
    return standing


def test_the_error_covers_the_truth() -> None:
    """About 95 % of simulated matches have their true strength inside the interval."""
    draw = random.Random(1)
    inside = 0
    for _ in range(400):
        standing = standing_of([1 if draw.random() < 0.6 else -1 for _ in range(100)])
        score, error = score_and_error(standing)
        inside += abs(score - 0.6) <= error
    assert 0.91 <= inside / 400 <= 0.985


@pytest.mark.parametrize("results", [[1] * 20, [-1] * 20, [0] * 20, [1, 0] * 10, [1], [1, -1]])
def test_the_errors_of_pairs_that_ended_alike_cover_wilsons_interval(results: list[int]) -> None:
    standing = standing_of(results)
    low, high = wilson(standing.total.points, len(results))
    score, error = score_and_error(standing)
    rating, rating_error = elo_and_error(standing)
    assert score - error <= low + 1e-9
    assert high - 1e-9 <= score + error
    assert rating - rating_error <= elo(low) + 1e-9
    assert elo(high) - 1e-9 <= rating + rating_error
    assert error == pytest.approx(max(high - score, score - low)), "and no more"


def test_a_clean_sweep_has_an_error_all_the_same() -> None:
    found = summary(standing_of([1] * 10))
    assert (found["wins"], found["score"]) == (10, 1.0)
    assert 0.05 < float(str(found["score_error"])) < 0.3
    assert found["wilson"] == [pytest.approx(0.7225, abs=1e-3), 1.0]
    assert math.isclose(elo(0.5), 0)
    assert math.isclose(expected(elo(0.8)), 0.8)


def test_the_scale_is_elo_for_odds_of_e() -> None:
    assert elo(math.e / (1 + math.e)) == pytest.approx(SCALE)


def test_wilsons_interval_is_the_textbooks() -> None:
    """For 8 of 10 it is 0.4902 to 0.9433."""
    assert [round(bound, 4) for bound in wilson(8, 10)] == [0.4902, 0.9433]
    assert wilson(0, 0) == (0, 1)
    low, high = wilson(5000, 10_000)
    assert high - low == pytest.approx(2 * 1.96 * 0.005, rel=1e-3)


def test_the_elo_of_a_match_and_its_error_are_those_of_the_score() -> None:
    """Pairs of 2, 1, 1 and 1 points of 2: 62.5 % ± 24.5 %, which is 89 Elo ± 208."""
    standing = standing_of([1, 1, 1, -1, -1, 1, 1, -1])
    score, error = score_and_error(standing)
    assert (score, error) == pytest.approx((0.625, 1.96 * 0.25 / 2))
    rating, rating_error = elo_and_error(standing)
    assert rating == pytest.approx(elo(0.625)) == pytest.approx(88.7, abs=0.1)
    assert rating_error == pytest.approx((elo(0.87) - elo(0.38)) / 2) == pytest.approx(207.7, abs=1)
    found = summary(standing)
    assert (found["elo"], found["elo_error"]) == (round(rating, 1), round(rating_error, 1))
    assert (found["score"], found["score_error"]) == (0.625, 0.245)
    assert found["margin"] == 0.25


def test_one_value_has_no_error_that_is_known() -> None:
    assert mean_and_error([]) == (0, 0)
    assert mean_and_error([0.5]) == (0.5, math.inf)
    assert mean_and_error([0, 1]) == pytest.approx((0.5, 1.96 * 0.5))


def test_pairs_are_counted_by_their_points() -> None:
    standing = standing_of([1, 1, 1, -1, 0, 0, -1, -1, 1, 0, 1])
    assert pentanomial(standing) == [1, 0, 2, 1, 1]


def test_players_that_repeat_themselves_are_pointed_out() -> None:
    assert "distinct" in str(summary(standing_of([1] * 20, moves=(1, 2)))["warning"])
    assert summary(standing_of([1] * 20))["warning"] == ""


def test_a_fault_is_counted_for_the_one_who_made_it_and_has_no_margin() -> None:
    standing = standing_of([1, 1])
    task = Task(2, "connect4", ("a", "b"), True, 0, (), None)
    standing.add(Played(task, (), -1, None, "crash", fault=0))
    task = Task(3, "connect4", ("b", "a"), False, 0, (), None)
    standing.add(Played(task, (), 1, None, "time", fault=0))
    found = summary(standing)
    assert found["faults"] == {"a": {"crash": 1}, "b": {"time": 1}}
    assert found["reasons"] == {"played out": 2, "crash": 1, "time": 1}
    assert found["margin"] == 1.0


def test_a_summary_is_json_at_any_length() -> None:
    for results in ([], [1], [1, -1], [0] * 7):
        assert "NaN" not in json.dumps(summary(standing_of(results)), allow_nan=False)


def test_a_summary_rounds_to_what_people_read() -> None:
    standing = standing_of([1, -1, 1, 1, -1, 0])
    found = summary(standing)
    score, error = score_and_error(standing)
    assert (found["score"], found["score_error"]) == (round(score, 4), round(error, 4))
    low, high = wilson(3.5, 6)
    assert found["wilson"] == [round(low, 4), round(high, 4)]
    assert (found["margin"], found["margin_error"]) == (0.167, 0.864)
