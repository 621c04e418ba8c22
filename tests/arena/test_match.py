"""Matches: pairs, sides, faults, clocks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from honte.arena.game import play_task, seeded
from honte.arena.match import Standing, play_match, schedule
from honte.arena.schedule import Clock, Plan, Task, match
from honte.games.contract import State
from honte.games.registry import game as make_game
from honte.players import registry
from honte.players.contract import Player
from honte.search.limit import Limit
from honte.search.report import Report


class Fault(Exception):
    """What a bot's fault looks like to the arena."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail, self.stderr = reason, detail, b"last words \xff"


class Misfit(Player):
    """Plays the first legal move, until it does what its spec says."""

    limit = None

    def __init__(self, game: object, does: str = "nothing", after: str = "2") -> None:
        self.spec, self.does, self.left = f"misfit:does={does}", does, int(after)
        if does == "refuse":
            raise Fault("start", "it does not start")

    def choose(self, state: State, limit: Limit | None = None) -> Report:
        self.left -= 1
        if self.left < 0:
            if self.does == "fault":
                raise Fault("flood", "it said too much")
            if self.does == "resign":
                raise Fault("resign", "it gives up")
            if self.does == "error":
                b"\xff".decode()
            if self.does == "illegal":
                return Report(move=99)
            if self.does == "sleep":
                time.sleep(0.2)
        return Report(move=state.legal_moves()[0])


@pytest.fixture(autouse=True)
def misfit() -> Iterator[None]:
    registry.register_player("misfit", Misfit)
    yield
    registry._factories.pop("misfit")


def task(first: str, second: str = "random", **more: object) -> Task:
    return Task(0, "connect4", (first, second), True, 1, (), **({"limit": None} | more))  # type: ignore[arg-type]


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


def test_identical_players_are_equal_after_pairing() -> None:
    """3 σ of one half, over pairs, for players that choose at random."""
    standing = Standing()
    for played in play_match(schedule("random", "random", "connect4:rows=5,cols=5", 2000)):
        standing.add(played)
    pairs = standing.total.games / 2
    assert abs(standing.total.points / standing.total.games - 0.5) < 3 * 0.5 / (2 * pairs) ** 0.5


def test_the_two_sides_of_a_game_have_seeds_of_their_own() -> None:
    game = make_game("connect4")
    assert seeded("random", game, 4).spec == "random:seed=4"
    assert seeded("random:seed=9", game, 4).spec == "random:seed=9"
    one, two = list(schedule("random", "random", "connect4", 2, opening_plies=0))
    games = [play_task(one), play_task(two)]
    assert games[0].moves != games[1].moves
    assert any(a != b for a, b in zip(games[0].moves[::2], games[0].moves[1::2], strict=False))


@pytest.mark.parametrize(
    ("does", "reason", "words"),
    [
        ("fault", "flood", "it said too much"),
        ("error", "crash", "UnicodeDecodeError"),
        ("illegal", "illegal", "move 5: 99"),
        ("refuse", "start", "it does not start"),
    ],
)
def test_a_fault_loses_the_game_with_its_reason(does: str, reason: str, words: str) -> None:
    played = play_task(task(f"misfit:does={does}"))
    assert (played.result, played.reason, played.fault) == (-1, reason, 0)
    assert words in played.detail
    assert played.margin is None
    assert played.faulty == f"misfit:does={does}"
    turned = play_task(task("random", f"misfit:does={does}"))
    assert (turned.result, turned.reason, turned.fault) == (1, reason, 1)
    if does == "fault":
        assert played.stderr == "last words \ufffd"


def test_giving_up_loses_and_is_no_fault() -> None:
    played = play_task(task("misfit:does=resign"))
    assert (played.result, played.reason, played.fault) == (-1, "resign", None)


def test_a_late_move_loses_and_the_margin_forgives() -> None:
    late = task("misfit:does=sleep", limit=Limit(seconds=0.05), clock=Clock(margin=0.05))
    assert play_task(late).reason == "time"
    assert "took 0.2" in play_task(late).detail
    kind = task("misfit:does=sleep,after=9", limit=Limit(seconds=0.05), clock=Clock(margin=1))
    assert play_task(kind).reason in ("played out", "draw")


def test_a_limit_in_a_players_own_spec_is_the_one_it_is_judged_by() -> None:
    own = task("uct:seconds=0.08", limit=Limit(seconds=0.001), clock=Clock(margin=0.05))
    assert play_task(own).reason in ("played out", "draw")


def test_a_games_clock_runs_out() -> None:
    spent = task("misfit:does=sleep,after=0", clock=Clock(margin=0, game=0.5))
    assert play_task(spent).reason == "time"
    enough = task("uct", "uct", clock=Clock(margin=0.3, game=1.0))
    played = play_task(enough)
    assert played.reason in ("played out", "draw")
    assert sum(filter(None, played.times[::2])) < 1.3


def test_a_long_game_is_a_draw() -> None:
    played = play_task(task("random", clock=Clock(max_plies=6)))
    assert (played.result, played.reason, len(played.moves)) == (0, "move limit", 6)


def test_times_and_values_are_kept_for_every_move_but_those_of_the_opening() -> None:
    played = play_task(next(iter(schedule("uct", "random", "othello", 1, Limit(iterations=50)))))
    assert played.times[:6] == played.values[:6] == (None,) * 6
    assert len(played.times) == len(played.values) == len(played.moves)
    assert all(seconds is not None for seconds in played.times[6:])
    assert all(value is not None for value in played.values[6::2])
    assert all(value is None for value in played.values[7::2]), "a random player has no opinion"


def test_listed_openings_are_played_in_turn() -> None:
    plan = Plan("connect4", openings=((3, 3), (0, 6, 1)))
    assert [game.opening for game in match(plan, "a", "b", 5)] == [
        (3, 3),
        (3, 3),
        (0, 6, 1),
        (0, 6, 1),
        (3, 3),
    ]


def test_the_study_of_uct_can_still_be_imported() -> None:
    source = Path(__file__).parents[2] / "benchmarks" / "uct_study.py"
    compile(source.read_text(encoding="utf-8"), str(source), "exec")
    assert "from honte.arena.match import Standing, play_match, schedule" in source.read_text(
        encoding="utf-8"
    )
