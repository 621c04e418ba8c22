"""A bot that tries to break out of its sandbox: it opens and asks, but changes nothing.

Every function is one attempt. It returns what it reached; an exception means that it was blocked.
The arena sends the targets as JSON on standard input, and gets one line of JSON back with the bot's
user and all results. Nothing of ours is imported here; a bot is somebody else's program.
"""

from __future__ import annotations

import ctypes
import fcntl
import inspect
import json
import os
import resource
import signal
import socket
import stat
import sys
from collections.abc import Callable
from typing import Any

facts: dict[str, Any] = {}
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.shmat.restype = ctypes.c_void_p
CAPABILITY_VERSION = 0x20080522
KEY_SESSION, KEYCTL_GET_ID, KEYCTL_SEARCH, KEYCTL_READ = -3, 0, 10, 11
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
PTRACE_SEIZE, BPF_UNKNOWN, SYSLOG_SIZE = 0x4206, 9999, 10
HERE = os.path.dirname(os.path.abspath(__file__))


class Blocked(Exception):
    """The attempt found nothing."""


def call(name: str, *arguments: Any) -> int:
    """A system call by its number; OSError if it was refused."""
    ctypes.set_errno(0)
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result = int(LIBC.syscall(ctypes.c_long(facts["numbers"][name]), *given))
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def asked(name: str, *arguments: Any) -> str:
    """Whether the kernel accepts a call, even if its arguments make no sense."""
    try:
        call(name, *arguments)
    except PermissionError:
        raise
    except OSError as error:
        if error.errno == 38:  # not implemented
            raise
        return f"{name}: {error.strerror or error}"
    return f"{name} was answered"


def opened(path: str, flags: int = os.O_RDONLY) -> str:
    os.close(os.open(path, flags | os.O_CLOEXEC | os.O_NOCTTY))
    return f"opened {path}"


def found(text: bytes | str) -> str:
    text = text if isinstance(text, bytes) else text.encode()
    if facts["secret"].encode() not in text:
        raise Blocked
    return "found the secret"


def content(path: str) -> str:
    with open(path, "rb") as file:
        return found(file.read(1 << 16))


# -- files -----------------------------------------------------------------------------


def read_the_store() -> str:
    return content(facts["store"])


def open_the_store_for_writing() -> str:
    return opened(facts["store"], os.O_WRONLY)


def stat_the_store() -> str:
    return f"{os.stat(facts['store']).st_size} bytes"


def set_the_mode_of_the_store() -> str:
    os.chmod(facts["store"], stat.S_IMODE(os.stat(facts["store"]).st_mode))
    return "set to what it was"


def set_the_owner_of_the_store() -> str:
    os.chown(facts["store"], -1, os.stat(facts["store"]).st_gid)
    return "set to what it was"


def set_the_times_of_the_store() -> str:
    now = os.stat(facts["store"])
    os.utime(facts["store"], ns=(now.st_atime_ns, now.st_mtime_ns))
    return "set to what they were"


def set_the_mode_of_the_opponents_file() -> str:
    os.chmod(facts["opponent_file"], stat.S_IMODE(os.stat(facts["opponent_file"]).st_mode))
    return "set to what it was"


def watch_the_store() -> str:
    """Watch with inotify when others use a file."""
    watch = call("inotify_init1", 0)
    number = LIBC.inotify_add_watch(watch, facts["store"].encode(), 0x20)
    if number < 0:
        raise Blocked
    return "a watch"


def take_a_handle_of_the_store() -> str:
    """A file handle, which open_by_handle_at takes past all folders."""
    handle = (ctypes.c_uint32 * 64)(128)
    mount = ctypes.c_int()
    path = facts["store"].encode()
    call("name_to_handle_at", -100, path, handle, ctypes.byref(mount), 0)
    return "a handle"


def read_the_opponents_file() -> str:
    return content(facts["opponent_file"])


def list_the_folder_it_lies_in() -> str:
    others = set(os.listdir(HERE)) - {os.path.basename(__file__), "__pycache__"}
    if not others:
        raise Blocked
    return ", ".join(sorted(others))


def follow_a_link_out_of_its_folder() -> str:
    return content(os.path.join(HERE, "link"))


def climb_out_of_its_folder() -> str:
    return content(os.path.join(HERE, "../" * 20, facts["store"].lstrip("/")))


def climb_out_through_proc() -> str:
    return content(f"/proc/{os.getppid()}/root{facts['store']}")


