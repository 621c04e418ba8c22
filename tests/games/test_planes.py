"""What learners see of a position: planes, legal moves, and the images under symmetries."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import honte
from honte import _native
from tests.oracle.othello import Position
from tests.pictures import rows

SPECS = (
    "connect4", "connect4:rows=5,cols=8,blocked=2/1+0/6", "connect4:rows=8,cols=4,inarow=3",
    "othello", "othello:size=6", "othello:size=4",
    "go:size=2,ko=simple,suicide=yes", "go:size=5,komi=0.5", "go:size=3,ko=situational,suicide=yes",
    "go:size=9", "go:size=13,handicap=3",
)  # fmt: skip


def positions(spec: str, plies: int = 60, games: int = 2) -> Iterator[Any]:
    """The positions of random games, with the moves that led there."""
    game: Any = honte.game(spec)
    draw = random.Random(spec)
    for _ in range(games):
        state, moves = game.start(), list[int]()
        yield state, moves
        while not state.is_over and len(moves) < plies:
            moves = [*moves, draw.choice(state.legal_moves())]
            state = state.play(moves[-1])
            yield state, moves


@pytest.mark.parametrize("spec", SPECS)
def test_planes_lie_as_the_cells_do(spec: str) -> None:
    game: Any = honte.game(spec)
    names = game.planes
    for state, _ in positions(spec):
        planes = state.planes()
        assert planes.shape == (len(names), *game.shape())
        assert planes.dtype == np.uint8
        assert planes.flags.c_contiguous
        assert planes.max() <= 1
        cells = np.frombuffer(state.cells(), np.uint8).reshape(game.shape())
        by_name = dict(zip(names, planes, strict=True))
        assert by_name["board"].all()
        np.testing.assert_array_equal(by_name["own"], cells == state.to_move + 1)
        np.testing.assert_array_equal(by_name["other"], cells == 2 - state.to_move)


@pytest.mark.parametrize("spec", SPECS)
def test_an_action_is_a_move(spec: str) -> None:
    game: Any = honte.game(spec)
    for state, _ in positions(spec):
        mask = state.legal_mask()
        assert mask.shape == (game.actions,)
        assert mask.dtype == np.bool_
        assert np.flatnonzero(mask).tolist() == state.legal_moves()


def test_the_actions_of_each_board() -> None:
    specs = ("connect4", "connect4:rows=4,cols=16", "othello", "othello:size=4", "go", "go:size=19")
    actions = [honte.game(spec).actions for spec in specs]  # type: ignore[attr-defined]
    assert actions == [7, 16, 65, 65, 82, 362]


def test_networks_read_the_same_planes() -> None:
    for state, _ in positions("connect4:rows=5,cols=8,blocked=2/1+0/6"):
        columns = np.frombuffer(_native.connect4_planes(state), np.uint8).reshape(8, 5, -1)
        np.testing.assert_array_equal(state.planes(), columns[:, ::-1].transpose(2, 1, 0))
    for state, _ in positions("go:size=5"):
        points = np.frombuffer(_native.go_planes(state), np.uint8).reshape(5, 5, -1)
        np.testing.assert_array_equal(state.planes(), points.transpose(2, 0, 1))


def test_threats_complete_a_line_of_any_length() -> None:
    game: Any = honte.game("connect4:rows=4,cols=5,inarow=3")
    state = game.from_text("...../...../...../XX.OO X")
    planes = dict(zip(game.planes, state.planes(), strict=True))
    assert planes["own_threats"].tolist() == [[0] * 5] * 3 + [[0, 0, 1, 0, 0]]
    assert planes["other_threats"].tolist() == planes["own_threats"].tolist()


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_planes_of_othello_are_those_of_the_oracle(size: int) -> None:
    spec = f"othello:size={size}"
    game: Any = honte.game(spec)
    position = Position(size)
    for state, moves in positions(spec):
        position = position.play(moves[-1]) if moves else Position(size)
        planes = dict(zip(game.planes, state.planes(), strict=True))
        for plane, player in (("legal", state.to_move), ("other_legal", 1 - state.to_move)):
            squares = [8 * row + col for row, col in np.argwhere(planes[plane]).tolist()]
            assert squares == position.placements(player)
        assert (planes["odd_empty"] == state.cells().count(0) % 2).all()


def test_a_plane_of_othello_as_a_picture() -> None:
    game: Any = honte.game("othello:size=6")
    planes = dict(zip(game.planes, game.start().play(game.parse("c2")).planes(), strict=True))
    expected = """
        . . . . . .
        . x . x . .
        . . . . . .
        . x . . . .
        . . . . . .
        . . . . . .
    """
    assert ["".join(".x"[cell] for cell in row) for row in planes["legal"]] == rows(expected)


def facts(state: Any) -> tuple[object, ...]:
    return state.to_move, state.is_over, state.winner, state.score


@pytest.mark.parametrize("spec", SPECS)
def test_an_image_plays_on_as_the_position_does(spec: str) -> None:
    for state, _ in list(positions(spec, plies=40, games=1))[::3]:
        images = state.symmetries()
        assert len(images) == (2 if state.game.name == "connect4" else 8)
        assert images[0].state == state
        move = random.Random(state.to_text()).choice(state.legal_moves() or [None])
        after = state if move is None else state.play(move)
        for symmetry, (image, actions), (later, _) in zip(
            state.game.symmetries(), images, after.symmetries(), strict=True
        ):
            assert facts(image) == facts(state)
            assert sorted(image.legal_moves()) == sorted(actions[state.legal_moves()].tolist())
            np.testing.assert_array_equal(symmetry.planes(state.planes()), image.planes())
            np.testing.assert_array_equal(symmetry.policy(state.legal_mask()), image.legal_mask())
            if move is not None:
                played = image.play(int(actions[move]))
                assert played.to_text().split(" ko=")[0] == later.to_text().split(" ko=")[0]
                assert played.last_move == later.last_move


@pytest.mark.parametrize("spec", ["connect4", "othello:size=6", "go:size=4,ko=situational"])
def test_a_game_of_images_is_the_image_of_the_game(spec: str) -> None:
    game: Any = honte.game(spec)
    starts = [image.state for image in game.start().symmetries()]
    for state, moves in positions(spec):
        for start, (image, actions) in zip(starts, state.symmetries(), strict=True):
            played = start
            for move in moves:
                played = played.play(int(actions[move]))
            assert played == image


def test_a_board_that_is_not_even_mirrors_into_another_game() -> None:
    game: Any = honte.game("connect4:rows=4,cols=5,blocked=3/0")
    image, _ = game.from_text("...../...../O..../#X... X").symmetries()[1]
    assert image.game.spec == "connect4:rows=4,cols=5,blocked=3/4"
    assert image.to_text() == "...../...../....O/...X# X"
    even: Any = honte.game("connect4:rows=4,cols=5,blocked=3/2")
    assert even.start().symmetries()[1].state.game is even


def test_symmetries_turn_batches_of_arrays() -> None:
    game: Any = honte.game("go:size=5")
    some = [state for state, _ in positions("go:size=5")][:6]
    planes, masks = np.stack([s.planes() for s in some]), np.stack([s.legal_mask() for s in some])
    for i, symmetry in enumerate(game.symmetries()):
        images = [state.symmetries()[i].state for state in some]
        turned = symmetry.planes(planes.reshape(2, 3, *planes.shape[1:]))
        assert (turned.reshape(planes.shape) == np.stack([im.planes() for im in images])).all()
        assert (symmetry.policy(masks) == np.stack([im.legal_mask() for im in images])).all()
