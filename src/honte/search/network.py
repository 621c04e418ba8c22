"""Networks for play, by name."""

from __future__ import annotations

from pathlib import Path

from honte import _native
from honte.core.language import Message
from honte.core.messages import quote


def read_named(name: str, learned: Path) -> _native.Network:
    """The network of a setting: ``learned`` (installed) or a file's path."""
    path = learned if name == "learned" else Path(name)
    if not path.is_file():
        raise ValueError(
            Message(
                "there is no file {name}; use `learned` for the installed network", name=quote(name)
            )
        )
    return _native.Network(path.read_bytes())
