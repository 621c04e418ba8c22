"""The process that stands between the arena and its bots, and leaves none behind.

Run as a script. One *nursery* for each arena process starts when the first bot does, and
forks a *warden* for every bot: that takes a millisecond or two, not the time of a fresh
interpreter, and nothing is ever forked from a process with threads. The warden adopts
whatever the bot's processes leave behind (Linux: sub-reaper), watches their memory and
number, and kills them all when the bot ends, when it is told to, or when the arena is gone
in whatever way: the sign is the end of its control socket, which the kernel closes even
after kill -9. The bot's pipes lead straight to the arena; no move goes through here.

Control socket, to the arena, a message a line: ``started PID``, ``failed WORDS``, and when
all is over ``ended HOW NUMBER PEAK LEFT``: ``exit``, ``signal``, ``memory``, ``processes``
or ``killed``, its code, the largest resident memory in bytes, and how many other processes
had to be killed. After the PID of ``started`` come the controllers of the control group that
it got, if it got one. To the warden: ``s`` stops what has left the bot's process group, ``c``
lets all of it go on; ``k``, or the end, means kill.
"""

from __future__ import annotations

import ctypes
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

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38
LINUX = sys.platform == "linux"
LIBC = ctypes.CDLL(None, use_errno=True)
POLL_SECONDS = 0.05
PAGE = resource.getpagesize()

# Landlock, by its numbers in linux/landlock.h.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = 1, 2, 4, 8, 1 << 14, 1 << 15
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def landlock_version() -> int:
    """The version of Landlock that the kernel has; 0 for none."""
    if not LINUX:
        return 0
    return max(0, int(LIBC.syscall(CREATE_RULESET, None, 0, 1)))


def handled(version: int) -> int:
    """Every right on files that a version of Landlock can take away."""
    return (1 << (13 + (version >= 2) + (version >= 3) + (version >= 5))) - 1


def restrict(readable: list[str], version: int) -> None:
    """Take from this process all files but these, all TCP, and signals to the outside."""
    size = 8 if version < 4 else 16 if version < 6 else 24
    rights = handled(version)
    rules = Ruleset(rights, 3, 3)
    ruleset = LIBC.syscall(CREATE_RULESET, ctypes.byref(rules), size, 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "Landlock gives no ruleset")
    allowed = [(path, READ_FILE | READ_DIR | EXECUTE) for path in readable]
    allowed += [(path, READ_FILE | WRITE_FILE) for path in DEVICES]
    for path, access in allowed:
        try:
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # what is not there needs no rule
        access &= rights if os.path.isdir(path) else rights & ON_FILES
        beneath = PathBeneath(access, folder)
        if LIBC.syscall(ADD_RULE, ruleset, 1, ctypes.byref(beneath), 0):
            raise OSError(ctypes.get_errno(), f"Landlock takes no rule for {path}")
        os.close(folder)
    if LIBC.syscall(RESTRICT_SELF, ruleset, 0):
        raise OSError(ctypes.get_errno(), "Landlock does not hold")
    os.close(ruleset)


