"""Play one game: two players, a clock, and a result whatever the players do."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

from honte.arena.identity import seeded
from honte.arena.schedule import MAX_PLIES, Clock, Task
from honte.core.contract import Game, IllegalMove, State
from honte.core.fault import Fault
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.player import Player
from honte.core.request import GameClock, Limit, Request
from honte.sandbox.run_delay import Quota, run_delay

PLAYED_OUT = (Message("played out"), Message("draw"))
RETIRED = Message("retired")
FAULTS = (
    Message("crash"), Message("time"), Message("flood"), Message("stall"), Message("memory"),
    Message("protocol"), Message("illegal"), Message("start"),
)  # fmt: skip
RESIGNED = Message("resign")
MOVE_LIMIT = Message("move limit")
MAX_DETAIL = 500
"""Characters kept of a fault's detail."""


@dataclass(frozen=True)
class Played:
    """One finished game, seen from A."""

    task: Task
    moves: tuple[int, ...]
    result: int
    """1, 0 or −1 for A."""
    margin: float | None
    """The final score for A, in the game's unit; None if the game was not played to the end."""
    reason: str
    """played out, draw, move limit, resign, retired, or the fault that lost it: crash, time, …"""
    detail: str = ""
    """One sentence about a fault."""
    fault: int | None = None
    """The side (0 moves first) whose fault ended the game."""
    times: tuple[float | None, ...] = ()
    """Seconds for each move; None for those of the opening."""
    values: tuple[float | None, ...] = ()
    """The mover's own evaluation of each move, −1 to 1."""
    sandbox: tuple[str, str] = ("in-process", "in-process")
    """Each side's sandbox: the level, and what a control group limited."""
    idle: tuple[float | None, float | None] = (None, None)
    """CPU seconds that each bot used on the opponent's time; None for built-in players."""
    stderr: str = ""
    """The end of the standard error of a bot that faulted."""
    started: float = 0.0
    """Seconds since 1970."""
    seconds: float = 0.0

    @property
    def for_first(self) -> int:
        """The result for the first mover."""
        return self.result if self.task.a_first else -self.result

    @property
    def faulty(self) -> str | None:
        """The spec of the player whose fault ended the game."""
        return None if self.fault is None else self.task.players[self.fault]


class Forfeit(Exception):
    """A fault that loses the game at once."""

    def __init__(self, side: int, reason: str, detail: str, stderr: str = "") -> None:
        super().__init__(detail)
        self.side, self.reason, self.detail, self.stderr = side, reason, detail, stderr


def forfeit(side: int, error: Exception, what: str) -> Forfeit:
    """The forfeit for a player's exception: a `Fault` carries its reason, others are crashes."""
    if not isinstance(error, Fault):
        return Forfeit(side, what, f"{type(error).__name__}: {error}"[:MAX_DETAIL])
    text = error.stderr.decode("utf-8", "replace")
    return Forfeit(side, error.reason, shortened(error.detail or str(error)), text[-4096:])


def shortened(detail: str) -> str:
    """Truncate a detail; one that is short enough stays a translatable message."""
    return detail if len(detail) <= MAX_DETAIL else detail[:MAX_DETAIL]


def play_task(task: Task) -> Played:
    """Play one game of a schedule; nothing that a player does raises an exception."""
    started, clock = time.time(), time.monotonic()
    game = make_game(task.game)
    record = Record(game, task.opening)
    players: list[Player] = []
    forfeited = None
    try:
        for side in (0, 1):
            try:
                # Different seeds: with the same one both would draw the same random numbers.
                players.append(seeded(task.players[side], game, 2 * task.seed + side))
                players[side].new_game()
            except Exception as error:
                raise forfeit(side, error, Message("start")) from error
        record.play((players[0], players[1]), task.limit, task.clock)
    except Forfeit as given:
        forfeited = given
    finally:
        for player in players:
            close(player)
    levels = [player.sandbox for player in players]
    levels += ["not started"] * (2 - len(levels))
    idle = [*(player.idle_cpu for player in players), None, None]
    result, margin, reason = verdict(record.state, 0 if task.a_first else 1, forfeited)
    return Played(
        task=task,
        moves=tuple(record.moves),
        result=result,
        margin=margin,
        reason=reason,
        detail=forfeited.detail if forfeited else "",
        fault=forfeited.side if forfeited and reason != RESIGNED else None,
        times=tuple(record.times),
        values=tuple(record.values),
        sandbox=(levels[0], levels[1]),
        idle=(idle[0], idle[1]),
        stderr=forfeited.stderr if forfeited else "",
        started=started,
        seconds=time.monotonic() - clock,
    )


