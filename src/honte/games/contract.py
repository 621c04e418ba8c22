"""The contract of a game: what every other part of Honte relies on.

A *Game* is the immutable rules (``connect4:rows=12,cols=12``), a *State* one position
of it. Moves are plain ints whose meaning is the game's own; people's notation for them
goes through ``game.parse`` and ``game.format``. States are values: ``play`` returns a new
one and leaves the old as it was.

>>> import honte
>>> game = honte.game("connect4")
>>> state = game.start().play(3).play(3)
>>> state.to_move, state.legal_moves()
(0, [0, 1, 2, 3, 4, 5, 6])
>>> game.format(3), game.from_text(state.to_text()) == state
('4', True)

A game of your own subclasses `Game` and brings a class of states with the attributes of
`State`; ``honte.register(name, factory)`` makes specs of it known.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol, Self, runtime_checkable


class IllegalMove(ValueError):
    """A move that the rules do not allow in this position."""


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
        """In a fixed order; empty once the game is over."""
        ...

    def play(self, move: int) -> Self:
        """The position after a move; raises `IllegalMove`."""
        ...

    def to_text(self) -> str:
        """The position, whole, on one line; ``game.from_text`` reads it back."""
        ...


class Game(ABC):
    """The rules of a game, with its notation."""

    name: str
    """What the registry knows it by."""

    spec: str
    """The whole game as a spec string: ``honte.game(game.spec) == game``."""

    @abstractmethod
    def start(self) -> State: ...

    @abstractmethod
    def from_text(self, text: str) -> State:
        """Read what `State.to_text` wrote; raises ValueError."""

    def parse(self, text: str) -> int:
        """The move that people write like this; raises ValueError."""
        if len(text) <= 6 and text.strip().isdecimal():
            return int(text)
        raise ValueError(f"{quote(text)} is not a move of {self.name}; write a whole number")

    def format(self, move: int) -> str:
        """A move as people write it."""
        return str(move)

    def read_moves(self, text: str, state: State | None = None) -> list[int]:
        """Moves as people write them, separated by commas or blanks, checked by playing them."""
        state = self.start() if state is None else state
        moves = []
        for word in split_moves(text):
            moves.append(self.parse(word))
            state = state.play(moves[-1])
        return moves

    def illegal(self, state: State, move: object) -> IllegalMove:
        """The error that says what is wrong with a move and what could be played."""
        if state.is_over:
            return IllegalMove(f"{quote(move)} cannot be played: the game is over")
        legal = some(self.format(legal) for legal in state.legal_moves())
        return IllegalMove(f"{quote(move)} is not a legal move here; choose one of {legal}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __repr__(self) -> str:
        return f"honte.game({self.spec!r})"


def quote(given: object, limit: int = 40) -> str:
    """What somebody typed, for an error message: never longer than a line."""
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given) if given.bit_length() < 100 else "a huge number"
    text = given if isinstance(given, str) else repr(given)
    shown = repr(text[:limit])  # which may be longer than the text: '\udc80' is six characters
    if len(text) <= limit and len(shown) <= limit + 2:
        return shown
    return shown[:limit] + "…" + shown[-1]


def some(names: object, limit: int = 12) -> str:
    """A list for an error message, cut after a dozen."""
    words = [str(name) for name in names]  # type: ignore[attr-defined]
    return " ".join(words[:limit]) + (" …" if len(words) > limit else "")


MAX_MOVES_TEXT = 20_000


def split_moves(text: str) -> list[str]:
    """The words of a list of moves, separated by commas or blanks."""
    if len(text) > MAX_MOVES_TEXT:
        raise ValueError(
            f"a list of moves of {len(text):,} characters; {MAX_MOVES_TEXT:,} is enough"
        )
    return text.replace(",", " ").split()
