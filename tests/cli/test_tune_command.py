"""``honte tune``: a study from its file, killed and resumed, and the errors of study files."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
import typer

import honte.cli.tune as tune_command
from honte.core import signals
from tests.cli.command import COMMAND, ENVIRONMENT, honte
from tests.needs import needs_bubblewrap
from tests.tune.studies import genetic


def write(tmp_path: Path, text: str) -> str:
    path = tmp_path / "study.toml"
    path.write_text(text)
    return str(path)


def test_a_study_runs_and_says_who_won_by_how_much(tmp_path: Path) -> None:
    file = write(tmp_path, genetic(2, 40))
    store, plot = str(tmp_path / "s.db"), str(tmp_path / "s.png")
    done = honte("tune", file, "--store", store, "--plot", plot)
    assert done.code == 0, done.errors
    assert "genetic on othello: 159 games" in done.output
    assert "winner  alphabeta:depth=2,weights=" in done.output
    assert "40 games, 40 different" in done.output
    assert "noise: None: one game decides" in done.output
    assert Path(plot).stat().st_size > 10_000
    again = json.loads(honte("tune", file, "--store", store, "--json").output)
    assert again["from_store"] == 199
    assert again["winner"] in done.output
    other = json.loads(honte("tune", file, "--store", store, "--json", "--seed", "2").output)
    assert other["from_store"] == 0
    assert other["winner"] != again["winner"]


def ids(path: Path) -> list[str]:
    if not path.exists():
        return []
    try:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        found = [row[0] for row in db.execute("SELECT id FROM games")]
        db.close()
    except sqlite3.Error:
        return []
    return found


def kill_and_resume(tmp_path: Path, generations: int, kills: int) -> None:
    file = write(tmp_path, genetic(generations, 40))
    whole = tmp_path / "whole.db"
    undisturbed = honte("tune", file, "--store", str(whole), "--json", timeout=600)
    assert undisturbed.code == 0, undisturbed.errors
    path = tmp_path / "killed.db"
    draw = random.Random(1)
    most = 2 * len(ids(whole)) // kills  # so that the kills are spread over the study
    killed = midway = 0
    kept = []
    while killed < kills:
        enough = len(ids(path)) + draw.randrange(1, most)
        process = subprocess.Popen(
            [*COMMAND, "tune", file, "--store", str(path)],
            stdout=subprocess.DEVNULL,
            env=ENVIRONMENT,
        )
        patience = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < patience:
            if len(ids(path)) >= enough:
                break
            time.sleep(draw.random() * 0.05)
        ended = process.poll() is not None
        process.send_signal(signal.SIGKILL)
        process.wait()
        killed += 1
        midway += not ended
        kept.append(len(ids(path)))
        assert set(ids(path)) <= set(ids(whole)), "no game that an undisturbed run has not"
        if ended:
            break
    print(f"killed {midway} times in the middle, with {kept} of {len(ids(whole))} games kept")
    assert midway >= kills // 2
    resumed = honte("tune", file, "--store", str(path), "--json", timeout=600)
    assert resumed.code == 0, resumed.errors
    one, two = json.loads(undisturbed.output), json.loads(resumed.output)
    for key in ("winner", "games", "verification"):
        assert one[key] == two[key]
    assert len(ids(path)) == len(set(ids(path)))
    assert sorted(ids(path)) == sorted(ids(whole))


@pytest.mark.long
def test_a_killed_study_ends_as_one_that_was_not(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, generations=20, kills=2)


@pytest.mark.long
def test_a_study_killed_at_twenty_instants_ends_as_one_that_was_not(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, generations=800, kills=20)


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    file = write(tmp_path, genetic(2000, 40))
    path = tmp_path / "s.db"
    process = subprocess.Popen(
        [*COMMAND, "tune", file, "--store", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    patience = time.monotonic() + 60
    while not ids(path) and time.monotonic() < patience:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    # The first game stands in the store a moment before it counts.
    assert "stopped: interrupted" in output or errors == BEFORE_A_GAME
    assert "Traceback" not in errors
    assert len(ids(path)) > 0


BEFORE_A_GAME = "stopped: interrupted, before a game was finished\n"


def test_ctrl_c_before_the_first_game_is_answered_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tune_command, "follow", interrupted)
    before = {number: signal.getsignal(number) for number in signals.ENDING}
    try:
        with pytest.raises(typer.Exit) as left:
            tune_command.tune(Path(write(tmp_path, genetic(2, 40))), tmp_path / "s.db", workers=1)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert left.value.exit_code == 130
    assert capsys.readouterr().err == BEFORE_A_GAME


CRASH = "def choose(state, limit):\n    raise RuntimeError('oh')\n"


@needs_bubblewrap
def test_an_opponent_that_crashes_ends_the_study_with_one_sentence(tmp_path: Path) -> None:
    bot = tmp_path / "bad.py"
    bot.write_text(CRASH)
    text = genetic(2, 40).replace('preset = "report"\n', "games = 2000\n")
    text = text.replace("generations = 2\n", "").replace("population = 16", "population = 4")
    text = text.replace("[optimiser]", f'[objective]\nagainst = ["py:{bot}:choose"]\n[optimiser]')
    store = tmp_path / "s.db"
    done = honte("tune", write(tmp_path, text), "--store", str(store), "--workers", "2")
    assert done.code == 2
    assert done.errors.count("\n") == 1
    assert "faulted 5 times in a row (crash" in done.errors
    assert "the games are in" in done.errors
    assert len(ids(store)) >= 5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.toml"], "No such file"),
        (["STUDY", "--on", "mars"], "is unknown; use local, ray or ray://HOST:PORT"),
        (["STUDY", "--plot", "out.xyz"], "end the name in one of"),
        (["STUDY", "--store", "."], "is a folder; name a file in it"),
    ],
)
def test_what_cannot_be_is_answered_in_one_sentence(
    arguments: list[str], words: str, tmp_path: Path
) -> None:
    file = write(tmp_path, genetic(1, 40))
    given = [file if word == "STUDY" else word for word in arguments]
    if "--store" not in given:
        given += ["--store", str(tmp_path / "s.db")]
    done = honte("tune", *given)
    assert done.code == 2
    assert words in done.errors
    assert done.errors.count("\n") == 1


def test_a_game_of_a_file_is_tuned(tmp_path: Path) -> None:
    text = """
game = "examples/gomoku.py:Gomoku:size=5"
engine = "textbook:iterations=20"
[parameters.c]
low = 0.2
high = 2.0
start = 1.4
[objective]
games = 2
[optimiser]
name = "spsa"
games = 8
[verify]
games = 2
"""
    store = str(tmp_path / "games.db")
    done = honte("tune", write(tmp_path, text), "--store", store, "--workers", "1", "--json")
    assert done.code == 0, done.errors
    found = json.loads(done.output)
    assert found["game"] == "examples/gomoku.py:Gomoku:size=5"
    assert found["games"] >= 4
