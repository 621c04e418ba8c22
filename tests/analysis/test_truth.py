"""What the analysis calls exact agrees with the solver, and a bound holds."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import honte
from honte.analysis.review import Remark, review
from honte.core.report import Report
from honte.search.solver import solver_of
from tests.analysis.reasons import check_reason
from tests.conftest import LONG
from tests.slowness import slowness

POSITIONS, BATCH = 2000, 100
QUICK_POSITIONS = 120
GAMES, QUICK_GAMES = 100, 2


def positions(spec: str, count: int, least: int, most: int, seed: int) -> Iterator[honte.State]:
    """Random positions with a number of moves made, none of them over."""
    game, draw = honte.game(spec), random.Random(seed)
    while count:
        state = game.start()
        for _ in range(draw.randint(least, most)):
            if state.is_over:
                break
            state = state.play(draw.choice(state.legal_moves()))
        if not state.is_over and len(state.legal_moves()) > 1:
            count -= 1
            yield state


def check_scores(report: Report, scores: dict[int, int]) -> int:
    """Compare every claim with the solver's scores; how many were exact."""
    for candidate in report.candidates:
        score = scores[candidate.move]
        if candidate.kind == "exact" and candidate.score is not None:
            assert candidate.score == score
        if candidate.bounds is not None:
            assert candidate.bounds[0] <= score <= candidate.bounds[1]
        if candidate.proven is not None:
            assert candidate.proven == ("win" if score > 0 else "loss" if score < 0 else "draw")
        assert (candidate.chance is None) == (candidate.kind == "bound")
    return sum(one.kind == "exact" for one in report.candidates)


