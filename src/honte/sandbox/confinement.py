"""Confine a new process before it becomes the bot: limits, a user, a sandbox.

The fork server's bare interpreter imports this module: standard library only.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import socket
import sys
from typing import Any

from .control_group import ControlGroup

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
PR_SET_SECCOMP, SECCOMP_MODE_FILTER, PR_CAPBSET_DROP = 22, 2, 24
CLONE_NEWNS = 0x20000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 1 << 12, 1 << 14, 1 << 18
CAPABILITY_VERSION = 0x20080522
KEYCTL, JOIN_SESSION_KEYRING = {"x86_64": 250, "aarch64": 219}, 1
FILTER_FD = 100
"""The descriptor of bubblewrap's seccomp filter: above every other descriptor of a warden."""
LINUX = sys.platform == "linux"
LIBC = ctypes.CDLL(None, use_errno=True)

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
    """The kernel's Landlock version; 0 without Landlock."""
    if not LINUX:
        return 0
    return max(0, int(LIBC.syscall(CREATE_RULESET, None, 0, 1)))


def handled(version: int) -> int:
    """All file access rights that a version of Landlock can restrict."""
    return (1 << (13 + (version >= 2) + (version >= 3) + (version >= 5))) - 1


def restrict(readable: list[str], version: int) -> None:
    """Deny this process all files but these, all TCP, and signals to the outside."""
    if sys.platform != "linux":
        raise NotImplementedError
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
            continue  # a missing path needs no rule
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
    """Install a seccomp filter in this process, irrevocably."""
    program = FilterProgram(len(code) // 8, code)
    if LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "cannot filter system calls")


def hold_filter(code: bytes) -> None:
    """Hold the filter open for bubblewrap, which applies it last, after its own system calls."""
    if sys.platform != "linux":
        raise NotImplementedError
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
    """Become an ordinary user in no group but its own, irrevocably."""
    if sys.platform != "linux":
        raise NotImplementedError
    for capability in range(64):
        if LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
            break  # past the last capability
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def drop_capabilities() -> None:
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    if LIBC.capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "cannot drop capabilities")


def open_ways(ways: dict[str, list[str]], folder: str) -> None:
    """Let an ordinary user reach these paths inside folders that are closed to it.

    In a mount namespace of its own, each closed folder is covered by one that holds only these.
    """
    if sys.platform != "linux":
        raise NotImplementedError
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


def threads_now() -> int:
    """Number of threads in the whole system."""
    try:
        with open("/proc/loadavg", "rb") as file:
            return int(file.read().split()[3].split(b"/")[1])
    except (OSError, ValueError, IndexError):
        return 1 << 15


def limit_resources(config: dict[str, Any], uid: int) -> None:
    """Set the resource limits of a bot, which runs as user `uid` or, if that is 0, as ours."""
    limits = dict(config["rlimits"])
    if LINUX and "RLIMIT_AS" in limits and (uid or os.geteuid()):
        # It counts all threads of the user, so also other processes' unless the user is its own.
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
    """Set the limits and exec the bot, in the new process. Never returns."""
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
