"""The native module answers every call with a value or an exception, from several threads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "native_surface.py"
ROOT = Path(__file__).parents[2]
MISSING = 3
"""How tools/fuzz-native ends where there are no sanitizers."""


def check(command: list[str | Path], seconds: int, build: int = 0) -> None:
    """Run the fuzzer; it must print its number of calls and nothing else."""
    run = subprocess.run(
        [*command, str(seconds), "1"],
        capture_output=True,
        text=True,
        timeout=seconds + build + 200,
    )
    if run.returncode == MISSING:
        pytest.skip(run.stderr.strip())
    assert run.returncode == 0, run.stderr[-5000:]
    assert "Traceback" not in run.stderr, run.stderr[-5000:]
    assert int(run.stdout) > 25 * seconds


def test_any_call_is_answered() -> None:
    check([sys.executable, "-X", "faulthandler", SCRIPT], seconds=1)


@pytest.mark.long
def test_any_call_is_answered_under_the_sanitizers() -> None:
    check([ROOT / "tools" / "fuzz-native"], seconds=1800, build=1500)
