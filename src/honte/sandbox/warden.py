"""The supervisor of each bot: it leaves no process behind.

One *fork server* per arena process starts with the first bot and forks a *warden* for every bot:
that takes a millisecond or two instead of the start of an interpreter, and nothing is ever forked
from a process with threads. The warden adopts orphans of the bot (Linux: sub-reaper), watches the
memory and the number of its processes, and kills them all when the bot ends, on request, or when
the arena is gone: the kernel closes its control socket even after kill -9. The bot's pipes lead
straight to the arena.

Control socket, to the arena, one message per line: ``started PID CONTROLLERS``, ``failed WORDS``,
and at the end ``ended HOW NUMBER PEAK LEFT``: HOW is ``exit``, ``signal``, ``memory``,
``processes`` or ``killed``; then its code, the peak resident memory in bytes, and how many other
processes had to be killed. CONTROLLERS are those of its control group, if it has one. To the
warden: ``s`` stops what has left the bot's process group, ``c`` continues it; ``k``, or the end
of the socket, means kill.

What a process does to become the bot is in `confinement`.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from typing import Any

from .confinement import LIBC, LINUX, become_bot, free_user
from .control_group import ControlGroup, control_group

PR_SET_CHILD_SUBREAPER = 36
POLL_SECONDS = 0.05
PAGE = resource.getpagesize()
BOOT = "import sys; sys.path.append(sys.argv[1]); from sandbox import warden; warden.main()"
"""The program of the fork server, in an interpreter without site packages or settings.

It finds this folder as the package ``sandbox``, so that nothing else of ours is imported; hence
the relative imports.
"""


def descendants(root: int) -> list[int]:
    """Every descendant of a process, nearest first."""
    found, queue = [], [root]
    while queue:
        parent = queue.pop()
        try:
            tasks = os.listdir(f"/proc/{parent}/task")
        except OSError:
            continue
        for task in tasks:
            try:
                with open(f"/proc/{parent}/task/{task}/children", "rb") as file:
                    children = [int(word) for word in file.read().split()]
            except OSError:
                continue
            found += children
            queue += children
    return found


def resident(pids: list[int]) -> int:
    """The resident bytes of these processes; shared pages count for each process."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                total += int(file.read().split()[1]) * PAGE
        except (OSError, IndexError):
            continue
    return total


def kill_all(bot: int) -> int:
    """Kill the bot and all its descendants; returns how many others there were."""
    others: set[int] = set()
    wait = 0.0005
    me = os.getpid()
    for _ in range(400):
        alive = descendants(me) if LINUX else []
        others.update(alive)
        # The whole group at once first: a process cannot fork its way out of that.
        for kill, pid in [(os.killpg, bot), *((os.kill, pid) for pid in alive)]:
            try:
                kill(pid, signal.SIGKILL)
            except OSError:
                continue
        for pid in alive:
            try:
                leader = os.getpgid(pid)
                if leader != os.getpgid(0):
                    os.killpg(leader, signal.SIGKILL)
            except OSError:
                continue
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            break
        time.sleep(wait)
        wait = min(0.02, wait * 2)
    return len(others - {bot})


def watch(config: dict[str, Any], fds: list[int], control: socket.socket) -> None:
    """Supervise one bot from its start to its end."""
    os.setsid()
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    if LINUX:
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    error_read, error_write = os.pipe()  # closed by exec; text in it means that exec failed
    me = os.getpid()
    cgroup = control_group(config)
    uid, _reserved = free_user(*config["users"]) if config["users"] else (0, None)
    bot = os.fork()
    if bot == 0:
        try:
            signal.set_wakeup_fd(-1)
            become_bot(config, fds, me, error_write, cgroup, uid)
        except BaseException as error:
            words = error.strerror if isinstance(error, OSError) else str(error)
            os.write(error_write, (words or type(error).__name__).encode()[:200])
        finally:
            os._exit(127)
    os.close(error_write)
    for fd in fds:
        os.close(fd)
    failed = os.read(error_read, 200)
    os.close(error_read)
    if failed:
        os.waitpid(bot, 0)
        send(control, b"failed " + failed.replace(b"\n", b" "))
        if cgroup is not None:
            cgroup.remove()
        return
    held = cgroup.controllers if cgroup is not None else []
    send(control, " ".join(["started", str(bot), *held]).encode())
    how, number, peak = supervise(config, control, wake_read, bot, cgroup)
    left = kill_all(bot)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    peak = max(peak, largest * (1024 if LINUX else 1))
    if cgroup is not None:
        peak = max(peak, cgroup.peak())
        if how not in ("killed", "memory"):
            how = cgroup.exceeded() or how
    send(control, f"ended {how} {abs(number)} {peak} {left}".encode())
    if cgroup is not None:
        cgroup.remove()


def signal_strays(bot: int, number: int) -> None:
    """Signal the processes that have left the bot's group.

    Only the arena signals the group itself, so that a late order here undoes nothing.
    """
    for pid in descendants(os.getpid()):
        try:
            if os.getpgid(pid) != bot:
                os.kill(pid, number)
        except OSError:
            continue


def supervise(
    config: dict[str, Any], control: socket.socket, wake: int, bot: int, cgroup: ControlGroup | None
) -> tuple[str, int, int]:
    """Wait until the bot ends or must be killed; returns how, its code and its peak memory."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wake, select.POLLIN)
    most, processes, peak = config["memory"], config["processes"], 0
    while True:
        ready = {fd for fd, _ in poll.poll(int(1000 * POLL_SECONDS))}
        if wake in ready:
            os.read(wake, 4096)
            while True:  # adopted orphans are reaped here too
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == bot:
                    code = os.waitstatus_to_exitcode(status)
                    return ("signal" if code < 0 else "exit"), code, peak
                if pid == 0:
                    break
        if control.fileno() in ready:
            orders = control.recv(64)
            if not orders or b"k" in orders:
                return "killed", 0, peak
            if orders.endswith(b"c"):
                signal_strays(bot, signal.SIGCONT)
            else:
                for _ in range(3):  # one may be forked meanwhile
                    signal_strays(bot, signal.SIGSTOP)
        if LINUX:
            alive = descendants(os.getpid())
            peak = max(peak, resident(alive))
            if len(alive) > processes:
                return "processes", len(alive), peak
            if cgroup is not None and (limit := cgroup.exceeded()):
                return limit, len(alive), peak
            # Only a control group counts shared pages once.
            if peak > most and (cgroup is None or "memory" not in cgroup.controllers):
                return "memory", 0, peak


def send(control: socket.socket, words: bytes) -> None:
    try:
        control.sendall(words + b"\n")
    except OSError:
        return  # the arena is gone


def fork_server(requests: socket.socket) -> None:
    """Fork a warden for every request, until the arena is gone."""
    gc.disable()  # a collection would copy every page that the wardens share
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # wardens are reaped by the kernel
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests.send(b"r")  # ready
    while True:
        message, fds, _, _ = socket.recv_fds(requests, 1 << 20, 4)
        if not message:
            return
        if os.fork() == 0:
            try:
                requests.close()
                *pipes, control = fds
                watch(json.loads(message), pipes, socket.socket(fileno=control))
            finally:
                os._exit(0)
        for fd in fds:
            os.close(fd)


def main() -> None:
    fork_server(socket.socket(fileno=int(sys.argv[2])))
