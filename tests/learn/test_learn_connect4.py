"""Learning the policy of Connect Four: from searches to pattern weights to probabilities."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import honte
from honte import _native
from honte.games.connect4 import learning as connect4
from honte.games.connect4.uct import FEATURES, LEARNED
from honte.search import policy
from tests.cli.command import honte as command


def silent(stage: str, done: int, total: int) -> None:
    pass


def towers(count: int) -> list[connect4.TrainingGame]:
    """Games of a player who prefers to play on top of the last stone."""
    draw, games = random.Random(1), []
    for _ in range(count):
        game = honte.game("connect4:rows=9,cols=9,blocked=4/4")
        state, plies = game.start(), list[connect4.Ply]()
        for _ in range(20):
            legal = state.legal_moves()
            if state.is_over:
                break
            last = plies[-1][0] if plies else draw.choice(legal)
            visits = {move: 90 if move == last else 10 for move in legal}
            move = draw.choices(legal, [visits[move] for move in legal])[0]
            plies.append((move, visits))
            state = state.play(move)
        games.append(connect4.TrainingGame(game.spec, plies))
    return games


def test_what_was_learned_foresees_games_held_out(tmp_path: Path) -> None:
    out = tmp_path / "towers.strengths"
    learner = connect4.Learner(tmp_path, connect4.Settings(), silent)
    result = learner.learn(towers(80), out, "a test")
    assert result.games == 80
    assert result.uniform < result.likelihood <= result.best
    assert result.best - result.likelihood < 0.1 * (result.best - result.uniform)
    assert result.first > 0.9
    about, logs = policy.read(out, FEATURES)
    assert about["made by"] == "a test"
    assert len(logs) == _native.CONNECT4_FEATURES
    assert out.stat().st_size < 200_000
    game = honte.game("connect4:rows=9,cols=9,blocked=4/4")
    state = game.start().play(2)
    report = honte.player(f"uct:policy={out},iterations=1", game).choose(state)
    assert report.move == 2


def test_it_learns_for_both_hands_at_once() -> None:
    game = honte.game("connect4:rows=9,cols=9")
    learner, mirrored = _native.Connect4Learner(), _native.Connect4Learner()
    for played in towers(5):
        here: Any = game.start()
        there: Any = game.start()
        for move, visits in played.plies:
            if not (here.is_legal(move) and set(visits) <= set(here.legal_moves())):
                break
            total = sum(visits.values())
            learner.add(here, [(m, n / total) for m, n in visits.items()])
            mirrored.add(there, [(8 - m, n / total) for m, n in visits.items()])
            here, there = here.play(move), there.play(8 - move)
    for step in range(3):
        learner.step(0.03, 1e-4, step)
    assert learner.measure(mirrored) == pytest.approx(learner.measure(learner))


def test_a_share_of_an_illegal_move_is_refused() -> None:
    state: Any = honte.game("connect4").start()
    with pytest.raises(ValueError, match="legal"):
        _native.Connect4Learner().add(state, [(7, 1.0)])


def test_the_command_plays_and_goes_on(tmp_path: Path) -> None:
    words = ["learn", "connect4", "--self-play", "4", "--iterations", "30"]
    where = ["--out", str(tmp_path / "w"), "--work", str(tmp_path / "games")]
    done = command(*words, *where)
    assert done.code == 0, done.errors
    assert "learned" in done.output
    file = tmp_path / "games" / "samples-30-1.jsonl"
    lines = file.read_text()
    assert lines.count("\n") == 4
    file.write_text(lines[:-50])  # stopped in the middle of a line
    assert command(*words, *where).output == done.output
    assert file.read_text() == lines


def test_games_of_other_settings_are_not_learned_from(tmp_path: Path) -> None:
    def played(count: int, iterations: int) -> list[connect4.TrainingGame]:
        settings = connect4.Settings(self_play=count, iterations=iterations)
        learner = connect4.Learner(tmp_path, settings, silent)
        learner.play()
        return list(learner.own_games())

    three = played(3, 20)
    assert len(played(1, 21)) == 1
    assert played(2, 20) == three[:2]
    assert played(3, 20) == three


def test_what_ships_says_how_it_was_made() -> None:
    about, _ = policy.read(LEARNED, FEATURES)
    assert about["likelihood"] > about["uniform"] + 0.1
    assert LEARNED.stat().st_size < 100_000


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["learn", "connect4"], "no games to learn from"),
        (["learn", "connect4", "--data", "nowhere"], "there is no nowhere"),
        (
            ["learn", "connect4", "--self-play", "1", "--regularization", "3"],
            "No such option: --regularization",
        ),
    ],
)
def test_a_mistake_is_one_sentence(words: list[str], complaint: str) -> None:
    done = command(*words)
    assert done.code == 2
    assert complaint in done.errors
    assert "Traceback" not in done.errors


def test_a_malformed_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('["connect4", [[3, [[3, 10]]]]]\n[1, 2\n')
    done = command("learn", "connect4", "--data", str(tmp_path))
    assert done.code == 2
    assert "a.jsonl, line 2: not a training game" in done.errors
