"""What holds for every command: exit codes, one-sentence errors, quick starts, clean exits."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from honte.sandbox.usage import stat_fields
from honte.sandbox.warden import descendants
from tests.cli.command import COMMAND, ENVIRONMENT, ROOT, cpu_seconds, honte
from tests.slowness import slowness

COMMANDS = ("play", "perft", "bench", "doctor")
TOLD = ["play", "tui", "best", "solve", "check", "ladder", "match", "tournament", "serve", "review"]


def test_honte_alone_says_in_about_ten_lines_what_one_can_do() -> None:
    code, output, errors = honte()
    assert (code, errors) == (0, "")
    assert 8 <= len(output.splitlines()) <= 14
    assert all(len(line) <= 80 for line in output.splitlines())
    assert all(command in output for command in TOLD)


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_names_every_command(option: str) -> None:
    code, output, errors = honte(option)
    assert (code, errors) == (0, "")
    assert all(command in output for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    code, output, errors = honte(command, "--help")
    assert (code, errors) == (0, "")
    assert "--help" in output


def test_the_version_is_told() -> None:
    code, output, _ = honte("--version")
    assert code == 0
    assert output.startswith("honte 0.")


BAD = [
    "nosuch",
    "--nosuch",
    "perft",
    "perft connect4",
    "perft connect4 x",
    "perft connect4 1.5",
    "perft connect4 -- -1",
    "perft connect4 61",
    "perft connect4 99999999999999999999",
    "perft connect4 3 4",
    "perft chess 3",
    "perft connect4:rows=3 3",
    "perft connect4:self=1 3",
    "perft connect4:blocked=9/9 3",
    "perft connect4 3 --moves 8",
    "perft connect4 3 --moves 4444444",
    "perft connect4:cols=12 3 --moves 12",
    "perft othello 3 --moves a1",
    "perft go:size=5 3 --moves A1A1",
    "perft connect4 3 --position nonsense",
    "perft connect4 3 --position",
    "perft go 2 --pass-free",
    "bench nosuch",
    "bench --nosuch",
    "play chess",
    "play go --player nosuch",
    "play go --player random:seed=x",
    "play go --terminal --player nosuch",
    "play go --terminal --player random:seed=x",
    "play --port 99999",
    "play --host nosuch.invalid",
    "serve --store nosuch.db",
    "doctor nosuch",
    "match random random --opening-plies 45",
]


@pytest.mark.parametrize("line", BAD)
def test_a_wrong_command_line_gets_one_sentence_and_exit_2(line: str) -> None:
    code, output, errors = honte(*line.split())
    assert code == 2
    assert output == ""
    assert errors.startswith("honte: ")
    assert len(errors.splitlines()) == 1
    assert len(errors) < 400


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("best connect4 --seconds inf", "inf"),
        ("match random random --margin nan", "nan"),
        ("learn net connect4 --seconds NaN --out", "nan"),
        ("export getpoint --seconds nan --output", "nan"),
    ],
)
def test_a_number_on_the_command_line_is_finite(line: str, value: str, tmp_path: Path) -> None:
    words = line.split()
    done = honte(*words, *[str(tmp_path / "new")] * words[-1].startswith("--"))
    assert (done.code, done.output) == (2, "")
    option = "--margin" if "--margin" in words else "--seconds"
    said = f"honte: Invalid value for '{option}': '{value}' is not a valid float.\n"
    assert done.errors == said
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("text", ["\udcff\udcfe", "é\u202e", "x" * 100_000, "\x1b[31m", "-"])
def test_an_argument_of_any_bytes_gets_one_sentence_and_exit_2(text: str) -> None:
    done = subprocess.run(
        [*COMMAND, "perft", b"go:" + os.fsencode(text), "1"],
        capture_output=True,
        cwd=ROOT,
        env=ENVIRONMENT,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"honte: ")
    assert len(done.stderr.splitlines()) == 1


# -- quick starts ----------------------------------------------------------------------


def best_time(*arguments: str) -> float:
    """CPU seconds of a command, the best of five runs: independent of other processes."""
    times = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(arguments, check=True, capture_output=True, cwd=ROOT, env=ENVIRONMENT)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(now.ru_utime - before.ru_utime + now.ru_stime - before.ru_stime)
    return min(times)


@pytest.mark.timing
def test_honte_is_imported_in_a_fifth_of_a_second() -> None:
    assert best_time(sys.executable, "-c", "import honte") < 0.2 * slowness()


@pytest.mark.timing
def test_help_comes_in_six_tenths_of_a_second() -> None:
    assert best_time(*COMMAND, "--help") < 0.6 * slowness()


@pytest.mark.parametrize("heavy", ["numpy", "rich", "typer", "sgfmill", "asyncio"])
def test_importing_honte_imports_nothing_heavy(heavy: str) -> None:
    code = f"import sys, honte; sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


# -- clean ends ------------------------------------------------------------------------


def test_a_reader_that_leaves_early_is_no_error() -> None:
    """As in `honte perft connect4 9 | head -1`."""
    with subprocess.Popen(
        [*COMMAND, "perft", "connect4", "12"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=ENVIRONMENT | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().split() == [b"0", b"1"]
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 141


def test_a_pipe_to_head_prints_one_line() -> None:
    line = " ".join(f'"{word}"' for word in COMMAND) + " perft connect4 5 | head -1"
    done = subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT, timeout=60
    )
    assert done.stdout.split() == ["0", "1"]
    assert done.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("perft", "connect4", "40", "--json"),
        pytest.param(("perft", "othello", "40", "--json"), marks=pytest.mark.long),
        pytest.param(("perft", "go:size=19", "20", "--json"), marks=pytest.mark.long),
        ("bench",),
        ("play", "go", "--terminal"),
    ],
    ids=" ".join,
)
@pytest.mark.timing
def test_ctrl_c_ends_a_command_within_a_second(arguments: tuple[str, ...]) -> None:
    took = []
    for _ in range(3):  # a busy machine may stall
        with subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=ENVIRONMENT,
        ) as process:
            settled(process.pid)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            asked = time.perf_counter()
            code = process.wait(timeout=30)
            took.append(time.perf_counter() - asked)
            assert process.stderr is not None
            assert b"Traceback" not in process.stderr.read()
        assert code == 130
        if took[-1] < 1.0 * slowness():
            return
    pytest.fail(f"seconds after Ctrl-C: {took}")


def settled(pid: int) -> None:
    """Wait until a program has started: it has used more CPU time than starting takes, or waits."""
    used = -1.0
    while used < cpu_seconds(pid) < 1.0:
        used = cpu_seconds(pid)
        time.sleep(0.5 * slowness())


KILLED = """
import os, sys, threading
from tests.cli.command import FORKS
run = threading.Thread(target=FORKS.run, args=(("solve", "connect4:rows=9,cols=9"), "", 600))
run.start()
sys.stdin.readline()
os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel is asked to end the command")
def test_a_command_of_these_tests_ends_when_they_are_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED], stdin=subprocess.PIPE, cwd=ROOT, env=ENVIRONMENT
    ) as tests:
        deadline = time.monotonic() + 60
        while len(below := descendants(tests.pid)) < 2:
            assert time.monotonic() < deadline, "the command did not start"
            time.sleep(0.02)
        assert tests.stdin is not None
        tests.stdin.write(b"now\n")
        tests.stdin.flush()
        tests.wait(60)
        while any(map(runs, below)):
            assert time.monotonic() < deadline, "the command was left behind"
            time.sleep(0.02)


def runs(pid: int) -> bool:
    """Whether a process is alive, not a zombie."""
    return stat_fields(pid)[:1] not in ([], [b"Z"])
