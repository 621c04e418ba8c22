"""The Othello engine with the learned evaluation: its moves, its limits, and its reports."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest

import honte
from honte.core.contract import State
from honte.games.othello import obf, patterns
from honte.games.othello.patterns import Patterns
from honte.search.solver import empties, solver_of

GAME = honte.game("othello")
FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"


def random_state(seed: int, most: int) -> State:
    rng = random.Random(seed)
    while True:
        state: State = GAME.start()
        while not state.is_over and empties(state) > most:
            state = state.play(rng.choice(state.legal_moves()))
        if not state.is_over and len(state.legal_moves()) > 1:
            return state


def test_it_solves_a_published_endgame() -> None:
    report = Patterns(GAME).search(GAME.from_text(FFO_40), honte.Limit(seconds=60))
    assert (GAME.format(report.move), report.proven, report.stopped) == ("a2", "win", "proven")
    assert report.candidates[0].score == 38


@pytest.mark.parametrize("threads", [1, 2])
def test_the_end_of_a_game_is_what_the_solver_says(threads: int) -> None:
    engine, solver = Patterns(GAME, threads=threads, all=True), solver_of(GAME)
    for seed in range(12):
        state = random_state(seed, 11)
        report = engine.search(state, honte.Limit(depth=60))
        solved = solver.solve(state, all_moves=True)
        assert report.candidates[0].score == solved.score, state
        known = {move.move: move.score for move in solved.moves}
        assert {c.move: c.score for c in report.candidates} == known, state


def test_the_distance_of_a_proof_is_the_length_of_a_line_to_the_end_or_not_known() -> None:
    for board, plies in (("X" * 62 + "O-", 1), ("-OX" + "X" * 60 + "O", 1)):
        report = Patterns(GAME).search(GAME.from_text(f"{board} X"), honte.Limit(seconds=20))
        assert (report.proven, report.distance) == ("win", plies)
    for seed in range(6):
        state = random_state(seed, 10)
        report = Patterns(GAME).search(state, honte.Limit(seconds=20))
        assert report.proven is not None
        after = state
        for move in report.pv:
            after = after.play(move)
        assert report.distance == (len(report.pv) if after.is_over else 0)


def test_the_evaluation_likes_corners() -> None:
    learned = patterns.learned()
    better = seen = 0
    for seed in range(200):
        state = random_state(seed, 24 + seed % 12)
        values = {m: -learned(state.play(m)) for m in state.legal_moves()}  # type: ignore[arg-type]
        corners = [value for move, value in values.items() if move in (0, 7, 56, 63)]
        if corners and len(corners) < len(values):
            seen += 1
            better += max(corners) > sum(values.values()) / len(values)
    assert seen > 50
    assert better > 0.7 * seen


def test_every_move_gets_a_value_on_request() -> None:
    state = random_state(3, 40)
    report = Patterns(GAME, all=True).search(state, honte.Limit(depth=6))
    assert sorted(c.move for c in report.candidates) == state.legal_moves()
    scores = [c.score or 0.0 for c in report.candidates]
    assert scores == sorted(scores, reverse=True)
    assert all(c.low == c.value == c.high for c in report.candidates)


def test_it_keeps_its_time_and_can_be_stopped() -> None:
    engine = Patterns(GAME)
    for seconds in (0.1, 1, 4):  # more only where a busy machine took it away
        report = engine.search(random_state(5, 50), honte.Limit(seconds=seconds))
        assert report.stopped == "time"
        if report.depth >= 4:
            break
    assert report.depth >= 4
    token = honte.CancelToken()
    threading.Timer(0.1, token.cancel).start()
    limit = honte.Limit(seconds=60)
    report = engine.run(honte.Request(random_state(6, 50), limit=limit, cancel=token))
    assert report.stopped == "cancelled"


def test_the_same_depth_gives_the_same_report() -> None:
    state = random_state(7, 40)
    first, second = (Patterns(GAME).search(state, honte.Limit(depth=8)) for _ in range(2))
    assert (first.move, first.value, first.nodes) == (second.move, second.value, second.nodes)


def test_progress_comes_while_it_thinks() -> None:
    seen: list[honte.Report] = []
    token = honte.CancelToken()

    def show(report: honte.Report) -> None:
        seen.append(report)
        if len(seen) == 2:
            token.cancel()

    Patterns(GAME).run(
        honte.Request(
            random_state(8, 50), limit=honte.Limit(seconds=60), cancel=token, on_progress=show
        )
    )
    assert len(seen) >= 2
    assert seen[-1].depth >= seen[0].depth


def test_a_pass_is_played_without_a_thought() -> None:
    state = GAME.from_text("-" * 8 + "XO" + "-" * 54 + " X")
    assert state.legal_moves() != [64]
    must_pass = GAME.from_text("XO" + "-" * 62 + " O")
    assert must_pass.legal_moves() == [64]
    assert Patterns(GAME).search(must_pass, honte.Limit(seconds=1)).move == 64


def test_at_equal_depth_it_beats_the_weights() -> None:
    from honte.arena.match import Standing, play_match, schedule

    tasks = schedule("best:depth=4", "alphabeta:depth=4", "othello", 12, opening_plies=8)
    standing = Standing()
    for played in play_match(tasks):
        standing.add(played)
    assert standing.total.points >= 9, standing.total


def test_bad_weights_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bad.weights"
    for content in (b"", b"{}\n", b"nothing\nat all", b"{}\n" + bytes(100)):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"bad.weights is not a file of Othello weights"):
            patterns.read(path)
    with pytest.raises(ValueError, match="8×8"):
        Patterns(honte.game("othello:size=6"))
    with pytest.raises(ValueError, match="8×8"):
        Patterns(honte.game("connect4"))


def test_a_problem_file_is_met(tmp_path: Path) -> None:
    problem = obf.parse_line(FFO_40 + "; A2:+38;")
    state = GAME.from_text(problem.position)
    report = Patterns(GAME, selectivity=2).search(state, honte.Limit(seconds=20))
    assert report.move in problem.moves
