"""Settings for every test: which ones run, and what a skip means.

HONTE_LONG=1     also runs the tests marked ``long``; otherwise they are deselected, not skipped
HONTE_NO_SKIP=1  a skipped test fails the run: for a machine that has everything
"""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Generator

import pytest
from hypothesis import settings

LONG = os.environ.get("HONTE_LONG", "") not in ("", "0")
NO_SKIP = os.environ.get("HONTE_NO_SKIP", "") not in ("", "0")

# Tests run in parallel: numpy with several threads per core would oversubscribe the machine.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Messages are compared in English, wherever the tests run.
os.environ["HONTE_LANG"] = "en"

# Keep the user's own uploads and classes out of the tests, and the tests out of them.
os.environ["HONTE_UPLOADS"] = "/nonexistent"
os.environ["HONTE_CLASSES"] = "/nonexistent"

# A shell that starts us in the background makes us ignore Ctrl-C, and every command we start too;
# nohup does so with SIGHUP. A handler is not inherited, and this one ignores it for the tests.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.name == "posix" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda number, frame: None)

# The same examples on every run, so that a failure is due to the change under test; `make long`
# explores further.
settings.register_profile("default", deadline=None, database=None, derandomize=True)
settings.register_profile("long", deadline=None, database=None, max_examples=2000)
settings.load_profile("long" if LONG else "default")
LONG_TIMEOUT = 3600  # seconds a test; pyproject.toml has the limit of the other runs


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freeze the collected tests, so that the garbage collector never scans them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if LONG:
        for item in items:
            item.add_marker(pytest.mark.timeout(LONG_TIMEOUT))
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    if left_out:
        items[:] = [item for item in items if not item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left_out)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if skips(session.config) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if count := skips(config):
        were = "test was" if count == 1 else "tests were"
        terminalreporter.write_line(
            f"HONTE_NO_SKIP is set and {count} {were} skipped, so this run fails", red=True
        )


def skips(config: pytest.Config) -> int:
    """How many skips count as failures. A worker of xdist has no reporter and counts none."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return len(reporter.stats.get("skipped", [])) if NO_SKIP and reporter is not None else 0
