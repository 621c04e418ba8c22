"""The inputs and outputs of a search: `Limit`, `CancelToken` and `Report`."""

from __future__ import annotations

import math
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import honte

BOUNDS = ("seconds", "iterations", "nodes", "depth")


def test_a_limit_bounds_what_it_names_and_nothing_else() -> None:
    limit = honte.Limit(seconds=2, iterations=10_000)
    assert (limit.seconds, limit.iterations, limit.nodes, limit.depth) == (2, 10_000, None, None)
    assert honte.Limit() == honte.Limit(None, None, None, None)


@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("value", [0, -1, -0.5, math.nan, math.inf, -math.inf])
def test_a_limit_that_bounds_nothing_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be positive") as refused:
        honte.Limit(**{name: value})
    assert len(str(refused.value)) < 120


@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("digits", [400, 5000])
def test_a_limit_beyond_all_numbers_is_refused_as_well(name: str, sign: int, digits: int) -> None:
    """No clock or counter can hold it, and Python refuses to format it."""
    with pytest.raises(ValueError, match=f"^{name} must be positive") as refused:
        honte.Limit(**{name: sign * 10**digits})
    assert len(str(refused.value)) < 120


def test_the_largest_limit_is_what_a_counter_of_64_bits_holds() -> None:
    assert honte.Limit(nodes=2**63 - 1).nodes == 2**63 - 1
    with pytest.raises(ValueError, match=r"^nodes must be positive"):
        honte.Limit(nodes=2**63)


def test_a_limit_is_a_value() -> None:
    limit = honte.Limit(seconds=0.5, depth=3)
    assert pickle.loads(pickle.dumps(limit)) == limit
    assert hash(limit) == hash(honte.Limit(seconds=0.5, depth=3))
    with pytest.raises(FrozenInstanceError):
        limit.seconds = 3  # type: ignore[misc]


def test_a_clock_is_a_value_and_gives_nothing_back_unless_told() -> None:
    clock = honte.GameClock(left=60)
    assert clock == honte.GameClock(60, increment=0)
    with pytest.raises(FrozenInstanceError):
        clock.left = 30  # type: ignore[misc]


def test_a_request_asks_for_one_line_and_no_more_unless_told() -> None:
    state = honte.game("connect4").start()
    request = honte.Request(state)
    assert (request.lines, request.all_moves, request.every) == (1, False, 0.2)
    assert (request.history, request.limit, request.clock, request.allowed) == (None,) * 4
    within = request.within(honte.Limit(depth=3))
    assert (within.state, within.limit) == (state, honte.Limit(depth=3))
    assert within.cancel is request.cancel
    with pytest.raises(FrozenInstanceError):
        request.lines = 2  # type: ignore[misc]


def test_a_token_calls_back_once_when_it_is_cancelled() -> None:
    token, heard = honte.CancelToken(), list[str]()
    token.on_cancel(lambda: heard.append("early"))
    assert (token.cancelled, heard) == (False, [])
    token.cancel()
    token.cancel()
    assert (token.cancelled, heard) == (True, ["early"])


def test_a_token_that_is_cancelled_already_calls_back_at_once() -> None:
    token, heard = honte.CancelToken(), list[str]()
    token.cancel()
    token.on_cancel(lambda: heard.append("late"))
    assert heard == ["late"]
    token.cancel()
    assert heard == ["late"]


def test_a_report_needs_no_more_than_a_move() -> None:
    report = honte.Report(3)
    assert (report.move, report.value, report.proven) == (3, 0, None)
    assert (report.pv, report.candidates) == ([], [])
    assert (report.iterations, report.nodes, report.seconds) == (0, 0, 0)
    assert (report.distance, report.depth, report.memory) == (0, 0, 0)
    assert not any((report.full, report.kept, report.starting, report.has_value))


def test_a_candidate_that_was_never_visited_may_have_any_value() -> None:
    candidate = honte.Candidate(3)
    assert (candidate.visits, candidate.value, candidate.chance) == (0, 0, 0.5)
    assert (candidate.low, candidate.high) == (-1, 1)
    assert (candidate.amaf_visits, candidate.amaf_value, candidate.rave_share) == (0, 0, 0)
    assert (candidate.exploration, candidate.distance) == (0, 0)


@pytest.mark.parametrize(("value", "chance"), [(-1, 0), (0.2, 0.6), (1, 1), (-1.5, 0), (7, 1)])
def test_a_value_is_a_chance_and_never_beyond_certain(value: float, chance: float) -> None:
    assert honte.Candidate(3, value=value).chance == pytest.approx(chance)


def test_what_a_report_says_of_its_move_is_what_the_candidate_says() -> None:
    chosen = honte.Candidate(4, score=2.5, kind="bound", line=(4, 3))
    report = honte.Report(4, candidates=[honte.Candidate(3), chosen], source="uct", pv=[4, 3])
    assert (report.best, report.kind, report.score) == (chosen, "bound", 2.5)
    assert honte.Report(4, proven="win", candidates=[chosen]).kind == "exact"
    assert (honte.Report(5, candidates=[chosen]).kind, honte.Report(5).score) == ("estimate", None)
    found = report.to_dict()
    assert (found["move"], found["pv"], found["unit"]) == ("4", ["4", "3"], "")
    assert [(one["line"], one["source"]) for one in found["candidates"]] == [
        ([], "uct"),
        (["4", "3"], "uct"),
    ]


@pytest.mark.parametrize("known", [{"iterations": 1}, {"nodes": 1}, {"proven": "loss"}])
def test_a_report_of_a_search_has_a_value(known: dict[str, Any]) -> None:
    assert honte.Report(3, **known).has_value
    assert honte.Report(3, source="book").has_value
    assert not honte.Report(3, source="random").has_value


def test_reports_do_not_share_their_lists() -> None:
    first, second = honte.Report(3), honte.Report(3)
    first.pv.append(1)
    assert second.pv == []


def test_a_report_is_a_value() -> None:
    candidate = honte.Candidate(3, visits=10, value=0.25)
    report = honte.Report(3, value=0.25, proven="win", pv=[3, 4], candidates=[candidate])
    assert pickle.loads(pickle.dumps(report)) == report
    with pytest.raises(FrozenInstanceError):
        report.move = 4  # type: ignore[misc]