class Cage:
    """The control groups of one bot: a limit that the kernel keeps, not one that is watched."""

    NAME = "honte-bot-"

    def __init__(
        self, places: dict[str, tuple[str, int]], memory: int, tasks: int, name: str = ""
    ) -> None:
        self._folders: dict[str, tuple[str, int]] = {}
        for controller, (parent, version) in places.items():
            folder = f"{parent}/{self.NAME}{name or os.getpid()}"
            self._folders[controller] = (folder, version)
            try:
                os.makedirs(folder, exist_ok=True)
                if controller == "pids":
                    self._write("pids", "pids.max", tasks)
                elif version == 2:
                    self._write("memory", "memory.max", memory)
                    self._try("memory.swap.max", 0)
                    self._try("memory.oom.group", 1)
                else:
                    self._write("memory", "memory.limit_in_bytes", memory)
                    self._try("memory.memsw.limit_in_bytes", memory)
            except OSError:
                self.remove()
                raise

    @property
    def controllers(self) -> list[str]:
        return list(self._folders)

    def put(self, pid: int = 0) -> None:
        """Put a process in, or this one."""
        for folder in {folder for folder, _ in self._folders.values()}:
            with open(f"{folder}/cgroup.procs", "w") as file:
                file.write(str(pid))

    def _write(self, controller: str, name: str, value: int) -> None:
        with open(f"{self._folders[controller][0]}/{name}", "w") as file:
            file.write(str(value))

    def _try(self, name: str, value: int) -> None:
        try:
            self._write("memory", name, value)
        except OSError:
            return  # a kernel without swap accounting

    def _count(self, controller: str, names: tuple[str, str], word: bytes) -> int:
        if controller not in self._folders:
            return 0
        folder, version = self._folders[controller]
        try:
            with open(f"{folder}/{names[version - 1]}", "rb") as file:
                lines = file.read().splitlines()
        except OSError:
            return 0
        return sum(int(line.split()[-1]) for line in lines if line.startswith(word))

    def refused(self) -> str:
        """Which limit has been reached: ``memory``, ``processes`` or none."""
        if self._count("memory", ("memory.oom_control", "memory.events"), b"oom_kill "):
            return "memory"
        if self._count("pids", ("pids.events", "pids.events"), b"max "):
            return "processes"
        return ""

    def peak(self) -> int:
        """The most memory it has had, where the kernel counts that."""
        return self._count("memory", ("memory.max_usage_in_bytes", "memory.peak"), b"")

    def remove(self) -> None:
        for folder in {folder for folder, _ in self._folders.values()}:
            for _ in range(50):
                try:
                    os.rmdir(folder)
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.002)  # the dead are still being buried
        self._folders = {}


def caged(config: dict[str, Any]) -> Cage | None:
    """The control group for a bot; None where there is none to be had."""
    try:
        cage = Cage(config["cgroup"], config["memory"], config["tasks"])
    except OSError:
        return None
    return cage if cage.controllers else None


def threads_now() -> int:
    """How many threads the whole system runs."""
    try:
        with open("/proc/loadavg", "rb") as file:
            return int(file.read().split()[3].split(b"/")[1])
    except (OSError, ValueError, IndexError):
        return 1 << 15


def become_bot(
    config: dict[str, Any], fds: list[int], warden: int, kept: int, cage: Cage | None
) -> None:
    """In the new process: put the limits on and turn into the bot. Returns never."""
    os.setsid()
    if cage is not None:
        cage.put()
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))
    if LINUX:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != warden:
            os._exit(1)
    os.chdir(config["folder"])
    os.umask(0o077)
    for name, value in config["rlimits"].items():
        kind = getattr(resource, name, None)
        if kind is not None:
            most = resource.getrlimit(kind)[1]
            value = value if most == resource.RLIM_INFINITY else min(value, most)
            resource.setrlimit(kind, (value, value))
    if LINUX and config["rlimits"].get("RLIMIT_AS") and os.geteuid() != 0:
        # It counts all threads of the user, not the bot's: a cap on top of what runs now. The
        # administrator is not bound by it at all.
        most = resource.getrlimit(resource.RLIMIT_NPROC)[1]
        value = threads_now() + config["tasks"]
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(resource.RLIMIT_NPROC, (value, value))
    if config["landlock"]:
        if LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "privileges cannot be given up")
        restrict(config["readable"], config["landlock"])
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    os.execve(config["argv"][0], config["argv"], config["env"])


