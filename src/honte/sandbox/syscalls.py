"""The system calls that a bot may not make: a seccomp filter, compiled here.

A classic BPF program of up to 180 instructions, for x86-64 and arm64. A denied call fails with
EPERM ("operation not permitted"); all other calls are unaffected. The tables below are the whole
list; docs/security.md says what each group is for.
"""

from __future__ import annotations

import platform
import struct
from typing import NamedTuple

# By name: the number on x86-64 and on arm64; None if there is no such call.
Numbers = dict[str, tuple[int | None, int | None]]

DENIED: dict[str, Numbers] = {
    "keys": {"add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219)},
    "System V and POSIX message queues, shared memory, semaphores": {
        "shmget": (29, 194),
        "shmat": (30, 196),
        "shmctl": (31, 195),
        "semget": (64, 190),
        "semop": (65, 193),
        "semctl": (66, 191),
        "semtimedop": (220, 192),
        "msgget": (68, 186),
        "msgsnd": (69, 189),
        "msgrcv": (70, 188),
        "msgctl": (71, 187),
        "mq_open": (240, 180),
        "mq_unlink": (241, 181),
    },
    "sockets": {"socket": (41, 198), "connect": (42, 203), "bind": (49, 200)},
    "other processes": {
        "ptrace": (101, 117),
        "process_vm_readv": (310, 270),
        "process_vm_writev": (311, 271),
        "pidfd_getfd": (438, 438),
        "kcmp": (312, 272),
        "process_madvise": (440, 440),
        "process_mrelease": (448, 448),
        "migrate_pages": (256, 238),
        "move_pages": (279, 239),
        "ioprio_set": (251, 30),
    },
    "kernel interfaces": {
        "io_uring_setup": (425, 425),
        "io_uring_enter": (426, 426),
        "io_uring_register": (427, 427),
        "bpf": (321, 280),
        "perf_event_open": (298, 241),
        "userfaultfd": (323, 282),
        "memfd_secret": (447, 447),
        "fanotify_init": (300, 262),
        "inotify_init": (253, None),
        "inotify_init1": (294, 26),
        "modify_ldt": (154, None),
        "lookup_dcookie": (212, 18),
        "syslog": (103, 116),
    },
    "mounts and namespaces": {
        "mount": (165, 40),
        "umount2": (166, 39),
        "pivot_root": (155, 41),
        "chroot": (161, 51),
        "open_tree": (428, 428),
        "move_mount": (429, 429),
        "fsopen": (430, 430),
        "fsconfig": (431, 431),
        "fsmount": (432, 432),
        "fspick": (433, 433),
        "mount_setattr": (442, 442),
        "statmount": (457, 457),
        "listmount": (458, 458),
        "open_tree_attr": (467, 467),
        "name_to_handle_at": (303, 264),
        "open_by_handle_at": (304, 265),
        "unshare": (272, 97),
        "setns": (308, 268),
    },
    "the machine": {
        "kexec_load": (246, 104),
        "kexec_file_load": (320, 294),
        "init_module": (175, 105),
        "finit_module": (313, 273),
        "delete_module": (176, 106),
        "reboot": (169, 142),
        "swapon": (167, 224),
        "swapoff": (168, 225),
        "acct": (163, 89),
        "quotactl": (179, 60),
        "quotactl_fd": (443, 443),
        "settimeofday": (164, 170),
        "clock_settime": (227, 112),
        "adjtimex": (159, 171),
        "clock_adjtime": (305, 266),
        "sethostname": (170, 161),
        "setdomainname": (171, 162),
        "iopl": (172, None),
        "ioperm": (173, None),
        "vhangup": (153, 58),
        "nfsservctl": (180, 42),
    },
}

CHANGES_OF_FILES: Numbers = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "truncate": (76, 45),
}
"""Denied besides under Landlock, which does not know them, `truncate` before its version 3. Under
bubblewrap all files are read-only but the bot's own in /tmp, where it may do as it likes."""


class Condition(NamedTuple):
    """When a call is denied: the lower half of an argument, under a mask, against values."""

    argument: int
    mask: int
    values: tuple[int, ...]
    allow: bool
    """Whether the values are the only ones allowed, or the only ones denied."""


