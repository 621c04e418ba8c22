"""Three honest levels of what a bot is kept from.

* **trusted**: a process group of its own, deadlines, an empty environment.
* **careful**: and resource limits, and Landlock: it reads the system's programs and its own
  files, writes nothing, opens no TCP connection, and signals nobody.
  Memory and processes are limited by a control group where there is one to be had.
* **untrusted**: and bubblewrap: namespaces of its own for processes, network and IPC, a file
  system with nothing else in it, and a small /tmp. (In place of Landlock, which forbids mounts.)

A level that cannot be had is refused, never replaced by a weaker one that keeps its name.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from honte.bots import cgroups
from honte.bots.warden import landlock_version
from honte.games.contract import quote

LEVELS = ("trusted", "careful", "untrusted")
MIB = 1 << 20
TMP_BYTES = 16 * MIB
PROCESSES = 64
TASKS = 4 * PROCESSES
"""The same with their threads, as the kernel counts them."""

# What programs need of the system; not /etc, /home, /root, /var, /srv or /run.
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/alternatives",
    "/etc/localtime",
)


@dataclass(frozen=True)
class Command:
    """A bot to run: its words, where, and how well it is kept."""

    argv: tuple[str, ...]
    folder: str
    level: str = "trusted"
    memory_mb: int = 1024
    readable: tuple[str, ...] = ()
    """Files and folders that it may read, besides the system's and its own."""


@cache
def active_level() -> str:
    """The strongest level that works on this machine, tried and not guessed."""
    if bubblewrap_works():
        return "untrusted"
    return "careful" if landlock_version() else "trusted"


@cache
def bubblewrap_works() -> bool:
    """Whether bubblewrap is there and the kernel lets it make its namespaces."""
    program = shutil.which("bwrap")
    if program is None:
        return False
    words = [program, "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/"]
    words += ["--size", "4096", "--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev", "true"]
    try:
        done = subprocess.run(words, capture_output=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def why_not(level: str) -> str:
    """What a level needs that this machine lacks; empty if it can be had."""
    if level == "untrusted" and not bubblewrap_works():
        missing = "install bubblewrap" if shutil.which("bwrap") is None else "allow user namespaces"
        return f"the sandbox level untrusted needs bubblewrap and namespaces; {missing}"
    if level == "careful" and not landlock_version():
        return "the sandbox level careful needs a Linux kernel with Landlock; use another level"
    return ""


def check_level(level: str) -> str:
    """The level asked for, or the strongest there is for ``auto``; ValueError if it is not had."""
    if level == "auto":
        return active_level()
    if level not in LEVELS:
        raise ValueError(f"there is no sandbox level {quote(level)}; use auto, {', '.join(LEVELS)}")
    if lacking := why_not(level):
        raise ValueError(lacking)
    return level


def describe() -> str:
    """The active level in one line, for `honte doctor`."""
    landlock = f"Landlock {version}" if (version := landlock_version()) else "no Landlock"
    bubblewrap = "bubblewrap" if bubblewrap_works() else "no working bubblewrap"
    means = {
        "trusted": "group kill and deadlines only: run bots that you vouch for",
        "careful": "no writing, no TCP, only its own files; processes share the machine's names",
        "untrusted": "no network, no files but its own, no view of other processes",
    }
    level = active_level()
    return f"{level} ({bubblewrap}, {landlock}, {cgroups.describe()}): {means[level]}"


def applied(level: str, controllers: tuple[str, ...]) -> str:
    """What a bot was kept by, as it stands in every result.

    >>> applied("untrusted", ("memory", "pids"))
    'untrusted, cgroup memory and pids'
    """
    return f"{level}, cgroup {' and '.join(controllers)}" if controllers else level


def environment() -> dict[str, str]:
    """All that a bot learns from its environment."""
    path = os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin")
    return {
        "PATH": f"{Path(sys.executable).parent}:{path}:/usr/games",
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def own_files(command: Command) -> list[str]:
    """The files that a command names, each with the folder it lies in.

    A folder in which the arena itself works, or above it, is left out: a store may lie there.
    So are /tmp and the home directory.
    """
    here = Path.cwd().resolve()
    common = {Path("/tmp"), Path(os.path.expanduser("~")).resolve()}
    found: list[str] = []
    for word in (*command.argv, *command.readable):
        path = Path(command.folder, word)
        try:
            if not path.is_absolute() or not path.exists():
                continue
            real = path.resolve()
        except (OSError, ValueError):
            continue
        for file in {path, real}:
            found.append(os.path.abspath(file))
        folder = real if real.is_dir() else real.parent
        if not here.is_relative_to(folder) and folder not in common:
            found.append(str(folder))
    return found


def readable(command: Command) -> list[str]:
    """Everything a bot may read."""
    python = [sys.prefix, sys.base_prefix]
    kept: list[str] = []
    for path in sorted({*SYSTEM, *python, *own_files(command), *command.readable}):
        inside = any(Path(path).is_relative_to(folder) for folder in kept)
        if os.path.exists(path) and not inside:  # a folder comes before what lies in it
            kept.append(path)
    return kept


@lru_cache(maxsize=64)
def order(command: Command) -> bytes:
    """The command as the warden takes it, in JSON; worked out once for all its games."""
    return json.dumps(_order(command)).encode()


def _order(command: Command) -> dict[str, Any]:
    memory = command.memory_mb * MIB
    argv, folder = list(command.argv), command.folder
    limits = {"RLIMIT_CORE": 0}
    if command.level != "trusted":
        limits |= {
            # Twice, since address space is not memory: the warden counts what is resident.
            "RLIMIT_AS": 2 * memory + 512 * MIB,
            "RLIMIT_FSIZE": TMP_BYTES,
            "RLIMIT_NOFILE": 256,
        }
    paths = readable(command) if command.level != "trusted" else []
    if command.level == "untrusted":
        argv, folder = wrapped(command, paths), "/"
    return {
        "argv": argv,
        "folder": folder,
        "env": environment(),
        "rlimits": limits,
        "landlock": min(landlock_version(), 6) if command.level == "careful" else 0,
        "readable": paths,
        "memory": memory,
        "processes": PROCESSES,
        "tasks": TASKS,
        "cgroup": cgroups.places() if command.level != "trusted" else {},
    }


def wrapped(command: Command, paths: list[str]) -> list[str]:
    """The command inside bubblewrap."""
    words = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent"]
    words += ["--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev"]
    for folder in ("/tmp", "/dev/shm"):
        words += ["--size", str(TMP_BYTES), "--tmpfs", folder]
    for path in paths:
        words += ["--ro-bind", path, path]
    words += ["--dir", command.folder, "--remount-ro", "/", "--chdir", command.folder]
    return [*words, "--", *command.argv]
