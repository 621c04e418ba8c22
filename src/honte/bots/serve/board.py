"""The board as a controller has it: either colour may play at any time, and go on after passes.

Rules know whose turn it is and when a game is over; GUIs do not care. Where they differ, the
position is set up again with the side that moves and with nobody having passed; what Go's
superko remembers goes with it.
"""

from __future__ import annotations

from typing import Any

from honte.games.contract import IllegalMove
from honte.games.othello import PASS

SIDES = "XO"


class Board:
    """A game, the positions so far, and the moves between them."""

    def __init__(self, game: Any, start: Any = None) -> None:
        self.game = game
        self.states: list[Any] = [game.start() if start is None else start]
        self.moves: list[tuple[int, int]] = []
        """Side and move, in the order of play."""

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def is_empty(self) -> bool:
        return not any(self.state.cells())

    def turn(self, side: int) -> Any:
        """The position with this side to move; over only where nobody can move."""
        state = self.state
        if self.game.name == "othello":
            return othello_turn(state, side)
        if state.to_move == side and not state.is_over:
            return state
        return go_turn(state, side)

    def play(self, side: int, move: int) -> None:
        """Make a move; raises IllegalMove and leaves everything as it was."""
        state = self.turn(side)
        if not (state.is_over and self.game.name == "othello" and move == PASS):
            state = state.play(move)
        self.states.append(state)
        self.moves.append((side, move))

    def undo(self) -> None:
        if not self.moves:
            raise IllegalMove("nothing has been played")
        self.states.pop()
        self.moves.pop()

    def under(self, game: Any) -> Board:
        """The same moves under other rules or another komi; raises ValueError if they refuse."""
        start = game.from_text(self.game.to_text(self.states[0]))
        other = Board(game, start)
        for side, move in self.moves:
            other.play(side, move)
        return other

    def moves_to_come(self, side: int) -> int:
        """How many more moves a side may have to make: a guess on the safe side."""
        cells: bytes = self.state.cells()
        empty: int = cells.count(0)
        if self.game.name == "othello":
            return empty // 2 + 1
        points: int = len(cells)
        return max(empty - points // 4, points // 5, 4) // 2


def othello_turn(state: Any, side: int) -> Any:
    if state.is_over or state.to_move == side:
        return state
    if state.legal_moves() == [PASS]:  # some controllers leave forced passes out
        return state.play(PASS)
    turned = state.game.from_text(state.to_text()[:-1] + SIDES[side])
    return turned.with_last_move(state.last_move)


def go_turn(state: Any, side: int) -> Any:
    # Without ko=: whoever may not retake is not the one to move now, or both have passed.
    rows, _, *fields = state.to_text(history=True).split()
    kept = [field for field in fields if field.startswith("history=")]
    turned = state.game.from_text(" ".join([rows, SIDES[side], *kept]))
    return turned.with_last_move(state.last_move)
