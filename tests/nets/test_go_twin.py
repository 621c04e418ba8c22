"""Go's rules in JAX against the native ones, on random boards and random moves.

HONTE_PLIES=1000000 sets the total number of plies.
"""

from __future__ import annotations

import os

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from honte.games.go import planes
from honte.games.go.game import Go
from honte.games.go.jax_rules import GoArrays, Position
from honte.nets import games

PLIES = int(os.environ.get("HONTE_PLIES", "6000"))
BATCH = 64


def on_canvas(cells: bytes, size: int, canvas: int) -> list[int]:
    """The cells of a native board on the canvas; 3 off the board."""
    board = np.full((canvas, canvas), 3, np.uint8)
    board[:size, :size] = np.frombuffer(cells, np.uint8).reshape(size, size)
    return board.ravel().tolist()


def action_of(move: int, size: int, canvas: int) -> int:
    if move == size * size:
        return canvas * canvas
    row, col = divmod(move, size)
    return row * canvas + col


@pytest.mark.parametrize(
    ("canvas", "least"), [(5, 2), (9, 5), pytest.param(19, 13, marks=pytest.mark.long)]
)
def test_random_games_go_alike_in_jax_and_in_the_native_rules(canvas: int, least: int) -> None:
    """Small boards are full of repetitions."""
    arrays = GoArrays({"canvas": str(canvas)})
    random = np.random.default_rng(canvas)
    play, read_all = jax.jit(arrays.play_unchecked), jax.jit(arrays.read)
    observe = jax.jit(lambda position: arrays.observe(arrays.sample(position), None))
    plies = repetitions = 0
    while plies < PLIES // 2:
        sizes = random.integers(least, canvas + 1, BATCH)
        half_points = random.integers(-24, 40, BATCH)
        position = arrays.start(jnp.asarray(sizes), jnp.asarray(half_points))
        goes = [
            Go(size=int(n), komi=float(komi) / 2)
            for n, komi in zip(sizes, half_points, strict=True)
        ]
        states, moves = [go.start() for go in goes], [list[int]() for _ in goes]
        over = np.zeros(BATCH, bool)
        while not over.all():
            read, p = jax.device_get((read_all(position), position))
            seen = np.asarray(observe(position)) if plies % 5 == 0 else None
            actions = np.zeros(BATCH, np.int32)
            for i in np.flatnonzero(~over):
                state, size = states[i], int(sizes[i])
                assert p.stones[i].tolist() == on_canvas(state.cells(), size, canvas)
                assert bool(p.white[i]) == bool(state.to_move)
                sign = -1 if state.to_move else 1
                assert read.lead[i] == sign * state.score
                long = len(moves[i]) >= 2 * size * size
                assert bool(read.over[i]) == (state.is_over or long)
                if read.over[i]:
                    assert read.value[i] == np.sign(sign * state.score)
                    over[i] = True
                    continue
                legal = state.legal_moves()
                expected = [action_of(move, size, canvas) for move in legal[:-1]]
                assert np.flatnonzero(p.legal[i]).tolist() == expected, state.to_text()
                assert not (read.candidates[i][:-1] & ~p.legal[i]).any()
                assert read.candidates[i][-1]
                repetitions += len(state.forbidden())
                if seen is not None:
                    here = planes.observe(state, moves[i], canvas)
                    np.testing.assert_array_equal(seen[i], here)
                often = random.random() < 0.03
                move = legal[-1] if often or len(legal) == 1 else int(random.choice(legal[:-1]))
                actions[i] = action_of(move, size, canvas)
                moves[i].append(move)
                states[i] = state.play(move)
                plies += 1
            position = play(position, jnp.asarray(actions))
    assert repetitions > plies / 1000


