"""Which builds of the native core this processor runs."""

def levels() -> tuple[str, ...]:
    """The levels that this processor runs, the fastest first."""
