"""The arena's side of the fork server, which forks a warden for every bot."""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import subprocess
import sys
import threading

from honte.core.fault import Fault
from honte.core.language import Message
from honte.sandbox import warden
from honte.sandbox.confinement import LINUX

START_SECONDS = 10.0
OURS = os.path.dirname(os.path.dirname(warden.__file__))
"""The folder in which the fork server finds the package ``sandbox``."""


class ForkServer:
    """The process that forks wardens; each of our processes that run bots has one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = 0
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Start it ahead of time, so that no bot's clock is charged for that."""
        with self._lock:
            self._open()

    def start(self, message: bytes, fds: list[int]) -> None:
        with self._lock:
            for _ in range(2):
                requests = self._open()
                try:
                    socket.send_fds(requests, [message], fds)
                    return
                except OSError:  # it was killed: start it once more
                    self._owner = 0
        raise Fault("start", Message("cannot reach the process that starts bots"))

    def _open(self) -> socket.socket:
        # After a fork the parent's server is not ours: its wardens would outlive us.
        if self._socket is None or self._owner != os.getpid():
            kind = socket.SOCK_SEQPACKET if LINUX else socket.SOCK_STREAM
            ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", warden.BOOT, OURS, str(theirs.fileno())],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                    cwd="/",
                    env={},
                )
            self._socket, self._owner = ours, os.getpid()
            ours.settimeout(START_SECONDS)
            with contextlib.suppress(OSError):  # if it does not come up, its first use fails
                ours.recv(1)
            ours.settimeout(None)
        return self._socket

    def close(self) -> None:
        """End it; wardens with running bots stay until those are stopped."""
        if self._owner == os.getpid() and self._socket is not None and self._process is not None:
            self._socket.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
        self._socket, self._owner = None, 0


FORK_SERVER = ForkServer()
atexit.register(FORK_SERVER.close)
