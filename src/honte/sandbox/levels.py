"""Three sandbox levels, named by how far a bot is trusted.

* **trusted**: a process group of its own, deadlines, an empty environment.
* **careful**: also resource limits, a seccomp filter, and Landlock: the bot reads the system's
  programs and the files that its spec names, writes nothing, changes no file's mode, owner or
  times, opens no socket, and signals no other process. A control group, if available, limits
  memory and processes.
* **untrusted**: also bubblewrap: namespaces of its own for processes, network and IPC, a file
  system with nothing else in it, and a small /tmp. (In place of Landlock, which forbids mounts.)

At the last two levels, an arena started by root runs bots as ordinary users, each with a user id
of its own. A level that is not available is refused, never replaced by a weaker one.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from honte.core.language import Message
from honte.core.messages import quote
from honte.sandbox import cgroups
from honte.sandbox.confinement import FILTER_FD, LINUX, landlock_version
from honte.sandbox.syscalls import filter_program

PYTHON = os.path.normpath(sys.executable)
"""This interpreter, normalised: a bot may not see the folders that a ``..`` goes through."""
LEVELS = ("trusted", "careful", "untrusted")
MIB = 1 << 20
TMP_BYTES = 16 * MIB
PROCESSES = 64
TASKS = 4 * PROCESSES
"""Limit of processes with their threads, which is what the kernel counts."""
FIRST_USER, USERS = 60706, 478
"""User ids of bots started by root: neither people nor services get these."""
READ_ONLY, HIDDEN = ("sys", "sysrq-trigger", "irq", "bus", "fs"), ("keys", "key-users")
"""Entries of /proc that are about the machine, not about a process."""

# System paths that programs need; not /etc, /home, /root, /var, /srv or /run.
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
    """A bot to run: its command line, its folder and its sandbox."""

    argv: tuple[str, ...]
    folder: str
    level: str = "trusted"
    memory_mb: int = 1024
    readable: tuple[str, ...] = ()
    """Files and folders that it may read, besides the system's and those it names."""
    named: tuple[str, ...] | None = None
    """The arguments that may be paths; None for all of them."""


@cache
def active_level() -> str:
    """The strongest level that works on this machine, found by trying."""
    return next(level for level in reversed(LEVELS) if not missing_for(level))


@cache
def bubblewrap_works() -> bool:
    """Whether bubblewrap is installed and the kernel lets it create its namespaces."""
    program = shutil.which("bwrap")
    if program is None:
        return False
    words = [program, "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/"]
    words += ["--size", "4096", "--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev", "true"]
    return runs_as_bot(words)


@cache
def users_work() -> bool:
    """Whether we are an ordinary user, or root that may run a program as one."""
    return runs_as_bot(["/bin/sh", "-c", ":"])


def runs_as_bot(words: list[str]) -> bool:
    """Whether a program succeeds under the user that a bot runs as."""
    user = FIRST_USER if by_root() else None
    groups: list[int] | None = [] if by_root() else None
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            timeout=5,
            check=False,
            cwd="/",
            user=user,
            group=user,
            extra_groups=groups,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def by_root() -> bool:
    """Whether root started us."""
    return os.geteuid() == 0


@cache
def filter_works() -> bool:
    """Whether the kernel has seccomp, and we know the system call numbers of this machine."""
    if not LINUX or not filter_program():
        return False
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return False
    return any(line.startswith("Seccomp:") for line in lines)


def missing_for(level: str) -> str:
    """What a level needs that this machine lacks; "" if it is available."""
    need, advice = lacking(level)
    return Message("{need}; {advice}", need=need, advice=advice) if need else ""


def lacking(level: str) -> tuple[str, str]:
    """What a level needs that this machine lacks, and what to do; "" if it is available."""
    if level == "trusted":
        return "", ""
    if not filter_works():
        return (
            Message(
                "the sandbox level {level} needs Linux with seccomp on x86-64 or arm64", level=level
            ),
            Message("use trusted"),
        )
    if not users_work():
        return (
            Message(
                "the sandbox level {level} runs bots as ordinary users, and root may not become "
                "one here",
                level=level,
            ),
            Message("start honte as an ordinary user"),
        )
    if level == "untrusted" and not bubblewrap_works():
        installed = shutil.which("bwrap") is not None
        return (
            Message("the sandbox level untrusted needs bubblewrap and namespaces"),
            Message("allow user namespaces") if installed else Message("install bubblewrap"),
        )
    if level == "careful" and not landlock_version():
        return (
            Message("the sandbox level careful needs a Linux kernel with Landlock"),
            Message("use another level"),
        )
    return "", ""


