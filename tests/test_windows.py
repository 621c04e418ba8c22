"""Playing needs nothing that Windows lacks; features that run bots fail with one sentence.

Windows is simulated: libraries are imported first, then POSIX-only names are removed.
`tools/cross-check` covers the types and the native code.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PRETEND = """
import asyncio, ctypes, multiprocessing.connection, os, signal, sqlite3, subprocess, sys
import numpy, rich.console, rich.live, rich.progress, rich.table, starlette.routing, typer, uvicorn
from types import SimpleNamespace

for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
for module, names in {
    os: ("O_CLOEXEC", "geteuid", "getloadavg", "getuid", "nice", "sysconf", "uname"),
    signal: ("SIGHUP", "pthread_sigmask"),
}.items():
    for name in names:
        delattr(module, name)
sys.modules["msvcrt"] = SimpleNamespace(locking=lambda *_: None, LK_NBLCK=2)
sys.platform = "win32"
"""
RUN = PRETEND + "from honte.__main__ import run\nrun()\n"


def honte(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN, *words],
        input="quit\n",
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    "words",
    [
        "best connect4 --moves 4455 --player uct:iterations=100",
        "play othello --terminal",
        "solve connect4:rows=4,cols=4",
        "doctor",
    ],
)
def test_what_needs_no_bot_runs(words: str, tmp_path: Path) -> None:
    done = honte(*words.split(), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("check py:bot.py:choose --game connect4", marks=pytest.mark.long),
        "match random py:bot.py:choose --games 2",
        "best connect4 --player gtp:gnugo",
        pytest.param("match random random --games 2 --sandbox trusted", marks=pytest.mark.long),
    ],
)
def test_what_runs_bots_says_that_it_cannot(words: str, tmp_path: Path) -> None:
    done = honte(*words.split(), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "honte: bots need Linux or macOS; on Windows, run honte in WSL for them\n"
    )


def test_servers_and_stores_need_no_bot(tmp_path: Path) -> None:
    code = PRETEND + (
        "import honte.web.server, honte.web.worker, honte.arena.workers\n"
        "from honte.arena.store import Store\n"
        "from honte.web.reader import is_written\n"
        "Store('games.db').close()\n"
        "assert is_written('games.db') is False\n"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, "")
