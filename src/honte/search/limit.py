"""How long a search may think."""

from __future__ import annotations

from dataclasses import dataclass

from honte.games.contract import quote

BEYOND = 2**63
"""No clock and no counter of ours goes so far."""


@dataclass(frozen=True)
class Limit:
    """Bounds on one decision; whichever comes first ends the search.

    >>> Limit(seconds=2, iterations=10_000)
    Limit(seconds=2, iterations=10000, nodes=None, depth=None)
    """

    seconds: float | None = None
    iterations: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "iterations", "nodes", "depth"):
            value = getattr(self, name)
            if value is None:
                continue
            if not 0 < value < BEYOND:
                raise ValueError(
                    f"a limit of {name}={quote(value)} is none; use more than 0 or leave it out"
                )
