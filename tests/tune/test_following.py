"""A study followed from its store: the follower knows what the running process knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from honte.arena.game import Played
from honte.arena.run import Run
from honte.arena.workers import Workers
from honte.tune import games
from honte.tune.following import Following
from honte.tune.study import parse
from honte.tune.tuning import Tuning

STUDY = """
game = "othello"
engine = "alphabeta:depth=1"
seed = 3
[parameters.weights]
free = ["discs", "mobility"]
low = -300
high = 300
[objective]
against = ["start", "alphabeta:depth=1,weights=table"]
games = 4
opening_plies = 6
[optimiser]
name = "NAME"
games = 96
[verify]
games = 10
against = ["start", "alphabeta:depth=1,weights=report"]
"""
NAMES = ("genetic", "annealing", "spsa", "grid")


def played_through(name: str) -> tuple[Tuning, list[Played]]:
    tuning = Tuning(parse(STUDY.replace("NAME", name)))
    run = Run(Workers(1, games.play, 4))
    found = [*tuning.search(run), *tuning.verify(run)]
    run.close()
    return tuning, found


@pytest.mark.parametrize("name", NAMES)
def test_whoever_follows_knows_at_the_end_what_the_player_knows(name: str) -> None:
    whole, found = played_through(name)
    store: dict[str, Played] = {}
    following = Following(Tuning(parse(STUDY.replace("NAME", name), play=False)))
    for played in found:
        store[played.task.id] = played
        following.look(store.get)
        assert following.games <= len(store)
    assert following.ended
    assert following.games == following.expected_games == len(found)
    assert following.tuning.summary() == whole.summary()
    assert following.tuning.history == whole.history


def test_a_round_counts_when_all_of_its_games_are_there() -> None:
    _, found = played_through("grid")
    store = {played.task.id: played for played in found}
    del store[found[0].task.id]
    following = Following(Tuning(parse(STUDY.replace("NAME", "grid"), play=False)))
    following.look(store.get)
    assert following.tuning.history == []
    assert 0 < following.tuning.games < len(found)
    store[found[0].task.id] = found[0]
    following.look(store.get)
    assert following.ended


def test_without_time_a_look_goes_one_round_on() -> None:
    _, found = played_through("spsa")
    store = {played.task.id: played for played in found}
    following = Following(Tuning(parse(STUDY.replace("NAME", "spsa"), play=False)))
    for looks in range(1, 4):
        following.look(store.get, seconds=0)
        assert len(following.tuning.history) == looks


def test_no_bot_that_a_followed_study_names_is_started(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(f"open({str(tmp_path / 'started')!r}, 'w')\n\ndef choose(state, limit): ...\n")
    text = STUDY.replace("NAME", "grid").replace('"start", "alpha', f'"py:{bot}:choose", "alpha')
    Following(Tuning(parse(text, play=False)))
    assert not (tmp_path / "started").exists()
