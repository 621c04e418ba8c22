"""What networks see of a position of Go is what the oracle sees."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pytest

import honte
from honte import _native
from tests.oracle import go as rules
from tests.oracle import go_planes
from tests.pictures import after

PLANES = tuple(_native.GO_PLANES)


def planes_of(state: Any) -> Any:
    size = state.game.size
    flat = np.frombuffer(_native.go_planes(state), np.uint8)
    return flat.reshape(size, size, len(PLANES))


@pytest.mark.parametrize(
    "spec",
    ["go:size=5,komi=0.5", "go:size=3,komi=6", "go:size=9,komi=-3", "go:size=5,komi=7,ko=simple",
     "go:size=4,komi=10.5,ko=situational,suicide=yes"],
)  # fmt: skip
def test_the_planes_are_those_of_the_oracle(spec: str) -> None:
    game: Any = honte.game(spec)
    draw = random.Random(spec)
    assert go_planes.PLANES == PLANES
    seen = np.zeros(len(PLANES), bool)
    for _ in range(8 if game.size < 9 else 3):
        state = game.start()
        position = rules.Position(game.size, game.komi, game.ko, game.suicide)
        moves: list[int] = []
        for _ in range(60):
            expected = go_planes.observe(position, moves)
            found = planes_of(state).reshape(expected.shape)
            np.testing.assert_array_equal(found, expected, f"{state}\n{moves}")
            seen |= found.any(0)
            stones = position.legal_moves()[:-1]
            move = draw.choice(stones) if stones and draw.random() < 0.95 else game.pass_move
            state, position = state.play(move), position.play(move)
            moves.append(move)
            if state.is_over:
                break
    assert seen[: PLANES.index("last_pass") + 1].all()


def test_a_pickled_state_looks_the_same() -> None:
    state = after("go:size=9", "E5 C3 G7 pass")
    again = pickle.loads(pickle.dumps(state))
    assert (planes_of(again) == planes_of(state)).all()
    assert again.second_last_move == state.game.parse("G7")
    assert honte.game("go").start().second_last_move is None  # type: ignore[attr-defined]
