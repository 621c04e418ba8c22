"""The native core is built for several processor levels; the fastest that runs is loaded."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import honte
from honte import _native, _processor
from honte.core import processor
from honte.core.processor import choose
from tests.golden.test_signature import GOLDEN

HASWELL = ("v3", "v2", "baseline")
WHEEL = ["v2", "v3", "v4"]
RUNNABLE = [level for level in processor.levels() if level in processor.installed()]


def run(*words: str, cpu: str) -> subprocess.CompletedProcess[str]:
    """Run Python with HONTE_CPU set."""
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        env={**os.environ, processor.VARIABLE: cpu},
        timeout=240,
        check=False,
    )


@pytest.mark.parametrize(
    ("wanted", "built", "runs", "level"),
    [
        ("", WHEEL, HASWELL, "v3"),
        ("", WHEEL, ("v4", *HASWELL), "v4"),
        ("", WHEEL, ("v2", "baseline"), "v2"),
        ("", ["baseline"], ("baseline",), "baseline"),
        ("", ["native", "v3"], HASWELL, "v3"),
        ("v2", WHEEL, HASWELL, "v2"),
        ("native", ["native", "v3"], HASWELL, "native"),
    ],
)
def test_the_fastest_level_or_the_one_asked_for_is_chosen(
    wanted: str, built: list[str], runs: tuple[str, ...], level: str
) -> None:
    assert choose(wanted, built, runs) == level


@pytest.mark.parametrize(
    ("wanted", "built", "runs", "complaint"),
    [
        ("v4", WHEEL, HASWELL, "HONTE_CPU=v4: this processor cannot run it; choose one of v3, v2"),
        ("v9", WHEEL, HASWELL, "HONTE_CPU=v9: there is no such build here; choose one of v3, v2"),
        ("v2", ["v3"], HASWELL, "HONTE_CPU=v2: there is no such build here; choose one of v3"),
        ("native", ["v3"], HASWELL, "there is no such build here"),
        ("", ["v4"], HASWELL, "honte was built for v4, and this processor runs v3 at best; build"),
        ("", WHEEL, ("baseline",), "built for v2 and v3 and v4, and this processor runs baseline"),
        ("", [], HASWELL, "honte was built for no processor"),
    ],
)
def test_what_cannot_run_is_refused_in_one_sentence(
    wanted: str, built: list[str], runs: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(ValueError, match=r"^[^\n.]+$") as refused:
        choose(wanted, built, runs)
    assert complaint in str(refused.value)


def test_the_command_line_says_it_without_a_traceback() -> None:
    done = run("-m", "honte", "best", "connect4", cpu="v9")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("honte: HONTE_CPU=v9: there is no such build here; choose one of")
    assert len(done.stderr.splitlines()) == 1


def test_the_levels_of_a_processor_contain_the_lesser_ones() -> None:
    assert _processor.levels() in (
        ("v4", "v3", "v2", "baseline"),
        ("v3", "v2", "baseline"),
        ("v2", "baseline"),
        ("baseline",),
    )


def test_the_loaded_level_is_the_fastest_that_is_installed() -> None:
    expected = os.environ.get(processor.VARIABLE) or RUNNABLE[0]
    assert _native.build_info()["level"] == expected
    assert _native.__file__ == processor.installed()[expected]


def test_classes_have_the_name_that_programs_import() -> None:
    assert _native.__name__ == _native.GoState.__module__ == "honte._native"
    assert sys.modules["honte._native"] is honte._native is _native
    assert pickle.loads(pickle.dumps(_native.GoState)) is _native.GoState


def test_every_level_decides_alike() -> None:
    for level in RUNNABLE[1:]:  # the first is the one that all tests use
        done = run("-m", "honte", "bench", "--signature", cpu=level)
        assert done.returncode == 0, done.stderr
        assert f"total {done.stdout.strip()}" == GOLDEN.read_text().splitlines()[-1]


@pytest.mark.parametrize("level", RUNNABLE)
def test_a_level_can_be_asked_for(level: str) -> None:
    code = "from honte import _native; print(_native.build_info()['level'], _native.__file__)"
    done = run("-c", code, cpu=level)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split(None, 1) == [level, f"{processor.installed()[level]}\n"]


def test_nothing_but_levels_lies_in_their_folder() -> None:
    assert {Path(file).parent.name for file in processor.installed().values()} == {"_levels"}
    assert set(processor.installed()) <= {"v2", "v3", "v4", "baseline", processor.NATIVE}
