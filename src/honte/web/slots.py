"""The engines that sessions hold in a worker process, within a budget of memory."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from honte.core.contract import State
from honte.core.player import Player
from honte.core.players import player as make_player
from honte.core.report import Report
from honte.web.games import game_of

BOT_MEMORY = 16
"""Megabytes counted for a player that is an external program."""

Query = Callable[[], None]


class EngineSlot:
    """One player of one session in one game, with its search tree."""

    def __init__(self, player: Player, game_spec: str, memory: int) -> None:
        self.player = player
        self.game_spec = game_spec
        self.memory = memory
        self.lock = threading.Lock()
        """Held during a search: one that was cancelled may still be ending."""
        self.state: State | None = None
        """The position searched last."""
        self.report: Report | None = None
        """The latest report on it."""
        self.searching = False
        self._queries: deque[Query] = deque()
        self._guard = threading.Lock()

    def query(self, query: Query) -> None:
        """Read the tree: now, or between two slices of the search in progress."""
        with self._guard:
            if self.searching:
                self._queries.append(query)
                return
            query()

    def run_queries(self) -> None:
        """Run the queries that came in during a slice; called by the thread that searches."""
        while self._queries:
            self._queries.popleft()()

    def begin(self, state: State) -> None:
        with self._guard:
            self.searching, self.state, self.report = True, state, None

    def end(self) -> None:
        with self._guard:
            self.run_queries()
            self.searching = False

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.player.close()


class EngineSlots:
    """The slots of a worker; the least recently used are closed when memory runs short."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._slots: OrderedDict[tuple[str, str], EngineSlot] = OrderedDict()
        self._last: dict[str, EngineSlot] = {}
        self._lock = threading.Lock()

    def get(self, session: str, name: str, game_spec: str, memory: int, threads: int) -> EngineSlot:
        """The slot of a session's player, made if there is none for this game.

        `name` is ``analysis``, ``best``, ``level:N``, ``level:N,lenient=yes`` or the name of a bot.
        """
        key = (session, name)
        with self._lock:
            slot = self._slots.get(key)
            if slot is not None and slot.game_spec == game_spec:
                self._slots.move_to_end(key)
                return slot
        made = make_slot(name, game_spec, memory, threads)
        with self._lock:
            old = self._slots.pop(key, None)
            self._slots[key] = made
            dropped = [old] if old is not None else []
            total = sum(slot.memory for slot in self._slots.values())
            for other in list(self._slots):
                if total <= self.budget:
                    break
                if other != key and not self._slots[other].searching:
                    total -= self._slots[other].memory
                    dropped.append(self._slots.pop(other))
            for owner, last in list(self._last.items()):
                if last in dropped:
                    del self._last[owner]
        for slot in dropped:
            slot.close()
        return made

    def last_search(self, session: str) -> EngineSlot | None:
        """The slot whose tree the session can look into."""
        with self._lock:
            return self._last.get(session)

    def set_last_search(self, session: str, slot: EngineSlot) -> None:
        with self._lock:
            self._last[session] = slot

    def close_session(self, session: str) -> None:
        """Close every slot of a session."""
        with self._lock:
            self._last.pop(session, None)
            keys = [key for key in self._slots if key[0] == session]
            slots = [self._slots.pop(key) for key in keys]
        for slot in slots:
            slot.close()

    def __len__(self) -> int:
        return len(self._slots)


def make_slot(name: str, game_spec: str, memory: int, threads: int) -> EngineSlot:
    """A new player; the size of its tree is bounded."""
    game = game_of(game_spec)
    settings: dict[str, Any] = {"memory_mb": memory, "threads": threads}
    if name in ("analysis", "best"):
        return EngineSlot(make_player("best", game, **settings), game_spec, memory)
    made = make_player(name, game)
    return EngineSlot(made, game_spec, BOT_MEMORY if made.keeps_time else memory)
