"""The native tests: built by ``tools/native-tests``, under sanitizers and on both architectures."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from honte import _native

ROOT = Path(__file__).parents[1]
TOOL_IS_MISSING = 3


def native_tests(mode: str, *arguments: str) -> str:
    """Run the native tests in a mode; the last line, which in most modes has the signatures.

    Skip where a tool is missing.
    """
    done = subprocess.run(
        [str(ROOT / "tools" / "native-tests"), mode, *arguments],
        capture_output=True,
        text=True,
        timeout=3500,  # below the limit of a long test
        check=False,
    )
    if done.returncode == TOOL_IS_MISSING:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failures" in done.stdout
    assert "runtime error" not in done.stderr
    assert "Sanitizer" not in done.stderr
    return done.stdout.splitlines()[-1].removeprefix("signature ")


def module_signatures() -> str:
    """Both signatures of the module that Python has loaded."""
    return f"{_native.signature()} {_native.engine_signature()}"


@pytest.mark.long
def test_the_rules_run_clean_under_the_address_and_undefined_behaviour_sanitizers() -> None:
    native_tests("asan", "--plies", "3000")


@pytest.mark.long
def test_an_unoptimised_build_has_the_signature_of_the_module() -> None:
    assert native_tests("debug", "othello.", "--plies", "100") == module_signatures(), (
        "run make, so that the module is built from these sources"
    )


@pytest.mark.timeout(1800)
def test_the_rules_pass_their_native_tests() -> None:
    """Not optimised, so that they are soon built; `make long` runs all there are."""
    assert native_tests("rules", "--plies", "300").endswith(" 0 failures")


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
    assert native_tests("release", "long.") == module_signatures()


@pytest.mark.long
def test_the_other_architecture_agrees_in_every_test_and_in_the_signature() -> None:
    assert native_tests("arm64") == module_signatures()
