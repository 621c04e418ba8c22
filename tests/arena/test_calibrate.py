"""Calibration: the games along a dial, the ratings, and the table made from them."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from honte.arena import calibrate
from honte.arena.calibrate import Calibration, Check, Checked, Point, between, isotonic, levels
from honte.arena.game import Played
from honte.arena.schedule import Plan
from honte.arena.statistics import expected
from honte.core.descriptor_parts import Levels
from honte.players.level import Rung, dial_at

DIAL = Levels("othello", low=10, top=100_000)


def true_elo(x: float) -> float:
    return 2000 * x * math.sqrt(x)


def simulated(games: int, seed: int = 1) -> Calibration:
    """A calibration whose players have known strengths."""
    draw = random.Random(seed)
    places = calibrate.settings(DIAL)
    strength = {place.spec: true_elo(place.x) for place in places}
    found = Calibration(places)
    for task in calibrate.schedule(Plan("othello", opening_plies=0), DIAL, places, games):
        one, two = (strength[spec] for spec in task.players)
        won = draw.random() < expected(one - two)
        result = (1 if won else -1) * (1 if task.a_first else -1)
        found.add(Played(task, (), result, None, "played out"))
    return found


def test_settings_play_their_neighbours_from_both_sides() -> None:
    places = calibrate.settings(DIAL, 6)
    tasks = list(calibrate.schedule(Plan("othello"), DIAL, places, 4))
    order = {place.spec: index for index, place in enumerate(places)}
    met = Counter(tuple(order[spec] for spec in task.players) for task in tasks)
    assert {abs(a - b) for a, b in met} == set(DIAL.distances)
    assert all(met[a, b] == met[b, a] for a, b in met)
    assert [task.number for task in tasks] == list(range(len(tasks)))
    assert len({task.id for task in tasks}) == len(tasks)


def test_the_costliest_pairings_play_the_fewest_games() -> None:
    places = calibrate.settings(DIAL)
    rounds = {(i, j): n for i, j, n in calibrate.pairings(DIAL, places, 80)}
    assert rounds[0, 2] == 40
    assert rounds[len(places) - 3, len(places) - 1] == 6
    assert min(rounds.values()) == 6


def test_costly_games_are_spread_over_the_whole_run() -> None:
    places = calibrate.settings(DIAL)
    tasks = list(calibrate.schedule(Plan("othello"), DIAL, places, 80))
    at = [task.number for task in tasks if places[-1].spec in task.players]
    assert at[0] < 0.2 * len(tasks)
    assert at[-1] > 0.8 * len(tasks)


def test_the_ratings_of_simulated_players_are_found_again() -> None:
    points = simulated(200).points()
    assert points[0].elo == 0
    assert points[0].error == 0
    off = [abs(point.elo - true_elo(point.x)) / point.error for point in points[1:]]
    assert max(off) < 2  # errors are 95 % intervals: four standard errors
    assert sum(one < 1 for one in off) >= 0.7 * len(off)


def test_the_levels_of_a_simulated_dial_are_where_they_belong() -> None:
    rungs = levels(DIAL, simulated(200).points())
    top = rungs[-1].elo
    assert [rung.level for rung in rungs] == list(range(1, 101))
    assert rungs[49].elo == pytest.approx(top / 2, abs=0.1)
    x = 0.5 ** (1 / 1.5)  # where half the strength is
    grown = (x - DIAL.bend) / (1 - DIAL.bend)
    wanted = DIAL.low * (DIAL.top / DIAL.low) ** grown
    there = int(rungs[49].spec.rpartition("=")[2])
    assert 0.5 < there / wanted < 2


def test_an_anchor_names_the_ranks() -> None:
    points = [Point(i / 4, *dial_at(DIAL, i / 4), 200 * i, 10 * i, 200 * i, 100) for i in range(5)]
    even = points[3]
    rungs = levels(replace(DIAL, anchor=(even.iterations, 2)), points)
    assert {rung.rank for rung in rungs if abs(rung.elo - even.elo) < 10} == {"2 kyu"}
    assert rungs[0].rank == "30 kyu"
    assert rungs[-1].rank == "8 dan"  # 800 Elo, where 28 ranks are 600
    assert not any(rung.rank for rung in levels(DIAL, points))


def test_neighbours_help_where_few_games_were_played() -> None:
    off: dict[str, list[float]] = {"elo": [], "fitted": []}
    for seed in range(6):
        for point in simulated(30, seed).points():
            off["elo"].append((point.elo - true_elo(point.x)) ** 2)
            off["fitted"].append((point.fitted - true_elo(point.x)) ** 2)
    assert sum(off["fitted"]) < sum(off["elo"])


def test_what_is_measured_well_stays_as_it_was() -> None:
    exact = 1e-4 * np.eye(3)
    assert calibrate.smooth([100, 50, 400], exact) == pytest.approx([100, 50, 400], abs=0.1)
    vague = 1e4 * np.eye(3)
    smoothed = calibrate.smooth([100, 50, 400], vague)
    assert smoothed[0] < smoothed[1] < smoothed[2], "a dip that may be chance is drawn straight"


def test_disorder_is_pooled_by_its_weights() -> None:
    assert isotonic([1, 2, 3], [1, 1, 1]) == [1, 2, 3]
    assert isotonic([0, 6, 3], [1, 1, 2]) == [0, 4, 4]
    assert isotonic([3, 2, 1], [1, 1, 1]) == [2, 2, 2]


def test_a_line_is_followed_past_its_flat_parts() -> None:
    xs, ys = [0.0, 100.0, 100.0, 200.0], [0.0, 0.3, 0.6, 1.0]
    assert between(50, xs, ys) == pytest.approx(0.15)
    assert between(150, xs, ys) == pytest.approx(0.8)
    assert between(300, xs, ys) == 1.0
    assert between(-10, xs, ys) == 0.0


def test_a_pooled_stretch_still_gives_rising_levels() -> None:
    elos = [0, 100, 90, 300, 290, 500]
    points = [
        Point(i / 5, *dial_at(DIAL, i / 5), elo, 10 if i else 0, elo, 100)
        for i, elo in enumerate(elos)
    ]
    rungs = levels(DIAL, points)
    assert all(a.elo < b.elo and a.noise >= b.noise for a, b in itertools.pairwise(rungs))


def test_a_dial_that_gets_no_stronger_is_refused() -> None:
    points = [
        Point(x, *dial_at(DIAL, x), elo, 10, elo, 100) for x, elo in ((0, 0), (0.5, -20), (1, -40))
    ]
    with pytest.raises(ValueError, match="does not get stronger"):
        levels(DIAL, points)


def test_a_fault_of_an_engine_ends_the_calibration() -> None:
    places = calibrate.settings(DIAL, 3)
    task = next(calibrate.schedule(Plan("othello"), DIAL, places, 2))
    with pytest.raises(ValueError, match=r"faulted \(crash: oh\)"):
        Calibration(places).add(Played(task, (), -1, None, "crash", "oh", fault=0))


def check_with(share: float) -> list[Checked]:
    """A check of a table with 20 Elo a level, in which the upper one has this score."""
    found = Check([Rung(level, "best:iterations=9", 0, 20 * level, 10) for level in range(1, 101)])
    played: Counter[str] = Counter()
    for task in calibrate.check_schedule(Plan("othello"), 40):
        upper = task.players[0 if task.a_first else 1]
        played[upper] += 1
        result = 1 if played[upper] <= 40 * share else -1
        found.add(Played(task, (), result, None, "played out"))
    return found.rows()


def test_a_right_table_passes_the_check_and_a_wrong_one_fails() -> None:
    right, wrong = check_with(0.75), check_with(0.3)
    assert [(row.low, row.high) for row in right] == list(calibrate.SAMPLE)
    assert all(row.games == 40 and row.predicted == pytest.approx(0.76, abs=0.01) for row in right)
    assert all(row.fine for row in right)
    assert not any(row.fine for row in wrong)