def open_its_own_file_for_writing() -> str:
    return opened(os.path.abspath(__file__), os.O_WRONLY)


def write_beside_itself() -> str:
    return opened(HERE, os.O_TMPFILE | os.O_WRONLY)


def write_to_var_tmp() -> str:
    return opened("/var/tmp", os.O_TMPFILE | os.O_WRONLY)


def write_to_usr() -> str:
    return opened("/usr", os.O_TMPFILE | os.O_WRONLY)


def read_a_file_in_tmp() -> str:
    return content(facts["tmp_file"])


def read_passwords() -> str:
    return opened("/etc/passwd")


def read_shadow() -> str:
    return opened("/etc/shadow")


def list_the_arenas_folder() -> str:
    folder, name = os.path.split(facts["store"])
    if name not in os.listdir(folder):
        raise Blocked
    return "the store is there"


def open_a_disk() -> str:
    for name in os.listdir("/dev"):
        path = f"/dev/{name}"
        if stat.S_ISBLK(os.stat(path).st_mode):
            return opened(path)
    raise Blocked


def use_set_user_id_programs() -> str:
    if LIBC.prctl(39, 0, 0, 0, 0):  # PR_GET_NO_NEW_PRIVS
        raise Blocked
    return "they take effect"


# -- network ---------------------------------------------------------------------------


def connected(family: int, kind: int, address: Any) -> str:
    with socket.socket(family, kind) as one:
        one.settimeout(1)
        one.connect(address)
    return f"connected to {address!r}"


def connect_over_tcp() -> str:
    return connected(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", facts["tcp"]))


def listen_for_tcp() -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"listens on {server.getsockname()}"


def send_over_udp() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"hello", ("127.0.0.1", facts["udp"]))
    return "sent"


def open_a_raw_socket() -> str:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()
    return "a raw socket"


def open_a_packet_socket() -> str:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close()
    return "a packet socket"


def ask_netlink() -> str:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close()
    return "a netlink socket"


def connect_to_a_unix_socket() -> str:
    return connected(socket.AF_UNIX, socket.SOCK_STREAM, facts["unix"])


def connect_to_an_abstract_socket() -> str:
    return connected(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + facts["abstract"])


def reach_a_unix_socket_from_a_pair() -> str:
    """A pair of datagram sockets needs no socket call, and sends anywhere."""
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendmsg([b"hello"], [], 0, facts["datagram"])
    return "sent"


# -- other processes -------------------------------------------------------------------


def see_the_arena() -> str:
    return f"its group is {os.getpgid(facts['arena'])}"


def list_processes() -> str:
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read()
            except OSError:
                continue
            if facts["mark"].encode() in words:
                return words.decode()
    raise Blocked


def signal_the_arena() -> str:
    os.kill(facts["arena"], 0)
    return "a signal would arrive"


def signal_through_a_descriptor() -> str:
    fd = os.pidfd_open(facts["arena"])
    signal.pidfd_send_signal(fd, 0)
    return "a signal would arrive"


def read_the_arenas_memory() -> str:
    return opened(f"/proc/{facts['arena']}/mem")


def copy_the_arenas_memory() -> str:
    buffer = ctypes.create_string_buffer(len(facts["secret"]))
    here = (ctypes.c_uint64 * 2)(ctypes.addressof(buffer), len(buffer) - 1)
    there = (ctypes.c_uint64 * 2)(facts["address"], len(buffer) - 1)
    call("process_vm_readv", facts["arena"], here, 1, there, 1, 0)
    return "copied"


def read_the_arenas_environment() -> str:
    return content(f"/proc/{facts['arena']}/environ")


def list_the_arenas_descriptors() -> str:
    return ", ".join(os.listdir(f"/proc/{facts['arena']}/fd"))


def take_a_descriptor_of_the_arena() -> str:
    return asked("pidfd_getfd", os.pidfd_open(facts["arena"]), 0, 0)


def trace_the_arena() -> str:
    call("ptrace", PTRACE_SEIZE, facts["arena"], 0, 0)
    return "it is traced until we end"


def ask_for_the_arenas_limits() -> str:
    """Permission to read limits is permission to set them: one CPU second, then SIGKILL."""
    resource.prlimit(facts["arena"], resource.RLIMIT_CPU)
    return "its limits"


def pin_the_arena_to_its_cores() -> str:
    os.sched_setaffinity(facts["arena"], os.sched_getaffinity(facts["arena"]))
    return "set to what they were"


