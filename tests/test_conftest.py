"""The rules that conftest.py sets for every test, tried on a small suite of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SUITE = """
import pytest

def test_that_passes():
    pass

@pytest.mark.skip(reason="no compiler")
def test_that_is_skipped():
    pass

@pytest.mark.long
def test_that_is_long():
    raise AssertionError("a long test ran")
"""
SETTINGS = """
[pytest]
addopts = -ra --strict-markers -p no:cacheprovider
markers = long: only with make long
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "test_suite.py").write_text(SUITE)
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path)
    return tmp_path


def run(suite: Path, *options: str, **variables: str) -> tuple[int, str]:
    environment = {key: value for key, value in os.environ.items() if "HONTE" not in key}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "pytest_timeout", *options],
        cwd=suite,
        env={**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **variables},
        capture_output=True,
        text=True,
        timeout=200,
    )
    return done.returncode, done.stdout


def test_a_skip_is_listed_with_its_reason_and_does_no_harm(suite: Path) -> None:
    code, output = run(suite)
    assert code == 0
    assert "no compiler" in output
    assert "HONTE_NO_SKIP" not in output


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["alone", "in another process"])
def test_where_skips_are_forbidden_one_fails_the_run(suite: Path, options: list[str]) -> None:
    code, output = run(suite, *options, HONTE_NO_SKIP="1")
    assert code == 1
    assert "HONTE_NO_SKIP is set and 1 test was skipped, so this run fails" in output


def test_a_long_test_is_deselected_and_that_is_no_skip(suite: Path) -> None:
    code, output = run(
        suite, "--deselect", "test_suite.py::test_that_is_skipped", HONTE_NO_SKIP="1"
    )
    assert code == 0
    assert "1 passed, 2 deselected" in output


def test_a_long_test_runs_when_it_is_asked_for(suite: Path) -> None:
    code, output = run(suite, HONTE_LONG="1")
    assert code == 1
    assert "a long test ran" in output
