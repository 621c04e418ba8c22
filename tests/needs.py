"""What a test needs of the machine; without it the test is skipped."""

from __future__ import annotations

import pytest

from honte.sandbox.levels import bubblewrap_works

# Without it a class runs no bots, and every command that runs one says so in a line of its own.
needs_bubblewrap = pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap does not work")
