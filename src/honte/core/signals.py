"""Signals that end a program, sent by the user or the system."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

ENDING: tuple[signal.Signals, ...] = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, a service manager, a closed terminal."""
if sys.platform != "win32":
    ENDING += (signal.SIGHUP,)
PATIENCE = 5.0
"""Seconds between SIGTERM and SIGKILL."""


def heeded() -> list[signal.Signals]:
    """The ending signals that whoever started us did not make us ignore.

    ``nohup`` ignores SIGHUP, a shell SIGINT for a program in the background: a handler of ours
    would undo that.
    """
    return [number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN]


def end_with_input() -> None:
    """End this process group when standard input closes: its parent process is gone."""

    def wait() -> None:
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(PATIENCE)
        if sys.platform != "win32":  # where SIGTERM ends it at once
            os.killpg(0, signal.SIGKILL)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def heard(stop: Callable[[], None], kill: Callable[[], None]) -> Iterator[list[int]]:
    """Collect ending signals; the first calls `stop`, a second calls `kill` and exits at once."""
    so_far: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        so_far.append(number)
        if len(so_far) > 1:
            kill()
            os._exit(130)
        stop()

    before = {number: signal.signal(number, handle) for number in heeded()}
    try:
        yield so_far
    finally:
        if not so_far:
            for number, handler in before.items():
                signal.signal(number, handler)
