"""Game-specific support for `honte check`: common bot mistakes and how to fix them.

A game names its `CheckSupport` in its descriptor; the defaults work for any game.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from honte.core.contract import Game, State
from honte.core.descriptor import load
from honte.core.descriptor_parts import Cell
from honte.core.language import Message
from honte.core.messages import some

PLAY_LEGALLY = Message("choose a move that the rules allow")


class Situation(NamedTuple):
    """A position that bots often get wrong, as moves from the start of a game."""

    name: str
    """Begins a sentence: ``at the first move of the game``."""
    kind: str
    """The fault it tests for: ``first move``."""
    game: Game
    moves: list[int]

    def state(self) -> State:
        state = self.game.start()
        for move in self.moves:
            state = state.play(move)
        return state


class Race(NamedTuple):
    """A position in which the side to move can win at once, and perhaps the opponent too."""

    game: Game
    moves: list[int]
    win: int
    """The winning move of the side to move."""
    stop: int | None
    """The winning move of the opponent, if there is one."""

    def state(self) -> State:
        return Situation("", "", self.game, self.moves).state()


class Mistake(NamedTuple):
    """The likely cause of an illegal move, and its fix."""

    name: str
    detail: str = ""
    fix: str = PLAY_LEGALLY


def same_board(game: Game, varied: bool) -> list[Game]:
    """The given board alone; the default of `CheckSupport`."""
    return [game]


def no_situations(game: Game) -> list[Situation]:
    """No special positions; the default of `CheckSupport`."""
    return []


def no_races(game: Game) -> list[Race]:
    """No races; the default of `CheckSupport`."""
    return []


def illegal_move(state: State, cell: Cell | None, move: int | None) -> Mistake:
    """The default diagnosis: list the legal moves."""
    legal = state.legal_moves()
    moves = some((state.game.format(move) for move in legal), 8)
    return Mistake(
        "illegal move",
        Message("legal are {moves}", moves=moves),
    )


def random_move(state: State, draw: random.Random) -> int:
    """A uniformly random move; the default of `CheckSupport`."""
    return draw.choice(state.legal_moves())


@dataclass(frozen=True)
class CheckSupport:
    """What to test a bot for in one game."""

    boards: Callable[[Game, bool], list[Game]] = same_board
    """Boards to test on, the given one first. The flag: the judge may use any board."""
    situations: Callable[[Game], list[Situation]] = no_situations
    """Test positions for a board."""
    races: Callable[[Game], list[Race]] = no_races
    """A few positions for each side that expose a bot with the two colours confused: it blocks
    where both sides could win, yet wins where only it can."""
    mistake: Callable[[State, Cell | None, int | None], Mistake] = illegal_move
    """Diagnoses an illegal answer, given as a cell (row, column) or as a move."""
    fixes: Mapping[str, str] = field(default_factory=dict)
    """Fixes by the name of the fault."""
    opponent: Callable[[State, random.Random], int] = random_move
    """A weak opponent's move."""
    filler: Callable[[State, random.Random], int] | None = None
    """A move that fills the board without winning, for long games."""
    max_plies: int = 400
    """Length at which a test game is stopped."""


def support_of(game: Game) -> CheckSupport:
    """The game's `CheckSupport`, or the defaults."""
    ref = game.descriptor.check
    found: CheckSupport = CheckSupport() if ref is None else load(ref)
    return found
