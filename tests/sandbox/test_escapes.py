"""Sandbox escapes: a list of attempts, blocked level by level.

Each bot makes its attempt, then plays on if it failed and crashes loudly if it worked.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from honte.core.fault import Fault
from honte.sandbox import levels as sandbox
from honte.sandbox.confinement import landlock_version
from tests.bots.hosting import HOSTILE, TOKEN, available, bot, play, strays

KEPT = ("careful", "untrusted")


@pytest.fixture
def port() -> Iterator[int]:
    """A server on loopback that bots must not reach."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (tmp_path / "store.db").write_bytes(b"results")
    return tmp_path


def worked(name: str, *arguments: object, level: str) -> bool:
    """Whether a bot's attempt succeeded."""
    available(level)
    player = bot(name, *arguments, level=level)
    try:
        play(player, 3, seconds=5)
    except Fault as fault:
        if "exit status 9" not in fault.detail:
            raise
        return True
    finally:
        player.close()
    return False


def hidden(path: Path) -> str:
    """A path obscured for the bot: a file named on its command line would be readable."""
    return str(path).lstrip("/")


@pytest.mark.parametrize("level", KEPT)
def test_a_bot_cannot_open_the_network(level: str, port: int) -> None:
    assert not worked("open_network", port, level=level)


@pytest.mark.parametrize("level", KEPT)
def test_a_bot_cannot_read_our_files(level: str, store: Path) -> None:
    assert not worked("read_files", hidden(store), level=level)


@pytest.mark.parametrize("level", KEPT)
def test_a_bot_cannot_write_files(level: str, store: Path) -> None:
    assert not worked("write_files", hidden(store), level=level)
    places = (store, Path("/"), Path("/var/tmp"), HOSTILE.parent)
    assert not any((place / "hostile-was-here").exists() for place in places)


@pytest.mark.parametrize("level", KEPT)
def test_a_bot_cannot_fill_the_disk(level: str) -> None:
    assert not worked("fill_disk", level=level)
    assert not Path("/tmp/hostile-was-here").exists()


@pytest.mark.parametrize("level", KEPT)
def test_a_bot_cannot_signal_us(level: str) -> None:
    if level == "careful" and landlock_version() < 6:
        pytest.skip("Landlock keeps signals in from version 6 on")
    assert not worked("kill_arena", os.getpid(), level=level)


@pytest.mark.parametrize("level", KEPT)
def test_a_bot_cannot_read_our_memory(level: str) -> None:
    assert not worked("trace_arena", os.getpid(), level=level)


@pytest.mark.parametrize("level", sandbox.LEVELS)
def test_a_bot_inherits_no_descriptor(level: str) -> None:
    assert not worked("read_descriptors", level=level)


@pytest.mark.parametrize("level", sandbox.LEVELS)
def test_a_bot_inherits_no_environment(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONTE_SECRET", "swordfish")
    assert not worked("read_environment", level=level)


def test_trusted_promises_none_of_that(port: int, store: Path) -> None:
    assert worked("open_network", port, level="trusted")
    assert worked("read_files", hidden(store), level="trusted")


def test_the_active_level_is_one_that_works() -> None:
    level = sandbox.active_level()
    assert sandbox.missing_for(level) == ""
    assert sandbox.check_level("auto") == level
    assert sandbox.describe().startswith(level + " (")
    with pytest.raises(ValueError, match=r"^there is no sandbox level 'safe'; use auto, trusted"):
        sandbox.check_level("safe")


def test_a_level_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "bubblewrap_works", lambda: False)
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    for level in KEPT:
        with pytest.raises(ValueError, match=f"^the sandbox level {level} needs "):
            bot("honest", level=level)


ARENA = """
import sys, time
sys.argv = ["arena"]
from tests.bots import hosting
hosting.TOKEN = {token!r}
players = [hosting.bot(name, level=level) for name in ("honest", "daemon") for level in {levels!r}]
for player in players:
    hosting.play(player, 1, seconds=20)
print("playing", flush=True)
time.sleep(60)
"""


def test_no_bot_outlives_an_arena_that_is_killed() -> None:
    levels = [level for level in sandbox.LEVELS if not sandbox.missing_for(level)]
    script = ARENA.format(token=TOKEN, levels=levels)
    root = Path(__file__).parents[2]
    arena = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=root)
    assert arena.stdout is not None
    assert arena.stdout.readline() == b"playing\n"
    assert len(strays()) >= 2 * len(levels)
    arena.kill()
    arena.wait()
    arena.stdout.close()
    until = time.monotonic() + 20
    while strays() and time.monotonic() < until:
        time.sleep(0.02)
    assert strays() == []