def keep_the_arenas_priority() -> str:
    nice = os.getpriority(os.PRIO_PROCESS, facts["arena"])
    os.setpriority(os.PRIO_PROCESS, facts["arena"], nice)
    return "set to what it was"


# -- the opponent ----------------------------------------------------------------------


def signal_the_opponent() -> str:
    os.kill(facts["opponent"], 0)
    return "a signal would arrive"


def read_the_opponents_memory() -> str:
    return opened(f"/proc/{facts['opponent']}/mem")


def open_the_opponents_input() -> str:
    return opened(f"/proc/{facts['opponent']}/fd/0", os.O_WRONLY)


def trace_the_opponent() -> str:
    call("ptrace", PTRACE_SEIZE, facts["opponent"], 0, 0)
    return "it is traced until we end"


def pin_the_opponent_to_its_cores() -> str:
    os.sched_setaffinity(facts["opponent"], os.sched_getaffinity(facts["opponent"]))
    return "set to what they were"


def read_the_opponents_shared_memory() -> str:
    return content(facts["shm_file"])


# -- memory and keys -------------------------------------------------------------------


def attach_shared_memory() -> str:
    address = LIBC.shmat(facts["shm"], None, 0o10000)
    if address in (None, ctypes.c_void_p(-1).value):
        raise Blocked
    return found(ctypes.string_at(address, 64))


def ask_for_a_semaphore() -> str:
    if LIBC.semget(facts["ipc"], 1, 0) < 0:
        raise Blocked
    return "a semaphore"


def ask_for_a_message_queue() -> str:
    if LIBC.msgget(facts["ipc"], 0) < 0:
        raise Blocked
    return "a message queue"


def open_a_posix_message_queue() -> str:
    call("mq_open", facts["queue"].encode(), os.O_RDONLY, 0, None)
    return "a message queue"


def search_the_session_keyring() -> str:
    key = call("keyctl", KEYCTL_SEARCH, KEY_SESSION, b"user", facts["key"].encode(), 0)
    text = ctypes.create_string_buffer(64)
    call("keyctl", KEYCTL_READ, key, text, 64)
    return found(text.value)


def request_a_key() -> str:
    return f"key {call('request_key', b'user', facts['key'].encode(), None, 0)}"


def find_its_session_keyring() -> str:
    return f"keyring {call('keyctl', KEYCTL_GET_ID, KEY_SESSION, 0)}"


def list_keys() -> str:
    with open("/proc/keys", "rb") as file:
        if facts["key"].encode() not in file.read():
            raise Blocked
    return "the key is listed"


# -- the kernel ------------------------------------------------------------------------


def open_core_pattern() -> str:
    return opened("/proc/sys/kernel/core_pattern", os.O_WRONLY)


def open_the_host_name() -> str:
    return opened("/proc/sys/kernel/hostname", os.O_WRONLY)


def open_sysrq() -> str:
    return opened("/proc/sysrq-trigger", os.O_WRONLY)


def open_sys() -> str:
    return opened("/sys/kernel/mm/transparent_hugepage/enabled", os.O_WRONLY)


def open_the_control_groups() -> str:
    return opened(facts["cgroup"], os.O_WRONLY)


def open_kernel_messages() -> str:
    return opened("/dev/kmsg")


def open_kernel_memory() -> str:
    return opened("/dev/mem")


def ask_for_the_kernel_log() -> str:
    return f"{call('syslog', SYSLOG_SIZE, None, 0)} bytes"


def set_up_io_uring() -> str:
    call("io_uring_setup", 1, (ctypes.c_uint32 * 64)())
    return "a ring"


def use_bpf() -> str:
    return asked("bpf", BPF_UNKNOWN, None, 0)


def use_perf_events() -> str:
    return asked("perf_event_open", None, 0, -1, -1, 0)


def use_userfaultfd() -> str:
    call("userfaultfd", 0)
    return "a descriptor"


def use_fanotify() -> str:
    call("fanotify_init", 0, 0)
    return "a descriptor"


def make_a_user_namespace() -> str:
    call("unshare", CLONE_NEWUSER)
    return "it is root in there"


def make_a_user_namespace_by_clone() -> str:
    child = call("clone", CLONE_NEWUSER | signal.SIGCHLD, None, None, None, None)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "it is root in there"