def fallback() -> str:
    """A warning if ``auto`` is weaker than ``untrusted``; "" otherwise."""
    level = active_level()
    why = missing_for("untrusted")
    if not why:
        return ""
    return Message("bots run at the sandbox level {level}, because {why}", level=level, why=why)


def check_level(level: str) -> str:
    """The requested level, or the strongest one for ``auto``; ValueError if it is not available.

    No bot runs as root unless that is requested: for root, ``auto`` never means ``trusted``.
    """
    if level == "auto":
        if by_root() and active_level() == "trusted":
            why = lacking("careful")[0]
            raise ValueError(
                Message(
                    "bots would run as root, because {why}; start honte as an ordinary user, or "
                    "choose the sandbox level trusted",
                    why=why,
                )
            )
        return active_level()
    if level not in LEVELS:
        raise ValueError(
            Message(
                "there is no sandbox level {level}; use auto, {levels}",
                level=quote(level),
                levels=", ".join(LEVELS),
            )
        )
    if missing := missing_for(level):
        raise ValueError(missing)
    return level


def describe() -> str:
    """The active level in one line, for `honte doctor`."""
    version = landlock_version()
    landlock = Message("Landlock {version}", version=version) if version else Message("no Landlock")
    bubblewrap = "bubblewrap" if bubblewrap_works() else Message("no working bubblewrap")
    means = {
        "trusted": Message("group kill and deadlines only: for bots that you trust"),
        "careful": Message(
            "no writing, no sockets, only the files it names; it shares our namespaces"
        ),
        "untrusted": Message("no network, no files but its own, no view of other processes"),
    }
    level = active_level()
    return Message(
        "{level} ({bubblewrap}, {landlock}, {seccomp}, {cgroups}): {means}",
        level=level,
        bubblewrap=bubblewrap,
        landlock=landlock,
        seccomp="seccomp" if filter_works() else Message("no seccomp"),
        cgroups=cgroups.describe(),
        means=means[level],
    )


def applied(level: str, controllers: tuple[str, ...]) -> str:
    """The sandbox applied to a bot, as recorded in every result.

    >>> applied("untrusted", ("memory", "pids"))
    'untrusted, cgroup memory and pids'
    """
    return f"{level}, cgroup {' and '.join(controllers)}" if controllers else level


