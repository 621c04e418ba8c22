"""A review in points: the cost of a move in the game's own unit, and what is only noise."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

import honte
from honte.analysis.review import MARKS, Remark, Worth, cost_of, mark_of, review, summary
from honte.analysis.words import cost_words
from honte.core.player import Player
from honte.core.report import Candidate, Report
from honte.games.go.counting import error_of, expected_lead
from tests.cli.command import honte as command

GO = honte.game("go:size=9")
ORDER = ["", *(name for name, _ in reversed(MARKS))]
SLIPS = "C7 D7 F2 G2 G3 B9 E4 F3"
"""B9 is a stone on the edge of the empty corner: it gives away more than any other move here."""


def states_of(spec: str, moves: str) -> list[honte.State]:
    game = honte.game(spec)
    states = [game.start()]
    for word in moves.split():
        states.append(states[-1].play(game.parse(word)))
    return states


def test_points_cost_the_same_however_large_the_lead_is() -> None:
    for lead in (-60.0, -5.0, 0.0, 5.0, 60.0):
        cost = cost_of(GO, Worth(1.0, score=lead), Worth(1.0, score=lead - 6))
        assert cost == pytest.approx(0.25)
        assert mark_of(cost) == "mistake"


def test_more_points_or_a_worse_result_never_get_a_milder_mark() -> None:
    for lost, more in itertools.pairwise(range(0, 40, 2)):
        for value, worse in itertools.pairwise((1.0, 0.5, 0.0, -0.5, -1.0)):
            better = Worth(1.0, score=10)
            marks = [
                mark_of(cost_of(GO, better, Worth(after, score=10 - points)))
                for points, after in ((lost, value), (more, value), (lost, worse), (more, worse))
            ]
            ranks = [ORDER.index(mark) for mark in marks]
            assert ranks[0] <= min(ranks[1:3])
            assert max(ranks[1:3]) <= ranks[3]


def test_a_win_thrown_away_is_a_blunder_by_half_a_point() -> None:
    cost = cost_of(GO, Worth(1.0, "win", score=0.5), Worth(-1.0, "loss", score=-0.5))
    assert mark_of(cost) == "blunder"


@pytest.fixture(scope="module")
def remarks() -> list[Remark]:
    return list(review(states_of("go:size=9", SLIPS), "best", honte.Limit(iterations=400)))


def test_a_review_of_go_tells_the_lead_and_the_points_lost(remarks: list[Remark]) -> None:
    for remark in remarks:
        assert remark.score is not None
        assert remark.lead == pytest.approx(remark.score * (1 - 2 * remark.mover))
        assert remark.lost is not None
        assert remark.lost >= 0
    slip = remarks[5]
    assert slip.mark == "blunder"
    assert slip.lost is not None
    assert slip.lost > 8
    words = cost_words(GO, slip)
    assert words.startswith(f"≈ −{slip.lost:.1f} points, −")
    assert words.endswith(" %")
    for side in (0, 1):
        lost = summary(remarks, side).lost
        assert lost == pytest.approx(sum(one.lost or 0 for one in remarks if one.mover == side))


def test_a_loss_within_the_error_costs_nothing(remarks: list[Remark]) -> None:
    for remark in remarks:
        assert remark.cost == 0 or remark.cost > remark.error
    assert any(remark.error > 0 for remark in remarks)


class Unsure(Player):
    """Prefers the first legal move by 8 points, with this standard error."""

    spec, error = "unsure", 0.0

    def __init__(self, game: honte.Game, /, **settings: object) -> None:
        self.made = 0

    def think(self, request: honte.Request) -> Report:
        state = request.state
        stones = [cell for cell in state.cells() if cell]  # type: ignore[attr-defined]
        best = state.legal_moves()[0]
        played = stones and not state.cells()[0]  # type: ignore[attr-defined]
        score = 4.0 if played or not stones else -4.0
        found = Candidate(best, 100, 0.0, score=score, score_error=self.error, low=0, high=0)
        return Report(best, 0.0, candidates=[found], iterations=1)


@pytest.mark.parametrize(("error", "mark"), [(0.0, "mistake"), (5.0, "mistake"), (6.0, "")])
def test_the_error_of_a_score_decides_whether_a_loss_is_one(
    monkeypatch: pytest.MonkeyPatch, error: float, mark: str
) -> None:
    from honte.core import players as registry

    monkeypatch.setitem(registry._factories, "unsure", Unsure)
    monkeypatch.setattr(Unsure, "error", error)
    (remark,) = review(states_of("go:size=9", "E5"), "unsure")
    assert (remark.mark, remark.lost) == (mark, 8.0 if mark else 0.0)


def test_two_moves_are_compared_by_playouts_where_the_engine_tells_no_score() -> None:
    states = states_of("go:size=7", "D4 C3")
    found = list(review(states, "uct:seed=1", honte.Limit(iterations=300)))
    assert all(remark.score is not None for remark in found)
    assert all(remark.lead is not None for remark in found)


def test_a_settled_position_is_counted_and_has_no_error() -> None:
    game = honte.game("go:size=5,komi=0.5")
    settled = game.from_text("XX.OO/XX.OO/XXOO./XX.OO/.XXOO X")
    assert expected_lead(settled)[1] == 0
    lead, error = expected_lead(game.start())
    assert error > 0
    assert -25 <= lead <= 25
    assert error_of([1.0, 1.0, 1.0]) == 0


@pytest.mark.long
def test_the_command_shows_points_in_its_table(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[9]KM[7.5];B[cc];W[dc];B[fh];W[gh];B[gg];W[ba])")
    done = command("review", str(path), "--iterations", "300")
    assert done.code == 0, done.errors
    slip = next(line for line in done.output.splitlines() if "B9" in line)
    assert "blunder (≈ −" in slip
    assert " points, −" in slip
    assert " points lost" in done.output
    told = json.loads(command("review", str(path), "--iterations", "300", "--json").output)
    last = told["remarks"][-1]
    assert last["lost"] == pytest.approx(last["best_score"] - last["score"])
    assert last["lead"] == pytest.approx(-last["score"])
    assert told["second_lost"] >= last["lost"]