def test_every_column_of_connect_four_is_exact_and_agrees_with_the_solver() -> None:
    check_columns(QUICK_POSITIONS, 14, 34, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(POSITIONS // BATCH))
def test_every_column_is_exact_in_two_thousand_positions(seed: int) -> None:
    check_columns(BATCH, 10, 36, seed=100 + seed)


def check_columns(count: int, least: int, most: int, seed: int) -> None:
    game = honte.game("connect4")
    solver, player = solver_of(game, memory_mb=32), honte.player("best", game)
    exact = total = 0
    for state in positions("connect4", count, least, most, seed):
        scores = {move.move: move.low for move in solver.solve(state, all_moves=True).moves}
        request = honte.Request(state, limit=honte.Limit(seconds=20), all_moves=True)
        report = player.choose(request)
        exact += check_scores(report, scores)
        total += len(scores)
        assert scores[report.move] == max(scores.values())
    assert exact == total


def test_the_book_says_the_result_of_every_column_without_a_search() -> None:
    game = honte.game("connect4")
    for state in positions("connect4", 40, 0, 7, seed=2):
        if any(state.play(move).is_over for move in state.legal_moves()):
            continue
        request = honte.Request(state, limit=honte.Limit(seconds=20), all_moves=True)
        player = honte.player("best", game)
        first = next(iter(player.analyse(request)))
        assert first.source == "book"
        assert all(candidate.proven for candidate in first.candidates)


def test_the_scores_of_the_empty_board_are_the_published_ones() -> None:
    game = honte.game("connect4")
    request = honte.Request(game.start(), limit=honte.Limit(seconds=20), all_moves=True)
    report = honte.player("best", game).choose(request)
    scores = {candidate.move: candidate.score for candidate in report.candidates}
    assert [scores[move] for move in range(7)] == [-2, -1, 0, 1, 0, -1, -2]
    assert report.best is not None
    assert (report.best.distance, report.distance) == (41, 41)


def test_the_last_discs_of_othello_are_counted_exactly() -> None:
    check_ends(12, seed=3)


@pytest.mark.long
def test_the_last_discs_of_othello_are_counted_exactly_in_many_positions() -> None:
    check_ends(60, seed=4)


def check_ends(count: int, seed: int) -> None:
    game = honte.game("othello")
    solver, player = solver_of(game, memory_mb=32), honte.player("best", game)
    for state in positions("othello", count, 48, 54, seed):
        scores = {move.move: move.low for move in solver.solve(state, all_moves=True).moves}
        request = honte.Request(state, limit=honte.Limit(seconds=60), all_moves=True)
        assert check_scores(player.choose(request), scores) == len(scores)


def test_an_analysis_in_the_book_of_othello_has_a_score_at_once_for_the_book_moves() -> None:
    game = honte.game("othello")
    request = honte.Request(game.start(), limit=honte.Limit(seconds=5), all_moves=True)
    first = next(iter(honte.player("best", game).analyse(request)))
    assert first.source == "book"
    assert all(candidate.score is not None for candidate in first.candidates)


@pytest.mark.parametrize("spec", ["connect4", "othello", "go:size=5"])
def test_the_tree_is_that_of_the_search_that_answered(spec: str) -> None:
    game = honte.game(spec)
    player = honte.player("best", game)
    state = next(positions(spec, 1, 4, 4, seed=4))
    limit = honte.Limit(seconds=0.5 * slowness())
    report = player.choose(honte.Request(state, limit=limit, all_moves=True))
    assert player.has_tree
    root, below = player.look([]), player.look([report.move])
    assert root is not None
    assert below is not None
    assert root.move == report.move
    by_move = {candidate.move: candidate for candidate in report.candidates}
    for candidate in root.candidates:
        if candidate.kind == by_move[candidate.move].kind == "exact":
            assert candidate.score == by_move[candidate.move].score


def weak_game(spec: str, seed: int) -> list[honte.State]:
    game = honte.game(spec)
    players = [honte.player(f"level:30,seed={seed + side}", game) for side in (0, 1)]
    states: list[honte.State] = [game.start()]
    while not states[-1].is_over:
        move = players[states[-1].to_move].choose(states[-1], seconds=1).move
        states.append(states[-1].play(move))
    return states


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def games(quick: int) -> list[object]:
    """Seeds of weak games; all but the first few only in the long run."""
    return [
        pytest.param(seed, marks=pytest.mark.long) if seed >= quick else seed
        for seed in range(GAMES)
    ]


@pytest.mark.parametrize("seed", games(QUICK_GAMES))
def test_a_review_of_connect_four_claims_only_what_the_solver_proves(seed: int) -> None:
    states = weak_game("connect4", 100 + 2 * seed)
    solver = solver_of(states[0].game, memory_mb=32)
    for remark in review(states, "best", honte.Limit(seconds=0.2)):
        check_why(states, remark)
        after = states[remark.number]
        if remark.number < 12 or remark.proven is None or after.is_over:
            continue
        value = -solver.solve(after, wld=True).low
        assert {"win": 1, "draw": 0, "loss": -1}[remark.proven] == sign(value)


LAST = 18
"""Empty squares from which the end of a game of Othello is solved here."""


@pytest.mark.parametrize("seed", games(1))
def test_a_review_of_othello_claims_only_what_the_solver_proves(seed: int) -> None:
    states = weak_game("othello", 300 + 2 * seed)
    solver = solver_of(states[0].game, memory_mb=32)
    for remark in review(states, "best", honte.Limit(seconds=0.1 if LONG else 0.03)):
        check_why(states, remark)
        before, after = states[remark.number - 1], states[remark.number]
        if after.is_over or tuple(after.cells()).count(0) > LAST:  # type: ignore[attr-defined]
            continue
        if remark.proven is not None:
            score = -solver.solve(after).low
            assert {"win": 1, "draw": 0, "loss": -1}[remark.proven] == sign(score)
            if remark.exact and remark.score is not None:
                assert remark.score == score
        if remark.best_proven is not None and remark.exact and remark.cost:
            best = solver.solve(before).low
            assert {"win": 1, "draw": 0, "loss": -1}[remark.best_proven] == sign(best)


@pytest.mark.parametrize("seed", games(1))
def test_every_reason_of_a_review_of_go_holds_on_the_board(seed: int) -> None:
    states = weak_game("go:size=7", 300 + 2 * seed)
    for remark in review(states, "best", honte.Limit(seconds=0.05 if LONG else 0.02)):
        check_why(states, remark)


def check_why(states: list[honte.State], remark: Remark) -> None:
    for reason in remark.why:
        check_reason(states[remark.number - 1], remark, reason.words)
