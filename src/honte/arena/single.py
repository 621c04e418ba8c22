"""One game between two players, for programs and notebooks: ``honte.play``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from honte.arena.export import record_of
from honte.arena.game import Played, play_task
from honte.arena.schedule import Task
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.request import Limit

if TYPE_CHECKING:
    from honte.core.contract import Game, State
    from honte.core.record import Record


@dataclass(frozen=True)
class FinishedGame:
    """A game that was played to its end. In a notebook it is drawn as a replay."""

    played: Played

    @cached_property
    def game(self) -> Game:
        return make_game(self.played.task.game)

    @property
    def players(self) -> tuple[str, str]:
        """The players' specs, the first mover first."""
        return self.played.task.players

    @property
    def moves(self) -> list[str]:
        """The moves in the game's notation."""
        return [self.game.format(move) for move in self.played.moves]

    @property
    def winner(self) -> int | None:
        """The winner: 0, 1, or None for a draw."""
        return {1: 0, 0: None, -1: 1}[self.played.for_first]

    @property
    def score(self) -> float:
        """The final margin of the first mover, in the game's unit."""
        return self.state.score

    @property
    def reason(self) -> str:
        """How it ended: played out, draw, resign, or the fault that lost it."""
        return self.played.reason

    @property
    def detail(self) -> str:
        """One sentence about a fault; else empty."""
        return self.played.detail

    @cached_property
    def states(self) -> list[State]:
        """The positions, from the start to the end."""
        return list(self.record().states())

    @property
    def state(self) -> State:
        """The last position."""
        return self.states[-1]

    def record(self) -> Record:
        """The game as a record, to write it as SGF, GGF or text."""
        return record_of(self.played)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {
            "game": self.game.spec,
            "players": list(self.players),
            "moves": self.moves,
            "winner": self.winner,
            "score": self.score,
            "reason": self.reason,
            "detail": self.detail,
            "seconds": [*self.played.times],
            "values": [*self.played.values],
        }

    def __str__(self) -> str:
        won = "a draw" if self.winner is None else f"{self.players[self.winner]} wins"
        return f"{self.players[0]} – {self.players[1]}: {won} in {len(self.moves)} moves"

    def _repr_html_(self) -> str:
        from honte.drawing.replay import replay

        return replay(self.record())._repr_html_()


def play(
    first: str,
    second: str,
    game: str,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    opening: str = "",
    seed: int = 0,
) -> FinishedGame:
    """Play one game; the limits are for each move, a tenth of a second if none is given.

    >>> import honte
    >>> game = honte.play("uct:iterations=50", "random", "othello", seed=3)
    >>> game.reason, len(game.states) == len(game.moves) + 1
    ('played out', True)
    """
    rules = make_game(game)
    for spec in (first, second):  # a wrong spec is the caller's mistake, not a player's fault
        _check(spec, rules)
    limit = Limit(seconds, iterations)
    task = Task(
        number=0,
        game=rules.spec,
        players=(first, second),
        a_first=True,
        seed=seed,
        opening=tuple(rules.read_moves(opening)) if opening else (),
        limit=Limit(0.1) if limit == Limit() else limit,
    )
    return FinishedGame(play_task(task))


def _check(spec: object, game: Game) -> None:
    from honte.core.players import player

    if not isinstance(spec, str):
        raise TypeError(Message("a player is given by its spec, such as best or uct:c=0.8"))
    player(spec, game).close()
