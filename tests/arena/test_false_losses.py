"""No player within its time loses on time, even when the machine has no free core."""

from __future__ import annotations

import os
import shutil

import pytest

from benchmarks.fair_clocks import play

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler, cc")


@pytest.mark.timing
def test_no_false_loss_on_time_with_every_core_busy() -> None:
    found = play(24, workers=2, busy=os.cpu_count() or 2)
    print(found)
    assert (found["games"], found["lost on time"]) == (24, 0)
    assert found["reasons"].keys() <= {"played out", "draw"}
    assert found["longest"] > 0.04, "some moves take most of their time"


@pytest.mark.long
def test_no_false_loss_on_time_in_five_thousand_games() -> None:
    found = play(5000, workers=2, busy=os.cpu_count() or 2)
    print(found)
    assert (found["games"], found["lost on time"]) == (5000, 0)
