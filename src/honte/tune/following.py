"""A study that runs elsewhere, followed from the games in its store.

The trials of an optimiser follow from the seed and from the games so far, so the games determine
the state of the study: the optimiser asks for the same trials again, and the store answers them as
far as it has the games.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from honte.arena.game import Played
from honte.arena.match import Standing
from honte.arena.schedule import Task
from honte.tune.tuning import Tuning

Find = Callable[[str], Played | None]
"""A finished game by its id."""


class Following:
    """The progress of a study; every look continues from the last."""

    def __init__(self, tuning: Tuning) -> None:
        self.tuning = tuning
        self._missing = list(tuning.next_round().values())
        self._found: dict[str, Played] = {}
        self._last: list[tuple[Standing, Iterator[Task]]] = []
        self._next: Task | None = None
        self.ended = False
        """Whether the search has ended, and only the verification is left."""

    @property
    def games(self) -> int:
        """Games found so far, of the search and of the verification."""
        last = self.tuning.verification.values()
        return self.tuning.games + sum(standing.total.games for standing in last)

    @property
    def expected_games(self) -> int:
        study = self.tuning.study
        search = self.tuning.games if self.ended else self.tuning.expected_games
        return search + len(study.verified) * study.verify.games

    def look(self, find: Find, seconds: float = 1.0) -> None:
        """Advance as far as there are games, for at most `seconds` CPU seconds."""
        until = time.thread_time() + seconds
        while self._verify(find) if self.ended else self._search(find):
            if time.thread_time() > until:
                return

    def _search(self, find: Find) -> bool:
        """Find the games of the round; returns whether it is over."""
        missing = []
        for task in self._missing:
            played = find(task.id)
            if played is None:
                missing.append(task)
            else:
                self._found[task.id] = replace(played, task=task)
                self.tuning.games += 1
        self._missing = missing
        if missing:
            return False
        self.tuning.end_round(self._found)
        self._found = {}
        self._missing = list(self.tuning.next_round().values())
        if not self._missing:
            self.ended = True
            for spec in self.tuning.study.verified:
                standing = self.tuning.verification[spec] = Standing()
                self._last.append((standing, self.tuning.last_games(spec)))
        return True

    def _verify(self, find: Find) -> bool:
        """Count the next game of the verification; returns whether it was there."""
        while self._next is None:
            if not self._last:
                return False
            self._next = next(self._last[0][1], None)
            if self._next is None:
                del self._last[0]
        played = find(self._next.id)
        if played is None:
            return False
        self._last[0][0].add(replace(played, task=self._next))
        self._next = None
        return True
