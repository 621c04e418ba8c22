"""Schedules: pairings, and ids that identify a game permanently."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

import honte
from honte.arena.openings import (
    EVEN,
    QUICK,
    after,
    balanced_opening,
    imbalance,
    make,
    sampled_opening,
    shipped,
)
from honte.arena.schedule import (
    Clock,
    Plan,
    Task,
    gauntlet,
    is_drawn,
    match,
    round_robin,
    swiss_pairings,
)
from honte.core.games import game
from honte.core.request import Limit
from tests.contract.nim import Nim

PLAN = Plan("connect4:course", seed=5)


def test_everybody_meets_everybody_with_both_sides_on_one_board() -> None:
    tasks = list(round_robin(PLAN, "abcd", 2))
    assert Counter(task.players for task in tasks) == {
        (one, two): 2 for one in "abcd" for two in "abcd" if one != two
    }
    assert [task.number for task in tasks] == list(range(24))
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert (first.game, first.opening) == (second.game, second.opening)
    assert len({task.game for task in tasks}) == 2, "one board a round, the same for all"


def test_a_gauntlet_is_the_first_against_the_others() -> None:
    tasks = list(gauntlet(PLAN, "abcd", 1))
    assert {frozenset(task.players) for task in tasks} == {
        frozenset("ab"),
        frozenset("ac"),
        frozenset("ad"),
    }
    assert len(tasks) == 6


def test_a_match_is_one_round_after_the_other_and_may_end_within_one() -> None:
    plan = Plan("connect4", seed=5)
    rounds = [plan.pair("a", "b", 2 * number, number) for number in range(3)]
    assert list(match(plan, "a", "b", 5)) == [task for pair in rounds for task in pair][:5]


def test_no_two_games_of_a_match_share_a_seed() -> None:
    tasks = list(match(PLAN, "a", "b", 20))
    assert len({task.seed for task in tasks}) == len(tasks)


def test_every_game_of_a_schedule_has_an_id_of_its_own() -> None:
    tasks = [*round_robin(PLAN, "abcd", 5), *match(PLAN, "e", "e", 30)]
    assert len({task.id for task in tasks}) == len(tasks)
    again = [*round_robin(PLAN, "abcd", 5), *match(PLAN, "e", "e", 30)]
    assert [task.id for task in tasks] == [task.id for task in again]


def test_a_longer_schedule_and_a_larger_field_keep_the_ids_there_were() -> None:
    short = {task.id for task in match(PLAN, "a", "b", 10)}
    assert short < {task.id for task in match(PLAN, "a", "b", 20)}
    few = {task.id for task in round_robin(PLAN, "abc", 2)}
    assert few < {task.id for task in round_robin(PLAN, "abcd", 3)}


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 6},
        {"game": "connect4"},
        {"limit": Limit(seconds=1)},
        {"clock": Clock(margin=9)},
        {"versions": {"a": "2"}},
        {"opening_plies": 3},
    ],
)
def test_what_decides_a_game_changes_its_id(change: dict[str, object]) -> None:
    plan = replace(PLAN, **change)  # type: ignore[arg-type]
    before = {task.id for task in match(PLAN, "a", "b", 10)}
    assert not before & {task.id for task in match(plan, "a", "b", 10)}


def drawn(spec: str) -> bool:
    return is_drawn(game(spec), spec)


def test_pairings_of_a_round_share_a_board_that_is_drawn_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[int] = []

    def opening(game: object, seed: int, round: int) -> tuple[int, ...]:
        drawn.append(round)
        return (round,)

    monkeypatch.setattr("honte.arena.schedule.balanced_opening", opening)
    tasks = list(round_robin(Plan("connect4:course"), list("abcde"), 2))
    assert len({(task.game, task.opening) for task in tasks}) == 2
    assert drawn == [0, 1]


def test_a_board_that_the_spec_fixes_stays_fixed() -> None:
    assert drawn("connect4:course")
    assert not drawn("connect4:course,seed=3")
    assert not drawn("connect4")
    fixed = Plan("connect4:course,seed=3")
    assert len({task.game for task in match(fixed, "a", "b", 10)}) == 1


def swiss(players: list[str], rounds: int) -> tuple[dict[str, float], list[frozenset[str]]]:
    """Play a Swiss system in which the earlier in the alphabet always wins."""
    points = dict.fromkeys(players, 0.0)
    met: set[frozenset[str]] = set()
    played: list[frozenset[str]] = []
    for _ in range(rounds):
        pairings, out = swiss_pairings(players, points, met)
        seen = [name for pair in pairings for name in pair] + ([out] if out else [])
        assert sorted(seen) == sorted(players), "everybody plays once or sits out"
        if out:
            points[out] += 2
            met.add(frozenset(out))
            played.append(frozenset(out))
        for pair in pairings:
            points[min(pair)] += 2
            met.add(frozenset(pair))
            played.append(frozenset(pair))
    return points, played


@pytest.mark.parametrize("count", [8, 9, 16, 25])
def test_a_swiss_system_finds_the_best_without_a_rematch(count: int) -> None:
    players = [chr(97 + (7 * n) % count) for n in range(count)] if count != 8 else list("hgfedcba")
    points, played = swiss(players, 5)
    assert len(played) == len(set(played))
    assert max(points, key=lambda name: points[name]) == "a"


def test_a_swiss_system_longer_than_the_field_plays_again() -> None:
    _, played = swiss(list("abcd"), 6)
    assert len(played) == 12
    assert len(set(played[:6])) == 6


def test_the_lowest_without_a_bye_sits_out_and_once_all_had_one_the_lowest_again() -> None:
    points = {"a": 4.0, "b": 2.0, "c": 0.0}
    assert swiss_pairings("abc", points, set()) == ([("a", "b")], "c")
    assert swiss_pairings("abc", points, {frozenset("c")}) == ([("a", "c")], "b")
    assert swiss_pairings("abc", points, set(map(frozenset, "abc"))) == ([("a", "b")], "c")


def test_a_task_is_its_own_key() -> None:
    task = Task(0, "connect4", ("a", "b"), True, 1, (), None)
    assert task.id == replace(task, number=7).id
    assert len(task.id) == 16


@pytest.mark.parametrize("spec", ["connect4", "othello"])
def test_the_shipped_openings_are_distinct_and_balanced(spec: str) -> None:
    game = honte.game(spec)
    found = shipped(game)
    assert len(found) == len(set(found)) == 400
    player = honte.player("best", game)
    for moves in random.Random(1).sample(found, 12):
        state = after(game, moves)
        limit = honte.Limit(depth=10) if spec == "othello" else honte.Limit(seconds=0.5)
        report = player.choose(state, limit)
        assert len(moves) == 8
        assert report.proven == "draw" if spec == "connect4" else abs(report.score or 0) <= 2


def test_rounds_of_a_match_have_different_balanced_openings_and_a_seed_repeats_them() -> None:
    plan = Plan("othello", seed=3)
    openings = [plan.pair("a", "b", 0, round)[0].opening for round in range(50)]
    assert len(set(openings)) == 50
    assert openings == [Plan("othello", seed=3).pair("a", "b", 0, r)[0].opening for r in range(50)]
    assert openings != [Plan("othello", seed=4).pair("a", "b", 0, r)[0].opening for r in range(50)]


@pytest.mark.parametrize(
    ("spec", "judge", "most", "worst"),
    [
        ("connect4:course", "best:iterations=1000", 0.3, 0.6),
        ("connect4:rows=7,cols=8,inarow=5", f"{QUICK},iterations=400", EVEN, EVEN),
    ],
)
def test_a_board_without_a_list_gets_openings_that_a_search_calls_balanced(
    spec: str, judge: str, most: float, worst: float
) -> None:
    plan, leads = Plan(spec, seed=1), []
    for round in range(10):
        task = plan.pair("a", "b", 0, round)[0]
        game = honte.game(task.game)
        leads.append(imbalance(honte.player(judge, game).choose(after(game, task.opening))))
        assert len(task.opening) == 4
    assert sum(leads) / len(leads) <= most
    assert max(leads) <= worst


@pytest.mark.parametrize("sampler", [None, "uct:iterations=1"])
@pytest.mark.parametrize(
    ("spec", "plies"), [("connect4:rows=4,cols=4,inarow=2", 9), ("connect4:rows=4,cols=4", 17)]
)
def test_an_opening_longer_than_the_game_is_refused(
    spec: str, plies: int, sampler: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tries in ("ATTEMPTS", "SAMPLES"):
        monkeypatch.setattr(f"honte.arena.openings.{tries}", 20)
    with pytest.raises(ValueError, match=f"^{spec}: 20 games were all over within {plies} plies"):
        next(make(honte.game(spec), plies, 1, QUICK, honte.Limit(iterations=1), sampler))
    with pytest.raises(ValueError, match="shorter"):
        Plan(spec, opening_plies=plies).pair("a", "b", 0, 0)


def test_a_sampled_opening_that_ends_the_game_is_begun_anew() -> None:
    game = honte.game("connect4:rows=4,cols=4")
    for seed in range(5):
        moves = sampled_opening(game, 12, random.Random(seed), "uct:iterations=4")
        assert len(moves) == 12
        assert not after(game, moves).is_over


def test_a_draw_that_fails_does_not_end_the_search_for_openings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("honte.arena.openings.ATTEMPTS", 1)
    found = make(honte.game("connect4"), 20, 1, "uct:seed=1", Limit(iterations=10))
    lines = [next(found) for _ in range(100)]
    assert None in lines
    assert any(lines)


def test_a_game_that_is_over_at_once_has_openings_as_long_as_it_lasts() -> None:
    assert balanced_opening(Nim(heaps="1"), 1, 0) == ()
    assert len(balanced_opening(Nim(heaps="11"), 1, 0)) == 1
    assert len(balanced_opening(Nim(heaps="111"), 1, 0)) == 2
