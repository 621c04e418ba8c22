"""Limits of time are kept and cancelled searches end: in processor time, whatever the load."""

from __future__ import annotations

import threading
import time

import pytest

import honte

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
        nonlocal cancelled
        cancelled = time.process_time()
        token.cancel()

    timer = threading.Timer(0.2, cancel)
    timer.start()
    request = honte.Request(game.start(), limit=honte.Limit(seconds=60), cancel=token)
    report = engine.choose(request)
    ended = time.process_time()
    timer.join()
    assert report.move in game.start().legal_moves()
    assert ended - cancelled < 0.1
