"""A request to a player: position, history, limit, cancellation.

>>> import honte
>>> state = honte.game("connect4").start()
>>> request = honte.Request(state, limit=honte.Limit(seconds=5), lines=3)
>>> request.cancel.cancelled
False
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from honte.core.language import Message
from honte.core.messages import quote

if TYPE_CHECKING:
    from honte.core.contract import State
    from honte.core.report import Report

BEYOND = 2**63
"""Exclusive upper bound of every limit."""


ANALYSIS_LINES = 5
"""Candidates with a principal variation in an analysis on the page and in the terminal."""


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
        for name, value in vars(self).items():
            if value is not None and not 0 < value < BEYOND:
                raise ValueError(
                    Message(
                        "{name} must be positive, not {value}; or leave it out",
                        name=name,
                        value=quote(value),
                    )
                )


@dataclass(frozen=True)
class GameClock:
    """The mover's clock in a game with a time budget."""

    left: float
    """Seconds left."""
    increment: float = 0.0
    """Seconds added per move."""


class CancelToken:
    """Cancels a search from any thread, before or while it runs.

    >>> token = CancelToken()
    >>> token.cancel()
    >>> token.cancelled
    True
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._callbacks: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def cancel(self) -> None:
        """Cancel the search that holds this token, now or as soon as it starts."""
        with self._lock:
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def on_cancel(self, callback: Callable[[], None]) -> None:
        """Register a callback; called at once if already cancelled."""
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return
        callback()


@dataclass(frozen=True)
class Request:
    """A position to search, with everything a player may need."""

    state: State
    history: tuple[int, ...] | None = None
    """Moves from the start of the game, if known."""
    limit: Limit | None = None
    clock: GameClock | None = None
    lines: int = 1
    """Number of candidates with a principal variation (multi-PV)."""
    all_moves: bool = False
    """Evaluate every legal move, not only the best."""
    ownership: bool = False
    """Estimate the final owner of each cell, if the search can; `all_moves` implies it."""
    cancel: CancelToken = field(default_factory=CancelToken, compare=False)
    on_progress: Callable[[Report], None] | None = field(default=None, compare=False)
    """Receives partial reports, called in the search thread."""
    every: float = 0.2
    """Seconds between partial reports."""
    allowed: float | None = None
    """Seconds until the mover loses on time, if different from the limit."""

    def within(self, limit: Limit | None) -> Request:
        """The request with this limit."""
        return self if limit == self.limit else replace(self, limit=limit)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a search; `report` is the result so far."""

    def __init__(self, report: Any) -> None:
        super().__init__()
        self.report = report
