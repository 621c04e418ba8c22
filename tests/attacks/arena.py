"""An arena under attack: ``HONTE_SECRET=… python -m tests.attacks.arena MARK``.

It creates things that a bot must not reach, lets the bot try at each level, and prints what it
reached as JSON. Run as root, it can do the same as an ordinary user: `as_user`.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import pty
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import honte
from honte.sandbox import confinement, levels, syscalls
from honte.sandbox.player import BotPlayer
from honte.sandbox.process import Process

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("attempts.py")
NOBODY = 65534
JOIN_SESSION_KEYRING = 1
SECONDS = 60.0
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.shmat.restype = ctypes.c_void_p


def numbers() -> dict[str, int]:
    """The numbers of system calls on this machine."""
    column = syscalls.MACHINES[os.uname().machine][0]
    pairs: syscalls.Numbers = {"clone3": (syscalls.CLONE3, syscalls.CLONE3)}
    pairs |= {name: numbers for name, (numbers, _) in syscalls.CONDITIONAL.items()}
    for table in syscalls.DENIED.values():
        pairs |= table
    found = {name: pair[column] for name, pair in pairs.items()}
    return {name: number for name, number in found.items() if number is not None}


@contextlib.contextmanager
def world(mark: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The bot's folder, and what there is to reach; all of it is removed at the end."""
    secret = os.environ["HONTE_SECRET"]
    name = f"honte-attack-{os.getpid()}"
    calls = numbers()
    with contextlib.ExitStack() as stack:
        # Not in /tmp, of which every untrusted bot has its own.
        base = Path(tempfile.mkdtemp(prefix="honte-attack-", dir="/var/tmp"))
        stack.callback(shutil.rmtree, base)
        folder = base / "bots"
        folder.mkdir()
        shutil.copyfile(PROGRAM, folder / "bot.py")
        shutil.copyfile(PROGRAM, folder / "opponent.py")
        files = {"store": base / "store.db", "opponent_file": folder / "opponent.weights"}
        files |= {"tmp_file": Path("/tmp", name), "shm_file": Path("/dev/shm", name)}
        for path in files.values():
            path.write_text(secret)
            stack.callback(path.unlink)
        (folder / "link").symlink_to(files["store"])
        servers = {}
        for kind, family, how, address in (
            ("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            ("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            ("unix", socket.AF_UNIX, socket.SOCK_STREAM, str(base / "stream")),
            ("datagram", socket.AF_UNIX, socket.SOCK_DGRAM, str(base / "datagram")),
            ("abstract", socket.AF_UNIX, socket.SOCK_STREAM, f"\0{name}"),
        ):
            server = stack.enter_context(socket.socket(family, how))
            server.bind(address)
            if how == socket.SOCK_STREAM:
                server.listen()
            servers[kind] = server
        key = os.getpid()
        shm = LIBC.shmget(key, 4096, 0o1666)
        stack.callback(LIBC.shmctl, shm, 0, None)
        address = LIBC.shmat(shm, None, 0)
        ctypes.memmove(address, secret.encode(), len(secret))
        stack.callback(LIBC.semctl, LIBC.semget(key, 1, 0o1666), 0, 0)
        stack.callback(LIBC.msgctl, LIBC.msgget(key, 0o1666), 0, None)
        queue = LIBC.syscall(calls["mq_open"], name.encode(), os.O_CREAT | os.O_RDWR, 0o666, None)
        stack.callback(LIBC.syscall, calls["mq_unlink"], name.encode())
        stack.callback(os.close, queue)
        LIBC.syscall(calls["keyctl"], JOIN_SESSION_KEYRING, None)
        text = secret.encode()
        LIBC.syscall(calls["add_key"], b"user", name.encode(), text, len(text), -3)
        held = ctypes.create_string_buffer(secret.encode())
        leader, follower = pty.openpty()
        stack.callback(os.close, leader)
        stack.callback(os.close, follower)
        yield (
            folder,
            {
                "secret": secret,
                "mark": mark,
                "arena": os.getpid(),
                "address": ctypes.addressof(held),
                "tcp": servers["tcp"].getsockname()[1],
                "udp": servers["udp"].getsockname()[1],
                "unix": servers["unix"].getsockname(),
                "datagram": servers["datagram"].getsockname(),
                "abstract": name,
                "shm": shm,
                "ipc": key,
                "queue": name,
                "key": name,
                "terminal": os.ttyname(follower),
                "cgroup": next(map(str, Path("/sys/fs/cgroup").rglob("cgroup.procs")), "/sys/none"),
                "numbers": calls,
                **{kind: str(path) for kind, path in files.items()},
            },
        )


def command(file: Path, level: str) -> levels.Command:
    """A bot's command, through its spec as in every match."""
    player = honte.player(f"saiblo:{file}", honte.game("connect4"), sandbox=level)
    assert isinstance(player, BotPlayer)
    return player.command


def told(process: Process, facts: dict[str, Any]) -> dict[str, Any]:
    """Send a bot the facts; return its one line of output."""
    process.prepare()
    until = time.monotonic() + SECONDS
    process.start(until)
    process.send(json.dumps(facts).encode() + b"\n", until)
    found: dict[str, Any] = json.loads(process.line(until))
    return found


def attacked(mark: str) -> dict[str, dict[str, Any]]:
    """What the bot reached at each level, by attempt; its user, its opponent's and ours."""
    found = {}
    with world(mark) as (folder, facts):
        for level in levels.LEVELS:
            if levels.missing_for(level):
                continue
            opponent = Process(command(folder / "opponent.py", level))
            bot = Process(command(folder / "bot.py", level))
            try:
                other = told(opponent, facts)["user"]
                found[level] = told(bot, facts | {"opponent": opponent.pid})
                found[level] |= {"opponents_user": other, "arenas_user": os.getuid()}
            finally:
                bot.stop(grace=0)
                opponent.stop(grace=0)
    return found


def as_user(uid: int, words: list[str]) -> None:
    """Replace this process by a program of an ordinary user, who can read our installation."""
    paths = [str(ROOT), sys.prefix, sys.base_prefix]
    ways = levels.ways(levels.Command((), str(ROOT)), paths)
    if ways:
        confinement.open_ways(ways, str(ROOT))
    confinement.drop_privileges(uid)
    os.chdir(ROOT)
    os.execve(words[0], words, {**os.environ, "HOME": "/var/empty"})


@cache
def results(user: str) -> dict[str, dict[str, Any]]:
    """What bots reach in an arena of this user: ``root``, or an ordinary one."""
    environment = {**os.environ, "HONTE_SECRET": f"swordfish-{os.getpid()}"}
    mark = f"arena-under-attack-{os.getpid()}"
    words = [sys.executable, "-m", "tests.attacks.arena", mark]
    if user != "root" and os.geteuid() == 0:
        words.append("--as-nobody")
    done = subprocess.run(
        words, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    if sys.argv[-1] == "--as-nobody":
        as_user(NOBODY, [sys.executable, "-m", "tests.attacks.arena", sys.argv[1]])
    print(json.dumps(attacked(sys.argv[1])))
