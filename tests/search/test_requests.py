"""Every engine answers a request: a token set before or during is heard, reports say their kind."""

from __future__ import annotations

import random
import threading
import time

import pytest

import honte
from tests.search.positions import random_state

ENGINES = [
    ("connect4", "best"),
    ("connect4", "best:book=no"),
    ("connect4", "solver"),
    ("connect4", "alphabeta"),
    ("connect4", "uct"),
    ("connect4", "textbook"),
    ("connect4", "level:60"),
    ("connect4:rows=10,cols=11,blocked=3/4", "best"),
    ("othello", "best"),
    ("othello", "best:book=no"),
    ("othello", "alphabeta:depth=20"),
    ("othello", "solver"),
    ("othello:size=6", "best"),
    ("go:size=9", "best"),
    ("go:size=9", "random"),
    ("othello", "level:5"),
]


@pytest.mark.parametrize(("spec", "player"), ENGINES)
def test_a_token_cancelled_before_the_start_is_heard(spec: str, player: str) -> None:
    game = honte.game(spec)
    token = honte.CancelToken()
    token.cancel()
    started = time.process_time()
    request = honte.Request(game.start(), limit=honte.Limit(seconds=30), cancel=token)
    report = honte.player(player, game).choose(request)
    assert report.move in game.start().legal_moves()
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("spec", "player"), [engine for engine in ENGINES if engine[1].startswith(("best", "uct"))]
)
def test_a_search_that_gets_no_time_still_evaluates_its_move(spec: str, player: str) -> None:
    game = honte.game(spec)
    made = honte.player(player, game)
    state = random_state(game, random.Random(1), 8)
    for _ in range(20):
        token = honte.CancelToken()
        token.cancel()
        made.new_game()
        assert made.choose(honte.Request(state, cancel=token)).has_value
    made.close()


@pytest.mark.parametrize(("spec", "player"), ENGINES)
def test_an_analysis_that_is_left_ends_its_search(spec: str, player: str) -> None:
    game = honte.game(spec)
    made = honte.player(player, game)
    made.limit = None
    request = honte.Request(game.start(), limit=honte.Limit(seconds=30))
    for report in made.analyse(request):
        assert report.move in game.start().legal_moves()
        assert report.state == game.start()
        break
    assert threading.active_count() < 8
    assert not [thread for thread in threading.enumerate() if thread.name == "analysis"]
    made.close()


@pytest.mark.parametrize(("spec", "player"), ENGINES)
def test_candidates_say_what_kind_of_number_they_are(spec: str, player: str) -> None:
    game = honte.game(spec)
    report = honte.player(player, game).choose(game.start(), seconds=0.3)
    assert report.source
    for candidate in report.candidates:
        assert candidate.kind in ("exact", "bound", "estimate")
        assert (candidate.chance is None) == (candidate.kind == "bound")
        if candidate.proven:
            assert candidate.kind in ("exact", "bound")
        if candidate.kind == "bound":
            assert candidate.score is None
    found = report.to_dict()
    assert found["move"] == game.format(report.move)
    assert len(found["candidates"]) == len(report.candidates)


def test_the_limit_of_a_spec_stands_over_the_request() -> None:
    game = honte.game("othello")
    player = honte.player("uct:iterations=50", game)
    assert player.choose(game.start(), seconds=5).iterations == 50
    assert player.choose(game.start(), honte.Limit(iterations=500)).iterations == 50


def test_a_plain_request_wants_the_best_move_and_its_line() -> None:
    request = honte.Request(honte.game("connect4").start())
    assert (request.lines, request.all_moves, request.ownership) == (1, False, False)


def test_a_request_gets_a_line_for_as_many_moves_as_it_wants() -> None:
    game = honte.game("connect4")
    limit = honte.Limit(iterations=3000)
    report = honte.player("uct:seed=1", game).choose(
        honte.Request(game.start(), limit=limit, lines=3)
    )
    assert [bool(candidate.line) for candidate in report.candidates] == [True] * 3 + [False] * 4
    for candidate in report.candidates[:3]:
        state = game.start()
        for move in candidate.line:
            state = state.play(move)
        assert candidate.line[0] == candidate.move


@pytest.mark.parametrize(
    ("spec", "stones"),
    [("connect4", 14), ("connect4:rows=8,cols=8", 14), ("othello", 20), ("go:size=9", 10)],
)
def test_a_new_game_gets_the_numbers_that_a_new_player_gives(spec: str, stones: int) -> None:
    game = honte.game(spec)
    player = honte.player("best:iterations=1500", game)
    state = random_state(game, random.Random(3), stones)
    first = player.choose(state)
    player.choose(state.play(first.move))
    player.new_game()
    again = player.choose(state)
    assert again.candidates == first.candidates
    assert (again.move, again.nodes, again.pv) == (first.move, first.nodes, first.pv)


def test_either_a_limit_or_its_parts() -> None:
    game = honte.game("othello")
    with pytest.raises(ValueError, match="not both"):
        honte.player("uct", game).choose(game.start(), honte.Limit(seconds=1), seconds=1)


def test_a_search_that_is_stopped_as_it_starts_ends() -> None:
    """A stop that comes before the search's thread has begun to work is not lost."""
    game = honte.game("othello")
    player = honte.player("best:book=no", game)
    started = time.process_time()
    for _ in range(200):
        token = honte.CancelToken()
        token.cancel()
        player.choose(honte.Request(game.start(), limit=honte.Limit(seconds=60), cancel=token))
    assert time.process_time() - started < 10
