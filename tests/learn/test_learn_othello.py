"""Learning the Othello evaluation: from games to weights, and resuming."""

from __future__ import annotations

import json
import lzma
import random
from pathlib import Path

import pytest

import honte
from honte import _native
from honte.core.contract import State
from honte.games.othello import learning as othello
from honte.games.othello import patterns
from honte.search.solver import empties, solver_of
from tests.cli.command import honte as command

GAME = honte.game("othello")


def random_games(count: int, seed: int = 1) -> othello.Games:
    """Games of a greedy first player with a random one: there is something to learn."""
    rng = random.Random(seed)
    moves, results = b"", b""
    for _ in range(count):
        state: State = GAME.start()
        squares: list[int] = []
        while not state.is_over:
            legal = state.legal_moves()
            move = rng.choice(legal)
            if state.to_move == 0:
                move = max(legal, key=lambda move: state.play(move).score)
            state = state.play(move)
            if move != 64:
                squares.append(move)
        moves += bytes([*squares, *[255] * (60 - len(squares))])
        results += bytes([int(state.score) & 255])
    return othello.Games("games", moves, results)


def test_the_exact_results_are_what_the_solver_says() -> None:
    games = random_games(5)
    exact = _native.othello_exact_results(games.moves)
    for number, result in enumerate(exact):
        state: State = GAME.start()
        for square in games.moves[60 * number : 60 * number + 60]:
            if state.legal_moves() == [64]:
                state = state.play(64)
            if empties(state) == 13 or square == 255:
                break
            state = state.play(square)
        if empties(state) != 13:
            assert result == 127
            continue
        score = solver_of(GAME).solve(state).score
        assert score is not None
        assert result == ((score if state.to_move == 0 else -score) & 255)


def test_a_run_learns_something_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compress = lzma.compress  # the best compression takes longer than all the learning
    monkeypatch.setattr(lzma, "compress", lambda data, preset: compress(data, preset=0))
    games = random_games(80)
    settings = othello.Settings(margin_positions=2, margin_depth=3, held_out_every=6, steps=8)
    told: list[str] = []
    learner = othello.Learner(
        tmp_path / "work", settings, lambda stage, done, total: told.append(stage)
    )
    errors = learner.run([games], tmp_path / "out.weights", "a test")
    assert set(told) == {"solving the ends of games", "fitting the tables", "measuring margins"}
    about, tables, sigmas = patterns.read(tmp_path / "out.weights")
    assert about["games"] == 80
    assert len(about["phases"]) == othello.PHASES
    evaluation = _native.OthelloEvaluation(tables, sigmas)
    assert evaluation(GAME.start()) == evaluation(GAME.start())  # type: ignore[arg-type]
    blind = sum(abs(result - 256 * (result > 127)) for result in games.results) / len(games)
    assert errors[9]["error"] < blind / 2, "it predicts no better than saying nothing"

    class Forbidden(othello.Learner):
        def _fit(self, *_: object) -> bytes:
            raise AssertionError("what was done is done again")

        _exact = _margins = _fit  # type: ignore[assignment]

    again = Forbidden(tmp_path / "work", settings, lambda *_: None)
    assert again.run([games], tmp_path / "again.weights", "a test") == errors
    assert (tmp_path / "again.weights").read_bytes() == (tmp_path / "out.weights").read_bytes()


def test_other_settings_need_another_folder(tmp_path: Path) -> None:
    othello.Learner(tmp_path, othello.Settings(), lambda *_: None)
    with pytest.raises(ValueError, match="other settings"):
        othello.Learner(tmp_path, othello.Settings(regularization=3), lambda *_: None)


def test_other_games_need_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(Exception):
        pass

    def stop(*_: object) -> bytes:
        raise Stopped

    monkeypatch.setattr(othello.Learner, "_exact", stop)
    one, other = random_games(2), random_games(2, seed=2)
    learner = othello.Learner(tmp_path, othello.Settings(), lambda *_: None)
    for _ in range(2):
        with pytest.raises(Stopped):
            learner.run([one], tmp_path / "out.weights", "a test")
    with pytest.raises(ValueError, match="holds a run with other games; name another folder"):
        learner.run([other], tmp_path / "out.weights", "a test")


def test_a_run_under_the_old_name_of_the_regularization_resumes(tmp_path: Path) -> None:
    othello.Learner(tmp_path, othello.Settings(), lambda *_: None)
    note = tmp_path / "settings.json"
    note.write_text(note.read_text().replace("regularization", "caution"))
    othello.Learner(tmp_path, othello.Settings(), lambda *_: None)
    assert "regularization" in note.read_text()


def test_own_games_are_legal(tmp_path: Path) -> None:
    learner = othello.Learner(tmp_path, othello.Settings(self_play=2), lambda *_: None)
    games = learner.own_games()
    assert len(games) == 2
    samples = _native.OthelloTrainingSet()
    assert samples.add(games.moves, games.results, b"", 0, 2) == 2
    assert len(samples) > 80


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["chess", "--data", "."], "there is no game"),
        (["othello", "--data", "nowhere"], "there is no folder nowhere"),
        (["othello", "--data", "EMPTY"], "there is no .wtb file"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], says: str, tmp_path: Path) -> None:
    words = [str(tmp_path) if word == "EMPTY" else word for word in words]
    code, _, errors = command("learn", *words, "-o", str(tmp_path / "w"))
    assert code == 2
    assert says in errors
    assert errors.count("\n") == 1


def test_the_shipped_weights_say_how_they_were_made() -> None:
    about, _, _ = patterns.read()
    assert about["command"].startswith("honte learn othello")
    assert about["games"] > 100_000
    assert patterns.LEARNED.stat().st_size < 4 * 2**20
    assert json.dumps(about)
