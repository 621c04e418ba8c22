"""The ladder: who meets whom, what is counted, and the rating that follows."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import honte
from honte.arena import ladder as ladders
from honte.arena.game import Played
from honte.arena.identity import hashes
from honte.arena.ladder import LEVELS, Ladder, most_likely
from honte.arena.run import Run
from honte.arena.schedule import Plan, Task
from honte.arena.statistics import expected
from honte.arena.store import Store
from honte.players.level import Rung

RUNGS = [Rung(level, f"best:iterations={level}", 0, 20.0 * level, 30) for level in range(1, 101)]
PLAN = Plan("connect4", seed=3)
COURSE = Plan("connect4:course", seed=3)
BOT = "random"


def level_of(task: Task) -> int:
    return int(task.players[1 if task.a_first else 0].partition(":")[2])


def of_strength(elo: float, task: Task, draw: random.Random) -> Played:
    won = draw.random() < expected(elo - RUNGS[level_of(task) - 1].elo)
    return Played(task, (), 1 if won else -1, None, "played out")


def luck(elo: float, draw: random.Random) -> Callable[[Task], Played]:
    return lambda task: of_strength(elo, task, draw)


class Scripted(Run):
    """A run whose games end as scripted."""

    def __init__(self, answer: Callable[[Task], Played], store: Store | None = None) -> None:
        super().__init__(1, store)
        self.workers: Any = Immediate(answer)


class Immediate:
    """Workers that need no time."""

    def __init__(self, answer: Callable[[Task], Played]) -> None:
        self.answer, self.done, self.played = answer, list[Played](), 0

    @property
    def free(self) -> int:
        return 0 if self.done else 1

    def send(self, task: Task) -> None:
        self.played += 1
        self.done.append(self.answer(task))

    def finished(self) -> list[Played]:
        done, self.done = self.done, []
        return done

    def close(self) -> None:
        pass


def test_the_batch_is_fifty_levels_from_both_sides() -> None:
    tasks = list(ladders.schedule(COURSE, BOT, 1, 1))
    assert len(tasks) == 100
    assert [level_of(task) for task in tasks[::2]] == list(range(2, 101, 2))
    assert [task.a_first for task in tasks] == [True, False] * 50
    assert all(task.players[0 if task.a_first else 1] == BOT for task in tasks)
    assert len({task.game for task in tasks}) > 20, "each opponent has a board of its own"


def test_the_upper_levels_can_have_more_rounds() -> None:
    tasks = list(ladders.schedule(PLAN, BOT, 1, 3))
    below = [task for task in tasks if level_of(task) < 60]
    assert len(below) == 29 * 2
    assert len(tasks) - len(below) == 21 * 6


def test_more_rounds_only_add_games() -> None:
    one = {task.id for task in ladders.schedule(PLAN, BOT, 1, 1)}
    three = {task.id for task in ladders.schedule(PLAN, BOT, 3, 3)}
    assert one < three
    assert len(three) == 300


def test_a_level_of_another_table_plays_other_games() -> None:
    def ids(rungs: list[Rung]) -> set[str]:
        engines = ladders.identities(rungs, honte.game(PLAN.game))
        plan = replace(PLAN, versions=hashes(engines))
        return {task.id for task in ladders.schedule(plan, BOT, 1, 1)}

    changed = [replace(rung, noise=0.5) if rung.level == 40 else rung for rung in RUNGS]
    assert len(ids(RUNGS) - ids(changed)) == 2


def report_a() -> Ladder:
    """Report A's batch: three games a side from level 60 on, a few of them lost."""
    lost = {62: 2, 68: 1, 70: 1, 74: 1, 94: 1, 98: 3}
    found = Ladder(BOT, RUNGS)
    for task in ladders.schedule(PLAN, BOT, 1, 3):
        level = level_of(task)
        lost[level] = lost.get(level, 0) - 1
        result = -1 if lost[level] >= 0 else 1
        found.add(Played(task, (1, 2), result, None, "played out"))
    return found


def test_the_score_of_report_a_comes_out() -> None:
    summary = report_a().summary()
    assert summary["mean_rate"] == pytest.approx(0.97, abs=0.005)
    rates = {row["level"]: row["rate"] for row in summary["opponents"]}  # type: ignore[attr-defined]
    assert rates[62] == pytest.approx(0.67, abs=0.005)
    assert rates[94] == pytest.approx(0.83, abs=0.005)
    assert rates[98] == 0.5
    assert summary["top_five_rate"] == pytest.approx((30 - 4) / 30, abs=1e-4)


def test_a_win_is_two_points_a_draw_one_and_the_course_counts_to_forty() -> None:
    found = Ladder(BOT, RUNGS)
    for number, task in enumerate(ladders.schedule(PLAN, BOT, 1, 1)):
        result = 1 if number < 60 else 0 if number < 80 else -1
        found.add(Played(task, (), result, None, "played out"))
    summary = found.summary()
    assert summary["points"] == 60 * 2 + 20
    assert summary["course_score"] == 140 * 40 / 200
    assert (summary["wins"], summary["draws"], summary["losses"]) == (60, 20, 20)


