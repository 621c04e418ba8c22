"""Who is at the other end of a connection from this machine: the user, as Linux tells it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))


def is_own_user(scope: Mapping[str, Any]) -> bool:
    """Whether a request comes from a program of the user that the server runs as.

    If the system does not tell, everyone on the machine counts as that user.
    """
    if sys.platform == "win32" or not TABLES[0].exists():
        return True
    if not scope.get("client") or not scope.get("server"):
        return False
    return user_of(scope["client"][1], scope["server"][1]) in (os.getuid(), 0)


def user_of(client: int, server: int) -> int | None:
    """The user whose socket has the port `client` and is connected to the port `server`."""
    for table in TABLES:
        try:
            lines = table.read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            _, own, other, _, _, _, _, user, *_ = line.split()
            if (port(own), port(other)) == (client, server):
                return int(user)
    return None


def port(address: str) -> int:
    """The port of an address.

    >>> port("0100007F:1F90")
    8080
    """
    return int(address.rpartition(":")[2], 16)
