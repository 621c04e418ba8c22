"""UCT at Go: playout policies, priors, widening, passing, and ownership."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest

import honte
from honte.games.go import best
from honte.games.go import ownership as status
from honte.search.uct import Uct
from honte.search.uct_settings import default_playout, read_playout
from tests.pictures import after, set_up

POLICIES = ["save", "nakade", "pattern", "capture", "fill", "safe"]
FINISHED = Path(__file__).parents[1] / "golden" / "go-finished.tsv"


def think(state: Any, settings: str = "", iterations: int = 500) -> honte.Report:
    player = honte.player(f"uct:seed=1,iterations={iterations},{settings}", state.game)
    return player.choose(state)


def test_policies_are_asked_in_the_order_given() -> None:
    game = honte.game("go:size=9")
    assert read_playout(game, "save+capture") == 0x41
    assert read_playout(game, "capture+save") == 0x14
    assert read_playout(game, "uniform") == 0
    with pytest.raises(ValueError, match="no playout 'win'"):
        honte.player("uct:playout=save+win", game)


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_changes_the_games(policy: str) -> None:
    state: Any = honte.game("go:size=9,komi=0.5").start()
    plain = state.ownership(50, 0, 1)
    assert state.ownership(50, read_playout(state.game, policy), 1) != plain


def test_a_capture_is_the_first_thought() -> None:
    state = set_up(
        "go:size=5,komi=0.5",
        """
        . . . . .
        . X O X .
        X O O X .
        . X X . .
        . . . . .
        """,
    )
    assert state.game.format(think(state, iterations=20).move) == "C5"


def test_what_is_foreseen_is_told_to_amaf_as_games_won() -> None:
    state = honte.game("go:size=9").start().play(40)
    told = think(state, "rave_prior=1000", iterations=1).candidates
    silent = {one.move: one for one in think(state, "rave_prior=0", iterations=1).candidates}
    assert sum(one.prior or 0 for one in told) == pytest.approx(1)
    for one in told:
        wins = one.amaf_visits - silent[one.move].amaf_visits
        assert abs(wins - 1000 * math.sqrt(one.prior or 0)) <= 2  # their one playout may differ
        assert wins < 100 or one.amaf_value > 0.9


def test_widening_looks_at_few_moves_and_then_at_more() -> None:
    state = honte.game("go:size=9").start()

    def looked_at(iterations: int) -> int:
        candidates = think(state, "progressive_widening=2", iterations).candidates
        return sum(1 for one in candidates if one.visits)

    assert looked_at(10) <= 3
    assert looked_at(10) < looked_at(2000) <= 16


def test_a_move_given_up_gets_no_more_visits() -> None:
    state = after("go:size=9,komi=7.5", "D3F6")
    report = think(state, "prune=10,prune_value=1", 800)  # every move is bad enough for that
    assert max(one.visits for one in report.candidates) <= 40
    assert sum(one.visits for one in report.candidates) == 800


def counted(komi: float) -> Any:
    """Black has 13 points and White, to move, has 10."""
    return set_up(
        f"go:size=5,komi={komi}",
        """
        . X . O .
        X X X O O
        . X X O .
        X X X O O
        . X . O O
        """,
        "O",
    )


@pytest.mark.parametrize(("komi", "wins"), [(2.5, True), (3.5, False)])
def test_it_passes_only_where_the_count_is_won(komi: float, wins: bool) -> None:
    state = counted(komi)
    report = think(state.play(state.game.pass_move), iterations=300)
    assert (report.proven == "win") == wins
    assert (state.game.format(report.move) == "pass") == wins


def test_whose_a_point_is() -> None:
    state = set_up(
        "go:size=5",
        """
        . X . O .
        X X . O O
        . X . O .
        X X . O O
        . X . O .
        """,
    )
    owned = state.ownership(200, default_playout(state.game), 1)
    assert len(owned) == 25
    for row in range(5):
        assert owned[5 * row + 1] > 0.9
        assert owned[5 * row + 3] < -0.9
        assert -0.9 < owned[5 * row + 2] < 0.9


def test_finished_games_are_counted_as_gnu_go_counts_them() -> None:
    """Games of GNU Go with itself, as it left them: the score and the dead stones."""
    agreed = total = 0
    for line in FINISHED.read_text().splitlines():
        board, size, score, *dead = line.split()
        game: Any = honte.game(f"go:size={size},komi=7.5,ko=simple")
        state = game.from_text(f"{board} X")
        ours = [point for group in status.dead_groups(state) for point in group]
        known = float(score[2:]) * (1 if score[0] == "B" else -1)
        total += 1
        agreed += game.score(state, ours) == known and {*map(game.format, ours)} == {*dead}
    assert total >= 10
    assert agreed >= 0.9 * total


def test_a_tree_of_priors_keeps_its_counts() -> None:
    game = honte.game("go:size=9")
    uct = Uct(game, threads=2, seed=1)
    report = uct.search(game.start(), honte.Limit(iterations=1000))
    assert sum(one.visits for one in report.candidates) == 1000
    state: Any = game.start().play(report.move)
    assert uct.search(state, honte.Limit(iterations=100)).kept


def test_the_search_does_not_fill_its_own_eyes() -> None:
    state = set_up(
        "go:size=5,komi=0.5",
        """
        . X . X O
        X X X X O
        . X . O O
        X X X O .
        X X X O O
        """,
    )
    tried = {state.game.format(one.move): one.visits for one in think(state).candidates}
    assert tried["A5"] == tried["C5"] == tried["A3"] == 0
    assert tried["C3"] > 0  # beside it there is a stone of White's


def test_equal_first_moves_are_tried_once() -> None:
    game = honte.game("go:size=9")
    start: Any = game.start()
    assert len(think(start, iterations=50).candidates) == 15 + 1
    assert len(think(start, "priors=0", 50).candidates) == 81 + 1
    centre = start.play(game.parse("E5"))
    assert len(think(centre, iterations=50).candidates) == 14 + 1
    corner = start.play(game.parse("C3"))  # mirrored along one diagonal only
    assert len(think(corner, iterations=50).candidates) == (81 - 9) // 2 + 8 + 1
    side = corner.play(game.parse("C6"))
    assert len(think(side, iterations=50).candidates) == 79 + 1


def test_a_pass_is_not_answered_by_a_pass_into_a_lost_count() -> None:
    """In positions of random games: a second pass only if it wins, or if all other moves lose."""
    draw, passes = random.Random(3), 0
    game: Any = honte.game("go:size=5,komi=0.5")
    for _ in range(25):
        state = game.start()
        for _ in range(draw.randrange(8, 40)):
            if stones := state.legal_moves()[:-1]:
                state = state.play(draw.choice(stones))
        ended = state.play(game.pass_move)
        report = think(ended, iterations=200)
        if report.move == game.pass_move:
            passes += 1
            won = ended.play(game.pass_move).winner == ended.to_move
            assert won or all(one.proven == "loss" for one in report.candidates if one.visits)
    assert passes


def test_a_limit_of_iterations_repeats_the_scores_whatever_the_clock_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(best, "SHARE", math.inf)  # playouts with every report
    state = after("go:size=5", "C3 B2 D4")  # where no network tells the score
    player = honte.player("best:seed=1", state.game)
    reports = []
    for every in (0.001, 10.0):
        player.new_game()
        limit = honte.Limit(seconds=60, iterations=4000)
        request = honte.Request(state, limit=limit, all_moves=True, every=every)
        reports.append(player.choose(request))
    often, seldom = reports
    assert often.score is not None
    assert often.score == seldom.score
