"""Where bots can have control groups of their own: tried, not guessed.

Version 2 where the arena's own group is delegated to it, or the one above; version 1 below
the arena's own group. A controller counts once a process could be put under its limit. The
warden makes a group for each bot and takes it away again; where there is none, it watches.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from functools import cache
from pathlib import Path

from honte.bots import warden

CONTROLLERS = ("memory", "pids")
SECONDS = 5.0


@cache
def places() -> dict[str, tuple[str, int]]:
    """For each controller that works here the folder for bots' groups, and its version."""
    if not warden.LINUX:
        return {}
    found: dict[str, tuple[str, int]] = {}
    for controller in CONTROLLERS:
        for parent, version in candidates(controller):
            if works(controller, parent, version):
                found[controller] = (parent, version)
                break
    return found


def describe() -> str:
    """What there is, in a few words.

    >>> words({"memory": ("/sys/fs/cgroup/memory", 1), "pids": ("/sys/fs/cgroup/pids", 1)})
    'cgroup v1 for memory and processes'
    """
    return words(places())


def words(found: dict[str, tuple[str, int]]) -> str:
    if not found:
        return "no cgroup"
    names = {"memory": "memory", "pids": "processes"}
    version = next(iter(found.values()))[1]
    return f"cgroup v{version} for {' and '.join(names[name] for name in found)}"


def candidates(controller: str) -> list[tuple[str, int]]:
    """Folders that might do, the best first."""
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
                # Ours has processes in it and so may not limit groups below; its parent may.
                above = [here.parent] if group != "/" else []
                found += [(os.path.normpath(path), 2) for path in (here, *above)]
            elif (
                kind == "cgroup"
                and controller in names.split(",")
                and controller in options.split(",")
            ):
                found.append((os.path.normpath(folder + group), 1))
    return found


def works(controller: str, parent: str, version: int) -> bool:
    """Whether a process can be put under a limit here."""
    if not os.access(parent, os.W_OK):
        return False
    sweep(parent)
    if version == 2 and not enabled(controller, parent):
        return False
    try:
        cage = warden.Cage({controller: (parent, version)}, 64 << 20, 16)
    except OSError:
        return False
    try:
        with subprocess.Popen(["sleep", str(SECONDS)], stdin=subprocess.DEVNULL) as process:
            try:
                cage.put(process.pid)
                return True
            except OSError:
                return False
            finally:
                process.kill()
    except OSError:
        return False
    finally:
        cage.remove()


def enabled(controller: str, parent: str) -> bool:
    """Whether groups below have a controller (version 2); it is asked for if they do not."""
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
    """Take away empty groups whose warden was killed before it could."""
    for folder in Path(parent).glob(f"{warden.Cage.NAME}*"):
        pid = folder.name.removeprefix(warden.Cage.NAME)
        if pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
            with contextlib.suppress(OSError):
                folder.rmdir()
