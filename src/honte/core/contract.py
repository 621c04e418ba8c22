"""The contract of a game: what every other part of Honte relies on.

A *Game* is the immutable rules (``NAME:rows=12,cols=12``), a *State* one position
of it. Moves are plain ints, numbered by the game; ``game.parse`` and ``game.format`` convert
them from and to notation. States are immutable: ``play`` returns a new one.

>>> import honte
>>> game = honte.game("connect4")
>>> state = game.start().play(3).play(3)
>>> state.to_move, state.legal_moves()
(0, [0, 1, 2, 3, 4, 5, 6])
>>> game.format(3), game.from_text(state.to_text()) == state
('4', True)

To add a game, subclass `Game`, write a state class with the attributes of `State`, and call
``honte.register(name, factory)``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from honte.core.descriptor import GameDescriptor
from honte.core.language import Message
from honte.core.messages import quote, some, split_moves


class IllegalMove(ValueError):
    """The rules do not allow this move in this position."""


@runtime_checkable
class State(Protocol):
    """A position. Two states are equal when the rules see no difference between them."""

    @property
    def game(self) -> Game: ...
    @property
    def to_move(self) -> int:
        """0 for the player who moved first in the game, 1 for the other."""
        ...

    @property
    def is_over(self) -> bool: ...
    @property
    def winner(self) -> int | None:
        """0 or 1; None for a draw and while the game runs."""
        ...

    @property
    def score(self) -> float:
        """The game's own margin for player 0: discs, points, or ±1."""
        ...

    @property
    def last_move(self) -> int | None: ...
    def legal_moves(self) -> list[int]:
        """The legal moves in a fixed order; none once the game is over."""
        ...

    def play(self, move: int) -> Self:
        """The position after a move; raises `IllegalMove`."""
        ...

    def to_text(self) -> str:
        """The complete position on one line; ``game.from_text`` reads it back."""
        ...


class Game(ABC):
    """The rules of a game, with its notation."""

    name: str
    """The registered name."""

    spec: str
    """The spec string: ``honte.game(game.spec) == game``."""

    descriptor: ClassVar[GameDescriptor] = GameDescriptor()
    """Everything game-specific besides the rules; the defaults work for any game."""

    @abstractmethod
    def start(self) -> State: ...

    @abstractmethod
    def from_text(self, text: str) -> State:
        """Read what `State.to_text` wrote; raises ValueError."""

    def parse(self, text: str) -> int:
        """Parse a move in the game's notation; raises ValueError."""
        if len(text) <= 6 and text.strip().isdecimal():
            return int(text)
        raise ValueError(
            Message(
                "{given} is not a move of {name}; write a whole number",
                given=quote(text),
                name=self.name,
            )
        )

    def format(self, move: int) -> str:
        """A move in the game's notation."""
        return str(move)

    def read_moves(self, text: str, state: State | None = None) -> list[int]:
        """Parse moves separated by commas or blanks, and check them by playing them."""
        state = self.start() if state is None else state
        moves = []
        for word in split_moves(text):
            moves.append(self.parse(word))
            state = state.play(moves[-1])
        return moves

    def illegal(self, state: State, move: object) -> IllegalMove:
        """The error for an illegal move: why it is illegal, and what is legal."""
        if state.is_over:
            return IllegalMove(
                Message("{move} cannot be played: the game is over", move=quote(move))
            )
        legal = some(self.format(legal) for legal in state.legal_moves())
        return IllegalMove(
            Message(
                "{move} is not a legal move here; choose one of {legal}",
                move=quote(move),
                legal=legal,
            )
        )

    def shape(self) -> tuple[int, int] | None:
        """Rows and columns of the board; None for a game without a rectangular board.

        Taken from the attributes `rows` and `cols`, or `size` for a square.
        """
        own = {**vars(type(self)), **vars(self)}
        rows, cols = own.get("rows", own.get("size")), own.get("cols", own.get("size"))
        return (rows, cols) if isinstance(rows, int) and isinstance(cols, int) else None

    def pickled(self, state: State) -> tuple[Any, ...]:
        """A state as plain values for pickling; `unpickled` restores it."""
        return state.to_text(), state.last_move

    def unpickled(self, text: str, last_move: int | None) -> State:
        """Restore a state from the values of `pickled`."""
        return self.from_text(text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        return f"honte.game({self.spec!r})"


@runtime_checkable
class HasCells(Protocol):
    """A position on a board of rows and columns, which generic code can draw."""

    def cells(self) -> Sequence[int]:
        """Row by row from the top left: 0 is empty, 1 and 2 are the players' pieces, 3 cannot be
        played on."""
        ...


def cells_of(state: State) -> tuple[int, ...] | None:
    """The cells of a position; None if the state has none."""
    cells = tuple(state.cells()) if isinstance(state, HasCells) else ()
    return cells if cells and all(isinstance(cell, int) for cell in cells) else None
