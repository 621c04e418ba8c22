"""Connect Four's rules in JAX against the native ones, on random boards and random moves.

HONTE_PLIES=1000000 sets the total number of plies.
"""

from __future__ import annotations

import os

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import honte
from honte.games.connect4 import jax_rules, planes
from honte.games.connect4.game import ConnectFour
from honte.games.connect4.jax_rules import ConnectFourArrays, Position

PLIES = int(os.environ.get("HONTE_PLIES", "100000"))
BATCH = 256


def native_board(position: Position, game: int) -> honte.State:
    """The start of one game of the batch, in the native rules."""
    inside, playable = (np.asarray(words)[game] for words in (position.inside, position.playable))
    rows, cols = int(inside[0]).bit_length(), int((inside != 0).sum())
    blocked = [
        (rows - 1 - row, col)
        for col in range(cols)
        for row in range(rows)
        if not int(playable[col]) >> row & 1
    ]
    return ConnectFour(rows=rows, cols=cols, blocked=blocked).start()


def words(state: honte.State, width: int) -> tuple[list[int], list[int]]:
    """The stones of the side to move and of the opponent, one word per column."""
    game, cells = state.game, state.cells()  # type: ignore[attr-defined]
    sides = [[0] * width, [0] * width]
    for index, cell in enumerate(cells):
        if cell in (1, 2):
            row, col = divmod(index, game.cols)  # type: ignore[attr-defined]
            sides[cell - 1][col] |= 1 << (game.rows - 1 - row)  # type: ignore[attr-defined]
    own = state.to_move
    return sides[own], sides[1 - own]


def wins_in_one(state: honte.State) -> list[int]:
    mover = state.to_move
    return [move for move in state.legal_moves() if state.play(move).winner == mover]


def facts(position: Position) -> tuple[jax.Array, jax.Array, jax_rules.Tactics]:
    return (
        jax_rules.landing(position),
        jax_rules.has_four(position.other),
        jax_rules.tactics(position),
    )


@pytest.mark.parametrize("canvas", [12, 16])
def test_random_games_go_alike_in_jax_and_in_the_native_rules(canvas: int) -> None:
    game = ConnectFourArrays({"canvas": str(canvas)})
    random = np.random.default_rng(canvas)
    play, read_all = jax.jit(jax_rules.play_unchecked), jax.jit(facts)
    plies = 0
    while plies < PLIES // 2:
        key = jax.random.key(int(random.integers(1 << 30)))
        position = game.empty_boards(key, BATCH)
        states = [native_board(position, i) for i in range(BATCH)]
        over = np.zeros(BATCH, bool)
        while not over.all():
            landing, four, read = jax.device_get(read_all(position))
            own, other = np.asarray(position.own), np.asarray(position.other)
            columns = np.zeros(BATCH, np.int32)
            for i in np.flatnonzero(~over):
                state = states[i]
                assert (own[i].tolist(), other[i].tolist()) == words(state, canvas)
                if state.winner is not None:
                    assert four[i]
                    assert state.winner != state.to_move
                assert bool(four[i]) == (state.winner is not None)
                if state.is_over:
                    assert four[i] or not landing[i].any()
                    over[i] = True
                    continue
                legal = state.legal_moves()
                assert np.flatnonzero(landing[i]).tolist() == legal
                columns[i] = random.choice(legal)
                if plies % 8 == 0:
                    check_tactics(state, read, int(i))
                plies += 1
                states[i] = state.play(int(columns[i]))
            position = play(position, jnp.asarray(columns))


def check_tactics(state: honte.State, read: jax_rules.Tactics, i: int) -> None:
    """The candidates and verdicts of two plies, computed with the native rules."""
    wins = wins_in_one(state)
    assert (float(read.value[i]) == 1) == bool(wins)
    if wins:
        assert read.over[i]
        return
    after = {move: state.play(move) for move in state.legal_moves()}
    holds = [m for m, next_ in after.items() if next_.is_over or not wins_in_one(next_)]
    candidates = np.flatnonzero(read.candidates[i]).tolist()
    assert candidates == holds or (read.over[i] and not holds)
    assert bool(read.over[i]) == (not holds)
    assert float(read.value[i]) == (0 if holds else -1)


def test_a_single_candidate_is_played_on() -> None:
    game = ConnectFourArrays({"rows": "6", "cols": "7"})
    position = game.empty_boards(jax.random.key(0), 1)
    for column in (3, 0, 4, 0):  # x holds d1 and e1: either end next to them must be answered
        position = jax_rules.play_unchecked(position, jnp.asarray([column]))
    onward, sign = game.advance(position, jnp.asarray([2]))
    assert bool(game.read(onward).over[0]), "an open three is two threats"
    assert float(sign[0]) * float(game.read(onward).value[0]) == 1


def test_planes_of_a_position() -> None:
    game = ConnectFourArrays({"rows": "4", "cols": "5"})
    position = game.empty_boards(jax.random.key(0), 1)
    position = jax_rules.play_unchecked(position, jnp.asarray([2]))
    planes = np.asarray(game.observe(position, game.read(position)))[0]
    assert planes.shape == (5, 5, game.planes)
    assert planes[..., 0].sum() == 20
    assert planes[..., 3].sum() == planes[2, 0, 3] == 1
    assert planes[..., 4].sum(1).tolist() == [1] * 5
    assert planes[..., 7].sum() == 10, "every second cell of a column is odd"


@pytest.mark.parametrize("spec", ["rows=3", "rows=x", "size=7", "rows=9,canvas=8"])
def test_an_option_that_does_not_fit_is_refused(spec: str) -> None:
    from honte.nets.games import find

    with pytest.raises(ValueError, match=r"rows|size|canvas"):
        find(f"connect4:{spec}")


def test_planes_in_numpy_are_those_in_jax() -> None:
    game = ConnectFourArrays({})
    position = game.openings(jax.random.key(9), 64, most_plies=30)
    bits = [(np.asarray(words)[..., None] >> np.arange(game.canvas)) & 1 == 1 for words in position]
    expected = game.observe(position, game.read(position))
    np.testing.assert_array_equal(planes.observe(*bits), expected)
