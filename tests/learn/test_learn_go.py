"""Learning the policy of Go: from games to pattern strengths to priors."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import honte
from honte import _native
from honte.cli.builder import stored_games
from honte.core.record import Record
from honte.games.go import learning as go
from honte.games.go import sgf
from honte.games.go.uct import FEATURES
from honte.search import policy
from tests.cli.command import honte as command

GAME: Any = honte.game("go:size=7,komi=7.5")


def captures(count: int, seed: int = 1) -> list[Record]:
    """Games of players who capture whenever possible and otherwise play at random."""
    draw, games = random.Random(seed), []
    for _ in range(count):
        state, moves = GAME.start(), []
        for _ in range(50):
            legal = state.legal_moves()[:-1]
            if not legal:
                break
            left = state.cells().count(0)
            takes = [move for move in legal if state.play(move).cells().count(0) >= left]
            moves.append(draw.choice(takes or legal))
            state = state.play(moves[-1])
        games.append(Record(GAME.spec, moves=moves))
    return games


def silent(stage: str, done: int, total: int) -> None:
    pass


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, go.Result]:
    folder = tmp_path_factory.mktemp("games")
    (folder / "games.sgf").write_text(sgf.dumps(captures(60)))
    out = folder / "go.strengths"
    learner = go.Learner(folder / "work", go.Settings(), silent)
    return out, learner.learn(list(go.read_games(folder, "*", stored_games)), out, "a test")


def test_what_was_learned_foretells_games_held_out(learned: tuple[Path, go.Result]) -> None:
    result = learned[1]
    assert result.games == 60
    assert result.learned.likelihood > result.by_hand.likelihood > result.uniform.likelihood
    assert result.learned.first > 2 * result.uniform.first


def test_the_file_is_small_and_says_how_it_was_made(learned: tuple[Path, go.Result]) -> None:
    about, logs = policy.read(learned[0], FEATURES)
    assert about["made by"] == "a test"
    assert len(logs) == _native.GO_FEATURES
    assert learned[0].stat().st_size < 200_000


def test_a_taker_is_predicted_to_take(learned: tuple[Path, go.Result]) -> None:
    state = GAME.from_text("......./.XO..../XO...../.X...../......./......./......O X")
    player = honte.player(f"best:iterations=1,priors=0,policy={learned[0]}", GAME)
    assert GAME.format(player.choose(state).move) == "C5"


def test_each_step_foretells_its_own_games_better() -> None:
    learner = _native.GoLearner()
    for record in captures(10):
        go.add_samples(learner, go.from_record(record))
    found = [learner.measure(learner)[0]]
    for _ in range(6):
        learner.step(0.1)
        found.append(learner.measure(learner)[0])
    assert found == sorted(found)
    assert found[0] == pytest.approx(learner.measure_uniform()[0])


def test_a_turned_board_has_the_same_features() -> None:
    """Learned in one corner for one colour, it applies in all corners for both."""
    game: Any = honte.game("go:size=9")

    def learned_from(moves: str, answer: str) -> Any:
        learner, state = _native.GoLearner(), game.start()
        for word in moves.split():
            state = state.play(game.parse(word))
        learner.add(state, game.parse(answer))
        return learner

    learner = learned_from("C3 C4", "D4")
    for _ in range(5):
        learner.step(1.0)
    for moves, answer in (("G7 G6", "F6"), ("G3 F3", "F4"), ("pass C3 C4", "D4")):
        assert learner.measure(learned_from(moves, answer)) == pytest.approx(
            learner.measure(learner)
        )


def test_the_command_plays_and_goes_on(tmp_path: Path) -> None:
    words = ["learn", "go", "--self-play", "11", "--iterations", "5"]
    where = ["--out", str(tmp_path / "w"), "--work", str(tmp_path / "games")]
    done = command(*words, *where)
    assert done.code == 0, done.errors
    assert "learned" in done.output
    files = sorted((tmp_path / "games").glob("*.sgf"))
    assert len(files) == 11
    before = files[0].stat().st_mtime_ns
    assert command(*words, *where).output == done.output
    assert files[0].stat().st_mtime_ns == before


def test_games_of_other_settings_are_not_learned_from(tmp_path: Path) -> None:
    def played(count: int, iterations: int) -> list[list[int]]:
        settings = go.Settings(self_play=count, iterations=iterations, size=5)
        learner = go.Learner(tmp_path, settings, silent)
        learner.play()
        return [game.moves for game in learner.own_games()]

    three = played(3, 5)
    assert len(played(1, 6)) == 1
    assert played(2, 5) == three[:2]
    assert played(3, 5) == three


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["learn", "go"], "no games to learn from"),
        (["learn", "go", "--data", "nowhere"], "there is no nowhere"),
        (["learn", "chess"], "there is no game"),
        (["best", "go:size=5", "--player", "best:policy=nobody's"], "there is no file"),
    ],
)
def test_a_mistake_is_one_sentence(words: list[str], complaint: str) -> None:
    done = command(*words)
    assert done.code == 2
    assert complaint in done.errors
    assert "Traceback" not in done.errors
