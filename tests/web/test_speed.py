"""The page is quick. Bounds are generous here; the figures are in docs/page.md."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from tests.cli.command import COMMAND, ENVIRONMENT, ROOT


def test_the_page_is_there_soon_after_the_command() -> None:
    """The promise is 1 s; a busy machine gets five times that."""
    began = time.monotonic()
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
            assert time.monotonic() - began < 5
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


def test_twenty_visitors_see_their_moves_at_once() -> None:
    """The promise is 150 ms for 99 of 100 on two quiet cores."""
    script = Path("benchmarks", "page_load.py")
    done = subprocess.run(
        [sys.executable, script, "--visitors", "20", "--seconds", "4", "--player", "best"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["moves"] >= 20
    assert found["echo_p50_ms"] < 300
    assert found["echo_p99_ms"] < 3000
    assert found["first_numbers_ms"] < 2000
    assert found["memory_mb"] < 2048
