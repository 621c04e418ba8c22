"""Matches: pairs, sides, and what the figures say."""

from __future__ import annotations

import math
import random

import pytest

from honte.arena.match import Played, Standing, Task, play_match, schedule
from honte.arena.statistics import elo, score_and_error, summary
from honte.search.limit import Limit


def test_each_opening_is_played_from_both_sides() -> None:
    tasks = list(schedule("random", "uct", "connect4:course", 20, seed=3))
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert first.game == second.game
        assert first.opening == second.opening
        assert first.players == second.players[::-1]
        assert first.a_first
        assert not second.a_first
    assert len({task.game for task in tasks}) == 10
    assert len({task.seed for task in tasks}) == 20
    assert tasks == list(schedule("random", "uct", "connect4:course", 20, seed=3))
    assert tasks != list(schedule("random", "uct", "connect4:course", 20, seed=4))


@pytest.mark.parametrize("game", ["connect4", "othello", "go:size=5"])
def test_a_search_beats_random_play(game: str) -> None:
    standing = Standing()
    for played in play_match(schedule("uct", "random", game, 8, Limit(iterations=300)), workers=2):
        standing.add(played)
    assert standing.total.wins >= 7
    assert standing.first.games == standing.second.games == 4
    assert standing.distinct == 8


def play(number: int, result: int) -> Played:
    task = Task(number, "connect4", ("a", "b"), number % 2 == 0, 0, (), None)
    return Played(task, (number,), result, float(result), "played out")


def test_the_error_covers_the_truth() -> None:
    """Of simulated matches of a known strength about 95 % have it inside their interval."""
    draw = random.Random(1)
    inside = 0
    for _ in range(400):
        standing = Standing()
        for number in range(100):
            standing.add(play(number, 1 if draw.random() < 0.6 else -1))
        score, error = score_and_error(standing)
        inside += abs(score - 0.6) <= error
    assert 0.91 <= inside / 400 <= 0.985


def test_a_clean_sweep_has_an_error_all_the_same() -> None:
    standing = Standing()
    for number in range(10):
        standing.add(play(number, 1))
    found = summary(standing)
    assert (found["wins"], found["score"]) == (10, 1.0)
    assert 0.05 < float(str(found["score_error"])) < 0.3
    assert math.isclose(elo(0.5), 0)
