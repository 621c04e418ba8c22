"""Our engine as a library with the course's C interface: ``honte export getpoint``."""

from __future__ import annotations

from pathlib import Path

from honte import _processor
from honte.core.language import Message

NAME = "libhonte_getpoint.so"
MARK = b"HONTE-SECONDS="
FIELD = 32
"""Bytes reserved for the mark and the number (native/course/getpoint.cpp)."""


def write_getpoint(path: Path, seconds: float) -> None:
    """Copy the library that was built with the module, and write the time for a move into it."""
    built = Path(_processor.__file__).parent / NAME
    if not built.is_file():
        raise ValueError(
            Message("{name} is not beside the native module; install honte again", name=NAME)
        )
    data = bytearray(built.read_bytes())
    start = data.find(MARK)
    if start < 0 or data.find(MARK, start + 1) >= 0:
        raise ValueError(Message("{name} is not of this version; install honte again", name=NAME))
    text = MARK + f"{seconds:.6f}".encode()
    data[start : start + FIELD] = text.ljust(FIELD, b"\0")
    path.write_bytes(data)
    path.chmod(0o755)
