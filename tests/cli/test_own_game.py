"""A user-defined game in one file works in every command."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import honte as library
from tests import loops
from tests.cli.command import ROOT, honte

FILE = ROOT / "examples" / "gomoku.py"
GAME = f"{FILE}:Gomoku:size=5"


def test_it_takes_one_file_of_less_than_150_lines() -> None:
    assert len(FILE.read_text().splitlines()) < 150


def test_best_gives_its_move() -> None:
    # Four in a row: the fifth stone wins.
    moves = "A1,A2,B1,B2,C1,C2,D1,D2"
    done = honte("best", GAME, "--moves", moves, "--iterations", "300", "--json")
    assert json.loads(done.output)["move"] == "E1", done.errors


def test_a_match_and_a_tournament_are_played(tmp_path: Path) -> None:
    few = ("--game", GAME, "--iterations", "10")
    done = honte("match", "best", "random", *few, "--games", "2", "--json")
    assert json.loads(done.output)["games"] == 2, done.errors
    store = str(tmp_path / "games.db")
    done = honte("tournament", "textbook", "random", "minimax:depth=1", *few, "--store", store)
    assert done.code == 0, done.errors
    assert "textbook" in done.output


def test_a_game_is_reviewed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("A1 A2 B1 B2 C1 C2 D1 D2 E1\n")
    done = honte("review", str(file), "--game", GAME, "--iterations", "30", "--json")
    assert done.code == 0, done.errors
    assert json.loads(done.output)


def test_a_game_is_played_in_the_terminal() -> None:
    done = honte("play", GAME, "--terminal", "--player", "random", given="C3\nquit\n")
    assert done.code == 0, done.errors
    assert "X" in done.output


def test_a_study_tunes_its_engine(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        f'game = "{GAME}"\n'
        'engine = "textbook:iterations=5"\n'
        "[parameters.c]\nvalues = [0.2, 1.0]\n"
        '[objective]\nagainst = ["random"]\ngames = 2\n'
        '[optimiser]\nname = "sweep"\ngames = 8\n'
        "[verify]\ngames = 0\n"
    )
    done = honte(
        "tune", str(study), "--store", str(tmp_path / "study.db"), "--workers", "1", "--json"
    )
    assert done.code == 0, done.errors
    assert "c" in json.loads(done.output)["settings"]


def test_it_is_played_on_the_whole_terminal() -> None:
    pytest.importorskip("textual")
    from honte.terminal.session import PERSON, Session
    from honte.terminal.tui import BoardApp

    session = Session(library.game(GAME), (PERSON, "best"))
    app = BoardApp(session, library.Limit(iterations=20))

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("enter")
            deadline = time.monotonic() + 60
            while len(session.states) < 3:
                assert time.monotonic() < deadline, "the engine did not answer"
                await pilot.pause(0.05)

    loops.run(play())
    assert session.states[-1].to_move == 0
