"""Run one bot: pipes with deadlines and caps, under a warden that leaves no process behind.

Every wait has an absolute deadline on the monotonic clock, and nothing a bot writes extends it.
A line has at most 64 KiB, a move 1 MiB of output; of standard error the last 4 KiB are kept.
Every failure is a `Fault`.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import socket
import struct
import termios
import time

from honte.core.fault import Fault
from honte.core.language import Message
from honte.sandbox import cgroups, levels, readiness, warden
from honte.sandbox.confinement import LINUX
from honte.sandbox.fork_server import FORK_SERVER
from honte.sandbox.levels import Command
from honte.sandbox.usage import Usage, stat_fields

LINE_BYTES = 64 * 1024
MOVE_BYTES = 1024 * 1024
STDERR_KEPT = 4096
CHUNK = 65536
KILL_SECONDS = 2.0
CLOSING_SECONDS = 0.5
"""From the end of its output to its own end, in a bot that ends."""
WARDEN_SECONDS = 5.0
"""From its end to the warden's word about it, on a busy machine."""


class Process:
    """A running bot.

    >>> process = Process(Command(("/bin/cat",), "/"))
    >>> process.start(deadline=time.monotonic() + 10)
    >>> process.send(b"e4\\n", deadline=time.monotonic() + 1)
    >>> process.line(deadline=time.monotonic() + 1)
    b'e4'
    >>> process.stop()
    """

    def __init__(self, command: Command, output_bytes: int = MOVE_BYTES) -> None:
        self.command = command
        self._output_bytes = output_bytes
        self.pid = 0
        self.peak = 0
        """Peak resident memory in bytes, once it has ended."""
        self.left_behind = 0
        """Number of its child processes that had to be killed."""
        self.controllers: tuple[str, ...] = ()
        """The controllers that limit it: ``memory``, ``pids``; empty without a control group."""
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
        self._out_bytes = self._err_bytes = 0
        self._poll = select.poll()
        self._usage = Usage()

    # -- start and end ---------------------------------------------------------------

    def prepare(self) -> None:
        """Do the one-time setup, before a bot's clock runs."""
        levels.launch_config(self.command)
        FORK_SERVER.prepare()

    def start(self, deadline: float) -> None:
        """Start it; raises a ``start`` `Fault` if that fails or misses the deadline."""
        config = levels.launch_config(self.command)
        bot_in, self._in = os.pipe()
        self._out, bot_out = os.pipe()
        self._err, bot_err = os.pipe()
        self._control, theirs = socket.socketpair()
        fds = [bot_in, bot_out, bot_err, theirs.fileno()]
        try:
            FORK_SERVER.start(config, fds)
        finally:
            for fd in fds[:3]:
                os.close(fd)
            theirs.close()
        for fd in (self._in, self._out, self._err, self._control.fileno()):
            os.set_blocking(fd, False)
        for fd in (self._out, self._err, self._control.fileno()):
            self._poll.register(fd, select.POLLIN)
        while not self.pid:  # once it runs, the first reply shows how it ends
            left = deadline - time.monotonic()
            if left <= 0:
                self.stop(grace=0)
                raise Fault("start", Message("it could not be started in time"))
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
        """Stop it and all its children: a grace period to quit, then kill."""
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

    def kill(self) -> None:
        """Kill it from another thread; a thread that waits for its reply sees that it has gone."""
        control = self._control
        if control is not None:
            with contextlib.suppress(OSError):
                control.send(b"k")

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
        """Signal its process group at once; the warden finds processes that have left it."""
        if self.alive and self._control is not None:
            with contextlib.suppress(OSError):
                os.killpg(self.pid, number)
            with contextlib.suppress(OSError):
                self._control.send(order)

    def start_wait_accounting(self, most: float) -> None:
        """Start counting the time that others keep it from a core: it is not charged for that."""
        self._usage.start_wait_accounting(most)

    def core_wait(self) -> float:
        """Seconds since `start_wait_accounting` that it, or the arena, waited for a core."""
        return self._usage.core_wait()

    def cpu_seconds(self) -> float:
        """CPU time of all its processes so far, including those that have ended."""
        return self._usage.cpu_seconds()

    def wait_until_it_reads(self, deadline: float) -> str:
        """Wait until it has started, and say how that was seen.

        ``reads``: it waits for input; ``idle``: it waits for something else; ``busy``: it still
        runs at the deadline; ``unknown``: the system does not say.
        """
        before: tuple[str, ...] = ()
        since, step = time.monotonic(), 0.001
        while self.alive and (now := time.monotonic()) < deadline:
            waiting = readiness.calls([self.pid, *warden.descendants(self.pid)])
            if readiness.reads_input(waiting):
                return "reads"
            if not waiting or not readiness.READ:
                return "unknown"
            if waiting != before or readiness.RUNNING in waiting:
                before, since = waiting, now
            elif now - since > readiness.IDLE_SECONDS:
                return "idle"
            self._round(min(step, deadline - now))
            step = min(0.01, 1.5 * step)
        return "busy"

    # -- input and output ------------------------------------------------------------------------

    def begin(self) -> bytes:
        """Start a move: reset the counters; returns what the bot has written out of turn."""
        while self.alive and self._poll.poll(0):
            if not self._round(0):
                break
        self._out_bytes = self._err_bytes = 0
        return bytes(self._buffer)

    def send(self, data: bytes, deadline: float) -> None:
        """Write all of `data`; raises a ``stall`` if the bot does not read by the deadline."""
        if self._in < 0:
            raise self._gone()
        self._asked = len(data)
        try:
            count = os.write(self._in, data)
        except BlockingIOError:
            count = 0
        except OSError:
            return  # it no longer reads; its output decides
        if count == len(data):
            return
        self._pending = data[count:]
        self._poll.register(self._in, select.POLLOUT)
        while self._pending:
            self._wait(deadline)

    def line(self, deadline: float) -> bytes:
        """The next line, without its newline."""
        while (end := self._buffer.find(b"\n", self._searched)) < 0:
            self._searched = len(self._buffer)
            if self._searched > LINE_BYTES:
                raise Fault(
                    "flood",
                    Message("a line of more than {size} KiB", size=LINE_BYTES // 1024),
                    self.stderr,
                )
            self._wait(deadline)
        if end > LINE_BYTES:
            raise Fault(
                "flood",
                Message("a line of more than {size} KiB", size=LINE_BYTES // 1024),
                self.stderr,
            )
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = 0
        return line.removesuffix(b"\r")

    def take(self, count: int, deadline: float) -> bytes:
        """Read the next `count` bytes."""
        while len(self._buffer) < count:
            self._wait(deadline)
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        self._searched = 0
        return taken

    def rest(self, deadline: float, last: bytes = b"\n") -> bytes:
        """Further output, up to the line with these bytes or its end; none by the deadline is fine.

        An unbuffered program writes the end of a line by itself.
        """

        def is_whole() -> bool:
            at = self._buffer.find(last)
            return at >= 0 and b"\n" in self._buffer[at:]

        while not is_whole() and self._out >= 0 and self._ended is None:
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
            left = deadline + self.core_wait() - time.monotonic()
        if left <= 0:
            raise self._late()
        if self._out < 0:
            raise self._gone()
        self._round(left)

    def _round(self, seconds: float, quiet: bool = False) -> bool:
        """Wait for events and read what is available; returns whether there were any."""
        self._usage.before_poll()
        events = self._poll.poll(1000 * max(0.0, min(seconds, 3600.0)))
        for fd, _ in events:
            if fd == self._out:
                self._read_out()
            elif fd == self._in:
                self._write_on()
            elif fd == self._err:
                self._read_err()
            elif self._control is not None:
                self._read_control()
        if not quiet and max(self._out_bytes, self._err_bytes) > self._output_bytes:
            where = (
                Message("standard output")
                if self._out_bytes > self._output_bytes
                else Message("standard error")
            )
            raise Fault(
                "flood",
                Message(
                    "more than {size} KiB on {where} in a move",
                    size=self._output_bytes // 1024,
                    where=where,
                ),
                self.stderr,
            )
        return bool(events)

    def _read_out(self) -> None:
        data = available(self._out)
        if data is None:
            return
        if data:
            self._out_bytes += len(data)
            self._buffer += data
        else:
            self._out = self._closed(self._out)

    def _read_err(self) -> None:
        data = available(self._err)
        if data is None:
            return
        self.errors += len(data)
        self._err_bytes += len(data)
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

    def _read_control(self) -> None:
        """Read messages from the warden."""
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
                self.pid = int(number)
                self.controllers = tuple(name for name in held if name in cgroups.LIMITS)
                self._usage = Usage(self.pid, counted="cpu" in held)
            elif word == "failed":
                self._ended = (f"failed {rest}", 0)
            else:
                how, number, peak, left = rest.split()
                self._ended = (how, int(number))
                self.peak, self.left_behind = int(peak), int(left)

    # -- verdicts --------------------------------------------------------------------

    def _late(self) -> Fault:
        """The fault for a reply that is missing at the deadline."""
        # Some readers leave the last newline in the pipe; not one byte read is a stall.
        unread = self._in >= 0 and self._asked and waiting(self._in) >= self._asked
        if (self._pending or unread) and not self._stopped():
            return Fault("stall", Message("it does not read its standard input"), self.stderr)
        return Fault("time", Message("no answer in time"), self.stderr)

    def _stopped(self) -> bool:
        return stat_fields(self.pid)[:1] == [b"T"]

    def _is_dead(self) -> bool:
        """Whether it has ended although the warden has not said so yet."""
        return self._ended is None and LINUX and stat_fields(self.pid)[:1] in ([], [b"Z"])

    def _gone(self) -> Fault:
        """The fault for the end of its output."""
        for seconds in (CLOSING_SECONDS, WARDEN_SECONDS):
            until = time.monotonic() + seconds
            while self._ended is None and (left := until - time.monotonic()) > 0:
                self._round(left, quiet=True)
            if not self._is_dead():
                break  # it still runs, or its end is known
        while self._err >= 0 and self._poll.poll(0) and self._round(0, quiet=True):
            pass
        if self._ended is None:
            return Fault("crash", Message("it closed its output and kept running"), self.stderr)
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
            how, number = "signal", number - 128  # how bubblewrap reports a signal
        if how == "signal":
            return Message("it died by {signal}", signal=signal_name(number))
        if how == "exit":
            return Message("it ended with exit status {number}", number=number)
        if how == "memory":
            most = self.command.memory_mb
            return Message(
                "it used {peak} MiB of memory; {most} MiB are allowed",
                peak=self.peak >> 20,
                most=most,
            )
        if how == "processes":
            return Message(
                "it started {number} processes; {most} are allowed",
                number=number,
                most=levels.PROCESSES,
            )
        if how.startswith("failed"):
            return Message("it could not be started: {why}", why=how.removeprefix("failed "))
        return Message("its process was killed from outside")


def available(fd: int) -> bytes | None:
    """What can be read from a pipe now: b"" at its end, None if there is nothing yet."""
    try:
        return os.read(fd, CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def waiting(fd: int) -> int:
    """The unread bytes in a pipe."""
    count = fcntl.ioctl(fd, termios.FIONREAD, struct.pack("i", 0))
    return int(struct.unpack("i", count)[0])


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return Message("signal {number}", number=number)