SAME_PROCESS = Condition(0, 0xFFFFFFFF, (0,), allow=True)
NEW_NAMESPACES = 0x7E020000
AF_UNIX, SOCK_STREAM, SOCK_SEQPACKET = 1, 1, 5
TIOCSTI, TIOCLINUX = 0x5412, 0x541C

CONDITIONAL: dict[str, tuple[tuple[int, int], tuple[Condition, ...]]] = {
    # No new namespaces; threads and processes are fine.
    "clone": ((56, 220), (Condition(0, NEW_NAMESPACES, (0,), allow=True),)),
    # A pair of streams, as asyncio and multiprocessing make; a datagram socket could be sent
    # anywhere, and a name in the file system needs bind or connect.
    "socketpair": (
        (53, 199),
        (
            Condition(0, 0xFFFFFFFF, (AF_UNIX,), allow=True),
            Condition(1, 0xF, (SOCK_STREAM, SOCK_SEQPACKET), allow=True),
        ),
    ),
    # Its own limits, cores and priority, not those of others of the same user.
    "prlimit64": ((302, 261), (SAME_PROCESS,)),
    "sched_setaffinity": ((203, 122), (SAME_PROCESS,)),
    "sched_setparam": ((142, 118), (SAME_PROCESS,)),
    "sched_setscheduler": ((144, 119), (SAME_PROCESS,)),
    "sched_setattr": ((314, 274), (SAME_PROCESS,)),
    "setpriority": ((141, 140), (SAME_PROCESS, Condition(1, 0xFFFFFFFF, (0,), allow=True))),
    # No input faked into a terminal.
    "ioctl": ((16, 29), (Condition(1, 0xFFFFFFFF, (TIOCSTI, TIOCLINUX), allow=False),)),
}
CLONE3 = 435
"""Its flags are behind a pointer, so it fails with ENOSYS: libraries then use clone."""

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""The column of the tables, and the kernel's AUDIT_ARCH."""
X32_BIT = 0x40000000

# Classic BPF, by its numbers in linux/bpf_common.h and linux/seccomp.h.
LOAD, EQUAL, AT_LEAST, AND, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
ALLOW, DENY, NOT_IMPLEMENTED = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16

Instruction = tuple[int, int, int, int]
"""Opcode, jump offsets if true and if false, and operand."""


def instructions(machine: str, changes: bool = True) -> list[Instruction]:
    """The filter as instructions; `changes` allows `CHANGES_OF_FILES`."""
    column, architecture = MACHINES[machine]
    body: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, DENY),  # a 32-bit call has other numbers
        (LOAD, 0, 0, NUMBER),
    ]
    if machine == "x86_64":
        body += [(AT_LEAST, 0, 1, X32_BIT), (RETURN, 0, 0, DENY)]
    body += [(EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, NOT_IMPLEMENTED)]
    for numbers, conditions in CONDITIONAL.values():
        checks = [check for condition in conditions for check in compiled(condition)]
        checks.append((RETURN, 0, 0, ALLOW))
        body += [(EQUAL, 0, len(checks), numbers[column]), *checks]
    groups = [*DENIED.values()] if changes else [*DENIED.values(), CHANGES_OF_FILES]
    listed = [numbers[column] for group in groups for numbers in group.values()]
    numbers_denied = sorted(number for number in listed if number is not None)
    for place, number in enumerate(numbers_denied):
        body.append((EQUAL, len(numbers_denied) - place, 0, number))
    return [*body, (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, DENY)]


def compiled(condition: Condition) -> list[Instruction]:
    """The check of one argument: falls through if the call may go on."""
    checks: list[Instruction] = [
        (LOAD, 0, 0, ARGUMENTS + 8 * condition.argument),
        (AND, 0, 0, condition.mask),
    ]
    for place, value in enumerate(condition.values):
        left = len(condition.values) - place - 1
        if condition.allow:  # over the rest and the denial
            checks.append((EQUAL, left + 1, 0, value))
        else:  # to the denial; the last one that differs jumps over it
            checks.append((EQUAL, left, 0 if left else 1, value))
    return [*checks, (RETURN, 0, 0, DENY)]


def filter_program(machine: str | None = None, changes: bool = True) -> bytes:
    """The filter in the kernel's format; empty for a machine whose numbers are unknown."""
    machine = machine or platform.machine()
    if machine not in MACHINES:
        return b""
    return b"".join(struct.pack("=HBBI", *each) for each in instructions(machine, changes))
