"""One-line deprecation notices on stderr."""

from __future__ import annotations

import sys

from honte.core.language import tr

_printed: set[str] = set()


def notice(text: str, about: str | None = None) -> None:
    """Print ``honte: text`` to stderr, once per process and subject."""
    key = text if about is None else about
    if key not in _printed:
        _printed.add(key)
        print(f"honte: {tr(text)}", file=sys.stderr)


def forget() -> None:
    """Print every notice again: for tests."""
    _printed.clear()
