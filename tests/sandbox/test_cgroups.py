"""Control groups: detected where they work, and only there."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from honte.sandbox import cgroups
from honte.sandbox import levels as sandbox
from honte.sandbox.control_group import ControlGroup
from tests.bots.hosting import bot, play


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
    every = dict.fromkeys(cgroups.CONTROLLERS, ("/x", 1))
    assert cgroups.words(every) == "cgroup v1 for memory, processes and CPU time"


def test_a_bot_is_in_its_groups_and_they_go_with_it() -> None:
    if lacking := sandbox.missing_for("careful"):
        pytest.skip(lacking)
    player = bot("honest", level="careful", start_seconds=20)
    play(player, 1, seconds=5)
    assert player._process is not None
    inside = Path(f"/proc/{player._process.pid}/cgroup").read_text()
    names = {word for word in inside.replace("/", " ").split() if ControlGroup.NAME in word}
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
    cgroup = ControlGroup(
        {"memory": (str(tmp_path), 2), "pids": (str(tmp_path), 2)}, 1 << 20, 9, "x"
    )
    folder = tmp_path / f"{ControlGroup.NAME}x"
    assert (folder / "memory.max").read_text() == str(1 << 20)
    assert (folder / "pids.max").read_text() == "9"
    assert cgroup.exceeded() == ""
    (folder / "pids.events").write_text("max 3\n")
    assert cgroup.exceeded() == "processes"
    (folder / "memory.events").write_text("low 0\noom 1\noom_kill 1\noom_group_kill 0\n")
    assert cgroup.exceeded() == "memory"
    (folder / "memory.peak").write_text("1048576\n")
    assert cgroup.peak() == 1 << 20


def test_processor_time_is_read_from_both_versions(tmp_path: Path) -> None:
    usage, stat = tmp_path / "cpuacct.usage", tmp_path / "cpu.stat"
    usage.write_text("1500000000\n")
    stat.write_text("usage_usec 2500000\nuser_usec 2000000\nsystem_usec 500000\n")
    assert cgroups.cpu_seconds(str(usage)) == 1.5
    assert cgroups.cpu_seconds(str(stat)) == 2.5
    assert cgroups.cpu_seconds(str(tmp_path / "gone")) is None
