"""File locks. The operating system releases a lock when its process ends, however it ends."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt

    CLOSED_ON_EXEC = 0  # Windows: child processes inherit no file

    def lock(file: int, shared: bool = False) -> None:
        """Lock an open file; raises OSError if another process holds it. Closing unlocks it."""
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # msvcrt has no shared locks

else:
    import fcntl

    CLOSED_ON_EXEC = os.O_CLOEXEC

    def lock(file: int, shared: bool = False) -> None:
        """Lock an open file; raises OSError if another process holds it. Closing unlocks it."""
        fcntl.lockf(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


Claim = tuple[int, str]
_claims: dict[Claim, object] = {}


def claim(path: str | os.PathLike[str]) -> Claim | None:
    """Claim a path among the threads of this process; None if it is claimed.

    POSIX locks do not exclude the process that has them, and closing any of its files of that path
    drops them: claim before opening a second one. A forked child has no claims, as it has no locks.
    """
    key, token = (os.getpid(), os.path.realpath(path)), object()
    return key if _claims.setdefault(key, token) is token else None


def release(claim: Claim) -> None:
    _claims.pop(claim, None)
