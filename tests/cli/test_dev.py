"""``honte dev``: from a source file to a rating, and again when it changes."""

from __future__ import annotations

import shutil
import signal
import subprocess
import threading
from pathlib import Path

import pytest

from tests.cli.command import COMMAND, ENVIRONMENT, ROOT, honte
from tests.submissions.matches import GAME, WON, fill_store, two_versions

BOT = "def choose(state, limit):\n    return state.legal_moves()[{which}]\n"


def test_a_course_bot_is_compiled_and_checked(tmp_path: Path) -> None:
    for file in (ROOT / "examples" / "course_bot").glob("*.[ch]*"):
        shutil.copy(file, tmp_path)
    done = honte("dev", str(tmp_path / "Strategy.cpp"), "--once", "--no-ladder", "--seconds", "1")
    assert done.code == 0, done.output + done.errors
    assert "v1: compiled in" in done.output
    assert "Nothing is wrong." in done.output
    assert (tmp_path / ".honte" / "v001" / "bot.so").exists()


def test_errors_are_shown_at_their_lines(tmp_path: Path) -> None:
    (tmp_path / "Strategy.cpp").write_text("\n#include <windows.h>\n")
    done = honte("dev", str(tmp_path), "--once")
    assert done.code == 1
    assert "Strategy.cpp:2: error: windows.h" in done.output
    assert "→ this header is Windows' own" in done.output
    assert "One error; nothing was run." in done.output


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("bot.py", "def f(:", "this is not Python"),
        ("bot.zip", "PK", "cannot be unpacked"),
        ("bot.txt", "", "no .cpp and no .py"),
    ],
)
def test_what_is_no_bot_is_one_sentence(
    name: str, text: str, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    done = honte("dev", str(tmp_path / name), "--once")
    assert done.code == 1
    assert sentence in done.output
    assert honte("dev", str(tmp_path / "missing.cpp"), "--once").output.startswith("there is no")


def test_a_command_line_is_checked_as_well(tmp_path: Path) -> None:
    missing = f"saiblo:{tmp_path}/no-such-bot --fast"
    done = honte("dev", missing, "--once", "--keep", str(tmp_path / "kept"))
    assert done.code == 1
    assert "there is no program" in done.output


@pytest.mark.long
def test_a_change_makes_a_new_version_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(which=0))
    words = ["dev", str(bot), "--no-ladder", "--game", "connect4:rows=5,cols=5", "--seconds", "1"]
    seen: list[str] = []
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, text=True, cwd=ROOT, env=ENVIRONMENT
    ) as program:
        watchdog = threading.Timer(120, program.kill)
        watchdog.start()
        assert program.stdout is not None
        for line in program.stdout:
            seen.append(line)
            if line.startswith("watching"):
                if (tmp_path / ".honte" / "v002").exists():
                    program.send_signal(signal.SIGINT)
                else:
                    bot.write_text(BOT.format(which=-1))
        watchdog.cancel()
    assert program.returncode == 130
    assert sum(line.startswith("watching") for line in seen) == 2
    assert (tmp_path / ".honte" / "v002" / "about.json").exists()


def test_a_version_is_compared_with_another(tmp_path: Path) -> None:
    versions = two_versions(tmp_path)
    fill_store(versions, [WON] * 24)
    (newest,) = versions.pick(2)
    words = [str(newest.folder / "source"), "--keep", str(versions.folder), "--game", GAME]
    done = honte("dev", *words, "--compare", "1")
    assert done.output == "v2 is better than v1: +48 −0 =0, sure to 95 %\n"
    assert done.code == 0
    done = honte("dev", *words, "--compare", "7")
    assert (done.output, done.code) == ("there is no version 7; there are: 1, 2\n", 1)