def position_of(arrays: GoArrays, moves: str) -> Position:
    """A position on the whole canvas after moves like ``A1 B2``, beginning with Black's."""
    go = Go(size=arrays.canvas)
    position = arrays.start(jnp.asarray([go.size]), jnp.asarray([2 * go.komi]))
    for word in moves.split():
        position = arrays.play_unchecked(position, jnp.asarray([go.parse(word)]))
    return position


def test_a_search_tree_forbids_what_the_game_has_seen() -> None:
    """A node carries no history of its own: the root's is used instead."""
    arrays = GoArrays({"canvas": "5"})
    go = Go(size=5)
    ko = position_of(arrays, "B3 C3 A2 D2 B1 C1 C2")
    node, shared = arrays.split(ko)
    assert node.history is None
    onward, sign = arrays.advance(arrays.join(node, shared), jnp.asarray([go.parse("B2")]))
    assert float(sign[0]) == -1
    assert int(onward.stones[0, go.parse("C2")]) == 0, "White takes the ko"
    assert not onward.legal[0, go.parse("C2")], "and Black may not take it back"
    away, _ = arrays.advance(onward, jnp.asarray([go.parse("E5")]))
    away, _ = arrays.advance(away, jnp.asarray([go.parse("E1")]))
    assert away.legal[0, go.parse("C2")]


def test_own_eyes_are_legal_but_no_candidates() -> None:
    arrays = GoArrays({"canvas": "5"})
    position = position_of(arrays, "A2 E5 B1 E4 B2 E3")
    corner = Go(size=5).parse("A1")
    assert position.legal[0, corner]
    assert not arrays.candidates(position)[0, corner]
    false_eye = position_of(arrays, "A2 B2 B1 E4")
    assert arrays.candidates(false_eye)[0, corner], "White holds the diagonal"


def test_symmetries_turn_all_of_a_sample() -> None:
    arrays = GoArrays({"canvas": "7"})
    position = arrays.openings(jax.random.key(4), 8, most_plies=30)
    seen = np.asarray(arrays.observe(position, None))
    each = jnp.arange(8)
    turned = np.asarray(arrays.observe(arrays.transform(arrays.sample(position), each), None))
    moves = jnp.tile(jnp.arange(50), (8, 1))
    wherefrom = np.asarray(arrays.transform_moves(moves, each))
    assert (wherefrom[:, -1] == 49).all()
    for i in range(8):
        expected = np.rot90(seen[i], i // 2)
        expected = expected.transpose(1, 0, 2) if i % 2 else expected
        np.testing.assert_array_equal(turned[i], expected)
        flat = seen[i].reshape(49, -1)[wherefrom[i, :-1]]
        np.testing.assert_array_equal(flat, turned[i].reshape(49, -1))
    assert len({tuple(row) for row in wherefrom.tolist()}) == 8


def test_openings_differ_in_size_komi_and_length() -> None:
    arrays = games.find("go:canvas=9")
    position = jax.device_get(arrays.openings(jax.random.key(2), 400))
    sizes = np.sqrt((position.stones != 3).sum(-1))
    assert set(sizes.tolist()) == {7.0, 8.0, 9.0}
    assert (sizes == 9).mean() > 0.8
    assert 6 < position.komi[sizes == 9].mean() / 2 < 8
    assert set((position.komi % 2).tolist()) == {0, 1}
    assert set(position.plies.tolist()) == set(range(7))


@pytest.mark.parametrize("spec", ["size=3", "size=x", "rows=7", "size=9,canvas=7"])
def test_an_option_that_does_not_fit_is_refused(spec: str) -> None:
    with pytest.raises(ValueError, match=r"size|rows|canvas"):
        games.find(f"go:{spec}")


def test_positions_to_calibrate_with_are_of_all_sizes() -> None:
    positions = planes.random_positions(np.random.default_rng(3), 30)
    assert positions.shape == (30, 9, 9, len(planes.PLANES))
    assert set(positions[..., 0].sum((1, 2)).tolist()) == {49, 64, 81}
    assert positions[..., 3:6].any((0, 1, 2)).all()
