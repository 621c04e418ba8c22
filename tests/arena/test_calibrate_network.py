"""Calibration of the levels that a network plays, on the scale of the others."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from honte.arena import calibrate_network
from honte.arena.calibrate_network import NetworkCalibration, Point, Setting, anchors, at, settings
from honte.arena.game import Played
from honte.arena.schedule import Plan
from honte.arena.statistics import expected
from honte.core.descriptor_parts import Levels, NetworkLevels
from honte.players.level import Rung

NETWORK = NetworkLevels("", top=1000, hottest=2.0)
DIAL = Levels("othello", low=10, top=10_000, network=NETWORK)
RUNGS = [
    Rung(level, f"uct:iterations={level}", 0.0, 20.0 * level, 50.0, f"{31 - level // 4} kyu")
    for level in range(1, 101)
]


def true_elo(setting: Setting) -> float:
    """From 500 to 2,600."""
    return 1100 - 300 * setting.temperature + 500 * math.log10(setting.iterations)


def simulated(games: int, seed: int = 1) -> NetworkCalibration:
    draw = random.Random(seed)
    places, known = settings(NETWORK), anchors(RUNGS)
    strength = {place.spec: true_elo(place) for place in places}
    strength |= {spec: rung.elo for spec, rung in known.items()}
    found = NetworkCalibration(places, known)
    plan = Plan("othello", opening_plies=0)
    for task in calibrate_network.schedule(plan, places, known, games):
        one, two = (strength[spec] for spec in task.players)
        won = draw.random() < expected(one - two)
        result = (1 if won else -1) * (1 if task.a_first else -1)
        found.add(Played(task, (), result, None, "played out"))
    return found


def test_a_dial_leads_from_the_hottest_policy_to_the_largest_search() -> None:
    places = settings(NETWORK)
    assert places[0] == Setting(2.0, 1)
    assert places[-1] == Setting(0.0, 1000)
    assert [at(NETWORK, float(i)) for i in range(len(places))] == places
    assert {place.temperature for place in settings(NetworkLevels("", top=1000))} == {0.0}


def test_ratings_are_found_on_the_scale_of_the_anchors() -> None:
    for point in simulated(60).points():
        truth = true_elo(Setting(point.temperature, point.iterations))
        assert abs(point.elo - truth) < 2 * point.error + 40
        assert 0 < point.error < 150


def test_a_setting_that_wins_every_game_has_a_rating() -> None:
    found = NetworkCalibration([Setting(0.0, 1), Setting(0.0, 9)], anchors(RUNGS))
    plan = Plan("othello", opening_plies=0)
    for task in calibrate_network.schedule(plan, found.places, anchors(RUNGS), 4):
        better = max(task.players, key=lambda spec: ("temperature" in spec, "=9" in spec))
        first = task.players[0 if task.a_first else 1]
        found.add(Played(task, (), 1 if first == better else -1, None, "played out"))
    low, high = found.points()
    assert RUNGS[-1].elo < low.elo < high.elo < RUNGS[-1].elo + 2000
    assert low.fitted == pytest.approx(low.elo, abs=60)


def points(low: float, high: float) -> list[Point]:
    places = settings(NETWORK)
    steps = (high - low) / (len(places) - 1)
    return [
        Point(place.temperature, place.iterations, low + i * steps, 30.0, low + i * steps, 100)
        for i, place in enumerate(places)
    ]


def test_levels_keep_their_strength_and_the_last_ones_lead_to_the_top() -> None:
    found = calibrate_network.levels(DIAL, points(300, 2900), RUNGS)
    assert [rung.level for rung in found] == list(range(15, 101))
    for rung in found:
        if rung.level <= NETWORK.kept:
            assert rung.elo == RUNGS[rung.level - 1].elo
    assert found[-1].elo == 2900
    assert found[-1].spec == "uct:net=learned,iterations=1000"
    steps = [b.elo - a.elo for a, b in itertools.pairwise(found[-11:])]
    assert max(steps) - min(steps) < 0.3
    for lower, upper in itertools.pairwise(found):
        assert lower.temperature >= upper.temperature


def test_without_a_temperature_the_network_plays_the_last_levels_alone() -> None:
    dial = Levels("othello", low=10, top=10_000, network=NetworkLevels("", top=1000))
    places = settings(NetworkLevels("", top=1000))
    measured = [
        Point(0.0, place.iterations, 1500 + 200 * i, 30.0, 1500 + 200 * i, 100)
        for i, place in enumerate(places)
    ]
    found = calibrate_network.levels(dial, measured, RUNGS)
    assert [rung.level for rung in found] == list(range(91, 101))


def test_a_step_below_the_network_is_played_by_the_other_dial() -> None:
    dial = Levels("othello", low=10, top=10_000, network=NetworkLevels("", top=1000))
    weakest = RUNGS[89].elo + 80
    measured = [
        Point(0.0, place.iterations, weakest + 100 * i, 30.0, weakest + 100 * i, 100)
        for i, place in enumerate(settings(NetworkLevels("", top=1000)))
    ]
    found = calibrate_network.levels(dial, measured, RUNGS)
    assert [rung.level for rung in found] == list(range(91, 101))
    assert "net=" not in found[0].spec
    assert "net=" in found[1].spec
    steps = [b.elo - a.elo for a, b in itertools.pairwise([RUNGS[89], *found])]
    assert max(steps) - min(steps) < 20


def test_ranks_end_where_nothing_was_measured() -> None:
    found = calibrate_network.levels(DIAL, points(300, 4000), RUNGS)
    assert found[0].rank.endswith("kyu")
    assert found[-1].rank == "1 dan"


def test_a_network_that_is_no_stronger_is_refused() -> None:
    with pytest.raises(ValueError, match="no stronger than level 90"):
        calibrate_network.levels(DIAL, points(300, 1700), RUNGS)


def test_a_fault_ends_the_calibration() -> None:
    found = NetworkCalibration(settings(NETWORK), anchors(RUNGS))
    plan = Plan("othello", opening_plies=0)
    task = next(calibrate_network.schedule(plan, found.places, anchors(RUNGS), 2))
    with pytest.raises(ValueError, match="faulted"):
        found.add(Played(task, (), 1, None, "crash", "it died", fault=0))
