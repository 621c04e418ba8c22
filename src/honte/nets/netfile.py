"""Network files (`.net`): a JSON header and tensors, for play without JAX.

    offset  bytes
         0      8   magic, b"honteNet"
         8      4   version
        12      4   length of the header
        16      8   length of the file
        24      4   CRC-32 of everything from offset 32 on
        28      4   0
        32          header: JSON in UTF-8
                    tensors, each at a multiple of 64 from the start of the file

All numbers are little-endian. The header's "tensors" lists name, type, shape and offset of each;
`native/nets/file.cpp` reads the same file and says what is wrong with a damaged one.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from honte.core.language import Message

MAGIC = b"honteNet"
VERSION = 1
ALIGNMENT = 64
PREFIX = struct.Struct("<8sIIQII")
TYPES = {"int8": "<i1", "int16": "<i2", "int32": "<i4", "float32": "<f4"}

Tensors = dict[str, np.ndarray[Any, np.dtype[Any]]]


def aligned(offset: int) -> int:
    """The next offset at which a tensor may begin."""
    return -(-offset // ALIGNMENT) * ALIGNMENT


def encode(header: Mapping[str, Any], tensors: Tensors) -> bytes:
    """The bytes of a network file.

    The offsets are in the header and depend on its length: repeat until both agree.
    """
    start = 0
    while True:
        offset, listed, body = start, [], bytearray()
        for name, array in tensors.items():
            kind = array.dtype.name
            listed.append(
                {"name": name, "type": kind, "shape": list(array.shape), "offset": offset}
            )
            data = array.astype(TYPES[kind]).tobytes()
            body += data.ljust(aligned(len(data)), b"\0")
            offset += aligned(len(data))
        text = json.dumps({**header, "tensors": listed}, separators=(",", ":")).encode()
        needed = aligned(PREFIX.size + len(text))
        if needed <= start:
            break
        start = needed
    rest = text.ljust(start - PREFIX.size, b"\0") + bytes(body)
    length = PREFIX.size + len(rest)
    return PREFIX.pack(MAGIC, VERSION, len(text), length, zlib.crc32(rest), 0) + rest


def decode(data: bytes) -> tuple[dict[str, Any], Tensors]:
    """Header and tensors of a network file; raises ValueError if it is damaged."""
    if data[: len(MAGIC)] != MAGIC or len(data) < PREFIX.size:
        raise ValueError(Message("not a network file"))
    _, version, words, length, checksum, _ = PREFIX.unpack_from(data)
    if version != VERSION:
        raise ValueError(
            Message(
                "network file of version {version}; this reader knows {known}",
                version=version,
                known=VERSION,
            )
        )
    if length != len(data) or zlib.crc32(data[PREFIX.size :]) != checksum:
        raise ValueError(Message("damaged network file"))
    header: dict[str, Any] = json.loads(data[PREFIX.size : PREFIX.size + words])
    tensors = {}
    for entry in header.pop("tensors"):
        count = int(np.prod(entry["shape"], dtype=np.int64))
        flat = np.frombuffer(data, TYPES[entry["type"]], count, entry["offset"])
        tensors[entry["name"]] = flat.reshape(entry["shape"])
    return header, tensors


def load(path: Path) -> tuple[dict[str, Any], Tensors]:
    """The header and the tensors of a network file."""
    return decode(path.read_bytes())
