"""Locks on files. The system takes a lock back when its process ends, however it ends."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt

    CLOSED_ON_EXEC = 0  # no child inherits a file there

    def lock(file: int, shared: bool = False) -> None:
        """Lock an open file; OSError where another process holds it. Closing it unlocks."""
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # there are no shared ones

else:
    import fcntl
    import os

    CLOSED_ON_EXEC = os.O_CLOEXEC

    def lock(file: int, shared: bool = False) -> None:
        """Lock an open file; OSError where another process holds it. Closing it unlocks."""
        fcntl.lockf(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
