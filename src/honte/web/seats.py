"""Players and trees that visitors have in a worker process, and what memory they may take."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any, Protocol

from honte.games.contract import State
from honte.players.contract import Player
from honte.players.registry import player as make_player
from honte.search.limit import Limit
from honte.search.report import Report
from honte.search.uct import Uct
from honte.web.position import game_of

BOT_MEMORY = 16
"""Megabytes that a player with no tree of ours counts for."""

Ask = Callable[[], None]


class Search(Protocol):
    """What all searches of ours can do."""

    def search(
        self,
        state: State,
        limit: Limit,
        on_progress: Callable[[Report], None] | None = None,
        every: float = 0.2,
        /,
    ) -> Report: ...

    def stop(self) -> None: ...


class Seat:
    """One player of one visitor in one game, with its tree."""

    def __init__(self, player: Player, game_spec: str, memory: int) -> None:
        self.player = player
        self.game_spec = game_spec
        self.memory = memory
        self.turn = threading.Lock()
        """Held while it thinks: a search that was called off may still be ending."""
        self.state: State | None = None
        """What it thought about last."""
        self.thinking = False
        self._asks: deque[Ask] = deque()
        self._guard = threading.Lock()

    @property
    def uct(self) -> Uct | None:
        """The tree search behind the player, if it has one."""
        return getattr(self.player, "uct", None)

    @property
    def search(self) -> Search | None:
        """The search of ours behind the player, whatever its kind."""
        found = self.uct or getattr(self.player, "search", None)
        return found if hasattr(found, "stop") else None

    def ask(self, question: Ask) -> None:
        """Have a look at the tree: now, or between two slices of the search that is under way."""
        with self._guard:
            if self.thinking:
                self._asks.append(question)
                return
            question()

    def answer(self) -> None:
        """Answer what was asked meanwhile; called by the thread that searches."""
        while self._asks:
            self._asks.popleft()()

    def begin(self, state: State) -> None:
        with self._guard:
            self.thinking, self.state = True, state

    def end(self) -> None:
        with self._guard:
            self.answer()
            self.thinking = False

    def halt(self) -> None:
        """Make it stop thinking: a search at once, somebody's program by ending it."""
        if not self.thinking:
            return
        if self.search is not None:
            self.search.stop()
        else:
            with contextlib.suppress(Exception):
                self.player.close()

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.player.close()


class Seats:
    """The seats of a worker, those used longest ago given up when memory runs short."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._seats: OrderedDict[tuple[str, str], Seat] = OrderedDict()
        self._last: dict[str, Seat] = {}
        self._lock = threading.Lock()

    def take(self, visitor: str, name: str, game_spec: str, memory: int, threads: int) -> Seat:
        """The seat of a visitor's player, made if there is none for this game.

        `name` is ``analysis``, ``tree``, ``best``, ``level:N`` or the name of a bot.
        """
        key = (visitor, name)
        with self._lock:
            seat = self._seats.get(key)
            if seat is not None and seat.game_spec == game_spec:
                self._seats.move_to_end(key)
                return seat
        made = make_seat(name, game_spec, memory, threads)
        with self._lock:
            old = self._seats.pop(key, None)
            self._seats[key] = made
            dropped = [old] if old is not None else []
            total = sum(seat.memory for seat in self._seats.values())
            for other in list(self._seats):
                if total <= self.budget:
                    break
                if other != key and not self._seats[other].thinking:
                    total -= self._seats[other].memory
                    dropped.append(self._seats.pop(other))
            for owner, seen in list(self._last.items()):
                if seen in dropped:
                    del self._last[owner]
        for seat in dropped:
            seat.close()
        return made

    def looked_at(self, visitor: str) -> Seat | None:
        """The seat whose tree the visitor saw last."""
        with self._lock:
            return self._last.get(visitor)

    def look_at(self, visitor: str, seat: Seat) -> None:
        with self._lock:
            self._last[visitor] = seat

    def leave(self, visitor: str) -> None:
        """Give up all that a visitor has."""
        with self._lock:
            self._last.pop(visitor, None)
            keys = [key for key in self._seats if key[0] == visitor]
            seats = [self._seats.pop(key) for key in keys]
        for seat in seats:
            seat.halt()
            seat.close()

    def __len__(self) -> int:
        return len(self._seats)


def make_seat(name: str, game_spec: str, memory: int, threads: int) -> Seat:
    """A new player; its tree within a bound."""
    game = game_of(game_spec)
    settings: dict[str, Any] = {"memory_mb": memory, "threads": threads}
    if name == "tree":
        return Seat(make_player("uct", game, **settings), game_spec, memory)
    if name in ("analysis", "best"):
        made = make_player("best", game, **settings)
        known = [option.name for option in getattr(made, "options", ())]
        if name == "analysis" and "all" in known:
            made.close()
            made = make_player("best", game, **settings, all=True)  # every move has its value
        return Seat(made, game_spec, memory)
    made = make_player(name, game)
    seat = Seat(made, game_spec, memory)
    if seat.uct is None:
        seat.memory = BOT_MEMORY
    return seat
