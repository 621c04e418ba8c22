"""The ``honte`` command, also as ``python -m honte``."""

from __future__ import annotations

import sys


def run() -> None:
    """Load the command line and hand over; Ctrl-C while it loads is Ctrl-C all the same."""
    try:
        from honte.cli.main import run as hand_over
    except KeyboardInterrupt:
        sys.exit(130)
    hand_over()


if __name__ == "__main__":
    run()
