"""Run the honte command as people do: in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from tests.cli.forked import Forks

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "honte")
# The tests must not depend on the terminal that runs them: narrow, colourful or Chinese.
ENVIRONMENT = {
    **os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONUTF8": "1", "HONTE_LANG": "en"
}  # fmt: skip
CHINESE = {**ENVIRONMENT, "HONTE_LANG": "zh"}
FORKS = Forks(ENVIRONMENT, ROOT)
CHINESE_FORKS = Forks(CHINESE, ROOT)


def cpu_seconds(pid: int) -> float:
    """The processor time that a process has taken; the only progress measure on a busy machine."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    output: str
    errors: str


def start(*arguments: str) -> subprocess.Popen[str]:
    """Start the command in its own process group, with unbuffered output."""
    return subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**ENVIRONMENT, "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )


def interrupted(*arguments: str) -> str:
    """The output of a command that Ctrl-C ends; it gets more processor time until it has one."""
    for used in (1, 3, 9):  # half a second is for the imports, more on a slow machine
        process = start(*arguments)
        while process.poll() is None and cpu_seconds(process.pid) < used:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Traceback" not in errors
        if output:
            break
    return output


def honte(*arguments: str, given: str = "", timeout: float = 120, cwd: Path | None = None) -> Done:
    return Done(*FORKS.run(arguments, given, timeout, cwd))


def in_chinese(*arguments: str, given: str = "", timeout: float = 120) -> Done:
    """The command under HONTE_LANG=zh."""
    return Done(*CHINESE_FORKS.run(arguments, given, timeout))
