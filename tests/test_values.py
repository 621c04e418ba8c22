"""Values do not change: types passed between parts are frozen, with plain defaults."""

from __future__ import annotations

import dataclasses

import pytest

import honte
from honte.arena.schedule import Clock, Plan, Task
from honte.arena.store import Engine, Head
from honte.core.report import Report
from honte.core.request import GameClock, Limit, Request
from honte.core.spec import Option

VALUES = (Option, Limit, GameClock, Request, Report, Clock, Plan, Task, Engine, Head)


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_a_value_is_frozen(kind: type) -> None:
    assert dataclasses.is_dataclass(kind)
    value = object.__new__(kind)
    for field in dataclasses.fields(kind):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, field.name, None)


def test_a_request_asks_for_the_best_move_alone() -> None:
    request = Request(honte.game("connect4").start())
    assert (request.lines, request.all_moves) == (1, False)
    assert (request.limit, request.clock, request.history, request.on_progress) == (None,) * 4


def test_requests_are_equal_whoever_waits_for_the_answer() -> None:
    state = honte.game("connect4").start()
    assert Request(state) == Request(state, on_progress=print)
    assert Request(state).cancel is not Request(state).cancel
    assert Request(state) != Request(state, lines=2)
