"""`honte export getpoint`: the library under a judge in C, and as a bot of ours."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import honte
from honte.protocols import getpoint_engine
from tests.cli.command import honte as command

JUDGE = Path(__file__).parents[1] / "bots" / "judge.c"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "libhonte.so"
    code, output, errors = command("export", "getpoint", "--seconds", "0.05", "-o", str(path))
    assert (code, errors) == (0, "")
    assert "0.05 s a move" in output
    return path


def judge(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Build the judge and let it play."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    program = folder / "judge"
    subprocess.run([compiler, "-O1", str(JUDGE), "-o", str(program), "-ldl"], check=True)
    return subprocess.run(
        [str(program), *words], capture_output=True, text=True, timeout=1800, check=False
    )


def test_a_judge_in_c_finds_every_move_legal(exported: Path, tmp_path: Path) -> None:
    # The limit is generous here: the long test below is about time.
    done = judge(tmp_path, str(exported), "1", "5")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "calls, the longest" in done.stdout


@pytest.mark.long
def test_two_thousand_calls_keep_their_time_while_both_cores_are_busy(tmp_path: Path) -> None:
    path = tmp_path / "libhonte.so"
    getpoint_engine.write_getpoint(path, 0.5)
    busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2)]
    try:
        done = judge(tmp_path, str(path), "30", "0.5")
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.splitlines()[-1].split()[0]) >= 2000


def test_it_plays_as_a_bot_of_the_arena(exported: Path) -> None:
    game = honte.game("connect4:rows=9,cols=10,blocked=8/4")
    player = honte.player(f"getpoint:{exported}", game)
    try:
        state = game.start()
        for move in game.read_moves("1a1a1a"):
            state = state.play(move)
        report = player.choose(state, honte.Limit(seconds=5))
        assert game.format(report.move) == "1"
    finally:
        player.close()


def test_what_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    code, output, errors = command("export", "gtp", "-o", str(tmp_path / "x"))
    assert (code, output) == (2, "")
    assert "only getpoint can be exported" in errors
    code, _, errors = command("export", "getpoint", "-o", str(tmp_path / "no" / "x.so"))
    assert code == 2
    assert errors.count("\n") == 1
