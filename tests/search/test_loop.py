"""The loop under all engines: how a search in a native thread ends."""

from __future__ import annotations

import pytest

import honte
from honte.games.othello.patterns import Patterns
from honte.search.loop import LAST, Loop


class Stuck:
    """A native search that has no core to notice its deadline."""

    def __init__(self) -> None:
        self.halts = 0
        self.slices: list[float] = []

    def work(self, seconds: float) -> str | None:
        self.slices.append(seconds)
        return None

    def halt(self) -> None:
        self.halts += 1


def test_a_thread_that_ends_itself_is_not_waited_for_at_the_deadline() -> None:
    search = Stuck()
    loop = Loop[str](seconds=0.02)
    assert loop.run(search.work, str, search.halt, ends_itself=True) == "time"
    assert search.halts == 0
    assert search.slices[-1] == LAST, "a moment, so that it can count its nodes"


def test_it_is_halted_when_it_is_cancelled_before_that() -> None:
    token, search = honte.CancelToken(), Stuck()
    token.cancel()
    assert Loop[str](60, token).run(search.work, str, search.halt, ends_itself=True) == "cancelled"
    assert search.halts == 1


def test_another_thread_is_halted_at_the_deadline() -> None:
    search = Stuck()
    assert Loop[str](seconds=0.02).run(search.work, str, search.halt) == "time"
    assert search.halts == 1


class Watched:
    """A native engine that counts calls of stop() instead of forwarding them."""

    def __init__(self, native: object) -> None:
        self.native, self.stops = native, 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.native, name)

    def stop(self) -> None:
        self.stops += 1


def test_an_engine_answers_without_waiting_for_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    game = honte.game("othello")
    search = Patterns(game, book=False)
    watched = Watched(search._native)
    monkeypatch.setattr(search, "_native", watched)
    state = game.start()
    for _ in range(6):
        report = search.run(honte.Request(state, limit=honte.Limit(seconds=0.03)))
        assert report.move in state.legal_moves()
        assert report.stopped == "time"
        state = state.play(report.move)
    assert watched.stops == 0
