"""The supervisor of each bot: it leaves no process behind.

Run as a script. One *fork server* per arena process starts with the first bot and forks a
*warden* for every bot: that takes a millisecond or two instead of the start of an interpreter,
and nothing is ever forked from a process with threads. The warden adopts orphans of the bot
(Linux: sub-reaper), watches the memory and the number of its processes, and kills them all when
the bot ends, when it is told to, or when the arena is gone: then its control socket ends, which
the kernel closes even after kill -9. The bot's pipes lead straight to the arena.

Control socket, to the arena, one message per line: ``started PID CONTROLLERS``, ``failed WORDS``,
and at the end ``ended HOW NUMBER PEAK LEFT``: HOW is ``exit``, ``signal``, ``memory``,
``processes`` or ``killed``; then its code, the peak resident memory in bytes, and how many other
processes had to be killed. CONTROLLERS are those of its control group, if it has one. To the
warden: ``s`` stops what has left the bot's process group, ``c`` continues it; ``k``, or the end
of the socket, means kill.
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
PR_SET_SECCOMP, SECCOMP_MODE_FILTER, PR_CAPBSET_DROP = 22, 2, 24
CLONE_NEWNS = 0x20000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 1 << 12, 1 << 14, 1 << 18
CAPABILITY_VERSION = 0x20080522
KEYCTL, JOIN_SESSION_KEYRING = {"x86_64": 250, "aarch64": 219}, 1
FILTER_FD = 100
"""Where bubblewrap finds the filter of system calls: above every descriptor of a warden."""
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
    """Deny this process all files but these, all TCP, and signals to the outside."""
    size = 8 if version < 4 else 16 if version < 6 else 24
    rights = handled(version)
    rules = Ruleset(rights, 3, 3)
    ruleset = LIBC.syscall(CREATE_RULESET, ctypes.byref(rules), size, 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "Landlock: no ruleset")
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
            raise OSError(ctypes.get_errno(), f"Landlock: no rule for {path}")
        os.close(folder)
    if LIBC.syscall(RESTRICT_SELF, ruleset, 0):
        raise OSError(ctypes.get_errno(), "Landlock: cannot restrict")
    os.close(ruleset)


class FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def filter_system_calls(code: bytes) -> None:
    """Deny this process some system calls, for good."""
    program = FilterProgram(len(code) // 8, code)
    if LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "cannot filter system calls")


def hold_filter(code: bytes) -> None:
    """Hold the filter open for bubblewrap, which needs other calls first and applies it last."""
    held = os.memfd_create("filter")
    os.write(held, code)
    os.lseek(held, 0, os.SEEK_SET)
    os.dup2(held, FILTER_FD)
    os.close(held)


def free_user(first: int, count: int) -> tuple[int, socket.socket]:
    """A user id that no other bot has, and the socket whose name reserves it."""
    start = os.getpid() % count
    name = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    for step in range(count):
        uid = first + (start + step) % count
        try:
            name.bind(f"\0honte-bot-{uid}")
        except OSError:
            continue
        return uid, name
    return first + start, name  # all are taken: bots of one user are still apart


def drop_privileges(uid: int) -> None:
    """Become an ordinary user, for good, in no group but its own."""
    for capability in range(64):
        if LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
            break  # there are no more
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def drop_capabilities() -> None:
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    if LIBC.capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "cannot drop capabilities")


def open_ways(ways: dict[str, list[str]], folder: str) -> None:
    """Let an ordinary user reach these paths in folders that are closed to it.

    In a mount namespace of its own, a folder with nothing else in it covers each closed one.
    """
    if LIBC.unshare(CLONE_NEWNS):
        raise OSError(ctypes.get_errno(), "cannot make a mount namespace")
    mount("none", "/", "", MS_REC | MS_PRIVATE)
    os.umask(0o022)
    for closed, paths in ways.items():
        held = [(path, os.open(path, os.O_PATH), os.path.isdir(path)) for path in paths]
        mount("tmpfs", closed, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")
        for path, fd, is_folder in held:
            os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
            if not is_folder:
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
            mount(f"/proc/self/fd/{fd}", path, "", MS_BIND | MS_REC)
            os.close(fd)
        if os.path.commonpath([closed, folder]) == closed:
            os.makedirs(folder, exist_ok=True)


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    words = [os.fsencode(word) for word in (source, target, kind)]
    if LIBC.mount(*words, ctypes.c_ulong(flags), options.encode() or None):
        raise OSError(ctypes.get_errno(), f"cannot mount {target}")


def new_session_keyring() -> None:
    """Leave the arena's session keyring; a kernel without keys has none."""
    number = KEYCTL.get(os.uname().machine)
    if number is not None:
        LIBC.syscall(number, JOIN_SESSION_KEYRING, None)


