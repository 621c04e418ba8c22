"""File locks. The operating system releases a lock when its process ends, however it ends."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt

    CLOSED_ON_EXEC = 0  # Windows: child processes inherit no file

    def lock(file: int, shared: bool = False) -> None:
        """Lock an open file; raises OSError if another process holds it. Closing unlocks it."""
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # msvcrt has no shared locks

else:
    import fcntl
    import os

    CLOSED_ON_EXEC = os.O_CLOEXEC

    def lock(file: int, shared: bool = False) -> None:
        """Lock an open file; raises OSError if another process holds it. Closing unlocks it."""
        fcntl.lockf(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