def descendants(root: int) -> list[int]:
    """Every process below one, nearest first."""
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
    """The bytes that these processes hold in memory; what they share counts for each."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                total += int(file.read().split()[1]) * PAGE
        except (OSError, IndexError):
            continue
    return total


def end_all(bot: int) -> int:
    """Kill the bot and whatever it started; how many others there were."""
    others: set[int] = set()
    wait = 0.0005
    me = os.getpid()
    for _ in range(400):
        alive = descendants(me) if LINUX else []
        others.update(alive)
        # A whole group at once first: a process cannot fork its way out of that.
        for kill, pid in [(os.killpg, bot), *((os.kill, pid) for pid in alive)]:
            try:
                kill(pid, signal.SIGKILL)
            except OSError:
                continue
        for pid in alive:
            try:
                group = os.getpgid(pid)
                if group != os.getpgid(0):
                    os.killpg(group, signal.SIGKILL)
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
    """The life of a warden: one bot from its start to its end."""
    os.setsid()
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    if LINUX:
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    said_read, said_write = os.pipe()  # closed by exec; words in it mean that exec failed
    me = os.getpid()
    cage = caged(config)
    bot = os.fork()
    if bot == 0:
        try:
            signal.set_wakeup_fd(-1)
            become_bot(config, fds, me, said_write, cage)
        except BaseException as error:
            words = error.strerror if isinstance(error, OSError) else str(error)
            os.write(said_write, (words or type(error).__name__).encode()[:200])
        finally:
            os._exit(127)
    os.close(said_write)
    for fd in fds:
        os.close(fd)
    failed = os.read(said_read, 200)
    os.close(said_read)
    if failed:
        os.waitpid(bot, 0)
        say(control, b"failed " + failed.replace(b"\n", b" "))
        if cage is not None:
            cage.remove()
        return
    held = cage.controllers if cage is not None else []
    say(control, " ".join(["started", str(bot), *held]).encode())
    how, number, peak = stand_guard(config, control, wake_read, bot, cage)
    left = end_all(bot)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    peak = max(peak, largest * (1024 if LINUX else 1))
    if cage is not None:
        peak = max(peak, cage.peak())
        if how not in ("killed", "memory"):
            how = cage.refused() or how
    say(control, f"ended {how} {abs(number)} {peak} {left}".encode())
    if cage is not None:
        cage.remove()


def signal_strays(bot: int, number: int) -> None:
    """Signal what has left the bot's group.

    The group itself is the arena's alone, so that an order of ours which is carried out late
    undoes nothing.
    """
    for pid in descendants(os.getpid()):
        try:
            if os.getpgid(pid) != bot:
                os.kill(pid, number)
        except OSError:
            continue


def stand_guard(
    config: dict[str, Any], control: socket.socket, wake: int, bot: int, cage: Cage | None
) -> tuple[str, int, int]:
    """Wait until the bot ends or must end: how, with which code, and its largest memory."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wake, select.POLLIN)
    most, processes, peak = config["memory"], config["processes"], 0
    while True:
        ready = {fd for fd, _ in poll.poll(int(1000 * POLL_SECONDS))}
        if wake in ready:
            os.read(wake, 4096)
            while True:  # adopted processes end here too
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
                for _ in range(3):  # one may have been forked meanwhile
                    signal_strays(bot, signal.SIGSTOP)
        if LINUX:
            alive = descendants(os.getpid())
            peak = max(peak, resident(alive))
            if len(alive) > processes:
                return "processes", len(alive), peak
            if cage is not None and (limit := cage.refused()):
                return limit, len(alive), peak
            # Pages that several processes share are counted once by a control group only.
            if peak > most and (cage is None or "memory" not in cage.controllers):
                return "memory", 0, peak


def say(control: socket.socket, words: bytes) -> None:
    try:
        control.sendall(words + b"\n")
    except OSError:
        return  # the arena is gone; there is nobody to tell


def nursery(requests: socket.socket) -> None:
    """Fork a warden for every request, until the arena goes."""
    gc.disable()  # a collection would touch, and so copy, every page that wardens share
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # wardens need no burial
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


if __name__ == "__main__":
    nursery(socket.socket(fileno=int(sys.argv[1])))
