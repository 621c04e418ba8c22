"""Limits of time are kept and cancelled searches end: in CPU time, whatever the load."""

from __future__ import annotations

import threading
import time

import pytest

import honte
from honte.analysis.review import review
from tests.slowness import slowness

pytestmark = pytest.mark.timing

ENGINES = [
    ("connect4:rows=9,cols=9,blocked=4/4", "uct"),
    ("connect4:rows=9,cols=9,blocked=4/4", "alphabeta"),
    ("connect4:rows=9,cols=9,blocked=4/4", "solver"),
    ("connect4", "best:book=no"),
    ("othello", "uct"),
    ("othello", "alphabeta"),
    ("othello", "best"),
    ("go:size=9", "uct"),
    ("go:size=19", "best"),
]


@pytest.mark.parametrize(("spec", "player"), ENGINES)
def test_a_limit_of_a_fifth_of_a_second_is_passed_by_a_tenth_at_most(
    spec: str, player: str
) -> None:
    game = honte.game(spec)
    engine = honte.player(player, game)
    engine.choose(game.start(), seconds=0.01)  # tables are filled and books are read now
    started = time.process_time()
    report = engine.choose(game.start(), seconds=0.2)
    assert report.move in game.start().legal_moves()
    assert time.process_time() - started < 0.3


@pytest.mark.parametrize(("spec", "player"), ENGINES)
def test_a_cancelled_search_ends_within_a_tenth_of_a_second(spec: str, player: str) -> None:
    game = honte.game(spec)
    engine = honte.player(player, game)
    engine.choose(game.start(), seconds=0.01)
    token, cancelled = honte.CancelToken(), 0.0

    def cancel() -> None:
        # The clock is read afterwards: if this thread loses its core between the two, the search
        # goes on using its own, and rightly so.
        nonlocal cancelled
        token.cancel()
        cancelled = time.process_time()

    timer = threading.Timer(0.2, cancel)
    timer.start()
    request = honte.Request(game.start(), limit=honte.Limit(seconds=60), cancel=token)
    report = engine.choose(request)
    ended = time.process_time()
    timer.join()
    assert report.move in game.start().legal_moves()
    assert ended - cancelled < 0.1


@pytest.mark.long
@pytest.mark.parametrize(
    "spec",
    ["connect4", "connect4:rows=12,cols=12,blocked=5/6", "othello", "go:size=9", "go:size=19"],
)
def test_a_game_of_sixty_moves_is_reviewed_in_twenty_seconds(spec: str) -> None:
    """A game of a weak level, so that many moves are marked; several, where games are shorter."""
    game, moves, spent = honte.game(spec), 60, 0.0
    while moves > 0:
        players = [honte.player(f"level:5,seed={moves + side}", game) for side in (0, 1)]
        states: list[honte.State] = [game.start()]
        while not states[-1].is_over and len(states) <= moves:
            states.append(states[-1].play(players[states[-1].to_move].choose(states[-1]).move))
        started = time.perf_counter()
        moves -= sum(1 for _ in review(states))
        spent += time.perf_counter() - started
    assert spent < 20 * slowness()
