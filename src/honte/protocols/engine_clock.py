"""Time management: how long to think about a move, given the controller's clock commands.

>>> clock = Clock()
>>> clock.set(600, 0, 0)               # ten minutes for the game
>>> round(clock.allowance(0, 50), 1)   # with about fifty moves to go
11.5
"""

from __future__ import annotations

from dataclasses import dataclass, replace

MIN_SECONDS = 0.002
OVERHEAD = 0.03
"""Overhead of a move in seconds, if the controller does not report the time left."""


def thinking_time(seconds: float) -> float:
    """The thinking time within a controller's allowance: some of it is lost in transit.

    >>> thinking_time(10), round(thinking_time(1), 2), round(thinking_time(0.1), 2)
    (9.5, 0.9, 0.03)
    """
    return max(0.3 * seconds, seconds - max(0.1, 0.05 * seconds))


@dataclass(frozen=True)
class TimeLeft:
    """One side's time: what is left of the main time, or of a byo-yomi period and its stones."""

    main: float
    period: float = 0.0
    stones: int = 0


class Clock:
    """Both sides' time: none, a fixed time for the game, or Canadian byo-yomi after it."""

    def __init__(self) -> None:
        self._left: list[TimeLeft] | None = None
        self._main, self._byo_time, self._byo_stones = 0.0, 0.0, 0

    @property
    def runs(self) -> bool:
        return self._left is not None

    def set(self, main: float, byo_time: float, byo_stones: int) -> None:
        """Reset to these settings; a period without stones means no limit at all."""
        if (byo_time > 0 and byo_stones == 0) or main + byo_time == 0:
            self._left, self._main, self._byo_stones = None, 0.0, 0
            return
        self._byo_time, self._byo_stones = (byo_time, byo_stones) if byo_time > 0 else (0.0, 0)
        self._main = main
        self.restart()

    def restart(self) -> None:
        """Reset for another game with the same settings."""
        if self._main or self._byo_stones:
            self._left = [self._begin(self._main)] * 2

    def _begin(self, main: float) -> TimeLeft:
        return TimeLeft(main) if main > 0 else TimeLeft(0.0, self._byo_time, self._byo_stones)

    def left(self, side: int, seconds: float, stones: int) -> None:
        """Set the time left as the controller reports it; stones count in byo-yomi only."""
        if self._left is None:
            self._left = [TimeLeft(seconds)] * 2
        self._left[side] = TimeLeft(0.0, seconds, stones) if stones > 0 else TimeLeft(seconds)

    def spent(self, side: int, seconds: float) -> None:
        """Charge a move of ours, for controllers that never report the time left."""
        if self._left is None:
            return
        side_left = self._left[side]
        seconds += OVERHEAD
        if side_left.stones == 0:
            main = side_left.main - seconds
            if main > 0 or not self._byo_stones:
                self._left[side] = replace(side_left, main=max(main, 0.0))
                return
            seconds, side_left = -main, TimeLeft(0.0, self._byo_time, self._byo_stones)
        side_left = TimeLeft(0.0, max(side_left.period - seconds, 0.0), side_left.stones - 1)
        self._left[side] = (
            side_left if side_left.stones else TimeLeft(0.0, self._byo_time, self._byo_stones)
        )

    def allowance(self, side: int, moves: int) -> float:
        """Seconds for the next move if about `moves` more are to come."""
        assert self._left is not None, "no clock runs"
        side_left = self._left[side]
        if side_left.stones:
            return max(MIN_SECONDS, thinking_time(side_left.period / side_left.stones))
        more = self._byo_time / self._byo_stones if self._byo_stones else 0.0
        # Half a second is kept in reserve for a slow connection, and for a few more moves.
        share = max(side_left.main - 0.5, 0.0) / (moves + 2)
        if more:
            # A period's share is always there: byo-yomi begins when the main time ends.
            share = min(max(share, more), side_left.main + more)
        elif side_left.main < 1:
            share = side_left.main / (4 * moves + 8)
        return max(MIN_SECONDS, min(share, thinking_time(side_left.main + more)))