class ControlGroup:
    """The control groups of one bot: limits that the kernel enforces, and its CPU time."""

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
                if controller == "cpu":
                    continue  # counted, not limited
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

    def add(self, pid: int = 0) -> None:
        """Add a process, by default this one."""
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

    def exceeded(self) -> str:
        """Which limit has been hit: ``memory``, ``processes`` or none."""
        if self._count("memory", ("memory.oom_control", "memory.events"), b"oom_kill "):
            return "memory"
        if self._count("pids", ("pids.events", "pids.events"), b"max "):
            return "processes"
        return ""

    def peak(self) -> int:
        """Its peak memory, where the kernel counts that."""
        return self._count("memory", ("memory.max_usage_in_bytes", "memory.peak"), b"")

    def remove(self) -> None:
        for folder in {folder for folder, _ in self._folders.values()}:
            for _ in range(50):
                try:
                    os.rmdir(folder)
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.002)  # its processes are still being reaped
        self._folders = {}


def control_group(config: dict[str, Any]) -> ControlGroup | None:
    """A control group for a bot; None where there is none."""
    try:
        cgroup = ControlGroup(config["cgroup"], config["memory"], config["tasks"])
    except OSError:
        return None
    return cgroup if cgroup.controllers else None


def threads_now() -> int:
    """How many threads the whole system runs."""
    try:
        with open("/proc/loadavg", "rb") as file:
            return int(file.read().split()[3].split(b"/")[1])
    except (OSError, ValueError, IndexError):
        return 1 << 15


def limit_resources(config: dict[str, Any], uid: int) -> None:
    """Set the resource limits of a bot, which runs as this user or, if 0, as ours."""
    limits = dict(config["rlimits"])
    if LINUX and "RLIMIT_AS" in limits and (uid or os.geteuid()):
        # It counts all threads of the user: those of others too, unless the user is its own.
        limits["RLIMIT_NPROC"] = config["tasks"] + (0 if uid else threads_now())
    for name, value in limits.items():
        kind = getattr(resource, name, None)
        if kind is not None:
            most = resource.getrlimit(kind)[1]
            value = value if most == resource.RLIM_INFINITY else min(value, most)
            resource.setrlimit(kind, (value, value))


def become_bot(
    config: dict[str, Any],
    fds: list[int],
    warden: int,
    error_fd: int,
    cgroup: ControlGroup | None,
    uid: int,
) -> None:
    """In the new process: set the limits and exec the bot. Never returns."""
    os.setsid()
    if cgroup is not None:
        cgroup.add()
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
    os.closerange(3, error_fd)
    os.closerange(error_fd + 1, os.sysconf("SC_OPEN_MAX"))
    if config["ways"]:
        open_ways(config["ways"], config["way_to"])
    limit_resources(config, uid)
    if uid:
        drop_privileges(uid)
    if LINUX:  # after the change of user, which would undo it
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != warden:
            os._exit(1)
    os.umask(0o077)
    os.chdir(config["folder"])
    if config["filter"]:
        new_session_keyring()
        code = bytes.fromhex(config["filter"])
        if config["landlock"]:
            drop_capabilities()
            if LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "cannot drop privileges")
            restrict(config["readable"], config["landlock"])
            filter_system_calls(code)
        else:
            hold_filter(code)
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    os.execve(config["argv"][0], config["argv"], config["env"])


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
    """The resident bytes of these processes; shared pages count for each."""
    total = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/statm", "rb") as file:
                total += int(file.read().split()[1]) * PAGE
        except (OSError, IndexError):
            continue
    return total


def kill_all(bot: int) -> int:
    """Kill the bot and whatever it started; how many others there were."""
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
    """Wait until the bot ends or must be killed: how, with which code, and its peak memory."""
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wake, select.POLLIN)
    most, processes, peak = config["memory"], config["processes"], 0
    while True:
        ready = {fd for fd, _ in poll.poll(int(1000 * POLL_SECONDS))}
        if wake in ready:
            os.read(wake, 4096)
            while True:  # adopted orphans end here too
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
            # Pages that several processes share are counted once by a control group only.
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


if __name__ == "__main__":
    fork_server(socket.socket(fileno=int(sys.argv[1])))
