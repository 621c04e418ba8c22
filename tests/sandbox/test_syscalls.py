"""The seccomp filter: its numbers, its decisions, and what honest bots can still do."""

from __future__ import annotations

import re
import struct
import sys
import time
from pathlib import Path

import pytest

import honte
from honte.sandbox import syscalls
from honte.sandbox.player import BotPlayer
from honte.sandbox.process import Process
from tests.bots.hosting import available

MACHINES = list(syscalls.MACHINES)
HEADERS = {
    "x86_64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h",
    "aarch64": "/usr/include/asm-generic/unistd.h",
}


def decision(
    machine: str,
    number: int,
    *arguments: int,
    architecture: int | None = None,
    changes: bool = True,
) -> int:
    """What the filter says, run as the kernel runs it."""
    arch = syscalls.MACHINES[machine][1] if architecture is None else architecture
    given = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("=IIQ6Q", number, arch, 0, *given)
    code = syscalls.filter_program(machine, changes)
    program = [struct.unpack_from("=HBBI", code, at) for at in range(0, len(code), 8)]
    held, at = 0, 0
    while True:
        kind, true, false, value = program[at]
        at += 1
        if kind == syscalls.LOAD:
            held = struct.unpack_from("=I", data, value)[0]
        elif kind == syscalls.AND:
            held &= value
        elif kind == syscalls.RETURN:
            return int(value)
        else:
            holds = held == value if kind == syscalls.EQUAL else held >= value
            at += true if holds else false


@pytest.mark.parametrize("machine", MACHINES)
def test_every_listed_call_is_denied_and_no_other(machine: str) -> None:
    column = syscalls.MACHINES[machine][0]
    listed = {pair[column] for group in syscalls.DENIED.values() for pair in group.values()}
    denied = {n for n in range(600) if decision(machine, n) == syscalls.DENY}
    # A call that depends on its arguments is allowed with zeros, except a pair of no family.
    pairs = syscalls.CONDITIONAL["socketpair"][0]
    assert denied == (listed - {None}) | {pairs[column]}
    assert decision(machine, syscalls.CLONE3) == syscalls.NOT_IMPLEMENTED
    assert decision(machine, 0, architecture=0x40000003) == syscalls.DENY, "a 32-bit program"


@pytest.mark.parametrize("machine", MACHINES)
def test_changes_of_files_are_denied_where_landlock_would_let_them_pass(machine: str) -> None:
    column = syscalls.MACHINES[machine][0]
    listed = {pair[column] for pair in syscalls.CHANGES_OF_FILES.values()} - {None}
    stricter = {n for n in range(600) if decision(machine, n, changes=False) == syscalls.DENY}
    assert stricter - {n for n in range(600) if decision(machine, n) == syscalls.DENY} == listed


def test_the_x32_calls_of_x86_64_are_denied() -> None:
    assert decision("x86_64", syscalls.X32_BIT) == syscalls.DENY
    assert decision("x86_64", 2) == syscalls.ALLOW


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "arguments", "allowed"),
    [
        ("clone", (0x003D0F00,), True),  # a thread
        ("clone", (0x01200011,), True),  # a fork
        ("clone", (0x10000011,), False),  # a user namespace
        ("clone", (0x00020011,), False),  # a mount namespace
        ("socketpair", (1, 1), True),
        ("socketpair", (1, 5 | 0o2000000), True),  # closed on exec
        ("socketpair", (1, 2), False),
        ("socketpair", (1, 3), False),
        ("socketpair", (30, 1), False),
        ("prlimit64", (0, 7), True),
        ("prlimit64", (1234, 7), False),
        ("sched_setaffinity", (0,), True),
        ("sched_setaffinity", (1234,), False),
        ("setpriority", (0, 0), True),
        ("setpriority", (0, 1234), False),
        ("setpriority", (2, 0), False),  # all processes of the user
        ("ioctl", (0, 0x5401), True),
        ("ioctl", (0, 0x5412), False),
        ("ioctl", (0, 0x541C), False),
    ],
)
def test_some_calls_depend_on_their_arguments(
    machine: str, name: str, arguments: tuple[int, ...], allowed: bool
) -> None:
    number = syscalls.CONDITIONAL[name][0][syscalls.MACHINES[machine][0]]
    expected = syscalls.ALLOW if allowed else syscalls.DENY
    assert decision(machine, number, *arguments) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernel(machine: str) -> None:
    """Where the kernel headers are installed, for every call they define."""
    path = Path(HEADERS[machine])
    text = path.read_text() if path.exists() else ""
    found = re.findall(r"^#define __NR(?:3264)?_(\w+)\s+(\d+)$", text, re.M)
    kernels = {name: int(number) for name, number in found}
    column = syscalls.MACHINES[machine][0]
    ours = {
        name: pair[column] for group in syscalls.DENIED.values() for name, pair in group.items()
    }
    ours |= {name: pair[column] for name, pair in syscalls.CHANGES_OF_FILES.items()}
    ours |= {name: numbers[column] for name, (numbers, _) in syscalls.CONDITIONAL.items()}
    assert {name: ours[name] for name in ours if name in kernels} == {
        name: kernels[name] for name in ours if name in kernels
    }


def test_there_is_no_filter_for_a_machine_without_numbers() -> None:
    assert syscalls.filter_program("riscv64") == b""


HONEST = """
import asyncio, concurrent.futures, mmap, os, resource, socket, subprocess, threading, time
async def answer(): return 1
asyncio.run(answer())
with concurrent.futures.ThreadPoolExecutor(4) as pool: list(pool.map(abs, range(8)))
assert subprocess.run(["/bin/echo", "hello"], capture_output=True).stdout == b"hello\\n"
os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
if os.fork() == 0: os._exit(0)
os.wait()
one, other = socket.socketpair()
one.send(b"x"); assert other.recv(1) == b"x"
os.memfd_create("table"); mmap.mmap(-1, 1 << 20)
os.sched_setaffinity(0, os.sched_getaffinity(0)); os.nice(1)
resource.setrlimit(resource.RLIMIT_STACK, resource.getrlimit(resource.RLIMIT_STACK))
time.sleep(0.001); time.get_clock_info("monotonic"); os.urandom(8); open("/dev/null", "w").close()
print("played", flush=True)
"""


@pytest.mark.parametrize("level", ["careful", "untrusted"])
def test_an_honest_bot_does_not_notice(level: str, tmp_path: Path) -> None:
    available(level)
    bot = tmp_path / "bot.py"
    bot.write_text(HONEST)
    player = honte.player(f"saiblo:{bot}", honte.game("connect4"), sandbox=level)
    assert isinstance(player, BotPlayer)
    process = Process(player.command)
    process.prepare()
    until = time.monotonic() + 30
    try:
        process.start(until)
        assert process.line(until) == b"played", process.stderr.decode()
    finally:
        process.stop(grace=0)


def test_the_filter_is_the_same_for_this_python() -> None:
    """The kernel reads 8 bytes an instruction, in the byte order of the machine."""
    assert sys.byteorder == "little"
    code = syscalls.filter_program("x86_64")
    assert code[:8] == bytes([0x20, 0, 0, 0, 4, 0, 0, 0])
    assert len(code) == 8 * len(syscalls.instructions("x86_64")) < 8 * 4096
