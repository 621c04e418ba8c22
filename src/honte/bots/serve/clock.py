"""How long to think about a move, from what GTP tells about the clock.

>>> clock = Clock()
>>> clock.set(600, 0, 0)               # ten minutes for the game
>>> round(clock.allowance(0, 50), 1)   # with about fifty moves to go
11.5
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from honte.bots.serve.wires import margin

LEAST = 0.002
OVERHEAD = 0.03
"""Seconds of a move that are not the search's, where we must count for ourselves."""


@dataclass(frozen=True)
class Hand:
    """One side's time: what is left of the main time, or of a period and its stones."""

    main: float
    period: float = 0.0
    stones: int = 0


class Clock:
    """Both sides' time: none, a fixed time for the game, or Canadian byo-yomi after it."""

    def __init__(self) -> None:
        self._hands: list[Hand] | None = None
        self._main, self._byo_time, self._byo_stones = 0.0, 0.0, 0

    @property
    def runs(self) -> bool:
        return self._hands is not None

    def set(self, main: float, byo_time: float, byo_stones: int) -> None:
        """Start again with these settings. A period without stones means no limit at all."""
        if (byo_time > 0 and byo_stones == 0) or main + byo_time == 0:
            self._hands, self._main, self._byo_stones = None, 0.0, 0
            return
        self._byo_time, self._byo_stones = (byo_time, byo_stones) if byo_time > 0 else (0.0, 0)
        self._main = main
        self.restart()

    def restart(self) -> None:
        """Begin another game with the same settings."""
        if self._main or self._byo_stones:
            self._hands = [self._begin(self._main)] * 2

    def _begin(self, main: float) -> Hand:
        return Hand(main) if main > 0 else Hand(0.0, self._byo_time, self._byo_stones)

    def left(self, side: int, seconds: float, stones: int) -> None:
        """What the controller says is left; stones are counted in byo-yomi only."""
        if self._hands is None:
            self._hands = [Hand(seconds)] * 2
        self._hands[side] = Hand(0.0, seconds, stones) if stones > 0 else Hand(seconds)

    def spent(self, side: int, seconds: float) -> None:
        """Count a move of our own, for controllers that never tell what is left."""
        if self._hands is None:
            return
        hand = self._hands[side]
        seconds += OVERHEAD
        if hand.stones == 0:
            main = hand.main - seconds
            if main > 0 or not self._byo_stones:
                self._hands[side] = replace(hand, main=max(main, 0.0))
                return
            seconds, hand = -main, Hand(0.0, self._byo_time, self._byo_stones)
        hand = Hand(0.0, max(hand.period - seconds, 0.0), hand.stones - 1)
        self._hands[side] = hand if hand.stones else Hand(0.0, self._byo_time, self._byo_stones)

    def allowance(self, side: int, moves: int) -> float:
        """Seconds for the next move, with about so many to come before the game ends."""
        assert self._hands is not None, "no clock runs"
        hand = self._hands[side]
        if hand.stones:
            return max(LEAST, margin(hand.period / hand.stones))
        more = self._byo_time / self._byo_stones if self._byo_stones else 0.0
        # Half a second stays untouched, for a slow line; and a few moves more may come.
        share = max(hand.main - 0.5, 0.0) / (moves + 2)
        if more:
            # In a period's share of time one may always think: it begins when main time ends.
            share = min(max(share, more), hand.main + more)
        elif hand.main < 1:
            share = hand.main / (4 * moves + 8)
        return max(LEAST, min(share, margin(hand.main + more)))
