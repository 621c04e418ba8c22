"""One game: two players, a clock, and a verdict whatever they do."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from honte.arena.schedule import MAX_PLIES, Clock, Task
from honte.bots.queueing import MOST, run_delay
from honte.games.contract import Game, IllegalMove, State
from honte.games.registry import game as make_game
from honte.players.contract import Player
from honte.players.registry import player as make_player
from honte.search.limit import Limit

PLAYED_OUT = ("played out", "draw")
RETIRED = "retired"
FAULTS = ("crash", "time", "flood", "stall", "memory", "protocol", "illegal", "start")
RESIGNED = "resign"
LARGEST_BOT = 2**27
"""Bytes of a program that are read to tell its version."""


@dataclass(frozen=True)
class Played:
    """One finished game, seen from A."""

    task: Task
    moves: tuple[int, ...]
    result: int
    """1, 0 or −1 for A."""
    margin: float | None
    """The final score for A, in the game's own measure; None if the game was not played out."""
    reason: str
    """played out, draw, move limit, resign, retired, or the fault that lost it: crash, time, …"""
    detail: str = ""
    """One sentence about a fault."""
    fault: int | None = None
    """The side (0 moves first) whose fault ended the game."""
    times: tuple[float | None, ...] = ()
    """Seconds for each move; None for those of the opening."""
    values: tuple[float | None, ...] = ()
    """What each mover's own search thought of it, from −1 to 1 for the mover."""
    sandbox: tuple[str, str] = ("in-process", "in-process")
    """What each side was kept by: its level, and what a control group limited."""
    idle: tuple[float | None, float | None] = (None, None)
    """Processor seconds that each bot burnt on the other's time; None for players of ours."""
    stderr: str = ""
    """The end of what a faulty bot wrote to its standard error."""
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
    """A side did what loses the game at once."""

    def __init__(self, side: int, reason: str, detail: str, stderr: str = "") -> None:
        super().__init__(detail)
        self.side, self.reason, self.detail, self.stderr = side, reason, detail, stderr


def forfeit(side: int, error: Exception, what: str) -> Forfeit:
    """What an exception of a player means: a fault says so itself, all else is a crash."""
    reason = getattr(error, "reason", None)
    if reason not in (*FAULTS, RESIGNED):  # a UnicodeError has a reason too, of another kind
        return Forfeit(side, what, f"{type(error).__name__}: {error}"[:500])
    tail = getattr(error, "stderr", b"")
    text = tail.decode("utf-8", "replace") if isinstance(tail, bytes) else str(tail)
    return Forfeit(side, reason, str(getattr(error, "detail", "") or error)[:500], text[-4096:])


def play_task(task: Task) -> Played:
    """Play one game of a schedule. Nothing that a player does raises an error here."""
    started, clock = time.time(), time.monotonic()
    game = make_game(task.game)
    record = Record(game, task.opening)
    players: list[Player] = []
    forfeited = None
    try:
        for side in (0, 1):
            try:
                # One seed for both would have them think the same random thoughts.
                players.append(seeded(task.players[side], game, 2 * task.seed + side))
                players[side].new_game()
            except Exception as error:
                raise forfeit(side, error, "start") from error
        record.play((players[0], players[1]), task.limit, task.clock)
    except Forfeit as given:
        forfeited = given
    finally:
        for player in players:
            close(player)
    levels = [str(getattr(player, "kept", "in-process")) for player in players]
    levels += ["not started"] * (2 - len(levels))
    idle = [getattr(player, "idle_cpu", None) for player in players] + [None, None]
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
    """Result and margin for A, who is player 0 or 1, and why the game ended."""
    if forfeited is not None:
        return (-1 if forfeited.side == a else 1), None, forfeited.reason
    if not state.is_over:
        return 0, None, "move limit"
    margin = float(state.score) if a == 0 else -float(state.score)
    if state.winner is None:
        return 0, margin, "draw"
    return (1 if state.winner == a else -1), margin, "played out"


