"""The adaptive schedule: what it chooses, how it resumes, and that it beats a round robin."""

from __future__ import annotations

import random
import time
from itertools import combinations, islice
from pathlib import Path

import numpy as np
import pytest

from honte.arena.adaptive import Chooser
from honte.arena.game import RETIRED, Played
from honte.arena.ratings import PRIOR, Array, Model, chances
from honte.arena.run import Run
from honte.arena.schedule import Plan, Task
from honte.arena.statistics import SCALE
from honte.arena.store import Store
from honte.arena.tournament import Tournament, play
from tests.slowness import slowness

PLAN = Plan("connect4", seed=1)
PLAYERS = [f"bot{elo}" for elo in range(0, 1000, 100)]


def result_of(task: Task) -> Played:
    """A game drawn from its id, between players of known Elo; "bad" always crashes."""
    if "bad" in task.players:
        bad = task.players.index("bad")
        lost = (bad == 0) == task.a_first
        return Played(task, (), -1 if lost else 1, None, "crash", "signal 11", fault=bad)
    one, two = (int(spec.removeprefix("bot")) for spec in task.players)
    first_wins = random.Random(task.id).random() < 1 / (1 + 10 ** ((two - one) / 400))
    return Played(task, (task.seed % 7,), 1 if first_wins == task.a_first else -1, 0.0, "line")


def played_by(
    players: list[str], games: int, workers: int = 1, store: Store | None = None
) -> tuple[Tournament, list[Played], Run]:
    run = Run(workers, store, max_faults=4, play=result_of)
    table = Tournament(players, by_rating=True)
    found = list(play(table, PLAN, "adaptive", 1, run, games))
    run.close()
    return table, found, run


def simulated(chooser: Chooser, truth: Array, draw: random.Random, a: int, b: int) -> None:
    """A pair of games between known strengths."""
    for one, two in ((a, b), (b, a)):
        odds = chances(np.array(truth[one] - truth[two]), -1.0)
        chooser.add(one, two, draw.choices((-1, 0, 1), odds.tolist())[0])


def expect(chooser: Chooser, pair: tuple[int, int] | None) -> tuple[int, int]:
    """Put a pair in flight."""
    assert pair is not None
    chooser.in_flight[pair] += 1
    chooser.in_flight[pair[::-1]] += 1
    return pair


# -- what is chosen --------------------------------------------------------------------


def test_games_in_flight_count_so_that_everybody_begins() -> None:
    chooser = Chooser(20)
    chosen = [expect(chooser, chooser.choose()) for _ in range(10)]
    assert sorted(player for pair in chosen for player in pair) == list(range(20))


def test_games_in_flight_lower_what_another_one_is_worth() -> None:
    chooser = Chooser(6)
    for a, b in combinations(range(6), 2):
        simulated(chooser, np.zeros(6), random.Random(1), a, b)
    first = expect(chooser, chooser.choose())
    for _ in range(5):
        expect(chooser, first)
    assert chooser.choose() != first


def test_players_meet_where_the_order_is_open() -> None:
    """Two strong and two weak players, each two alike: strong against weak is never needed."""
    chooser, draw = Chooser(4), random.Random(2)
    truth = np.array([3.0, 3.0, -3.0, -3.0])
    for _ in range(5):
        for a, b in combinations(range(4), 2):
            simulated(chooser, truth, draw, a, b)
    for _ in range(20):
        pair = chooser.choose()
        assert pair in ((0, 1), (2, 3))
        simulated(chooser, truth, draw, *pair)


def test_the_spread_of_the_players_is_learned() -> None:
    for spread in (100, 800):
        draw = np.random.default_rng(3)
        truth = draw.normal(0, spread / SCALE, 30)
        chooser = Chooser(30)
        for a, b in combinations(range(30), 2):
            simulated(chooser, truth, random.Random(a * 30 + b), a, b)
        chooser.choose()
        assert chooser.spread == pytest.approx(truth.std(), rel=0.25)


def test_a_pair_of_60_players_is_chosen_in_milliseconds() -> None:
    chooser, draw = Chooser(60), random.Random(4)
    truth = np.linspace(-3, 3, 60)
    for a, b in combinations(range(60), 2):
        simulated(chooser, truth, draw, a, b)
    chooser.choose()
    took = []
    for _ in range(9):
        simulated(chooser, truth, draw, *draw.sample(range(60), 2))
        began = time.process_time()
        expect(chooser, chooser.choose())
        took.append(time.process_time() - began)
    assert min(took) < 0.010 * slowness()


# -- the schedule ----------------------------------------------------------------------


def test_the_schedule_is_the_same_for_any_number_of_workers() -> None:
    one, three = (played_by(PLAYERS, 151, workers) for workers in (1, 3))
    assert [game.task.id for game in one[1]] == [game.task.id for game in three[1]]
    assert one[0].summary() == three[0].summary()
    assert one[0].total == 151