def test_every_loss_has_its_id_side_and_level() -> None:
    lost = report_a().summary()["lost"]
    assert isinstance(lost, list)
    assert [loss["level"] for loss in lost] == [62, 62, 68, 70, 74, 94, 98, 98, 98]
    assert {loss["side"] for loss in lost} == {"first", "second"}
    assert len({loss["id"] for loss in lost}) == 9


def test_a_rating_is_found_again_within_its_error() -> None:
    off = []
    tasks = list(ladders.schedule(PLAN, BOT, 1, 1))
    for seed in range(40):
        draw = random.Random(seed)
        found = Ladder(BOT, RUNGS)
        for task in tasks:
            found.add(of_strength(1300, task, draw))
        elo, error = found.rating()
        assert 60 < error < 180
        off.append(abs(elo - 1300) / error)
    assert sum(one < 1 for one in off) >= 34  # 95 % of 40 are 38
    assert max(off) < 2


def test_the_rating_of_who_wins_everything_is_finite() -> None:
    elo, error = most_likely([(1000.0, 1.0)] * 50, 1000, 2000)
    assert 1500 < elo < 6000
    assert error > 300


def test_the_nearest_level_is_named_and_the_ends_too() -> None:
    found = Ladder(BOT, RUNGS)
    assert found.nearest(20 * 37 + 8) == 37
    assert found.nearest(-100) == 0
    assert found.nearest(2500) == 101


@pytest.mark.parametrize("strength", [150, 900, 1900])
def test_a_quick_climb_comes_close_in_ten_levels(strength: float) -> None:
    off = []
    for seed in range(20):
        draw = random.Random(seed)
        found = Ladder(BOT, RUNGS)
        run = Scripted(luck(strength, draw))
        games = list(ladders.climb(found, PLAN, run))
        assert len(games) == 20
        assert len(found.rows) == 10
        assert set(found.rows) <= set(LEVELS)
        elo, error = found.rating()
        off.append(abs(elo - strength) / error)
    assert sum(one < 1 for one in off) >= 15
    assert found.stopped == "all games played"


def test_a_quick_climb_ends_when_its_time_is_over() -> None:
    found = Ladder(BOT, RUNGS)
    run = Scripted(lambda task: Played(task, (), 1, None, "played out"))
    assert len(list(ladders.climb(found, PLAN, run, seconds=-1))) == 2
    assert "minutes are over after 1 levels" in found.stopped


def test_a_quick_climb_that_is_late_at_its_last_level_has_played_all() -> None:
    found = Ladder(BOT, RUNGS)
    run = Scripted(lambda task: Played(task, (), 1, None, "played out"))
    assert len(list(ladders.climb(found, PLAN, run, rungs=1, seconds=-1))) == 2
    assert found.stopped == "all games played"


def test_a_summary_has_the_rating_to_a_tenth() -> None:
    found = report_a()
    elo, error = found.rating()
    assert found.summary()["elo"] == round(elo, 1) != round(elo)
    assert found.summary()["elo_error"] == round(error, 1) != round(error)


def crash(task: Task) -> Played:
    side = 0 if task.a_first else 1
    return Played(task, (), -1, None, "crash", "it fell over", fault=side)


def test_a_bot_that_always_crashes_is_retired_and_the_table_is_still_whole() -> None:
    found = Ladder(BOT, RUNGS)
    run = Scripted(crash)
    list(ladders.play(found, PLAN, 1, 1, run))
    assert found.retired == "crash: it fell over"
    assert run.workers.played < 10
    summary = found.summary()
    assert summary["games"] == 100
    assert summary["course_score"] == 0
    assert [fault["reason"] for fault in found.faults] == ["crash"] * 5
    assert len(found.lost) == 5, "games that were not played cannot be replayed"


def test_a_fault_of_a_level_is_not_held_against_the_bot() -> None:
    task = next(ladders.schedule(PLAN, BOT, 1, 1))
    found = Ladder(BOT, RUNGS)
    found.add(Played(task, (), 1, None, "crash", "oh", fault=1))
    assert found.faults == []


def test_a_crashing_bot_ends_a_quick_climb() -> None:
    found = Ladder(BOT, RUNGS)
    list(ladders.climb(found, PLAN, Scripted(crash)))
    assert found.stopped == "the bot was retired"
    assert len(found.rows) == 3


def test_the_same_climb_on_the_same_store_plays_nothing_again(tmp_path: Path) -> None:
    tables = []
    for attempt in range(2):
        draw = random.Random(attempt)  # the second attempt would have other luck
        found = Ladder(BOT, RUNGS)
        with Store(tmp_path / "games.db") as store:
            run = Scripted(luck(900, draw), store)
            list(ladders.climb(found, PLAN, run))
            assert run.found == (20 if attempt else 0)
        tables.append(found.summary())
    assert tables[0] == tables[1]
