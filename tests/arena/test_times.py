"""How long a move takes, who pays for what, and what a clock leaves."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

import honte
from honte.arena.game import Played, play_task
from honte.arena.report import times_table
from honte.arena.run import Run
from honte.arena.schedule import Clock, Plan, Task, match
from honte.arena.store import Store
from honte.arena.times import Latencies, Times

BOTS = """
import time

def quick(state, limit):
    return state.legal_moves()[0]

def slow(state, limit):
    time.sleep(0.15)
    return state.legal_moves()[0]

def slowest(state, limit):
    time.sleep(30)

def steady(state, limit):
    time.sleep(0.02)
    assert 0 < limit.seconds < 1, limit
    return state.legal_moves()[0]
"""


@pytest.fixture
def bots(tmp_path: Path) -> str:
    (tmp_path / "bots.py").write_text(BOTS)
    return f"py:{tmp_path}/bots.py:"


def test_quantiles_are_right_to_two_per_cent() -> None:
    draw = random.Random(5)
    values = sorted(draw.expovariate(10) for _ in range(5000))
    times = Times()
    for value in values:
        times.add(value)
    for share in (0.5, 0.99):
        exact = values[int(share * len(values)) - 1]
        assert times.quantile(share) == pytest.approx(exact, rel=0.025)
    assert times.summary()["max"] == round(values[-1], 6)
    assert len(times.counts) < 1000
    assert Times().summary()["p50"] == 0.0


def test_each_move_is_its_movers_also_after_a_handicap() -> None:
    for game, first in (("connect4", "a"), ("go:size=9,handicap=2", "b")):
        task = Task(0, game, ("a", "b"), True, 1, (), None)
        found = Latencies()
        played = Played(task, (), 1, None, "draw", times=(None, 0.2, 0.1, 0.2), idle=(0.5, None))
        found.add(played)
        times = found.summary()
        second = "b" if first == "a" else "a"
        assert (times[first]["moves"], times[first]["max"]) == (1, 0.1)
        assert (times[second]["moves"], times[second]["max"]) == (2, 0.2)
        assert times["a"]["idle_cpu"] == 0.5
        assert found.bots == {"a"}


def test_the_table_of_times_is_for_bots() -> None:
    row = {"moves": 9, "mean": 0.1, "p50": 0.0123, "p99": 1.5, "max": 2.0, "idle_cpu": 0.25}
    ours = {**row, "idle_cpu": None}
    lines = times_table({"times": {"py:a.py:f": row, "uct": ours}})
    assert len(lines) == 2
    assert lines[1].split() == ["py:a.py:f", "9", "12.3", "ms", "1.5", "s", "2", "s", "0.25", "s"]
    assert times_table({"times": {"uct": ours}}) == []
    assert times_table({}) == []


def test_times_are_the_same_from_a_store(tmp_path: Path, bots: str) -> None:
    plan = Plan("connect4", honte.Limit(seconds=5), clock=Clock(max_plies=14))
    found = []
    for _ in range(2):
        with Store(tmp_path / "games.db") as store:
            run = Run(1, store)
            list(run.play(match(plan, bots + "quick", "random", 2)))
            run.close()
            found.append(run.latencies.summary())
    assert found[0] == found[1]
    assert found[0][bots + "quick"]["moves"] == 6
    assert found[0][bots + "quick"]["idle_cpu"] is not None
    assert found[0]["random"]["idle_cpu"] is None


def task(first: str, clock: Clock, second: str = "random", **limit: float) -> Task:
    given = honte.Limit(**limit) if limit else None  # type: ignore[arg-type]
    return Task(0, "connect4:rows=8,cols=8", (first, second), True, 1, (), given, clock)


def test_a_bot_may_use_more_than_its_share_of_a_clock(bots: str) -> None:
    """The share of 4 s is 0.2 s, and a move takes 0.15 s and the machine's delays."""
    played = play_task(task(bots + "slow", Clock(margin=0.5, game=4.0, max_plies=12)))
    assert played.fault is None, played.detail
    tight = Clock(margin=3.0, game=2.0, increment=0.1, max_plies=6)  # a share of 0.18 s, then less
    assert play_task(task(bots + "slow", tight)).fault is None


def test_a_bot_is_stopped_when_its_clock_has_run_out(bots: str) -> None:
    played = play_task(task(bots + "slowest", Clock(margin=0.1, game=0.5)))
    assert (played.reason, played.fault) == ("time", 0)
    assert played.seconds < 15, "at its clock's end, not at its own"
    spent = play_task(task(bots + "slow", Clock(margin=0.0, game=0.5)))
    assert spent.reason == "time"
    assert len(spent.moves) < 12


def test_the_margin_of_a_clock_is_there_once_a_game(bots: str) -> None:
    """Moves of 0.15 s would all be within a margin of 0.4 s, if each had its own."""
    stretched = replace(task(bots + "slow", Clock(margin=0.4, game=0.3)), game="connect4:inarow=7")
    played = play_task(stretched)
    assert (played.reason, played.fault) == ("time", 0)
    assert len(played.moves) <= 30


def test_a_bots_clock_gets_its_increment_and_a_limit_still_holds(bots: str) -> None:
    kind = Clock(margin=1.0, game=0.6, increment=0.2, max_plies=30)
    assert play_task(task(bots + "steady", kind)).fault is None
    limited = play_task(task(bots + "slowest", Clock(margin=0.1, game=600.0), seconds=0.2))
    assert limited.reason == "time"
    assert limited.seconds < 15


def test_the_start_of_a_bot_without_a_greeting_costs_its_share_at_most(tmp_path: Path) -> None:
    """It sleeps for a second first; its clock of 1.5 s would not last for that and its moves."""
    hostile = Path(__file__).parents[1] / "bots" / "hostile.py"
    clock = Clock(margin=0.5, game=1.5, max_plies=12)
    played = play_task(task(f"saiblo:{hostile} wake_slowly", clock))
    assert played.fault is None, played.detail
    assert (played.times[0] or 0) > 0.1, "not all of its start can be seen"


def test_pause_is_part_of_what_a_game_is() -> None:
    plain, paused = task("a", Clock()), task("a", Clock(pause=True))
    assert plain.id != paused.id
    assert plain.id == task("a", Clock(pause=False)).id
