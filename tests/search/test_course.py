"""The course engine: when the solver takes over, and the moves it plays."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

import honte
from honte.core.contract import State
from honte.games.connect4.course import PROVABLE, Course
from honte.search.solver import Solved, SolvedMove, Solver, empties, solver_of

GAME = honte.game("connect4:rows=9,cols=10,blocked=3/4")


def late_state(seed: int, free: int) -> State:
    rng = random.Random(seed)
    while True:
        state: State = GAME.start()
        while empties(state) > free:
            quiet = [after for after in map(state.play, state.legal_moves()) if not after.is_over]
            if not quiet:
                break
            state = rng.choice(quiet)
        else:
            return state


def test_from_a_won_rest_it_plays_moves_that_win() -> None:
    solver = solver_of(GAME, memory_mb=16)
    checked = 0
    for seed in range(7):
        state = late_state(seed, 32)
        report = Course(GAME, memory_mb=32).search(state, honte.Limit(seconds=20))
        solved = solver.solve(state, all_moves=True)
        assert report.proven == solved.outcome
        value = next(move.low for move in solved.moves if move.move == report.move)
        assert (value > 0) - (value < 0) == (solved.low > 0) - (solved.low < 0)
        checked += solved.low >= 0
    assert checked > 2


def test_a_lost_rest_is_still_played_by_uct() -> None:
    solver = solver_of(GAME, memory_mb=16)
    for seed in range(100):
        state = late_state(seed, 40)
        if solver.solve(state, wld=True).outcome == "loss" and len(state.legal_moves()) > 4:
            break
    report = Course(GAME, memory_mb=32).search(state, honte.Limit(iterations=200_000))
    assert (report.proven, report.value) == ("loss", -1)
    assert report.move in state.legal_moves()


def test_before_a_proof_is_within_reach_there_is_none_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries: list[int] = []

    def fails(self: Solver, state: State, **asked: object) -> Solved:
        tries.append(empties(state))
        moves = [SolvedMove(move, -1, 1) for move in state.legal_moves()]
        return Solved(-1, 1, moves, [], 0, 0.0, False, "time")

    monkeypatch.setattr(Solver, "solve", fails)
    search = Course(GAME, memory_mb=16)
    state: State = GAME.start()
    rng = random.Random(3)
    while empties(state) > PROVABLE - 12 and not state.is_over:
        search.search(state, honte.Limit(iterations=20))
        for _ in range(2):
            safe = [move for move in state.legal_moves() if not state.play(move).is_over]
            state = state.play(rng.choice(safe))
    assert tries
    assert max(tries) <= PROVABLE
    assert all(a - b > 3 for a, b in pairwise(tries))  # nor soon again


def test_a_combination_is_seen_that_playouts_miss() -> None:
    # After 7, 3, 8 or a move far away O wins by threats, ten plies deep and more.
    game = honte.game("connect4:rows=12,cols=11,blocked=4/1")
    state: State = game.start()
    for move in game.read_moves("487878874"):
        state = state.play(move)
    seen = honte.player("best:policy=learned,iterations=200000", game).choose(state)
    lost = {game.format(one.move) for one in seen.candidates if one.proven == "loss"}
    losing = {"7", "4", "8", "9", "2", "a", "1", "b"}
    assert game.format(seen.move) not in losing
    assert len(lost & losing) >= 6, "a move that is not foreseen may be left unproven"
    assert game.format(seen.move) in "56"
    blind = honte.player("best:policy=learned,iterations=20000,threat_depth=0", game).choose(state)
    assert not [one for one in blind.candidates if one.proven]


def test_a_lost_position_is_held_as_long_as_it_can_be() -> None:
    game = honte.game("connect4:rows=11,cols=9,blocked=9/0")
    state: State = game.start()
    for move in game.read_moves("466646687777215"):
        state = state.play(move)
    report = honte.player("best:iterations=100000", game).choose(state)
    assert (report.proven, report.value) == ("loss", -1)
    assert game.format(report.move) == "3"  # all others lose at once


def test_it_can_be_left_to_uct_alone() -> None:
    state = late_state(1, 20)
    with_it = honte.player("best:iterations=50", GAME).choose(state)
    without = honte.player("best:iterations=50,takeover=no,solver=no,threat_depth=0", GAME).choose(
        state
    )
    assert (with_it.iterations, without.iterations) == (0, 50)
