"""The ``honte`` command, also as ``python -m honte``."""

from __future__ import annotations

import io
import sys


def run() -> None:
    """Load the command line and hand over; Ctrl-C while it loads is Ctrl-C all the same."""
    if sys.platform == "win32":  # a pipe there has the encoding of the country
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8")
    try:
        from honte.cli.main import run as hand_over
    except KeyboardInterrupt:
        sys.exit(130)
    hand_over()


if __name__ == "__main__":
    run()
