"""The contract of a player: who chooses a move."""

from __future__ import annotations

from abc import ABC, abstractmethod

from honte.games.contract import State
from honte.search.limit import Limit
from honte.search.report import Report


class Player(ABC):
    """Chooses moves in one game.

    ``choose`` gets positions in which there is a move to make, and answers within the
    limit. A player may keep what it learned from one call to the next; ``new_game``
    tells it that the next position belongs to another game.
    """

    spec: str
    """The player as a spec string."""

    @abstractmethod
    def choose(self, state: State, limit: Limit | None = None) -> Report: ...

    def new_game(self) -> None:  # noqa: B027  (most players keep nothing)
        """Forget the game so far."""

    def close(self) -> None:  # noqa: B027
        """Let go of processes and memory."""

    def __repr__(self) -> str:
        return f"honte.player({self.spec!r})"


def check_choice(state: State) -> None:
    """Refuse a position in which nothing can be chosen."""
    if state.is_over:
        raise ValueError("the game is over in this position; there is no move to choose")