def verdict(state: State, a: int, forfeited: Forfeit | None) -> tuple[int, float | None, str]:
    """Result and margin for A (player 0 or 1), and the reason the game ended."""
    if forfeited is not None:
        return (-1 if forfeited.side == a else 1), None, forfeited.reason
    if not state.is_over:
        return 0, None, MOVE_LIMIT
    margin = float(state.score) if a == 0 else -float(state.score)
    if state.winner is None:
        return 0, margin, "draw"
    return (1 if state.winner == a else -1), margin, "played out"


class Record:
    """A game in progress: the position, and the moves so far with their times and values."""

    def __init__(self, game: Game, opening: Iterable[int] = ()) -> None:
        self.state = game.start()
        self.moves: list[int] = []
        self.times: list[float | None] = []
        self.values: list[float | None] = []
        for move in opening:
            self.state = self.state.play(move)
            self._write(move, None, None)

    def _write(self, move: int, seconds: float | None, value: float | None) -> None:
        self.moves.append(move)
        self.times.append(seconds)
        self.values.append(value)

    def play(
        self, players: tuple[Player, Player], limit: Limit | None = None, clock: Clock | None = None
    ) -> None:
        """Play on to the end; raises `Forfeit`."""
        clock = clock or Clock()
        left = [clock.game, clock.game]
        quotas = Quota(), Quota()
        for player in players:
            player.prepare(clock.margin, clock.pause)
        while not self.state.is_over and len(self.moves) < clock.max_plies:
            side = self.state.to_move
            player = players[side]
            request = self.request_for(player, limit, left[side], clock.increment)
            allowed = request.allowed
            queued = run_delay() if allowed is not None and not player.keeps_time else 0.0
            started = time.monotonic()
            try:
                report = player.choose(request)
            except Exception as error:
                raise forfeit(side, error, Message("crash")) from error
            spent = report.seconds if player.keeps_time else time.monotonic() - started
            number = len(self.moves) + 1
            late = 0.0 if allowed is None else max(0.0, spent - allowed - clock.margin)
            waited = run_delay() - queued if late and not player.keeps_time else 0.0
            if not player.keeps_time and not quotas[side].covers(late, waited):
                words = Message(
                    "move {number} took {spent:.2f} s where {allowed:.2f} were left",
                    number=number,
                    spent=spent,
                    allowed=allowed,
                )
                raise Forfeit(side, Message("time"), words)
            remaining = left[side]
            if remaining is not None:
                # Start-up and thinking look alike in a first reply: charge the share at most.
                share = (request.limit.seconds if request.limit else None) or spent
                cost = min(spent, share) if report.starting else spent - late  # forgiven
                left[side] = remaining - cost + clock.increment  # below 0: into the margin
            try:
                self.state = self.state.play(report.move)
            except (IllegalMove, TypeError, ValueError) as error:
                words = Message("move {number}: {error}", number=number, error=error)
                raise Forfeit(side, Message("illegal"), shortened(words)) from error
            self._write(report.move, round(spent, 6), report.value if report.has_value else None)

    def request_for(
        self, player: Player, limit: Limit | None, left: float | None, increment: float
    ) -> Request:
        """The request for a move, with the seconds after which the player has lost.

        The match's limit applies, whatever limit the player's own spec sets. A player with a
        fixed number of iterations, nodes or plies instead, such as a level, has no time limit.
        With a game clock, a player gets a twentieth of the time left and most of the increment.
        """
        seconds = limit.seconds if limit else None
        if player.limit is not None and player.limit.seconds is None:
            seconds = None
        history = tuple(self.moves)
        if left is None:
            return Request(self.state, history, limit, allowed=seconds)
        share = max(0.001, left / 20 + 0.8 * increment)
        given = replace(limit or Limit(), seconds=min(share, seconds) if seconds else share)
        return Request(
            self.state,
            history,
            given,
            GameClock(left, increment),
            allowed=left if seconds is None else min(left, seconds),
        )


def close(player: Player) -> None:
    """Close a player; an error here changes no result."""
    try:
        player.close()
    except Exception:
        return


def play_game(
    game: Game,
    players: tuple[Player, Player],
    limit: Limit | None = None,
    opening: Iterable[int] = (),
) -> tuple[State, list[int]]:
    """Play a game to its end; returns the final state and the moves. Raises `Forfeit`."""
    record = Record(game, opening)
    for player in players:
        player.new_game()
    record.play(players, limit, Clock(margin=float("inf"), max_plies=MAX_PLIES))
    return record.state, record.moves
