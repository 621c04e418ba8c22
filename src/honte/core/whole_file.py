"""Atomic file writes: a process killed at any time leaves a whole file or none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes its name once it is complete; readers see the old one or the new.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with written_whole(Path(folder, "a")) as file:
    ...         _ = file.write(b"text")
    ...         before = Path(folder, "a").exists()
    ...     before, Path(folder, "a").read_bytes()
    (False, b'text')
    """
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        yield file
    os.replace(part, path)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically."""
    with written_whole(path) as file:
        file.write(data)
