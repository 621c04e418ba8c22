"""What goes into a search and what comes out: `Limit` and `Report`."""

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
    with pytest.raises(ValueError, match=f"^a limit of {name}=") as refused:
        honte.Limit(**{name: value})
    assert len(str(refused.value)) < 120


@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("digits", [400, 5000])
def test_a_limit_beyond_all_numbers_is_refused_as_well(name: str, sign: int, digits: int) -> None:
    """No clock and no counter holds it, and Python does not even write it down."""
    with pytest.raises(ValueError, match=f"^a limit of {name}=") as refused:
        honte.Limit(**{name: sign * 10**digits})
    assert len(str(refused.value)) < 120


def test_a_limit_is_a_value() -> None:
    limit = honte.Limit(seconds=0.5, depth=3)
    assert pickle.loads(pickle.dumps(limit)) == limit
    assert hash(limit) == hash(honte.Limit(seconds=0.5, depth=3))
    with pytest.raises(FrozenInstanceError):
        limit.seconds = 3  # type: ignore[misc]


def test_a_report_needs_no_more_than_a_move() -> None:
    report = honte.Report(3)
    assert (report.move, report.value, report.proven) == (3, 0, None)
    assert (report.pv, report.candidates) == ([], [])
    assert (report.iterations, report.nodes, report.seconds) == (0, 0, 0)


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