def make_a_user_namespace_by_clone3() -> str:
    arguments = (ctypes.c_uint64 * 11)()
    arguments[0], arguments[4] = CLONE_NEWUSER, signal.SIGCHLD
    child = call("clone3", arguments, ctypes.sizeof(arguments))
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "it is root in there"


def make_a_network_namespace() -> str:
    call("unshare", CLONE_NEWNET)
    return "a network of its own"


def join_a_namespace() -> str:
    return asked("setns", os.open("/proc/self/ns/uts", os.O_RDONLY), 0)


def mount_something() -> str:
    return asked("mount", b"none", b"/nowhere/at/all", b"tmpfs", 0, None)


def change_its_root() -> str:
    call("chroot", b"/")
    return "its root is / again"


def load_a_module() -> str:
    return asked("finit_module", -1, b"", 0)


def set_the_clock() -> str:
    """With nothing to set."""
    call("settimeofday", None, None)
    return "the kernel would have"


def ask_for_the_clocks_settings() -> str:
    call("adjtimex", (ctypes.c_uint64 * 64)())
    return "they are told"


# -- itself ----------------------------------------------------------------------------


def be_root() -> str:
    if os.geteuid() and os.getuid() and os.getgid():
        raise Blocked
    return "user or group 0"


def have_capabilities() -> str:
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    data = (ctypes.c_uint32 * 6)()
    if LIBC.capget(header, data) or not any(data):
        raise Blocked
    return " ".join(f"{word:x}" for word in data)


def gain_capabilities() -> str:
    os.setresuid(0, 0, 0)
    return "root"


def be_in_groups_of_the_arena() -> str:
    others = set(os.getgroups()) - {os.getgid(), 65534}
    if not others:
        raise Blocked
    return f"groups {sorted(others)}"


def raise_its_own_limits() -> str:
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    if hard == resource.RLIM_INFINITY:
        return "there is none"
    resource.setrlimit(resource.RLIMIT_CORE, (soft, hard + 1))
    return "raised"


def run_in_real_time() -> str:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    return "before everybody else"


def be_nicer_to_itself() -> str:
    return f"priority {os.nice(-1)}"


def inherit_descriptors() -> str:
    for fd in range(3, 1024):
        try:
            os.fstat(fd)
        except OSError:
            continue
        if fd not in facts["own_descriptors"]:
            return f"descriptor {fd}"
    raise Blocked


def inherit_the_environment() -> str:
    return found(repr(dict(os.environ)))


def read_its_parents_environment() -> str:
    return content(f"/proc/{os.getppid()}/environ")


def open_its_terminal() -> str:
    return opened("/dev/tty", os.O_RDWR)


def open_the_arenas_terminal() -> str:
    return opened(facts["terminal"], os.O_RDWR)


def type_into_a_terminal() -> str:
    """Into a pseudo-terminal of its own, so that nothing reads it."""
    _, terminal = os.openpty()
    fcntl.ioctl(terminal, 0x5412, b"\n")
    return "typed"


def write_to_a_standard_terminal() -> str:
    if not any(os.isatty(fd) for fd in facts["own_descriptors"][:3]):
        raise Blocked
    return "a terminal"


# --------------------------------------------------------------------------------------

HELPERS = ("call", "asked", "opened", "found", "content", "connected")
OURS = (*HELPERS, "attempts", "tried", "main")


def attempts() -> dict[str, Callable[[], str]]:
    """Every attempt by its name."""
    here = {name: value for name, value in globals().items() if inspect.isfunction(value)}
    return {name: value for name, value in here.items() if name not in OURS}


def tried(attempt: Callable[[], str]) -> str:
    """What an attempt reached, in a process of its own; "" for nothing."""
    reader, writer = os.pipe()
    facts["own_descriptors"] = [0, 1, 2, reader, writer]
    child = os.fork()
    if child == 0:
        said = ""
        try:
            signal.alarm(5)
            said = attempt() or "something"
        except Exception as error:
            if "--why" in sys.argv:
                print(attempt.__name__, repr(error), file=sys.stderr)
        finally:
            os.write(writer, said.encode()[:200])
            os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    said = os.read(reader, 200).decode()
    os.close(reader)
    return said


def main() -> None:
    line = sys.stdin.readline()
    if not line:
        return
    facts.update(json.loads(line))
    reached = {}
    if "opponent" in facts:  # otherwise it is the opponent
        reached = {name: tried(attempt) for name, attempt in attempts().items()}
    print(json.dumps({"user": os.getuid(), "reached": reached}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