class Record:
    """A game while it is played: where it stands, and how it came there."""

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
        for player in players:
            if hasattr(player, "margin"):  # a bot is stopped at its limit, not judged after it
                player.margin = clock.margin
            if clock.pause and hasattr(player, "pause"):
                player.pause = True
        told: set[int] = set()
        while not self.state.is_over and len(self.moves) < clock.max_plies:
            side = self.state.to_move
            player = players[side]
            if side not in told and hasattr(player, "tell"):
                player.tell(list(self.moves))  # how the position came about: an opening, mostly
            told.add(side)
            request, allowed = request_for(player, limit, left[side], clock.increment)
            keeps_time = hasattr(player, "margin")
            if hasattr(player, "allowed"):
                player.allowed = allowed
            queued = run_delay() if allowed is not None and not keeps_time else 0.0
            started = time.monotonic()
            try:
                report = player.choose(self.state, request)
            except Exception as error:
                raise forfeit(side, error, "crash") from error
            spent = report.seconds if keeps_time else time.monotonic() - started
            number = len(self.moves) + 1
            late = allowed is not None and spent > allowed + clock.margin
            if late and not keeps_time:  # unless the machine had no core for it meanwhile
                late = spent > (allowed or 0) + clock.margin + min(MOST, run_delay() - queued)
            if late and not keeps_time:
                raise Forfeit(
                    side,
                    "time",
                    f"move {number} took {spent:.2f} s where {allowed or 0:.2f} were left",
                )
            remaining = left[side]
            if remaining is not None:
                # A start cannot be told from a first answer: it costs the share at most.
                share = (request.seconds if request else None) or spent
                cost = min(spent, share) if getattr(player, "starting", False) else spent
                left[side] = remaining - cost + clock.increment  # below 0: of the margin
            try:
                self.state = self.state.play(report.move)
            except (IllegalMove, TypeError, ValueError) as error:
                raise Forfeit(side, "illegal", f"move {number}: {error}"[:500]) from error
            searched = report.iterations or report.nodes or report.proven
            self._write(report.move, round(spent, 6), report.value if searched else None)


def request_for(
    player: Player, limit: Limit | None, left: float | None, increment: float
) -> tuple[Limit | None, float | None]:
    """The limit that a player is given for a move, and the seconds after which it has lost.

    A limit in a player's own spec stands over the request's, so it is judged by that one. With
    a clock for the game a player gets a twentieth of what is left and most of the increment.
    """
    own = getattr(player, "limit", None)
    judged = own if isinstance(own, Limit) else limit
    seconds = judged.seconds if judged else None
    if left is None:
        return limit, seconds
    share = max(0.001, left / 20 + 0.8 * increment)
    share = min(share, seconds) if seconds else share
    given = Limit(
        seconds=share,
        iterations=limit.iterations if limit else None,
        nodes=limit.nodes if limit else None,
        depth=limit.depth if limit else None,
    )
    return given, left if seconds is None else min(left, seconds)


_takes_seed: dict[str, bool] = {}


def seeded(spec: str, game: Game, seed: int) -> Player:
    """A player with the game's seed, where it takes one and has none of its own."""
    if _takes_seed.get(spec):
        return make_player(spec, game, seed=seed)
    player = make_player(spec, game)
    if spec in _takes_seed:
        return player
    options: Any = getattr(type(player), "options", ())
    takes = any(option.name == "seed" for option in options) and "seed=" not in spec
    _takes_seed[spec] = takes
    if not takes:
        return player
    player.close()
    return make_player(spec, game, seed=seed)


def version_words(player: Player, ours: str) -> str:
    """A player's version: ours, or what a bot says it is and the contents of its files.

    So a bot that was compiled anew is another player, and a store plays its games again.
    """
    command = getattr(player, "command", None)
    if command is None:
        return ours
    words = [str(getattr(player, "version", ""))]
    named = [*player.spec.partition(":")[2].split(), *getattr(command, "argv", ())]
    ours_too = Path(__file__).parents[1]
    for word in named:
        for path in (Path(word).resolve(), Path(word.partition(":")[0]).resolve()):
            own = path == Path(sys.executable).resolve() or path.is_relative_to(ours_too)
            if not own and path.is_file() and path.stat().st_size <= LARGEST_BOT:
                words.append(hashlib.sha256(path.read_bytes()).hexdigest()[:12])
                break
    return " ".join(filter(None, dict.fromkeys(words)))


def close(player: Player) -> None:
    """Let go of a player; what goes wrong then changes no result."""
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
    """Play a game to its end; the state it ends in, and the moves. A fault raises `Forfeit`."""
    record = Record(game, opening)
    for player in players:
        player.new_game()
    record.play(players, limit, Clock(margin=float("inf"), max_plies=MAX_PLIES))
    return record.state, record.moves
