"""Self-play data: every position matches its game, and every game is there once."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honte.arena.samples import load_samples
from honte.arena.selfplay import Run, Settings, Shard, file_of, play
from tests.cli.command import honte as command

SMALL = Settings("connect4:rows=5,cols=5", "uct", games=7, iterations=20, per_file=3, seed=4)


def make(folder: Path, settings: Settings = SMALL) -> None:
    run = Run(folder, settings, workers=1)
    try:
        run.play()
    finally:
        run.close()


@pytest.mark.parametrize("game", ["connect4:rows=5,cols=5", "othello:size=4", "go:size=3"])
def test_rows_are_the_positions_of_the_games(game: str, tmp_path: Path) -> None:
    settings = replace(SMALL, game=game)
    make(tmp_path / "data", settings)
    found = load_samples(tmp_path / "data")
    assert found.games.tolist() == [*range(7)]
    planes = found.planes()
    assert len(planes) == len(found) == len(found.policy)
    row = 0
    for index in range(7):
        states: list[Any] = list(found.states(index))
        assert (found.game[row : row + len(states)] == index).all()
        for number, state in enumerate(states):
            legal = np.zeros(found.policy.shape[1], bool)
            legal[state.legal_moves()] = True
            policy = found.policy[row].astype(float)
            assert found.to_move[row] == state.to_move
            assert (planes[row] == state.planes()).all()
            assert found.ply[row] == number + settings.opening_plies
            assert found.move[row] in state.legal_moves()
            assert abs(policy.sum() - 1) < 0.01
            assert not policy[~legal].any()
            assert -1 <= found.value[row] <= 1
            if found.proven[row] != 2:
                assert found.proven[row] == found.result[row], "proven moves are played on best"
            last, row = state, row + 1
        last = last.play(int(found.move[row - 1]))
        assert last.is_over
        result = 0 if last.winner is None else 1 - 2 * last.winner
        sign = 1 - 2 * states[-1].to_move
        assert found.result[row - 1] == sign * result
        assert found.score[row - 1] == sign * last.score
    assert row == len(found)


def test_the_first_moves_are_drawn_by_their_visits_and_the_later_ones_are_best() -> None:
    done = play(Shard(0, replace(SMALL, sampled_plies=3, per_file=30, games=30)))
    best = done.arrays["policy"].argmax(axis=1) == done.arrays["positions"]["move"]
    ply = done.arrays["positions"]["ply"] - SMALL.opening_plies
    assert not best[ply < 3].all()
    assert best[ply >= 3].mean() > 0.9  # ties, and proven moves with fewer visits


def test_a_player_without_visits_has_its_move_for_a_policy() -> None:
    done = play(Shard(0, replace(SMALL, player="alphabeta:depth=2", iterations=None)))
    assert (done.arrays["policy"].max(axis=1) == 1).all()


def test_boards_that_are_drawn_may_differ(tmp_path: Path) -> None:
    make(tmp_path / "data", replace(SMALL, game="connect4:course", player="random"))
    found = load_samples(tmp_path / "data")
    assert len({*found.specs.tolist()}) == 7
    with pytest.raises(ValueError, match="7 different boards"):
        found.planes()
    assert found.states(6)[0].game.spec == found.specs[6]


def test_the_same_settings_make_the_same_data(tmp_path: Path) -> None:
    for name in "ab":
        make(tmp_path / name)
    a, b = load_samples(tmp_path / "a"), load_samples(tmp_path / "b")
    assert (a.policy == b.policy).all()
    assert (a.move == b.move).all()


def test_a_run_that_was_cut_off_goes_on_and_nothing_is_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path / "whole")
    folder = tmp_path / "cut"
    run = Run(folder, SMALL, workers=1)
    run.play(lambda have: run.stop() if have else None)
    run.close()
    assert run.have == 3
    file_of(folder, 1).with_name("games-000001.npz.part").write_bytes(b"half of a file")
    assert len(load_samples(folder).games) == 3
    again = Run(folder, SMALL, workers=1)
    seen: list[int] = []
    again.play(seen.append)
    again.close()
    assert seen == [3, 6, 7]
    assert (load_samples(folder).policy == load_samples(tmp_path / "whole").policy).all()
    monkeypatch.setattr("honte.arena.workers.Workers.send", None)  # nothing is left to play
    make(folder)


def test_other_settings_and_other_folders_are_refused(tmp_path: Path) -> None:
    make(tmp_path / "data")
    with pytest.raises(ValueError, match="have seed 4, not 5"):
        make(tmp_path / "data", replace(SMALL, seed=5))
    (tmp_path / "file").write_text("x")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x").write_text("x")
    for name in ("file", "other"):
        with pytest.raises((ValueError, OSError)):
            make(tmp_path / name)
    with pytest.raises(ValueError, match="holds no self-play data"):
        load_samples(tmp_path / "other")
    about = json.loads((tmp_path / "data" / "about.json").read_text())
    (tmp_path / "data" / "about.json").write_text(json.dumps({**about, "format": 99}))
    with pytest.raises(ValueError, match="another version"):
        load_samples(tmp_path / "data")


def test_a_wrong_limit_leaves_no_folder_behind(tmp_path: Path) -> None:
    """Which would refuse the right one as another setting."""
    with pytest.raises(ValueError, match="iterations must be positive, not 0"):
        make(tmp_path / "data", replace(SMALL, iterations=0))
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("text", ["[1]", "null", "7", "{", ""])
def test_an_about_file_that_is_no_description_is_named(text: str, tmp_path: Path) -> None:
    make(tmp_path / "data")
    (tmp_path / "data" / "about.json").write_text(text)
    with pytest.raises(ValueError, match=r"about\.json is not a description"):
        make(tmp_path / "data")


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    make(tmp_path / "data")
    file_of(tmp_path / "data", 1).write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"games-000001\.npz cannot be read"):
        load_samples(tmp_path / "data")


def test_the_command_writes_a_folder(tmp_path: Path) -> None:
    words = ["selfplay", "othello:size=4", "--games", "4", "--iterations", "10", "--workers", "1"]
    done = command(*words, "-o", str(tmp_path / "data"))
    assert done.code == 0, done.errors
    assert "of 4 games" in done.output
    assert len(load_samples(tmp_path / "data").games) == 4
    assert command(*words, "-o", str(tmp_path / "data"), "--seed", "9").code == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], "there is no game"),
        (["othello", "--player", "stockfish"], "stockfish"),
        (["othello", "--games", "0"], "--games"),
        (["othello", "--on", "mars"], "--on 'mars' is unknown"),
        (["examples/gomoku.py:Gomoku"], "does not number its moves"),
    ],
)
def test_a_wrong_command_is_one_sentence(words: list[str], sentence: str, tmp_path: Path) -> None:
    done = command("selfplay", *words, "-o", str(tmp_path / "data"))
    assert done.code == 2
    assert sentence in done.errors
    assert "Traceback" not in done.errors
