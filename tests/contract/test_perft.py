"""Perft: the native count and the plain one agree, for user-defined games too."""

from __future__ import annotations

from typing import Any

import pytest

import honte
from honte.games import perft
from tests.contract.nim import Nim
from tests.pictures import after, refusal


def count_plainly(state: Any, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(count_plainly(state.play(move), depth - 1) for move in state.legal_moves())


@pytest.mark.parametrize(
    ("spec", "depth"),
    [
        ("connect4:rows=4,cols=4,inarow=3,blocked=3/1", 6),
        ("connect4:rows=4,cols=5,inarow=2", 6),
        ("go:size=2,suicide=yes,ko=simple", 5),
        ("go:size=3,ko=situational", 3),
    ],
)
def test_the_native_count_is_the_plain_one(spec: str, depth: int) -> None:
    state: Any = honte.game(spec).start()
    expected = [count_plainly(state, ply) for ply in range(depth + 1)]
    assert [perft.perft(state, ply) for ply in range(depth + 1)] == expected
    assert [state.perft(ply) for ply in range(depth + 1)] == expected


def test_a_game_in_plain_python_is_counted_too() -> None:
    state = Nim(heaps="232").start()
    assert [perft.perft(state, ply) for ply in range(9)] == [
        count_plainly(state, ply) for ply in range(9)
    ]


def test_counting_in_many_small_steps_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    state = after("othello", "c4c3f5b4a4a5c2")  # one ply before a pass
    counted: list[int] = []
    at_once = [perft.perft(state, 5), perft.perft(state, 5, pass_free=True)]
    monkeypatch.setattr(perft, "BATCH", 0)
    step_by_step = [
        perft.perft(state, 5, on_progress=counted.append),
        perft.perft(state, 5, pass_free=True),
    ]
    assert at_once == step_by_step
    assert at_once[0] != at_once[1]
    assert sum(counted) == at_once[0]


def test_a_depth_below_nothing_is_refused() -> None:
    state = honte.game("connect4").start()
    sentence = "a depth of -1 cannot be counted; give 0 or more"
    assert refusal(lambda: perft.perft(state, -1)) == sentence
