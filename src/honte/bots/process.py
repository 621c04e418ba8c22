"""Run one bot: pipes with deadlines and caps, over a warden that leaves no process behind.

Every wait has an absolute deadline on the monotonic clock, and nothing a bot writes moves
it. A line has at most 64 KiB, a move 1 MiB of output; of standard error the last 4 KiB are
kept. What goes wrong is a `Fault`.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path

from honte.bots import queueing, sandbox, warden
from honte.bots.faults import Fault
from honte.bots.sandbox import Command

LINE_BYTES = 64 * 1024
MOVE_BYTES = 1024 * 1024
STDERR_KEPT = 4096
START_SECONDS = 10.0
CHUNK = 65536
KILL_SECONDS = 2.0
TICKS = os.sysconf("SC_CLK_TCK")


class Nursery:
    """The process that forks wardens, one for each process of ours that runs bots."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = 0
        self._socket: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Have it run, so that no bot's clock pays for its start."""
        with self._lock:
            self._open()

    def start(self, message: bytes, fds: list[int]) -> None:
        with self._lock:
            for _ in range(2):
                requests = self._open()
                try:
                    socket.send_fds(requests, [message], fds)
                    return
                except OSError:  # somebody killed it; once is forgiven
                    self._owner = 0
        raise Fault("start", "the process that starts bots cannot be reached")

    def _open(self) -> socket.socket:
        # After a fork the parent's nursery is not ours: its wardens would outlive us.
        if self._socket is None or self._owner != os.getpid():
            kind = socket.SOCK_SEQPACKET if warden.LINUX else socket.SOCK_STREAM
            ours, theirs = socket.socketpair(socket.AF_UNIX, kind)
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", warden.__file__, str(theirs.fileno())],
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
            with contextlib.suppress(OSError):  # one that does not come up is found out by use
                ours.recv(1)
            ours.settimeout(None)
        return self._socket

    def close(self) -> None:
        """Let it go; wardens with living bots stay until those are stopped."""
        if self._owner == os.getpid() and self._socket is not None and self._process is not None:
            self._socket.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
        self._socket, self._owner = None, 0


NURSERY = Nursery()
atexit.register(NURSERY.close)


