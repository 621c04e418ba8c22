"""`honte solve`: one position, a file of positions, and its errors."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.command import COMMAND, ENVIRONMENT, ROOT, honte, interrupted

NINE = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"
KNOWN = f"{NINE}; H5:+6; G6:-2; F6:-4; H6:-10;"


def test_a_position_gets_its_score_and_that_of_every_move() -> None:
    code, output, errors = honte("solve", "othello", "--position", NINE)
    assert (code, errors) == (0, "")
    assert "h5     +6" in output
    assert "h6     -10" in output
    assert "score +6, a win" in output


def test_json_has_what_programs_ask_for() -> None:
    code, output, _ = honte("solve", "othello", "--position", NINE, "--json")
    found = json.loads(output)
    assert code == 0
    assert (found["score"], found["outcome"], found["pv"][0]) == (6, "win", "h5")
    assert {move["move"]: move["value"] for move in found["moves"]} == {
        "h5": 6,
        "g6": -2,
        "f6": -4,
        "h6": -10,
    }
    assert found["nodes"] > 0
    assert found["seconds"] > 0


def test_wld_proves_only_the_winner() -> None:
    _, output, _ = honte("solve", "othello", "--position", NINE, "--wld", "--best", "--json")
    found = json.loads(output)
    assert found["outcome"] == "win"
    assert found["low"] > 0


@pytest.mark.parametrize("more", [(), ("--all",), ("--wld",), ("--threads", "2")])
def test_a_file_is_checked_against_its_known_values(tmp_path: Path, more: tuple[str, ...]) -> None:
    path = tmp_path / "problems.obf"
    path.write_text(f"% two problems\n{KNOWN}\n{NINE};\n")
    code, output, _ = honte("solve", "othello", "--file", str(path), "--json", *more)
    found = json.loads(output)
    assert code == 0
    assert [row["ok"] for row in found["positions"]] == [True, None]
    assert [row["expected"] for row in found["positions"]] == [6, None]
    assert (found["solved"], found["missed"]) == (2, 0)


def test_a_known_value_that_is_missed_fails(tmp_path: Path) -> None:
    path = tmp_path / "problems.obf"
    path.write_text(KNOWN.replace("+6", "+8") + "\n")
    code, output, _ = honte("solve", "othello", "--file", str(path))
    assert code == 1
    assert "missed" in output
    assert "1 known values missed" in output


def test_a_limit_of_time_gives_bounds() -> None:
    code, output, errors = honte("solve", "othello", "--seconds", "0.3", "--json")
    found = json.loads(output)
    assert code == 0
    assert found["score"] is None
    assert (found["low"], found["high"], found["stopped"]) == (-64, 64, "time")
    assert "60 empties take" in errors


def test_ctrl_c_keeps_what_is_proved() -> None:
    process = subprocess.Popen(
        [*COMMAND, "solve", "othello", "--moves", "f5d6c3", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=ENVIRONMENT,
    )
    assert process.stderr is not None
    assert "million years" in process.stderr.readline()  # from here on it is at work
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(output)["stopped"] == "interrupted"
    assert "Traceback" not in errors


def test_ctrl_c_in_the_player_keeps_its_best_move() -> None:
    twenty_four = "---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO-- X"
    words = ["best", "othello", "--player", "solver:seconds=500", "--json"]
    output = interrupted(*words, "--position", twenty_four)
    assert len(json.loads(output)["candidates"]) == 14


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("othello", "--position", "-" * 63 + " X"), "64 squares"),
        (("othello", "--position", "-" * 65 + " X"), "64 squares"),
        (("othello", "--position", "-" * 64 + " X"), "the board is empty"),
        (("othello", "--position", "X" * 64 + " X"), "neither side has a move"),
        (("go",), "no solver for go"),
        (("othello", "--file", "nowhere.obf"), "nowhere.obf"),
        (("othello:size=6", "--file", "nowhere.obf"), "8×8"),
        (("othello", "--file", "x.obf", "--moves", "f5"), "has its own positions"),
        (("othello", "--threads", "0"), "threads"),
    ],
)
def test_what_cannot_be_solved_is_said_in_a_sentence(
    arguments: tuple[str, ...], message: str
) -> None:
    code, output, errors = honte("solve", *arguments)
    assert (code, output) == (2, "")
    assert message in errors
    assert "Traceback" not in errors
    assert errors.count("\n") == 1


def test_connect_four_gets_its_score_and_the_stone_that_wins() -> None:
    code, output, _ = honte("solve", "connect4", "--moves", "5554224333234511764415115")
    assert code == 0
    assert "score +4, a win with stone 36" in output
    code, output, _ = honte("solve", "connect4:rows=4,cols=4", "--json")
    assert json.loads(output)["outcome"] == "draw"


def test_a_file_of_connect_four_is_checked_against_its_values(tmp_path: Path) -> None:
    path = tmp_path / "positions"
    path.write_text("# two\n5554224333234511764415115 4\n\n52753311433677442422121\n")
    code, output, _ = honte("solve", "connect4", "--file", str(path), "--json")
    found = json.loads(output)
    assert code == 0
    assert [row["ok"] for row in found["positions"]] == [True, None]
    assert [row["score"] for row in found["positions"]] == [4, 8]
    path.write_text("5554224333234511764415115 5\n")
    code, output, _ = honte("solve", "connect4", "--file", str(path))
    assert code == 1
    assert "1 known values missed" in output
    path.write_text("99\n")
    code, _, errors = honte("solve", "connect4", "--file", str(path))
    assert code == 2
    assert "line 1" in errors
