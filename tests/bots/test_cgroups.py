"""Control groups: found where they work, never claimed where they do not."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from honte.bots import cgroups, sandbox, warden
from tests.bots.arena import bot, play


def test_what_is_claimed_was_tried() -> None:
    for controller, (parent, version) in cgroups.places().items():
        assert controller in cgroups.CONTROLLERS
        assert version in (1, 2)
        assert os.path.isdir(parent)
        assert cgroups.works(controller, parent, version)
    assert cgroups.describe() in sandbox.describe()


def test_a_folder_that_is_no_control_group_is_not_one(tmp_path: Path) -> None:
    assert not cgroups.works("memory", str(tmp_path / "nothing"), 1)
    assert not cgroups.works("memory", str(tmp_path), 2)
    assert cgroups.words({}) == "no cgroup"
    assert cgroups.words({"memory": ("/x", 2)}) == "cgroup v2 for memory"


def test_a_bot_is_in_its_groups_and_they_go_with_it() -> None:
    if lacking := sandbox.why_not("careful"):
        pytest.skip(lacking)
    player = bot("honest", level="careful", start_seconds=20)
    play(player, 1, seconds=5)
    assert player._process is not None
    inside = Path(f"/proc/{player._process.pid}/cgroup").read_text()
    names = {word for word in inside.replace("/", " ").split() if warden.Cage.NAME in word}
    assert len(names) == (1 if cgroups.places() else 0)

    def groups() -> list[Path]:
        parents = [Path(parent) for parent, _ in cgroups.places().values()]
        return [parent / name for parent in parents for name in names if (parent / name).exists()]

    assert len(groups()) == len(cgroups.places())
    player.close()
    until = time.monotonic() + 10
    while groups() and time.monotonic() < until:
        time.sleep(0.02)
    assert groups() == []


def test_the_lines_of_a_group_are_read(tmp_path: Path) -> None:
    """A version 2 group as the kernel shows it, made of files."""
    cage = warden.Cage({"memory": (str(tmp_path), 2), "pids": (str(tmp_path), 2)}, 1 << 20, 9, "x")
    folder = tmp_path / f"{warden.Cage.NAME}x"
    assert (folder / "memory.max").read_text() == str(1 << 20)
    assert (folder / "pids.max").read_text() == "9"
    assert cage.refused() == ""
    (folder / "pids.events").write_text("max 3\n")
    assert cage.refused() == "processes"
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 1\noom_group_kill 0\n")
    assert cage.refused() == "memory"
    (folder / "memory.peak").write_text("1048576\n")
    assert cage.peak() == 1 << 20
