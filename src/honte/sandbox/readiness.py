"""Detect whether a bot that has just started waits for its input.

Saiblo and Botzone have no handshake, so a slow start looks like a slow move. The kernel tells them
apart: it shows the system call in which a thread waits (Linux: /proc/PID/syscall). A bot is not
sent the position until it reads its standard input, so the time before that is not thinking time.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable

READ = {"x86_64": ("0", "19"), "aarch64": ("63", "65")}.get(platform.machine(), ())
"""The system call numbers of read and readv."""
RUNNING = "running"
IDLE_SECONDS = 0.2
"""After this long in the same calls a bot counts as started, even if it reads in another way."""


def calls(pids: Iterable[int]) -> tuple[str, ...]:
    """The system calls in which the threads of some processes wait, or "running"."""
    found = []
    for pid in pids:
        try:
            threads = os.listdir(f"/proc/{pid}/task")
        except OSError:
            continue
        for thread in threads:
            try:
                with open(f"/proc/{pid}/task/{thread}/syscall", "rb", buffering=0) as file:
                    found.append(file.read(256).decode().strip())
            except OSError:
                continue
    return tuple(found)


def reads_input(waiting: Iterable[str]) -> bool:
    """Whether one of these calls reads standard input.

    >>> reads_input(["running", "202 0x7f00 0x80"])
    False
    """
    return any(call.split()[0] in READ and call.split()[1:2] == ["0x0"] for call in waiting if call)
