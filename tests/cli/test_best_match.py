"""``honte best`` and ``honte match``."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from honte.cli.best import settings_table
from tests.cli.command import honte, interrupted
from tests.cli.test_match_tournament import count

FUNCTIONS = Path(__file__).parents[1] / "bots" / "functions.py"


def test_best_tells_programs_what_the_design_promises() -> None:
    run = honte("best", "connect4", "--moves", "4455", "--iterations", "2000", "--json")
    assert run.code == 0, run.errors
    found = json.loads(run.output)
    assert found["move"] in ("3", "6")
    assert found["proven"] == "win"
    assert found["value"] == 1
    assert found["pv"][0] == found["move"] == found["candidates"][0]["move"]
    for key in ("iterations", "nodes", "seconds"):
        assert isinstance(found[key], int | float)
    for candidate in found["candidates"]:
        assert {"move", "visits", "value"} <= set(candidate)


@pytest.mark.parametrize("game", ["connect4:course,seed=2", "othello", "go:size=9"])
def test_best_shows_people_a_table(game: str) -> None:
    run = honte("best", game, "--seconds", "0.1")
    assert run.code == 0, run.errors
    assert " s, " in run.output.splitlines()[-1]
    assert any(sign in run.output for sign in ("█", " discs, ", "win in 21 moves"))
    assert all(len(line) <= 80 for line in run.output.splitlines())


def test_moves_that_were_not_visited_have_no_value_in_the_table() -> None:
    words = ("best", "connect4:course,seed=3", "--player", "uct:net=learned,seed=1")
    run = honte(*words, "--iterations", "40", "--json")
    candidates = json.loads(run.output)["candidates"]
    visited = [one["move"] for one in candidates if one["visits"]]
    assert 0 < len(visited) < len(candidates)
    run = honte(*words, "--iterations", "40")
    rows = run.output.splitlines()[1 : len(visited) + 2]
    assert [row.split()[0] for row in rows] == [*visited, "…"]
    assert rows[-1] == f"… and {len(candidates) - len(visited)} more"


def test_best_takes_a_position_and_another_player() -> None:
    board = "......./......./......./X....../X.....O/X..O..O X"
    run = honte("best", "connect4", "--position", board, "--player", "minimax:depth=2", "--json")
    assert json.loads(run.output)["move"] == "1"


@pytest.mark.parametrize(
    "words",
    [
        ["best", "connect4", "--moves", "1212121"],
        ["best", "connect4", "--player", "nobody"],
        ["best", "connect4", "--player", "uct:cee=1"],
        ["best", "chess"],
        ["best", "connect4", "--seconds", "0"],
        ["best", "connect4", "--seconds", "-1"],
        ["best", "connect4", "--position", "nonsense"],
        ["match", "uct", "nobody"],
        ["match", "uct", "random", "--game", "chess"],
        ["match", "uct", "random", "--games", "0"],
        ["match", "uct", "random", "--seconds", "nan"],
        ["best", "connect4", "--player", f"py:{FUNCTIONS}:raises"],
        ["best", "connect4", "--player", f"py:{FUNCTIONS}:missing"],
    ],
)
def test_what_cannot_be_done_is_one_sentence(words: list[str]) -> None:
    run = honte(*words)
    assert run.code == 2
    assert run.output == ""
    assert len(run.errors.strip().splitlines()) == 1
    assert run.errors.startswith("honte: ")


def test_ctrl_c_prints_the_best_move_so_far() -> None:
    found = json.loads(interrupted("best", "go:size=9", "--seconds", "60", "--json"))
    assert found["iterations"] > 100
    assert found["stopped"] == "interrupted"


def test_match_tells_programs_what_the_design_promises() -> None:
    words = ["match", "uct", "random", "--game", "othello:size=6", "--games", "6"]
    run = honte(*words, "--iterations", "200", "--workers", "2", "--json")
    assert run.code == 0, run.errors
    found = json.loads(run.output)
    assert found["games"] == 6
    assert found["wins"] + found["draws"] + found["losses"] == 6
    for side in ("first", "second"):
        assert sum(found[side].values()) == 3
    assert found["distinct"] == 6
    assert found["stopped"] == "all games played"
    assert sum(found["reasons"].values()) == 6
    for key in ("elo", "elo_error", "margin", "margin_error"):
        assert isinstance(found[key], int | float)
    assert found["wins"] >= 4


def test_ctrl_c_ends_a_match_with_what_was_played(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    command = [sys.executable, "-m", "honte", "match", "uct", "uct:c=1", "--games", "1000"]
    command += ["--iterations", "200", "--workers", "2", "--store", str(store)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while count(store) < 2:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "stopped: interrupted" in out


def test_the_settings_of_a_player_are_listed_with_the_experimental_ones_last() -> None:
    code, output, _ = honte("best", "connect4", "--player", "uct", "--settings")
    assert code == 0
    usual, experimental = output.split("experimental:\n")
    assert "threat_depth          8 " in usual
    assert "progressive_widening" in experimental
    assert "progressive_widening" not in usual


@pytest.mark.parametrize(
    ("game", "player", "values"),
    [
        ("connect4", "uct:seed=5", {"seed": "5", "selection": "ucb1", "solver": "yes"}),
        ("connect4", "solver", {"book": "no"}),
        ("connect4:rows=9,cols=9", "best", {"net": "learned", "memory_mb": "512", "c": "1.5"}),
        ("othello", "uct", {"playout": "corner", "policy": "no"}),
        ("go", "uct", {"selection": "puct", "rave": "1000.0", "rave_prior": "10.0"}),
        ("go", "best:policy=no,book=yes", {"policy": "no", "rave_prior": "0.0", "book": "yes"}),
    ],
)
def test_settings_are_those_the_game_uses(game: str, player: str, values: dict[str, str]) -> None:
    import honte as api

    chooser = api.player(player, api.game(game))
    rows = settings_table(chooser.options, chooser.effective_settings()).splitlines()
    shown = dict(row.split()[:2] for row in rows if row != "experimental:")
    assert {name: shown[name] for name in values} == values


def test_a_game_of_a_file_gets_a_best_move() -> None:
    code, output, errors = honte("best", "examples/gomoku.py:Gomoku", "--seconds", "0.1")
    assert (code, errors) == (0, "")
    assert "simulations" in output
