"""The page is quick. The figures of an idle machine are in docs/page.md."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.cli.command import COMMAND, ENVIRONMENT, ROOT, cpu_seconds
from tests.slowness import slowness


@pytest.mark.timing
def test_the_page_is_there_after_two_seconds_of_processor_time() -> None:
    with subprocess.Popen(
        [*COMMAND, "play", "othello", "--no-browser", "--port", "0", "--player", "best"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=ENVIRONMENT | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            address = re.search(r"http://\S+", process.stdout.readline())
            assert address is not None
            page, _, fragment = address[0].partition("#")
            assert fragment == "game=othello&players=person,best"
            with urllib.request.urlopen(page, timeout=30) as answer:
                assert answer.status == 200
            assert cpu_seconds(process.pid) < 2 * slowness()
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
        assert process.stderr.read() == ""


def test_the_next_free_port_is_taken() -> None:
    from honte.web.address import bind

    one = bind("127.0.0.1", None)
    two = bind("127.0.0.1", None)
    try:
        assert one.getsockname()[1] != two.getsockname()[1]
    finally:
        one.close()
        two.close()


def crowd(seconds: int) -> dict[str, float]:
    """Twenty visitors who play at once against engines that use every core."""
    script = Path("benchmarks", "page_load.py")
    done = subprocess.run(
        [sys.executable, script, "--visitors", "20", "--seconds", str(seconds), "--player", "best"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, float] = json.loads(done.stdout)
    assert found["moves"] >= 20
    assert found["memory_mb"] < 2048
    return found


@pytest.mark.timing
def test_half_of_the_moves_of_twenty_visitors_are_echoed_in_a_sixth_of_a_second() -> None:
    assert crowd(4)["echo_p50_ms"] < 1000 / 6 * slowness()


@pytest.mark.long
@pytest.mark.timing
def test_all_but_one_in_a_hundred_moves_are_echoed_in_150_ms_on_two_quiet_cores() -> None:
    found = crowd(20)
    assert found["echo_p99_ms"] < 150
    assert found["first_numbers_ms"] < 500
