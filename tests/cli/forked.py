"""Commands as forks of one preloaded process, which start ten times faster.

Run as a program, it reads a request a line from its standard input, forks, and answers with the
child's process id, then with its wait status. The child is the command: its standard streams are
the named files, it ends as the interpreter ends.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import os
import pkgutil
import select
import signal
import struct
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

NUMBER = struct.Struct("i")
LOADED = ("arena", "sandbox", "cli")
"""The folders that are loaded whole; commands that play would load most of them each time."""
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def end_with_parent(parent: int | None = None) -> None:
    """Die with the parent: killing the tests leaves no long command behind.

    Given its process id, also if it died before the kernel was asked.
    """
    if sys.platform == "linux":
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if parent is not None and os.getppid() != parent:
            os._exit(1)


class Forks:
    """The process that forks, started when it is first needed."""

    def __init__(self, environment: dict[str, str], cwd: Path) -> None:
        self.environment = environment
        self.cwd = cwd
        self.process: subprocess.Popen[bytes] | None = None

    def run(
        self, arguments: tuple[str, ...], given: str, timeout: float, cwd: Path | None = None
    ) -> tuple[int, str, str]:
        """Exit status, output and errors of a command; `subprocess.TimeoutExpired` on timeout."""
        if self.process is None:
            self.process = self.start()
        with tempfile.TemporaryDirectory() as folder:
            streams = [Path(folder, name) for name in ("stdin", "stdout", "stderr")]
            streams[0].write_bytes(given.encode())
            names = [str(path) for path in streams]
            request = {"arguments": arguments, "streams": names, "cwd": str(cwd or self.cwd)}
            self.send(request | {"environment": self.environment})
            pid = self.answer(60)
            assert pid is not None, "the process that forks commands hangs"
            status = self.answer(timeout)
            if status is None:
                os.kill(pid, signal.SIGKILL)
                self.answer(60)
                raise subprocess.TimeoutExpired(["honte", *arguments], timeout)
            _, output, errors = (path.read_text("utf-8") for path in streams)
        return os.waitstatus_to_exitcode(status), output, errors

    def start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.cli.forked"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            cwd=self.cwd,
            env=self.environment,
        )
        atexit.register(process.terminate)
        return process

    def send(self, request: dict[str, object]) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(request).encode() + b"\n")

    def answer(self, timeout: float) -> int | None:
        assert self.process is not None
        assert self.process.stdout is not None
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            return None
        number: int = NUMBER.unpack(self.process.stdout.read(NUMBER.size))[0]
        return number


def serve() -> None:
    """Fork until the input ends; returns in the child, which is to be the command."""
    requests, answers = os.fdopen(os.dup(0)), os.dup(1)
    parent = os.getpid()
    for line in requests:
        request = json.loads(line)
        pid = os.fork()
        if pid == 0:
            end_with_parent(parent)
            for number, path in enumerate(request["streams"]):
                flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_APPEND
                file = os.open(path, flags, 0o600)
                os.dup2(file, number)
                os.close(file)
            os.close(requests.fileno())
            os.close(answers)
            os.environ.clear()
            os.environ.update(request["environment"])
            os.chdir(request["cwd"])
            sys.argv = ["honte", *request["arguments"]]
            return
        os.write(answers, NUMBER.pack(pid))
        os.write(answers, NUMBER.pack(os.waitpid(pid, 0)[1]))
    os._exit(0)


if __name__ == "__main__":
    end_with_parent()
    from honte.core import language

    language.use(language.wanted([], os.environ))  # texts are translated while modules load

    import honte
    from honte.cli import main
    from honte.core import games, players

    for found in pkgutil.walk_packages(honte.__path__, "honte."):
        if found.name.split(".")[1] in LOADED:
            import_module(found.name)
    for name in games.names():  # their evaluation tables and policies too
        players.player("best", games.game(name)).close()
    gc.collect()
    gc.freeze()
    serve()
    main.run()