def test_games_come_in_pairs_on_boards_that_the_two_have_not_played() -> None:
    games = [game.task for game in played_by(PLAYERS, 200)[1]]
    assert len({task.id for task in games}) == 200
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.players, first.opening) == (second.players[::-1], second.opening)


@pytest.mark.parametrize("cut", [1, 38, 99])
def test_a_run_that_was_cut_off_resumes_and_plays_nothing_twice(tmp_path: Path, cut: int) -> None:
    with Store(tmp_path / "games.db") as store:
        run = Run(2, store, play=result_of)
        table = Tournament(PLAYERS, by_rating=True)
        playing = play(table, PLAN, "adaptive", 1, run, 150)
        assert len(list(islice(playing, cut))) == cut
        playing.close()
        run.close()
        before = len(store)
        assert cut <= before < 150
        table, games, run = played_by(PLAYERS, 150, 2, store)
        assert run.found == before
        assert len({game.task.id for game in games}) == len(games) == len(store) == 150
        again, _, run = played_by(PLAYERS, 150, 1, store)
        assert run.found == len(store) == 150
        assert again.summary() == table.summary() | {"reasons": again.reasons}


def test_games_of_a_round_robin_are_taken_over(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        run = Run(1, store, play=result_of)
        list(play(Tournament(PLAYERS), PLAN, "round robin", 1, run))
        run.close()
        table, _, run = played_by(PLAYERS, 150, 1, store)
        assert (run.found, table.total, len(store)) == (90, 150, 150)


def test_a_late_player_gets_games_at_once(tmp_path: Path) -> None:
    late = [*PLAYERS, "bot450"]
    with Store(tmp_path / "games.db") as store:
        played_by(PLAYERS, 200, 1, store)
        table, games, run = played_by(late, 300, 1, store)
    assert run.found == 200
    first = [game.task.players for game in games[200:220]]
    assert sum("bot450" in players for players in first) >= 16
    assert len({players for players in first if "bot450" in players}) >= 6, "three opponents"
    ratings = table.ratings()
    assert ratings.errors[-1] < 1.5 * np.median(ratings.errors)
    assert abs(ratings.elo[-1]) < ratings.errors[-1]


def test_it_ends_when_the_ranking_is_sure() -> None:
    table, games, _ = played_by(["bot0", "bot600", "bot1200"], 1000)
    assert table.stopped == "the ranking is settled: neighbours are in order with 95 % confidence"
    assert len(games) < 200
    assert table.ranking(table.ratings()) == ["bot1200", "bot600", "bot0"]
    table, games, _ = played_by(["bot0", "bot1"], 100)
    assert (table.stopped, len(games)) == ("", 100)


def test_a_player_that_always_faults_is_retired_and_chosen_no_more() -> None:
    tables = []
    for workers in (1, 3):
        table, games, _ = played_by([*PLAYERS, "bad"], 180, workers)
        tables.append(table.summary())
        assert table.retired == {"bad": "crash: signal 11"}
        assert table.reasons[RETIRED] <= 2 * 16
        assert not any("bad" in game.task.players for game in games[100:])
        assert table.ranking(table.ratings())[-1] == "bad"
    assert tables[0] == tables[1]


def test_two_broken_players_end_it() -> None:
    table, games, _ = played_by(["bad", "bot0"], 300)
    assert table.retired
    assert len(games) <= 2 * 16 + 4


# -- what it is for --------------------------------------------------------------------


def tau(truth: Array, chooser: Chooser) -> float:
    """Kendall's τ between the truth and the ratings."""
    found = Model(chooser.results, 1 / PRIOR**2).fit()[: len(truth)]
    agreed = np.sign(np.subtract.outer(truth, truth)) * np.sign(np.subtract.outer(found, found))
    return float(agreed.sum() / (len(truth) * (len(truth) - 1)))


@pytest.mark.long
def test_it_ranks_a_class_better_than_a_round_robin_of_twice_the_games() -> None:
    adaptive, round_robin = [], []
    for seed in range(8):
        draw = random.Random(seed)
        truth = np.array([draw.uniform(0, 2000) for _ in range(24)]) / SCALE
        everybody = Chooser(24)
        for a, b in combinations(range(24), 2):
            simulated(everybody, truth, draw, a, b)
        round_robin.append(tau(truth, everybody))
        chooser = Chooser(24)
        for _ in range(276 // 2 // 6):
            for a, b in [expect(chooser, chooser.choose()) for _ in range(6)]:
                simulated(chooser, truth, draw, a, b)
            chooser.in_flight[:] = 0
        adaptive.append(tau(truth, chooser))
    assert np.mean(adaptive) > np.mean(round_robin)
