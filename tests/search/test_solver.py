"""The endgame solver against exhaustive search, and its interface."""

from __future__ import annotations

import random
import threading

import pytest

import honte
from honte.core.contract import State
from honte.games.othello import obf
from honte.games.othello.solver import expected_seconds
from honte.search.solver import Solved, Solver, empties, solver_of

GAME = honte.game("othello")
FFO = [  # Othello end positions of the French federation: #40, and small ones
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38;",
    "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; "
    "H5:+6; G6:-2; F6:-4; H6:-10;",
    "OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O; "
    "G5:+0; G2:-2; G4:-4; G6:-6;",
]


def random_state(rng: random.Random, most: int, game: honte.Game = GAME) -> State:
    while True:
        state: State = game.start()
        while not state.is_over and empties(state) > most:
            state = state.play(rng.choice(state.legal_moves()))
        if not state.is_over:
            return state


def try_everything(state: State) -> int:
    if state.is_over:
        return int(state.score) * (1 - 2 * state.to_move)
    return max(-try_everything(state.play(move)) for move in state.legal_moves())


def check(solver: Solver, state: State) -> None:
    score = try_everything(state)
    solved = solver.solve(state, all_moves=True)
    assert solved.finished
    assert solved.stopped == "proven"
    assert solved.score == score, state
    assert {m.move: m.score for m in solved.moves} == {
        move: -try_everything(state.play(move)) for move in state.legal_moves()
    }
    end = state
    for move in solved.pv:
        end = end.play(move)
    assert end.is_over
    assert end.score * (1 - 2 * state.to_move) == score
    sign = solver.solve(state, wld=True)
    assert sign.outcome == ("win" if score > 0 else "loss" if score < 0 else "draw")
    assert sign.low <= score <= sign.high


@pytest.mark.parametrize("count", [250, pytest.param(5000, marks=pytest.mark.long)])
def test_the_solver_finds_what_trying_everything_finds(count: int) -> None:
    rng = random.Random(1)
    solver = solver_of(GAME, memory_mb=1)
    passes = 0
    for _ in range(count):
        state = random_state(rng, rng.randint(1, 5))
        passes += state.legal_moves() == [64]
        check(solver, state)
    assert passes > count / 100


@pytest.mark.parametrize("size", [4, 6])
def test_smaller_boards_are_solved_too(size: int) -> None:
    rng = random.Random(size)
    game = honte.game(f"othello:size={size}")
    solver = solver_of(game, memory_mb=1)
    for _ in range(50):
        check(solver, random_state(rng, rng.randint(1, 5), game))


def test_white_wins_the_board_of_four_by_eleven_to_three_and_gets_two_empties() -> None:
    game = honte.game("othello:size=4")
    solved = solver_of(game).solve(game.start(), all_moves=True)
    assert solved.score == -10
    assert {move.score for move in solved.moves} == {-10}


@pytest.mark.parametrize("line", FFO)
def test_known_end_positions_have_their_known_scores(line: str) -> None:
    problem = obf.parse_line(line)
    solved = solver_of(GAME).solve(
        GAME.from_text(problem.position), all_moves=len(problem.moves) > 1
    )
    assert solved.score == problem.best
    assert solved.moves[0].move in problem.best_moves
    for move in solved.moves:
        assert move.score == problem.moves.get(move.move, move.score)


def test_threads_give_the_same_score() -> None:
    rng = random.Random(2)
    for _ in range(3):
        state = random_state(rng, 15)
        scores = {solver_of(GAME, threads=threads).solve(state).score for threads in (1, 2, 3)}
        assert len(scores) == 1
        assert None not in scores


def test_a_limit_of_time_leaves_bounds() -> None:
    seen: list[Solved] = []
    for seconds in (0.3, 1, 4):  # more only where a busy machine took it away
        solved = solver_of(GAME).solve(GAME.start(), seconds=seconds, on_progress=seen.append)
        assert not solved.finished
        assert solved.score is None
        assert solved.stopped == "time"
        assert solved.low == -64
        assert solved.high == 64
        assert solved.outcome is None
        if seen:
            break
    assert seen
    assert all(partial.stopped == "running" for partial in seen)


def test_another_thread_may_stop_it() -> None:
    solver = solver_of(GAME, threads=2)
    token = honte.CancelToken()
    timer = threading.Timer(0.2, token.cancel)
    timer.start()
    solved = solver.solve(GAME.start(), cancel=token)
    timer.join()
    assert not solved.finished
    assert solved.stopped == "cancelled"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-" * 63 + " X", "64 squares"),
        ("-" * 65 + " X", "64 squares"),
        ("-" * 64 + " X", "the board is empty"),
        ("X" * 64 + " X", "neither side has a move"),
        ("X" * 10 + "-" * 54 + " O", "neither side has a move"),
    ],
)
def test_positions_with_nothing_to_solve_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solver_of(GAME).solve(GAME.from_text(text))


def test_other_games_are_refused_and_the_time_grows() -> None:
    with pytest.raises(ValueError, match="no solver for go"):
        solver_of(honte.game("go"))
    times = [expected_seconds(count) for count in range(61)]
    assert times == sorted(times)
    assert times[50] > 3e9


def test_the_player_plays_the_end_exactly() -> None:
    rng = random.Random(3)
    player = honte.player("solver:seconds=20", GAME)
    for _ in range(5):
        state = random_state(rng, 10)
        report = player.choose(state)
        score = solver_of(GAME).solve(state).score
        assert report.proven is not None
        assert report.candidates[0].score == score
        assert -(solver_of(GAME).solve(state.play(report.move)).score or 0) == score or (
            state.play(report.move).is_over
        )


def test_before_the_end_the_player_looks_ahead() -> None:
    report = honte.player("solver:seconds=0.05", GAME).choose(GAME.start())
    assert report.proven is None
    assert report.move in GAME.start().legal_moves()
