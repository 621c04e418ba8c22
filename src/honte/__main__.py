"""The ``honte`` command, also as ``python -m honte``."""

from __future__ import annotations

import io
import os
import sys


def run() -> None:
    """Choose the language, load the command line and hand over.

    Ctrl-C while it loads is Ctrl-C all the same.
    """
    if sys.platform == "win32":  # a pipe there has the encoding of the country
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8")
    try:
        from honte.core import language

        language.use(language.wanted(sys.argv[1:], os.environ))
        from honte.cli.main import run as hand_over
    except ValueError as error:
        print(f"honte: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    hand_over()


if __name__ == "__main__":
    run()
