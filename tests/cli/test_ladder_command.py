"""``honte ladder`` and ``honte calibrate`` as people run them."""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.testing import CliRunner

import honte as package
from honte.arena import calibrate
from honte.cli.main import make_app
from honte.core.descriptor_parts import Levels
from honte.core.games import game as make_game
from honte.games.connect4.game import ConnectFour
from honte.players import level
from tests.cli.command import Done, honte, start

BOTS = """
def centre(state, limit):
    moves = state.legal_moves()
    return moves[len(moves) // 2]

def crash(state, limit):
    raise RuntimeError("no idea")

def off_the_board(state, limit):
    return 99
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "bots.py"
    path.write_text(BOTS)
    return path


def summary(*arguments: str) -> dict[str, Any]:
    done = honte("ladder", *arguments, "--json")
    assert done.code == 0, done.errors
    found: dict[str, Any] = json.loads(done.output)
    return found


class Climbed(NamedTuple):
    """A quick climb of a random player: what it printed, and the store with its games."""

    done: Done
    store: str


@pytest.fixture(scope="module")
def climbed(tmp_path_factory: pytest.TempPathFactory) -> Climbed:
    store = str(tmp_path_factory.mktemp("climbed") / "my games.db")
    done = honte("ladder", "random:seed=3", "--quick", "--store", store)
    assert done.code == 0, done.errors
    return Climbed(done, store)


def test_a_quick_climb_finds_a_random_player_at_the_foot(climbed: Climbed) -> None:
    found = summary("random:seed=3", "--quick", "--store", climbed.store)
    assert found["games"] == 20
    assert len(found["opponents"]) == 10
    assert found["elo"] - found["elo_error"] < 150
    assert found["level"] < 25
    assert found["stopped"] == "all games played"


def test_the_same_command_prints_the_same_table_and_plays_nothing(climbed: Climbed) -> None:
    arguments = ("ladder", "random:seed=3", "--quick", "--store", climbed.store)
    again = honte(*arguments)
    assert again.code == 0
    assert again.output == climbed.done.output
    assert summary(*arguments[1:])["from_store"] == 20


def test_the_seed_alone_decides_the_games(tmp_path: Path) -> None:
    def lost(name: str, seed: int) -> list[str]:
        store = str(tmp_path / name)
        found = summary("random", "--quick", "--store", store, "--seed", str(seed))
        return [f"{loss['level']} {loss['side']} {loss['plies']}" for loss in found["lost"]]

    assert lost("a.db", 5) == lost("b.db", 5)
    assert lost("a.db", 5) != lost("c.db", 6)


def test_every_loss_can_be_replayed_as_it_says(climbed: Climbed) -> None:
    lines = climbed.done.output.splitlines()
    line = next(line for line in lines if line.startswith("lost to level"))
    assert f"--store '{climbed.store}'" in line
    id = line.partition("honte show ")[2].split()[0]
    shown = honte("show", id, "--store", climbed.store)
    assert shown.code == 0
    assert "wins (played out)" in shown.output


@pytest.mark.long
def test_a_python_function_climbs(tmp_path: Path, bots: Path) -> None:
    found = summary(f"py:{bots}:centre", "--quick", "--store", str(tmp_path / "l.db"))
    assert found["games"] == 20
    assert found["faults"] == []
    assert found["wins"] > 0


def test_a_bot_that_crashes_is_retired_and_the_whole_table_is_printed(
    tmp_path: Path, bots: Path
) -> None:
    done = honte("ladder", f"py:{bots}:crash", "--store", str(tmp_path / "l.db"))
    assert done.code == 0
    assert "100 games +0 =0 -100" in done.output
    assert "course score 0 of 40   (0 points * 40 / 200; a win 2, a draw 1)" in done.output
    assert "fault against level 2 as first: crash: it raised RuntimeError: no idea" in done.output
    assert "retired after faults in a row" in done.output
    assert "it lost every game" in done.output
    assert done.output.count("honte show") == 5


def test_an_illegal_move_is_named_with_its_reason(tmp_path: Path, bots: Path) -> None:
    found = summary(f"py:{bots}:off_the_board", "--quick", "--store", str(tmp_path / "l.db"))
    assert {fault["reason"] for fault in found["faults"]} == {"illegal"}
    assert found["retired"].startswith("illegal")
    assert found["stopped"] == "the bot was retired"


def test_what_cannot_be_is_said_in_a_sentence(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "l.db"))
    for arguments, words in [
        (("nobody",), "there is no player 'nobody'"),
        (("random", "--game", "chess"), "chess"),
        (("random", "--quick", "--rounds", "3"), "--quick chooses its own games"),
        (("random", "--seconds", "0"), "--seconds"),
        (("random", "--rounds", "0"), "--rounds"),
        (("random", "--plot", "out.what"), "--plot out.what"),
        (("level:400",), "a whole number from 1 to 100"),
    ]:
        done = honte("ladder", *arguments, *store)
        assert (done.code, done.output) == (2, "")
        assert words in done.errors
        assert done.errors.count("\n") == 1
    assert not (tmp_path / "l.db").exists()


def test_ctrl_c_prints_what_there_is_and_the_run_goes_on_later(tmp_path: Path) -> None:
    store = str(tmp_path / "l.db")
    # Slow on purpose: it would take minutes to the end.
    arguments = ("ladder", "uct:seconds=0.05", "--store", store, "--json")
    running = start(*arguments)
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            time.sleep(0.2)
            listed = honte("show", "--store", store)
            if listed.code == 0 and int(listed.output.splitlines()[-1].split()[0]) >= 2:
                break
        os.kill(running.pid, signal.SIGINT)
        output, errors = running.communicate(timeout=60)
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
    assert running.returncode == 130, errors
    found = json.loads(output)
    assert found["stopped"] == "interrupted"
    assert 2 <= found["games"] < 100
    assert "Traceback" not in errors


def test_the_win_rate_against_levels_is_drawn(tmp_path: Path, climbed: Climbed) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "rates.png"
    arguments = ("random:seed=3", "--quick", "--store", climbed.store)
    assert honte("ladder", *arguments, "--plot", str(picture)).code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 10_000


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dial that is quickly measured."""
    quick = Levels("connect4", low=2, top=200, engine="uct")
    monkeypatch.setattr(ConnectFour, "descriptor", replace(ConnectFour.descriptor, levels=quick))
    monkeypatch.setattr(calibrate, "POINTS", 6)


