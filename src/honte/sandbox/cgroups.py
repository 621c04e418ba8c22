"""Find where bots can get control groups (cgroups) of their own, by trying.

cgroup v2 if the arena's own group, or its parent, is delegated to it; cgroup v1 below the arena's
own group. A controller is available once a process could be put under its limit. The warden
creates a group for each bot and removes it; without one it polls /proc instead.

``cpu`` limits nothing. It accounts the CPU time of all processes of a bot, including those that
ended unseen.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from functools import cache
from pathlib import Path

from honte.core.language import Message
from honte.sandbox.confinement import LINUX
from honte.sandbox.control_group import ControlGroup

LIMITS = ("memory", "pids")
CONTROLLERS = (*LIMITS, "cpu")
SECONDS = 5.0


@cache
def places() -> dict[str, tuple[str, int]]:
    """For each working controller the parent folder of bots' groups, and the cgroup version."""
    if not LINUX:
        return {}
    found: dict[str, tuple[str, int]] = {}
    for controller in CONTROLLERS:
        # A process is in one v2 group only, and that accounts its CPU time too.
        shared = [place for place in found.values() if place[1] == 2]
        for parent, version in (controller == "cpu" and shared) or candidates(controller):
            if works(controller, parent, version):
                found[controller] = (parent, version)
                break
    return found


def cpu_file(pid: int) -> str:
    """The file that accounts the CPU time of a warden's bot; "" if there is none."""
    if "cpu" not in places():
        return ""
    parent, version = places()["cpu"]
    return f"{parent}/{ControlGroup.NAME}{pid}/{('cpuacct.usage', 'cpu.stat')[version - 1]}"


def cpu_seconds(file: str) -> float | None:
    """CPU seconds in such a file; None if it is gone."""
    try:
        with open(file, "rb", buffering=0) as counts:
            words = counts.read(4096).split()
    except OSError:
        return None
    if len(words) == 1:
        return int(words[0]) / 1e9
    return int(words[words.index(b"usage_usec") + 1]) / 1e6


def describe() -> str:
    """What is available, in a few words.

    >>> words({"memory": ("/sys/fs/cgroup/memory", 1), "pids": ("/sys/fs/cgroup/pids", 1)})
    'cgroup v1 for memory and processes'
    """
    return words(places())


def words(found: dict[str, tuple[str, int]]) -> str:
    if not found:
        return Message("no cgroup")
    names = {"memory": "memory", "pids": "processes", "cpu": "CPU time"}
    version = next(iter(found.values()))[1]
    *most, last = (names[name] for name in found)
    return Message(
        "cgroup v{version} for {most}",
        version=version,
        most=" and ".join([", ".join(most)] * bool(most) + [last]),
    )


def candidates(controller: str) -> list[tuple[str, int]]:
    """Candidate parent folders, the best first."""
    try:
        own = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    found: list[tuple[str, int]] = []
    for line in own:
        number, _, rest = line.partition(":")
        names, _, group = rest.partition(":")
        for mount in mounts:
            _, folder, kind, options, *_ = mount.split()
            if number == "0" and kind == "cgroup2":
                here = Path(folder + group)
                # Ours contains processes and so cannot limit groups below it; its parent can.
                above = [here.parent] if group != "/" else []
                found += [(os.path.normpath(path), 2) for path in (here, *above)]
            elif (
                kind == "cgroup"
                and version_1(controller) in names.split(",")
                and version_1(controller) in options.split(",")
            ):
                found.append((os.path.normpath(folder + group), 1))
    return found


def version_1(controller: str) -> str:
    """The v1 name of a controller."""
    return "cpuacct" if controller == "cpu" else controller


def works(controller: str, parent: str, version: int) -> bool:
    """Whether a process can be put under a limit here."""
    if not os.access(parent, os.W_OK):
        return False
    sweep(parent)
    # v2 accounts CPU time in every group.
    if version == 2 and controller != "cpu" and not enabled(controller, parent):
        return False
    try:
        cgroup = ControlGroup({controller: (parent, version)}, 64 << 20, 16)
    except OSError:
        return False
    try:
        with subprocess.Popen(["sleep", str(SECONDS)], stdin=subprocess.DEVNULL) as process:
            try:
                cgroup.add(process.pid)
                return True
            except OSError:
                return False
            finally:
                process.kill()
    except OSError:
        return False
    finally:
        cgroup.remove()


def enabled(controller: str, parent: str) -> bool:
    """Whether child groups have a controller (v2); enables it if possible."""
    control = Path(parent, "cgroup.subtree_control")
    try:
        if controller in control.read_text(encoding="ascii").split():
            return True
        if controller not in Path(parent, "cgroup.controllers").read_text(encoding="ascii").split():
            return False
        control.write_text(f"+{controller}", encoding="ascii")
    except OSError:  # not ours, or there are processes in it
        return False
    return True


def sweep(parent: str) -> None:
    """Remove empty groups whose warden was killed before it could remove them."""
    for folder in Path(parent).glob(f"{ControlGroup.NAME}*"):
        pid = folder.name.removeprefix(ControlGroup.NAME)
        if pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
            with contextlib.suppress(OSError):
                folder.rmdir()
