"""Matches: pairs, sides, faults, clocks."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from honte.arena.game import Forfeit, Record, play_task
from honte.arena.identity import seeded
from honte.arena.match import Standing, play_match, schedule
from honte.arena.schedule import Clock, Plan, Task, match
from honte.core import players as registry
from honte.core.fault import Fault
from honte.core.games import game as make_game
from honte.core.player import Player
from honte.core.players import player as make_player
from honte.core.report import Report
from honte.core.request import Limit, Request
from tests.conftest import LONG

GAMES = 2000 if LONG else 500
LAST_WORDS = b"last words \xff"


class Misfit(Player):
    """Plays the first legal move until its spec makes it misbehave."""

    limit: Limit | None = None

    def __init__(self, game: object, does: str = "nothing", after: str = "2") -> None:
        self.spec, self.does, self.left = f"misfit:does={does}", does, int(after)
        if does == "refuse":
            raise Fault("start", "it does not start", LAST_WORDS)

    def think(self, request: Request) -> Report:
        self.left -= 1
        if self.left < 0:
            if self.does == "fault":
                raise Fault("flood", "it said too much", LAST_WORDS)
            if self.does == "resign":
                raise Fault("resign", "it gives up", LAST_WORDS)
            if self.does == "error":
                b"\xff".decode()
            if self.does == "illegal":
                return Report(move=99)
            if self.does == "sleep":
                time.sleep(0.2)
        return Report(move=request.state.legal_moves()[0])


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
    """Within 3 σ of one half, over pairs, for random players."""
    standing = Standing()
    for played in play_match(schedule("random", "random", "connect4", GAMES)):
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
    assert re.search(r"took (0\.[2-9]|[1-9])", play_task(late).detail)
    kind = task("misfit:does=sleep,after=9", limit=Limit(seconds=0.05), clock=Clock(margin=1))
    assert play_task(kind).reason in ("played out", "draw")


@pytest.mark.parametrize(
    ("own", "allowed", "searched"),
    [
        ("uct:seconds=0.5", 30, 0.5),  # thinks less than allowed, by choice
        ("uct:seconds=60", 30, 30),  # cut short, so that it does not lose by its own spec
        ("uct", 30, 30),
        ("uct:iterations=20", None, None),  # as strong on any machine
    ],
)
def test_the_limit_of_the_match_is_judged_whatever_a_spec_says(
    own: str, allowed: float | None, searched: float | None
) -> None:
    game = make_game("connect4")
    player = make_player(own, game)
    request = Record(game).request_for(player, Limit(seconds=30), None, 0.0)
    assert request.allowed == allowed
    limit = player._asked(request, None, Limit()).limit
    assert limit is not None
    assert limit.seconds == searched


def test_a_player_that_is_late_by_its_own_limit_alone_has_not_lost() -> None:
    """It sleeps for 0.2 s a move, and has 0.05 s by its own spec."""
    game = make_game("connect4")
    player, other = Misfit(game, "sleep"), make_player("random", game)
    player.limit = Limit(seconds=0.05)
    record = Record(game)
    record.play((player, other), Limit(seconds=30), Clock(margin=0, max_plies=6))
    assert len(record.moves) == 6


class Machine:
    """A machine on which time passes as a player dictates, on its core or on others."""

    def __init__(self) -> None:
        self.now = self.delay = 0.0

    def wait(self, thinking: float, without_core: float) -> None:
        self.now += thinking + without_core
        self.delay += without_core


class Patient(Player):
    """Thinks for a tenth of a second a move, after waiting for a core."""

    spec = "patient"

    def __init__(self, machine: Machine, waits: Iterator[float]) -> None:
        self.machine, self.waits = machine, waits

    def think(self, request: Request) -> Report:
        self.machine.wait(0.1, next(self.waits))
        return Report(move=request.state.legal_moves()[0])


@pytest.mark.parametrize(
    ("waits", "lost"),
    [
        ([0.5] * 4, None),  # in the margin
        ([2.4, 0.5, 0.5], None),  # once most of the quota
        ([2.6], 1),  # more than the quota
        ([2.4, 0.5, 0.5, 0.9, 0.5], 7),  # the quota is for the game, and comes back slowly
    ],
)
def test_what_a_busy_machine_takes_is_forgiven_from_a_quota_of_the_game(
    waits: list[float], lost: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, game = Machine(), make_game("connect4:inarow=7")
    monkeypatch.setattr("honte.arena.game.time.monotonic", lambda: machine.now)
    monkeypatch.setattr("honte.arena.game.run_delay", lambda: machine.delay)
    patient = Patient(machine, iter(waits))
    record = Record(game)
    clock = Clock(margin=0.5, max_plies=2 * len(waits))
    players = patient, make_player("random", game)
    if lost is None:
        record.play(players, Limit(seconds=0.1), clock)
    else:
        with pytest.raises(Forfeit, match=rf"^move {lost} took"):
            record.play(players, Limit(seconds=0.1), clock)


def test_a_game_clock_does_not_pay_for_what_was_forgiven(monkeypatch: pytest.MonkeyPatch) -> None:
    machine, game = Machine(), make_game("connect4:inarow=7")
    monkeypatch.setattr("honte.arena.game.time.monotonic", lambda: machine.now)
    monkeypatch.setattr("honte.arena.game.run_delay", lambda: machine.delay)
    players = Patient(machine, iter([1.9, 0.0, 0.0, 0.0])), make_player("random", game)
    Record(game).play(players, Limit(seconds=0.2), Clock(margin=0.2, game=0.7, max_plies=8))


def test_a_games_clock_runs_out() -> None:
    spent = task("misfit:does=sleep,after=0", clock=Clock(margin=0, game=0.5))
    assert play_task(spent).reason == "time"
    enough = task("uct", "uct", clock=Clock(margin=3, game=1.0))
    used = []
    for _ in range(3):  # a busy machine may stall
        played = play_task(enough)
        assert played.reason in ("played out", "draw")
        used.append(sum(filter(None, played.times[::2])))
        if used[-1] < 1.3:
            return
    pytest.fail(f"seconds of a clock of one: {used}")


def test_a_long_game_is_a_draw() -> None:
    played = play_task(task("random", clock=Clock(max_plies=6)))
    assert (played.result, played.reason, len(played.moves)) == (0, "move limit", 6)


def test_times_and_values_are_kept_for_every_move_but_those_of_the_opening() -> None:
    played = play_task(next(iter(schedule("uct", "random", "othello", 1, Limit(iterations=50)))))
    assert played.times[:8] == played.values[:8] == (None,) * 8
    assert len(played.times) == len(played.values) == len(played.moves)
    assert all(seconds is not None for seconds in played.times[8:])
    assert all(value is not None for value in played.values[8::2])
    assert all(value is None for value in played.values[9::2]), "a random player has no opinion"


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
