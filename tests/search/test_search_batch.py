"""Many games in lockstep: each is searched as if on its own."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import honte
from honte.search import Batch, SearchBatch, Uct
from tests.search.test_evaluator import random_opinion, uniform, visits


@pytest.mark.parametrize("spec", ["connect4", "othello:size=6", "go:size=5"])
@pytest.mark.parametrize(
    "settings",
    [
        {"noise": 0.25, "move_temperature": 1.0},
        {"root": "gumbel"},
        {"batch": 1, "forced": False, "solver": False},
    ],
)
def test_a_batch_is_as_many_searches_of_one_game(spec: str, settings: dict[str, Any]) -> None:
    game = honte.game(spec)
    batch = SearchBatch(game, 5, evaluator=random_opinion, seed=11, **settings)
    alone = [Uct(game, evaluator=random_opinion, seed=11 + i, **settings) for i in range(5)]
    for _ in range(6):
        positions = batch.positions
        found = batch.run(40)
        for i, (uct, state) in enumerate(zip(alone, positions, strict=True)):
            report = uct.search(state, honte.Limit(iterations=40))
            assert report.move == found.moves[i]
            assert {m: n for m, n in enumerate(found.visits[i].tolist()) if n} == {
                m: n for m, n in visits(report).items() if n
            }
        over, _ = batch.advance(found.moves)
        if over.any():
            break


def test_one_call_serves_all_games() -> None:
    sizes = []

    def counted(batch: Batch) -> tuple[Any, Any]:
        sizes.append(len(batch))
        return uniform(batch)

    SearchBatch("connect4", 32, evaluator=counted, batch=4).run(20)
    assert sizes[0] == 32  # the roots
    assert max(sizes) == 32 * 4
    assert len(sizes) <= 12


def test_policies_values_and_visits_belong_together() -> None:
    search = SearchBatch("connect4", 8, evaluator=random_opinion, seed=4)
    found = search.run(60)
    assert found.policy.shape == found.visits.shape == (8, 7)
    assert found.policy.dtype == np.float32
    assert (found.visits.sum(1) == 60).all()
    assert found.policy == pytest.approx(found.visits / 60)
    assert (abs(found.values) <= 1).all()
    assert (found.moves == found.visits.argmax(1)).all()
    assert (search.run(10).visits.sum(1) == 70).all()  # of the same positions, in the same trees


def test_games_go_on_with_their_subtrees_and_begin_anew() -> None:
    game = honte.game("connect4:rows=4,cols=4")
    search = SearchBatch(game, 16, evaluator=uniform, noise=0.25, move_temperature=1, seed=2)
    states = search.positions
    ended = 0
    for _ in range(40):
        found = search.run(12)
        legal = [state.legal_moves() for state in states]
        assert all(int(move) in moves for move, moves in zip(found.moves, legal, strict=True))
        over, outcomes = search.advance(found.moves)
        states = [state.play(int(m)) for state, m in zip(states, found.moves, strict=True)]
        for i, state in enumerate(states):
            assert bool(over[i]) == state.is_over
            winner = {1: 0, -1: 1, 0: None}[int(outcomes[i])]
            assert winner == state.winner
            if state.is_over:
                ended += 1
                states[i] = game.start()
        assert search.positions == states
        assert search.to_move.tolist() == [state.to_move for state in states]
    assert ended > 16


def test_reuse_can_be_turned_off() -> None:
    for reuse in (True, False):
        search = SearchBatch("connect4", 4, evaluator=uniform, reuse=reuse, seed=1)
        search.advance(search.run(100).moves)
        assert (search.run(10).visits.sum(1) > 10).all() == reuse


def test_a_proven_position_has_its_best_move_for_a_target() -> None:
    search = SearchBatch("connect4", 2, evaluator=uniform)
    for move in (0, 1, 0, 1, 0, 1):
        search.advance([move, move])
    found = search.run(50)
    assert found.moves.tolist() == [0, 0]
    assert found.policy.tolist() == [[1, 0, 0, 0, 0, 0, 0]] * 2
    assert found.values.tolist() == [1, 1]


def test_planes_are_what_the_evaluator_saw() -> None:
    seen = []

    def look(batch: Batch) -> tuple[Any, Any]:
        seen.append(batch.planes.copy())
        return uniform(batch)

    search = SearchBatch("connect4", 3, evaluator=look)
    planes = search.planes
    assert search.legal.tolist() == [[True] * 7] * 3
    search.run(5)
    assert (planes == seen[0]).all()


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="a batch has 1 to 16,384 games, not 0"):
        SearchBatch("connect4", 0, evaluator=uniform)
    search = SearchBatch("connect4", 3, evaluator=uniform)
    with pytest.raises(ValueError, match="iterations must be positive, not 0"):
        search.run(0)
    for moves in ([1, 2], [[1, 2, 3]], [0.5, 1.0, 2.0], ["a", "b", "c"]):
        with pytest.raises(ValueError, match="one move for each of the 3 games"):
            search.advance(moves)
    for _ in range(6):
        search.advance([0, 1, 1])
    before = search.positions
    with pytest.raises(honte.IllegalMove):
        search.advance([2, 2, 1])
    assert search.positions == before
    with pytest.raises(ValueError, match="uct: evaluator: there is no module 'nowhere'"):
        SearchBatch("connect4", 3, evaluator="nowhere:f")


def test_more_games_than_the_memory_holds_are_refused() -> None:
    with pytest.raises(ValueError, match="memory_mb is too small for the root of this game"):
        SearchBatch("connect4", 16_384, evaluator=uniform, memory_mb=1)


def test_an_evaluator_that_raises_leaves_the_trees_whole() -> None:
    calls = []

    def broken(batch: Batch) -> tuple[Any, Any]:
        calls.append(1)
        if len(calls) == 4:
            raise RuntimeError("later")
        return random_opinion(batch)

    search = SearchBatch("connect4", 6, evaluator=broken, seed=1)
    with pytest.raises(ValueError, match="later"):
        search.run(100)
    found = search.run(50)
    assert (found.visits.sum(1) >= 50).all()
    search.advance(found.moves)
    search.run(20)


def test_two_threads_cannot_share_a_batch() -> None:
    inside, leave = threading.Event(), threading.Event()

    def slow(batch: Batch) -> tuple[Any, Any]:
        inside.set()
        leave.wait()
        return uniform(batch)

    search = SearchBatch("connect4", 2, evaluator=slow)
    other = threading.Thread(target=search.run, args=(5,))
    other.start()
    inside.wait()
    with pytest.raises(ValueError, match="this search is running"):
        search.advance([0, 0])
    leave.set()
    other.join()
