"""Signals by which people and systems end a program."""

from __future__ import annotations

import signal
import sys

ENDING: tuple[signal.Signals, ...] = (signal.SIGINT, signal.SIGTERM)
"""Ctrl-C, a service manager, a closed terminal."""
if sys.platform != "win32":
    ENDING += (signal.SIGHUP,)