@pytest.mark.usefixtures("small")
def test_a_calibration_writes_a_table_and_goes_on_from_its_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(file: Path, *output: str) -> str:
        arguments = ["calibrate", "connect4", "--games", "20", "--store", str(tmp_path / "c.db")]
        done = CliRunner().invoke(make_app(), [*arguments, *output])
        assert done.exit_code == 0, done.output
        assert f"install it:  cp {file} {installed}\n" in done.output
        return file.read_text()

    installed = tmp_path / "installed.json"
    monkeypatch.setattr(level, "table_path", lambda game, name: installed)
    monkeypatch.chdir(tmp_path)
    text = run(tmp_path / "one.json", "-o", str(tmp_path / "one.json"))
    found = json.loads(text)
    assert found["command"] == "honte calibrate connect4 --games 20 --seed 0"
    assert found["version"] == package.__version__
    assert len(found["levels"]) == 100
    assert len(found["points"]) == 6
    assert found["points"][0]["elo"] == 0
    assert found["levels"][99] == {
        "level": 100,
        "spec": "uct:iterations=200",
        "noise": 0.0,
        "elo": found["levels"][99]["elo"],
        "error": found["levels"][99]["error"],
    }
    assert found["levels"][99]["elo"] > 300, "200 simulations beat random moves"
    assert run(Path("levels.json")) == text, "from the store, without a game"
    assert not installed.exists()


def test_a_calibration_of_nothing_is_refused_in_a_sentence(tmp_path: Path) -> None:
    done = honte("calibrate", "chess")
    assert (done.code, done.output) == (2, "")
    assert "there is no game 'chess'; there are connect4" in done.errors
    done = honte("calibrate", "go", "-o", str(tmp_path / "no" / "table.json"))
    assert done.code == 2
    assert "no such folder" in done.errors


def test_a_check_tells_a_wrong_table_from_a_right_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrate, "SAMPLE", ((1, 30), (5, 35)))
    arguments = ["calibrate", "connect4", "--check", "--games", "20"]
    right = CliRunner().invoke(make_app(), [*arguments, "--store", str(tmp_path / "c.db")])
    assert right.exit_code == 0, right.output
    assert "agrees with 40 games" in right.output
    flat = [
        rung.__class__(rung.level, rung.spec, rung.noise, 0.0, 1.0)
        for rung in level.table(make_game("connect4"))
    ]
    monkeypatch.setattr(level, "table", lambda name: flat)
    wrong = CliRunner().invoke(make_app(), [*arguments, "--store", str(tmp_path / "c.db")])
    assert wrong.exit_code == 1
    assert "off" in wrong.output
