"""The native module answers every call with a value or an exception, from several threads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent / "native_surface.py"
SECONDS = 600 if os.environ.get("HONTE_LONG", "") not in ("", "0") else 1


def test_any_call_is_answered() -> None:
    run = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(SCRIPT), str(SECONDS), "1"],
        capture_output=True,
        text=True,
        timeout=SECONDS + 200,
    )
    assert run.returncode == 0, run.stderr[-5000:]
    assert "Traceback" not in run.stderr, run.stderr[-5000:]
    assert int(run.stdout) > 25 * SECONDS
