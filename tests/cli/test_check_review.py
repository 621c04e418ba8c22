"""``honte check`` and ``honte review``."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest

from tests.cli.command import ROOT, honte, start
from tests.needs import needs_bubblewrap

BOTS = ROOT / "tests" / "bots" / "check_bots"


# -- check -----------------------------------------------------------------------------


@needs_bubblewrap
def test_check_finds_nothing_wrong_with_a_healthy_bot() -> None:
    run = honte("check", f"py:{BOTS}/functions.py:healthy", "--game", "othello")
    assert run.code == 0, run.output + run.errors
    assert "ok        start: It starts, and moves first and second" in run.output
    assert re.search(r"\d+ moves took .* \(half of them less\)", run.output)
    assert "Nothing is wrong." in run.output.splitlines()[-1]
    assert run.errors == ""  # progress is for terminals


def test_check_says_what_is_wrong_and_how_to_fix_it() -> None:
    run = honte("check", f"py:{BOTS}/functions.py:never_passes", "--game", "othello")
    assert run.code == 1
    assert "FAULT     pass: In a position in which it must pass: it answered a1" in run.output
    assert "→ Pass when there is no move" in run.output
    assert "a b c d e f g h" in run.output
    assert run.output.splitlines()[-1] == "One fault: pass."
    assert all(len(line) <= 96 for line in run.output.splitlines()[1:])


def test_check_tells_programs_the_same() -> None:
    run = honte("check", "getpoint:./no-such-bot.so", "--json")
    assert run.code == 1
    found = json.loads(run.output)
    assert found["faults"] == 1
    assert found["game"].startswith("connect4:rows=")  # the course's board, without being asked
    (finding,) = found["findings"]
    assert finding["kind"] == "fault"
    assert finding["name"] == "does not start"
    assert "no-such-bot.so" in finding["seen"]
    assert "g++" in finding["fix"]


def test_an_interrupted_check_keeps_what_it_found() -> None:
    words = ["check", f"py:{BOTS}/functions.py:nearly_slow", "--seconds", "1"]
    with start(*words) as run:
        assert run.stdout is not None
        while not run.stdout.readline().startswith("ok"):
            assert run.poll() is None
        run.send_signal(signal.SIGINT)
        rest, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    assert rest.endswith("interrupted\n")
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    "words",
    [
        ["check", "nobody"],
        ["check", "uct:cee=1"],
        ["check", "random", "--game", "chess"],
        ["check", "random", "--seconds", "0"],
        pytest.param(["check", "py:functions.py"], marks=needs_bubblewrap),
        ["review", "no-such-file.sgf"],
        ["review", "tests"],
        ["review", "/dev/null", "--game", "othello"],
        ["review", "abc", "--store", "no-such-store.db"],
    ],
)
def test_what_makes_no_sense_is_one_sentence(words: list[str]) -> None:
    run = honte(*words)
    assert run.code == 2
    assert run.errors.startswith("honte: ")
    assert run.errors.count("\n") == 1


@pytest.mark.long
@pytest.mark.skipif(
    not shutil.which("gnugo", path="/usr/games:/usr/bin:/usr/local/bin"), reason="there is no gnugo"
)
def test_check_finds_nothing_wrong_with_gnugo() -> None:
    spec = "gtp:gnugo --mode gtp --level 1"
    run = honte("check", spec, "--game", "go:size=7", "--budget", "20", "--json")
    found = json.loads(run.output)
    assert found["faults"] == 0, run.output
    assert run.code == 0
    assert found["moves"] >= 1


# -- review ----------------------------------------------------------------------------


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "games.txt"
    path.write_text("4141472\n4455\n")
    return path


def test_review_marks_the_mistakes_of_a_file(transcript: Path) -> None:
    words = ["--game", "connect4", "--iterations", "2000", "--player", "uct:seed=1"]
    run = honte("review", str(transcript), *words)
    assert run.code == 0, run.errors
    line = next(line for line in run.output.splitlines() if line.startswith("  7  first   2"))
    assert "mistake" in line
    assert "better 4, a proven win. 4 wins at once." in line
    assert "first   ?: accuracy" in run.output
    assert "0 blunders, 1 mistake" in run.output


def test_review_tells_programs_the_same(transcript: Path) -> None:
    words = ["--game", "connect4", "--number", "2", "--iterations", "300", "--json"]
    found = json.loads(honte("review", str(transcript), *words).output)
    assert found["moves"] == found["reviewed"] == 4
    assert not found["interrupted"]
    assert [remark["move"] for remark in found["remarks"]] == ["4", "4", "5", "5"]
    assert found["remarks"][3]["mark"] == "blunder"  # three open in a row: 3 or 6 were needed
    assert 0 <= found["second_accuracy"] <= 100


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_game_is_read_from_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "game"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=["f5d6c3d3c4\n"])
    writer.start()
    run = honte("show", str(pipe), "--game", "othello", "--move", "5")
    writer.join()
    assert run.code == 0, run.errors
    assert "O to move; X 6, O 3" in run.output


def test_review_takes_a_game_of_a_store_and_writes_comments(tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    words = ["--game", "go:size=4", "--games", "1", "--store", store]
    assert honte("match", "random:seed=1", "random:seed=2", *words).code == 0
    id = honte("show", "--store", store).output.split()[0]
    out = tmp_path / "out.sgf"
    run = honte("review", id, "--store", store, "--iterations", "200", "--sgf", str(out))
    assert run.code == 0, run.errors
    assert "random:seed=1" in run.output
    text = out.read_text()
    assert text.startswith("(;")
    assert "better" in text


def test_variations_are_named_by_show_and_kept_by_review(tmp_path: Path) -> None:
    file, out = tmp_path / "game.sgf", tmp_path / "out.sgf"
    file.write_text("(;GM[1]SZ[5];B[cc](;W[bb])(;W[dd]TR[aa]C[or so])(;W[aa]))")
    shown = honte("show", str(file))
    assert "2 variations are not shown" in shown.output.splitlines()[-1]
    run = honte("review", str(file), "--iterations", "50", "--sgf", str(out))
    assert run.code == 0, run.errors
    assert "W[aa]" in out.read_text()
    assert "C[or so]TR[aa]W[dd]" in out.read_text().replace("\n", "")


def test_review_refuses_sgf_for_other_games(transcript: Path, tmp_path: Path) -> None:
    words = ["--game", "connect4", "--sgf", str(tmp_path / "out.sgf")]
    run = honte("review", str(transcript), *words)
    assert run.code == 2
    assert "cannot be written as SGF" in run.errors


def test_an_interrupted_review_says_what_it_has(transcript: Path) -> None:
    words = ["review", str(transcript), "--game", "connect4:rows=9,cols=9", "--seconds", "1"]
    with start(*words) as run:
        assert run.stdout is not None
        while not run.stdout.readline().startswith("  1  first"):
            assert run.poll() is None
        time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        rest, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    assert re.search(r"interrupted: [1-6] of 7 moves reviewed", rest)
    assert "Traceback" not in errors
