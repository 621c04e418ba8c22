"""Why a move is better: sentences that can be translated, about cells that are on the board."""

from __future__ import annotations

import random

import pytest

import honte
from honte.core.contract import State, cells_of
from honte.core.descriptor import load
from tests.pictures import after

SPECS = ["connect4", "connect4:course,seed=3", "othello", "othello:size=6", "go:size=5"]


def positions(spec: str, games: int = 12) -> list[State]:
    chance = random.Random(spec)
    found = []
    for _ in range(games):
        state = honte.game(spec).start()
        for _ in range(60):
            if state.is_over:
                break
            found.append(state)
            state = state.play(chance.choice(state.legal_moves()))
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_every_sentence_is_known_in_chinese_and_points_at_the_board(spec: str) -> None:
    chance = random.Random(1)
    seen = set()
    for state in positions(spec, games=5 if "course" in spec else 12):
        game = state.game
        legal = state.legal_moves()
        if len(legal) < 2:
            continue
        move, best = chance.sample(legal, 2)
        board = cells_of(state)
        assert board is not None
        for reason in load(game.descriptor.explain or "")(state, move, best):
            seen.add(reason.text)
            assert reason.text in game.descriptor.words["zh"]
            chinese = game.descriptor.words["zh"][reason.text].format(**reason.gaps)
            assert "{" not in chinese + reason.words
            assert all(0 <= cell < len(board) for cell in reason.cells)
    assert seen


def test_zugzwang_decides_nothing_on_a_cell_that_the_opponent_fills() -> None:
    """4/1 is playable at once; two cells below 5/3 are empty."""
    reasons = load("honte.games.connect4.explain:reasons")
    state = after("connect4", "1727")
    assert [reason.words for reason in reasons(state, 6, 2)] == [
        "3 makes a threat on 4/1, 7 does not."
    ]
    assert [reason.words for reason in reasons(after("connect4", "466474"), 6, 3)] == [
        "4 makes a threat on 5/3: an odd row, where zugzwang favours the first player."
    ]


@pytest.mark.parametrize("size", [4, 6, 8])
def test_a_corner_is_a_corner_on_every_size(size: int) -> None:
    corners = {f"{column}{row}" for column in ("a", "abcdefgh"[size - 1]) for row in (1, size)}
    taken = 0
    for state in positions(f"othello:size={size}", games=40):
        legal = state.legal_moves()
        for best in legal:
            for reason in load("honte.games.othello.explain:reasons")(state, legal[0], best):
                if "corner {best}" in reason.text:
                    taken += 1
                    assert reason.gaps["best"] in corners
                    row, col = divmod(reason.cells[0], size)
                    assert f"{'abcdefgh'[col]}{row + 1}" == reason.gaps["best"]
    assert taken