class Process:
    """A bot that runs.

    >>> process = Process(Command(("/bin/cat",), "/"))
    >>> process.start(deadline=time.monotonic() + 10)
    >>> process.send(b"e4\\n", deadline=time.monotonic() + 1)
    >>> process.line(deadline=time.monotonic() + 1)
    b'e4'
    >>> process.stop()
    """

    def __init__(self, command: Command) -> None:
        self.command = command
        self.pid = 0
        self.peak = 0
        """The largest resident memory, in bytes, once it has ended."""
        self.left_behind = 0
        """How many processes of its own it left for us to kill."""
        self.controllers: tuple[str, ...] = ()
        """What a control group limits: ``memory``, ``pids``; empty where there is none."""
        self.errors = 0
        """Bytes on standard error so far."""
        self._stderr = b""
        self._ended: tuple[str, int] | None = None
        self._control: socket.socket | None = None
        self._said = b""
        self._in = self._out = self._err = -1
        self._buffer = bytearray()
        self._searched = 0
        self._pending = b""
        self._asked = 0
        self._heard = self._erred = 0
        self._poll = select.poll()
        self._pids: list[int] = []
        self._listed = 0.0
        self._queued: tuple[float, float] | None = None

    # -- start and end ---------------------------------------------------------------

    def prepare(self) -> None:
        """Do what need not be done again for each bot, before its clock runs."""
        sandbox.order(self.command)
        NURSERY.prepare()

    def start(self, deadline: float) -> None:
        """Start it; a `Fault` of the kind ``start`` if that does not work by the deadline."""
        order = sandbox.order(self.command)
        bot_in, self._in = os.pipe()
        self._out, bot_out = os.pipe()
        self._err, bot_err = os.pipe()
        self._control, theirs = socket.socketpair()
        fds = [bot_in, bot_out, bot_err, theirs.fileno()]
        try:
            NURSERY.start(order, fds)
        finally:
            for fd in fds[:3]:
                os.close(fd)
            theirs.close()
        for fd in (self._in, self._out, self._err, self._control.fileno()):
            os.set_blocking(fd, False)
        for fd in (self._out, self._err, self._control.fileno()):
            self._poll.register(fd, select.POLLIN)
        while not self.pid:  # once it runs, how it ends is for the first answer to say
            left = deadline - time.monotonic()
            if left <= 0:
                self.stop(grace=0)
                raise Fault("start", "it could not be started in time")
            self._round(left)
            if self._ended is not None and not self.pid:
                how = self._ending()
                self.stop(grace=0)
                raise Fault("start", how, self.stderr)

    @property
    def alive(self) -> bool:
        return self.pid > 0 and self._ended is None and self._out >= 0

    @property
    def stderr(self) -> bytes:
        """The last 4 KiB of its standard error."""
        return self._stderr

    def stop(self, goodbye: bytes = b"", grace: float = 0.2) -> None:
        """End it, politely for a moment, and everything it started."""
        if self._control is None:
            return
        until = time.monotonic() + grace
        if self.alive and grace > 0:
            with contextlib.suppress(OSError):
                os.write(self._in, goodbye)
        self._in = self._closed(self._in)
        try:
            while self._ended is None and time.monotonic() < until:
                self._round(until - time.monotonic())
        except Fault:
            pass  # too late to matter
        with contextlib.suppress(OSError):
            self._control.send(b"k")
        until = time.monotonic() + KILL_SECONDS
        self._out = self._closed(self._out)
        while self._ended is None and time.monotonic() < until:
            self._round(until - time.monotonic(), quiet=True)
        if self._ended is None or self._ended[0] == "lost":
            self._kill_group()
        self._err = self._closed(self._err)
        self._control.close()
        self._control = None

    def _kill_group(self) -> None:
        if self.pid:
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)

    def _closed(self, fd: int) -> int:
        if fd >= 0:
            if fd != self._in:
                with contextlib.suppress(KeyError):
                    self._poll.unregister(fd)
            elif self._pending:
                self._pending = b""
                self._poll.unregister(fd)
            os.close(fd)
        return -1

    def pause(self) -> None:
        """Stop its processes until `resume`."""
        self._signal(signal.SIGSTOP, b"s")

    def resume(self) -> None:
        self._signal(signal.SIGCONT, b"c")

    def _signal(self, number: int, order: bytes) -> None:
        """Signal its group at once; the warden finds those that have left the group."""
        if self.alive and self._control is not None:
            with contextlib.suppress(OSError):
                os.killpg(self.pid, number)
            with contextlib.suppress(OSError):
                self._control.send(order)

    def _processes(self) -> list[int]:
        now = time.monotonic()
        if now - self._listed > 0.5:  # looking for them takes longer than reading them
            self._pids, self._listed = [self.pid, *warden.descendants(self.pid)], now
        return self._pids

    def be_fair(self) -> None:
        """From here on time in which the machine had no core for it is not counted."""
        self._queued = queueing.delays(self._processes())

    def forgiven(self) -> float:
        """Seconds since `be_fair` that it, or the arena, was kept waiting for a core."""
        if self._queued is None:
            return 0.0
        return queueing.forgiven(self._queued, queueing.delays(self._pids))

    def cpu_seconds(self) -> float:
        """The processor time of all its processes so far (Linux; in steps of 10 ms)."""
        ticks = 0
        for pid in self._processes():
            try:
                with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:
                    fields = file.read(1024).rpartition(b")")[2].split()
            except OSError:
                continue
            ticks += sum(map(int, fields[11:15]))
        return ticks / TICKS

    # -- talk ------------------------------------------------------------------------

    def begin(self) -> bytes:
        """A new move: its counters start afresh. What the bot had said out of turn."""
        while self.alive and self._poll.poll(0):
            if not self._round(0):
                break
        self._heard = self._erred = 0
        return bytes(self._buffer)

    def send(self, data: bytes, deadline: float) -> None:
        """Write, all of it; a ``stall`` if the bot does not read by the deadline."""
        if self._in < 0:
            raise self._gone()
        self._asked = len(data)
        try:
            count = os.write(self._in, data)
        except BlockingIOError:
            count = 0
        except OSError:
            return  # it reads no more; what it says next decides
        if count == len(data):
            return
        self._pending = data[count:]
        self._poll.register(self._in, select.POLLOUT)
        while self._pending:
            self._wait(deadline)

    def line(self, deadline: float) -> bytes:
        """The next line, without its end."""
        while (end := self._buffer.find(b"\n", self._searched)) < 0:
            self._searched = len(self._buffer)
            if self._searched > LINE_BYTES:
                raise Fault("flood", f"a line of more than {LINE_BYTES // 1024} KiB", self.stderr)
            self._wait(deadline)
        if end > LINE_BYTES:
            raise Fault("flood", f"a line of more than {LINE_BYTES // 1024} KiB", self.stderr)
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = 0
        return line.removesuffix(b"\r")

    def take(self, count: int, deadline: float) -> bytes:
        """The next so many bytes."""
        while len(self._buffer) < count:
            self._wait(deadline)
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        self._searched = 0
        return taken

    def rest(self, deadline: float) -> bytes:
        """What it says further, up to a line or its end; nothing by the deadline is fine."""
        while b"\n" not in self._buffer and self._out >= 0 and self._ended is None:
            if (left := deadline - time.monotonic()) <= 0:
                break
            self._round(left)
        said = bytes(self._buffer)
        self._buffer.clear()
        self._searched = 0
        return said

    def _wait(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            left = deadline + self.forgiven() - time.monotonic()
        if left <= 0:
            raise self._late()
        if self._out < 0:
            raise self._gone()
        self._round(left)

    def _round(self, seconds: float, quiet: bool = False) -> bool:
        """Wait for one event and take in what there is; whether there was any."""
        events = self._poll.poll(1000 * max(0.0, min(seconds, 3600.0)))
        for fd, _ in events:
            if fd == self._out:
                self._hear()
            elif fd == self._in:
                self._write_on()
            elif fd == self._err:
                self._note()
            elif self._control is not None:
                self._listen()
        if not quiet and max(self._heard, self._erred) > MOVE_BYTES:
            where = "standard output" if self._heard > MOVE_BYTES else "standard error"
            raise Fault(
                "flood", f"more than {MOVE_BYTES // 1024} KiB on {where} in a move", self.stderr
            )
        return bool(events)

    def _hear(self) -> None:
        try:
            data = os.read(self._out, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._heard += len(data)
            self._buffer += data
        else:
            self._out = self._closed(self._out)

    def _note(self) -> None:
        try:
            data = os.read(self._err, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.errors += len(data)
        self._erred += len(data)
        self._stderr = (self._stderr + data)[-STDERR_KEPT:]
        if not data:
            self._err = self._closed(self._err)

    def _write_on(self) -> None:
        try:
            self._pending = self._pending[os.write(self._in, self._pending) :]
        except BlockingIOError:
            return
        except OSError:
            self._pending = b""
        if not self._pending:
            self._poll.unregister(self._in)

    def _listen(self) -> None:
        """Take in what the warden says."""
        assert self._control is not None
        try:
            data = self._control.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._poll.unregister(self._control.fileno())
            self._ended = self._ended or ("lost", 0)
            return
        self._said += data
        *lines, self._said = self._said.split(b"\n")
        for line in lines:
            word, _, rest = line.decode().partition(" ")
            if word == "started":
                number, *held = rest.split()
                self.pid, self.controllers = int(number), tuple(held)
            elif word == "failed":
                self._ended = (f"failed {rest}", 0)
            else:
                how, number, peak, left = rest.split()
                self._ended = (how, int(number))
                self.peak, self.left_behind = int(peak), int(left)

    # -- verdicts --------------------------------------------------------------------

    def _late(self) -> Fault:
        """Why there is no answer at the deadline."""
        # Some readers leave the last newline in the pipe; not a byte read is something else.
        unread = self._in >= 0 and self._asked and waiting(self._in) >= self._asked
        if (self._pending or unread) and not self._stopped():
            return Fault("stall", "it does not read its standard input", self.stderr)
        return Fault("time", "no answer in time", self.stderr)

    def _stopped(self) -> bool:
        try:
            stat = Path(f"/proc/{self.pid}/stat").read_bytes()
        except OSError:
            return False
        return stat.rpartition(b")")[2].split()[:1] == [b"T"]

    def _gone(self) -> Fault:
        """Why its output has ended."""
        until = time.monotonic() + 0.5
        while self._ended is None and (left := until - time.monotonic()) > 0:
            self._round(left, quiet=True)
        while self._err >= 0 and self._poll.poll(0) and self._round(0, quiet=True):
            pass
        if self._ended is None:
            return Fault("crash", "it closed its output and lived on", self.stderr)
        how = self._ending()
        reason = "crash"
        if self._ended[0] == "memory" or self._out_of_memory():
            reason = "memory"
        elif self._ended[0] == "processes":
            reason = "flood"
        return Fault(reason, how, self.stderr)

    def _out_of_memory(self) -> bool:
        words = (b"MemoryError", b"bad_alloc", b"out of memory", b"Cannot allocate memory")
        return any(word in self._stderr for word in words)

    def _ending(self) -> str:
        assert self._ended is not None
        how, number = self._ended
        if self.command.level == "untrusted" and how == "exit" and 128 < number < 128 + 65:
            how, number = "signal", number - 128  # so bubblewrap passes a signal on
        if how == "signal":
            return f"it died by {signal_name(number)}"
        if how == "exit":
            return f"it ended with exit status {number}"
        if how == "memory":
            most = self.command.memory_mb
            return f"it took {self.peak >> 20} MiB of memory; it may have {most} MiB"
        if how == "processes":
            return f"it started {number} processes; {sandbox.PROCESSES} are the most"
        if how.startswith("failed"):
            return f"it could not be started: {how.removeprefix('failed ')}"
        return "its process was killed from outside"


def waiting(fd: int) -> int:
    """The bytes in a pipe that nobody has read."""
    count = fcntl.ioctl(fd, termios.FIONREAD, struct.pack("i", 0))
    return int(struct.unpack("i", count)[0])


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
