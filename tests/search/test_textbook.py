"""The searches in plain Python, and the example that uses them."""

from __future__ import annotations

import random
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

import honte
from honte.drawing.verdict import sentence
from honte.search.textbook import Minimax, uct
from tests.pictures import after

EXAMPLE = Path(__file__).parents[2] / "examples" / "gomoku.py"


def test_pruning_changes_nothing_but_the_work() -> None:
    draw = random.Random(3)
    for spec in ("connect4:rows=5,cols=5", "othello:size=6", "go:size=3"):
        game = honte.game(spec)
        for _ in range(10):
            state = game.start()
            for _ in range(draw.randrange(8)):
                if not state.is_over:
                    state = state.play(draw.choice(state.legal_moves()))
            if state.is_over:
                continue
            full = Minimax(depth=3, prune=False).search(state)
            pruned = Minimax(depth=3).search(state)
            assert (full.move, full.value) == (pruned.move, pruned.value)
            assert pruned.nodes <= full.nodes


def test_minimax_solves_small_othello() -> None:
    report = Minimax(depth=16).search(honte.game("othello:size=4").start())
    assert (report.value, report.proven) == (-1.0, "loss")


def test_minimax_says_what_is_proven_and_what_is_not() -> None:
    start = honte.game("othello:size=4").start()
    proven = Minimax(depth=16, prune=False).search(start)
    assert {one.proven for one in proven.candidates} == {"loss"}
    assert {one.kind for one in proven.candidates} == {"exact"}
    guessed = Minimax(depth=3).search(start)
    assert guessed.proven is None
    assert all(one.proven is None and one.kind != "exact" for one in guessed.candidates)


def test_minimax_proves_the_wins_and_draws_at_the_end_of_a_game() -> None:
    game = honte.game("connect4")
    won = Minimax(depth=2).search(after("connect4", "171717"))
    assert (won.proven, won.candidates[0].proven, won.candidates[0].kind) == ("win", "win", "exact")
    assert won.best is not None
    assert sentence(won.best) == "win"
    full = "54712566227126126621574377157631535333444"  # one cell is left, and nobody wins
    drawn = Minimax(depth=2).search(after("connect4", full))
    assert (drawn.proven, drawn.candidates[0].proven) == ("draw", "draw")
    assert sentence(drawn.candidates[0]) == "draw"
    early = Minimax(depth=2).search(game.start())
    assert (early.value, early.proven) == (0, None)


def test_the_textbook_uct_counts_its_visits() -> None:
    start = honte.game("othello").start()
    request = honte.Request(start, limit=honte.Limit(iterations=120))
    report = uct(request, seed=1)
    assert sum(candidate.visits for candidate in report.candidates) == report.iterations == 120
    assert report.pv[0] == report.move
    again = uct(request, seed=1)
    assert replace(again, seconds=0) == replace(report, seconds=0)


def test_the_example_of_a_game_of_ones_own_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert "wins" in capsys.readouterr().out


def test_the_textbook_tree_can_be_looked_into() -> None:
    game = honte.game("othello:size=6")
    player = honte.player("textbook:iterations=60,seed=1", game)
    assert not player.has_tree
    report = player.choose(game.start())
    below = player.look([report.move])
    assert below is not None
    assert sum(found.visits for found in below.candidates) < report.candidates[0].visits
    assert player.look([report.move, 999]) is None
