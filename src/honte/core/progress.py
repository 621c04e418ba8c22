"""Progress callbacks of long-running work."""

from collections.abc import Callable

Tell = Callable[[str, int, int], None]
"""Called with the stage, the work done and the total."""
