"""The native tests: built by ``tools/native-tests``, under sanitizers and on both architectures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOL_IS_MISSING = 3


def native_tests(mode: str, *arguments: str) -> str:
    """Run the native tests in a mode and return their signature; skip where a tool is missing."""
    done = subprocess.run(
        [str(ROOT / "tools" / "native-tests"), mode, *arguments],
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    if done.returncode == TOOL_IS_MISSING:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failures" in done.stdout
    assert "runtime error" not in done.stderr
    assert "Sanitizer" not in done.stderr
    return done.stdout.splitlines()[-1].removeprefix("signature ")


def bench_signature() -> str:
    """What ``honte bench --signature`` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "honte", "bench", "--signature"],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout.strip()


def test_the_rules_run_clean_under_the_address_and_undefined_behaviour_sanitizers() -> None:
    native_tests("asan", "--plies", "3000")


def test_an_unoptimised_build_has_the_signature_of_the_module() -> None:
    assert native_tests("debug", "othello.", "--plies", "100") == bench_signature(), (
        "run make, so that the module is built from these sources"
    )


def test_an_unknown_mode_is_a_usage_error() -> None:
    done = subprocess.run(
        [str(ROOT / "tools" / "native-tests"), "faster"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("usage: ")


@pytest.mark.long
def test_many_games_run_clean_under_the_address_and_undefined_behaviour_sanitizers() -> None:
    native_tests("asan", "--plies", "200000", "--seed", "2")


@pytest.mark.long
def test_playouts_in_threads_run_clean_under_the_thread_sanitizer() -> None:
    native_tests("tsan")


@pytest.mark.long
def test_the_largest_known_counts_come_out() -> None:
    assert native_tests("release", "long.") == bench_signature()


@pytest.mark.long
def test_the_other_architecture_agrees_in_every_test_and_in_the_signature() -> None:
    assert native_tests("arm64") == bench_signature()
