"""The board as a controller sees it: either colour may play at any time, even after passes.

The rules enforce turns and the end of the game; GUIs do not. Where they differ, the game sets up
the position again with the requested side to move (`GameDescriptor.with_turn`).
"""

from __future__ import annotations

from typing import Any

from honte.core.contract import IllegalMove
from honte.core.descriptor import load

MOVES_LEFT = 30
"""Moves left in a game that gives no estimate of its length."""


class Board:
    """A game, the positions so far, and the moves between them."""

    def __init__(self, game: Any, start: Any = None) -> None:
        self.game = game
        self.states: list[Any] = [game.start() if start is None else start]
        self.moves: list[tuple[int, int]] = []
        """Side and move, in the order of play."""
        passes = game.descriptor.pass_move
        self._pass: int | None = None if passes is None else passes(game)

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def is_empty(self) -> bool:
        return not any(self.state.cells())

    def turn(self, side: int) -> Any:
        """The position with this side to move; over only if neither side can move."""
        state = self.state
        if state.to_move == side and not state.is_over:
            return state
        turned = self.game.descriptor.with_turn
        if turned is None:
            raise IllegalMove(f"it is not the turn of side {side + 1}")
        return load(turned)(state, side)

    def play(self, side: int, move: int) -> None:
        """Make a move; an illegal one raises IllegalMove and changes nothing."""
        state = self.turn(side)
        if not (state.is_over and move == self._pass):
            state = state.play(move)
        self.states.append(state)
        self.moves.append((side, move))

    def undo(self) -> None:
        if not self.moves:
            raise IllegalMove("nothing has been played")
        self.states.pop()
        self.moves.pop()

    def under(self, game: Any) -> Board:
        """The same moves under other rules or another komi; raises ValueError if one is illegal."""
        start = game.from_text(self.game.to_text(self.states[0]))
        other = Board(game, start)
        for side, move in self.moves:
            other.play(side, move)
        return other

    @property
    def history(self) -> tuple[int, ...] | None:
        """The moves from the start of the game; None if their turns are not those of the rules."""
        if self.states[0] != self.game.start():
            return None
        for state, (side, _) in zip(self.states, self.moves, strict=False):
            if state.to_move != side or state.is_over:
                return None
        return tuple(move for _, move in self.moves)

    def moves_left(self) -> int:
        """A conservative estimate of how many more moves a side has to make."""
        guess = self.game.descriptor.moves_left
        return MOVES_LEFT if guess is None else int(guess(self.state))
