"""The solver of Connect Four: known values, every move, limits, and its interface."""

from __future__ import annotations

import random
import threading

import pytest

import honte
from honte.core.contract import State
from honte.games.connect4 import columns
from honte.search.solver import Solved, empties, solver_of

GAME = honte.game("connect4")

KNOWN = """
2252576253462244111563365343671351441 -1
7422341735647741166133573473242566 1
23163416124767223154467471272416755633 0
5554224333234511764415115 4
52753311433677442422121 8
1233722555341451114725221333 -1
32164625 11
6146 18
243335424257 12
"""


def after(moves: str, game: honte.Game = GAME) -> State:
    state: State = game.start()
    for move in game.read_moves(moves):
        state = state.play(move)
    return state


def try_everything(state: State) -> int:
    """The score by the rules alone: half the cells, plus one, less the winner's stones."""
    cells = [cell for cell in state.cells() if cell != 3]  # type: ignore[attr-defined]
    if state.winner is not None:
        return -((len(cells) + 1) // 2 + 1 - cells.count(state.winner + 1))
    if state.is_over:
        return 0
    return max(-try_everything(state.play(move)) for move in state.legal_moves())


@pytest.mark.parametrize("line", KNOWN.split("\n")[1:-1])
def test_known_positions_have_their_known_scores(line: str) -> None:
    state, value = columns.parse_line(GAME, line)
    assert solver_of(GAME, memory_mb=4).solve(state).score == value


@pytest.mark.parametrize(
    "spec",
    [
        "connect4:rows=4,cols=4",
        "connect4:rows=5,cols=5,blocked=4/2+1/1",
        "connect4:rows=4,cols=6,blocked=0/0+3/5+2/2",
        "connect4:rows=5,cols=4,inarow=3,blocked=2/1",
    ],
)
def test_a_small_board_has_the_scores_that_trying_everything_finds(spec: str) -> None:
    rng = random.Random(spec)
    game = honte.game(spec)
    solver = solver_of(game, memory_mb=1)
    for _ in range(12):
        state: State = game.start()
        while empties(state) > 7 and not state.is_over:
            state = state.play(rng.choice(state.legal_moves()))
        if state.is_over:
            continue
        solved = solver.solve(state, all_moves=True)
        assert solved.score == try_everything(state)
        assert {move.move: move.score for move in solved.moves} == {
            move: -try_everything(state.play(move)) for move in state.legal_moves()
        }
        end = state
        for move in solved.pv:
            end = end.play(move)
        assert end.is_over
        sign = solver.solve(state, wld=True)
        assert sign.outcome == solved.outcome


def test_a_limit_leaves_bounds_and_says_which_it_was() -> None:
    solver = solver_of(GAME, memory_mb=16)
    by_nodes = solver.solve(GAME.start(), nodes=20_000)
    assert not by_nodes.finished
    assert by_nodes.stopped == "nodes"
    assert by_nodes.low < by_nodes.high
    seen: list[Solved] = []
    by_time = solver.solve(GAME.start(), seconds=1, on_progress=seen.append)
    assert by_time.stopped == "time"
    assert len(by_time.moves) == 7
    assert seen
    assert all(partial.stopped == "running" for partial in seen)


def test_another_thread_may_stop_it() -> None:
    solver = solver_of(GAME, threads=2, memory_mb=16)
    token = honte.CancelToken()
    timer = threading.Timer(0.2, token.cancel)
    timer.start()
    solved = solver.solve(GAME.start(), cancel=token)
    timer.join()
    assert not solved.finished
    assert solved.stopped == "cancelled"


def test_a_course_board_that_is_nearly_full_is_solved() -> None:
    game = honte.game("connect4:rows=12,cols=12,blocked=5/6")
    rng = random.Random(2)
    solver = solver_of(game, memory_mb=4)
    for _ in range(3):
        while True:
            state: State = game.start()
            while empties(state) > 16 and not state.is_over:
                quiet = [m for m in state.legal_moves() if state.play(m).winner is None]
                state = state.play(rng.choice(quiet or state.legal_moves()))
            if not state.is_over:
                break
        solved = solver.solve(state, all_moves=True)
        assert solved.finished
        assert solved.score == max(move.score or 0 for move in solved.moves)


def test_a_finished_game_is_refused_and_the_expected_time_grows() -> None:
    with pytest.raises(ValueError, match="nothing to solve"):
        solver_of(GAME).solve(after("1212121"))
    solver = solver_of(GAME)
    expected = solver.expected_seconds
    assert expected(after("444")) < expected(GAME.start()) < 1000
    large = honte.game("connect4:rows=9,cols=9")
    assert solver_of(large).expected_seconds(large.start()) > 1e6


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("4455 x", "whole number"),
        ("4455 1 2", "whole number"),
        ("4455 99999999999", "whole number"),
        ("4488", "off the board"),
        ("4444444", "full"),
        ("......./...... X", "rows"),
    ],
)
def test_a_line_that_is_no_position_is_refused(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        columns.parse_line(GAME, line)


def test_a_line_may_hold_the_board_itself() -> None:
    text = "......./......./......./......./......./...X... O"
    assert columns.parse_line(GAME, f"{text} -2") == (GAME.from_text(text), -2)
    assert columns.parse_line(GAME, text) == (GAME.from_text(text), None)
