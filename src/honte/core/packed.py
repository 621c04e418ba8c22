"""Files of learned data: a JSON header line, then numbers compressed with zlib.

Engines unpack them on start-up, so decompression must be fast. LZMA, which older files use, is a
fifth smaller but takes six times as long to unpack.
"""

from __future__ import annotations

import json
import lzma
import zlib
from pathlib import Path
from typing import Any

from honte.core.language import Message

MAX_PACKED, MAX_UNPACKED = 16 << 20, 128 << 20
"""Maximum size in bytes of a file, and of its unpacked data."""
LZMA_BEGINS = b"\xfd7zXZ\0"


def read(path: Path, what: str) -> tuple[dict[str, Any], bytes]:
    """The header and the data of a file; raises ValueError if it is not ``what``."""
    try:
        with path.open("rb") as file:
            head, _, packed = file.read(MAX_PACKED + 1).partition(b"\n")
        if len(head) + len(packed) >= MAX_PACKED:
            raise ValueError(Message("it has more than {size} MiB", size=MAX_PACKED >> 20))
        about = json.loads(head)
        if not isinstance(about, dict):
            raise ValueError(Message("its first line is no header"))
        unpacker = (
            lzma.LZMADecompressor(lzma.FORMAT_XZ)
            if packed.startswith(LZMA_BEGINS)
            else zlib.decompressobj()
        )
        data = unpacker.decompress(packed, MAX_UNPACKED)
        if not unpacker.eof:
            raise ValueError(
                Message("it is truncated")
                if len(data) < MAX_UNPACKED
                else Message("it unpacks to more than {size} MiB", size=MAX_UNPACKED >> 20)
            )
    except (OSError, ValueError, RecursionError, lzma.LZMAError, zlib.error) as error:
        raise ValueError(
            Message("{name} is not {what} ({error})", name=path.name, what=what, error=error)
        ) from None
    return about, data


def write(path: Path, about: dict[str, Any], data: bytes) -> None:
    """Write a file that `read` reads, replacing an existing one atomically."""
    packed = zlib.compress(data, 9)
    beside = path.with_name(path.name + ".new")
    beside.write_bytes(json.dumps(about).encode() + b"\n" + packed)
    beside.replace(path)
