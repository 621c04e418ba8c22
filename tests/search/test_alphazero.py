"""The example learns, is interrupted, and plays with what it has learned."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import honte

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_ctrl_c_keeps_the_weights_and_they_play(tmp_path: Path) -> None:
    file = tmp_path / "alphazero.py"
    shutil.copy(EXAMPLES / "alphazero.py", file)
    with subprocess.Popen(
        [sys.executable, str(file), "1"],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as learning:
        assert learning.stdout is not None
        assert "CPU minutes left" in learning.stdout.readline()
        learning.send_signal(signal.SIGINT)
        output, errors = learning.communicate(timeout=120)
    assert (learning.returncode, errors) == (0, "")
    assert "weights in" in output
    game = honte.game("connect4")
    player = honte.player(f"uct:evaluator={file}:learned,iterations=50", game)
    report = player.choose(game.start())
    assert report.iterations == 50
    assert all(candidate.prior for candidate in report.candidates)