def environment() -> dict[str, str]:
    """The environment variables of a bot."""
    path = os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin")
    return {
        "PATH": f"{Path(PYTHON).parent}:{path}:/usr/games",
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def own_files(command: Command) -> list[str]:
    """The files and folders that a command names, and the targets of links to them.

    A folder counts only if the command line or the ``read`` setting names it. The arena's own
    working directory and those above it are left out, as a store may be there, and so are /tmp and
    the home directory.
    """
    here = Path.cwd().resolve()
    common = {Path("/tmp"), Path(os.path.expanduser("~")).resolve()}
    found: list[str] = []
    words = command.argv[1:] if command.named is None else command.named
    for word in named((command.argv[0], *words)):
        path = Path(command.folder, word)
        try:
            real = path.resolve(strict=True)
        except (OSError, ValueError, RuntimeError):
            continue
        if real.is_dir() and (here.is_relative_to(real) or real in common):
            continue
        found += [os.path.abspath(path), str(real)]
    return found


def named(argv: tuple[str, ...]) -> list[str]:
    """The arguments of a command line that may be paths, ``--weights=net.bin`` included.

    >>> named(("/usr/bin/engine", "--weights=net.bin"))
    ['/usr/bin/engine', '--weights=net.bin', 'net.bin']
    """
    parts = (word.partition("=")[2] for word in argv if "=" in word)
    return [*argv, *filter(None, parts)]


def check_links(words: tuple[str, ...], folder: str) -> None:
    """Reject a link that points out of its folder: it might lead to the opponent's files."""
    shared = [Path(path).resolve() for path in (*SYSTEM, *python_folders()) if Path(path).exists()]
    for word in named(words):
        path = Path(folder, word)
        try:
            real = path.resolve(strict=True)
            inside = real.is_relative_to(path.parent.resolve())
        except (OSError, ValueError, RuntimeError):
            continue
        if not path.is_symlink() or inside or any(map(real.is_relative_to, shared)):
            continue
        raise ValueError(
            Message(
                "{word} is a link that leaves its folder, to {real}; name that file itself, or "
                "put a copy into the folder",
                word=quote(word, 200),
                real=quote(str(real), 200),
            )
        )


def check_users(command: Command) -> None:
    """Reject files that an ordinary user cannot read, if root starts the bot as one."""
    if command.level == "trusted" or not by_root():
        return
    python = os.path.realpath(sys.executable)
    for path in (*own_files(command), *command.readable, *python_folders(), python):
        runs = path in (command.argv[0], python)
        if not open_to_others(path, runs):
            right = "rx" if runs or os.path.isdir(path) else "r"
            raise ValueError(
                Message(
                    "root's bots run as an ordinary user, who may not read {path}; allow it with "
                    "`chmod o+{right}`, or start honte as an ordinary user",
                    path=quote(path, 200),
                    right=right,
                )
            )
    if (closed := ways(command, readable(command))) and not may_mount():
        raise ValueError(
            Message(
                "root's bots run as an ordinary user, who may not enter {path}; allow it with "
                "`chmod o+x`, or start honte as an ordinary user",
                path=quote(min(closed), 200),
            )
        )


def open_to_others(path: str, runs: bool) -> bool:
    """Whether every user may read a file or folder, and execute it if `runs`."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return True  # missing files are reported elsewhere
    needed = stat.S_IROTH | (stat.S_IXOTH if runs or stat.S_ISDIR(mode) else 0)
    return mode & needed == needed


def may_mount() -> bool:
    """Whether we have the capability CAP_SYS_ADMIN."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    effective = status.partition("CapEff:")[2].split()[0]
    return bool(int(effective, 16) >> 21 & 1)


def python_folders() -> tuple[str, str]:
    return sys.prefix, sys.base_prefix


def readable(command: Command) -> list[str]:
    """Everything a bot may read."""
    chosen: list[str] = []
    for path in sorted({*SYSTEM, *python_folders(), *own_files(command), *command.readable}):
        inside = any(Path(path).is_relative_to(folder) for folder in chosen)
        if os.path.exists(path) and not inside:  # a folder comes before its content
            chosen.append(path)
    return chosen


def ways(command: Command, paths: list[str]) -> dict[str, list[str]]:
    """For each folder closed to ordinary users, the paths in it that a bot needs under root."""
    found: dict[str, list[str]] = {}
    for path in paths:
        if closed := closed_folder(Path(path).parent):
            found.setdefault(closed, []).append(path)
    if closed := closed_folder(Path(command.folder)):
        found.setdefault(closed, [])
    return found


def closed_folder(folder: Path) -> str:
    """The topmost folder on this path, itself included, that not every user may enter."""
    for step in (*reversed(folder.parents), folder):
        if step.exists() and not step.stat().st_mode & stat.S_IXOTH:
            return str(step)
    return ""


@lru_cache(maxsize=64)
def launch_config(command: Command) -> bytes:
    """The command for the warden, as JSON; computed once for all its games."""
    return json.dumps(_launch_config(command)).encode()


def _launch_config(command: Command) -> dict[str, Any]:
    memory = command.memory_mb * MIB
    argv, folder = list(command.argv), command.folder
    limits = {"RLIMIT_CORE": 0}
    if command.level != "trusted":
        limits |= {
            # Twice, since address space is not memory: the warden counts resident pages.
            "RLIMIT_AS": 2 * memory + 512 * MIB,
            "RLIMIT_FSIZE": TMP_BYTES,
            "RLIMIT_NOFILE": 256,
        }
    apart = command.level != "trusted"
    paths = readable(command) if apart else []
    if command.level == "untrusted":
        argv, folder = wrapped(command, paths), "/"
    return {
        "argv": argv,
        "folder": folder,
        "env": environment(),
        "rlimits": limits,
        "landlock": min(landlock_version(), 6) if command.level == "careful" else 0,
        "readable": paths,
        "filter": filter_program(changes=command.level != "careful").hex() if apart else "",
        "users": (FIRST_USER, USERS) if apart and by_root() else None,
        "ways": ways(command, paths) if apart and by_root() else {},
        "way_to": command.folder,
        "memory": memory,
        "processes": PROCESSES,
        "tasks": TASKS,
        "cgroup": {
            controller: place
            for controller, place in cgroups.places().items()
            if controller == "cpu" or apart
        },
    }


def wrapped(command: Command, paths: list[str]) -> list[str]:
    """The command wrapped in bubblewrap."""
    words = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--die-with-parent"]
    words += ["--unshare-user", "--cap-drop", "ALL", "--seccomp", str(FILTER_FD)]
    words += ["--proc", "/proc", "--dev", "/dev"]
    covers = {f"/proc/{entry}": f"/proc/{entry}" for entry in READ_ONLY}
    covers |= {f"/proc/{entry}": "/dev/null" for entry in HIDDEN}
    for path, cover in covers.items():
        if os.path.exists(path):
            words += ["--ro-bind", cover, path]
    for folder in ("/tmp", "/dev/shm"):
        words += ["--size", str(TMP_BYTES), "--tmpfs", folder]
    for path in paths:
        words += ["--ro-bind", path, path]
    words += ["--dir", command.folder, "--remount-ro", "/", "--chdir", command.folder]
    return [*words, "--", *command.argv]
