"""The game on the screen: its moves, the position shown, and who plays which side."""

from __future__ import annotations

from dataclasses import dataclass, field

from honte.core.contract import Game, State
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.record import Record

PERSON = Message("you")
"""A side that a person plays; any other side has the spec of a player."""


@dataclass
class Session:
    """A line of positions: play, take back, step through a record.

    >>> import honte
    >>> session = Session(honte.game("connect4"))
    >>> session.play(3)
    >>> session.play(2)
    >>> session.back(), session.place, session.length
    (True, 1, 2)
    """

    game: Game
    players: tuple[str, str] = (PERSON, PERSON)
    states: list[State] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    place: int = 0
    names: tuple[str, str] = ("", "")
    """The names of the players, if the record has them."""
    record: Record | None = None
    """The game under review; the line is put back to it by `back_to_record`."""
    resigned: int | None = None
    agreed: float | None = None
    """The first player's margin, if the end was settled by agreement."""

    def __post_init__(self) -> None:
        if not self.states:
            self.states = [self.game.start()]

    @classmethod
    def of_record(cls, record: Record) -> Session:
        """A game to review, shown from its beginning; its first illegal move is an error."""
        states = list(record.states())
        return cls(
            game=make_game(record.game_spec),
            states=states,
            moves=list(record.moves),
            names=record.players,
            record=record,
        )

    @property
    def state(self) -> State:
        return self.states[self.place]

    @property
    def history(self) -> tuple[int, ...] | None:
        """The moves from the start of the game to this position; None from another start."""
        if self.states[0] != self.game.start():
            return None
        return tuple(self.moves[: self.place])

    @property
    def length(self) -> int:
        return len(self.moves)

    @property
    def is_over(self) -> bool:
        return self.state.is_over or self.resigned is not None

    @property
    def winner(self) -> int | None:
        if self.resigned is not None:
            return 1 - self.resigned
        if self.agreed is not None:
            return None if self.agreed == 0 else int(self.agreed < 0)
        return self.state.winner

    @property
    def mover(self) -> str:
        """The player to move."""
        return self.players[self.state.to_move]

    @property
    def off_record(self) -> bool:
        """Whether a variation is on the board, not the recorded game."""
        return self.record is not None and self.moves != self.record.moves

    def play(self, move: int) -> None:
        """Make a move here. What followed is dropped, unless it began with the same move."""
        if self.resigned is not None:
            raise ValueError(Message("the game is over by resignation; start a new one"))
        state = self.state.play(move)
        if not (self.place < self.length and self.moves[self.place] == move):
            del self.moves[self.place :], self.states[self.place + 1 :]
            self.moves.append(move)
            self.states.append(state)
        self.place += 1

    def back(self) -> bool:
        """One move back, or from a resignation to the position in which it was given."""
        if self.resigned is not None:
            self.resigned = None
            return True
        return self.go_to(self.place - 1)

    def forward(self) -> bool:
        return self.go_to(self.place + 1)

    def go_to(self, place: int) -> bool:
        """Go to the position after `place` moves; False if there is none."""
        if not 0 <= place <= self.length:
            return False
        self.resigned = self.agreed = None
        self.place = place
        return True

    def undo(self) -> bool:
        """Back to the last position in which a person had a choice.

        Against an engine that takes back its answer too; a forced pass is skipped.
        """
        if self.resigned is not None:
            return self.back()
        places = range(self.place - 1, -1, -1)
        found = next((place for place in places if self._persons_choice(place)), None)
        if found is None and PERSON not in self.players and self.place > 0:
            found = self.place - 1
        return found is not None and self.go_to(found)

    def redo(self) -> bool:
        """Forward again to the next position in which a person had a choice, or to the end."""
        if self.place == self.length:
            return False
        places = range(self.place + 1, self.length)
        return self.go_to(next((p for p in places if self._persons_choice(p)), self.length))

    def _persons_choice(self, place: int) -> bool:
        state = self.states[place]
        return self.players[state.to_move] == PERSON and not must_pass(state)

    def back_to_record(self) -> None:
        """Put the recorded game back on the board, where the variation left it."""
        if self.record is None:
            return
        place = self.place
        for number, (mine, theirs) in enumerate(zip(self.moves, self.record.moves, strict=False)):
            if mine != theirs:
                place = min(place, number)
        self.moves = list(self.record.moves)
        self.states = list(self.record.states())
        self.go_to(min(place, self.length))


def must_pass(state: State) -> bool:
    """Whether passing is the only move."""
    moves = state.legal_moves()
    return len(moves) == 1 and state.game.format(moves[0]) == "pass"


def pass_of(state: State) -> int | None:
    """The move that passes, where it is legal."""
    game = state.game
    return next((m for m in reversed(state.legal_moves()) if game.format(m) == "pass"), None)
