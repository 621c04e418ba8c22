"""A run: the games of a schedule, played by workers, kept in a store, given back in order.

Games finish in any order, but they are counted in the order of the schedule. So what follows
from the results — who is retired, when a test has decided, who meets whom next — does not depend
on the number of workers, nor on where a run was killed and began again.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace

from honte.arena.game import RETIRED, Played, play_task
from honte.arena.schedule import Task
from honte.arena.store import Store
from honte.arena.times import Latencies
from honte.arena.workers import Team, Workers

MAX_FAULTS = 5
AHEAD = 32
"""Games a worker may be ahead of the one that holds up the count."""


class Run:
    """Plays schedules on some workers; what is in the store is not played again."""

    def __init__(
        self,
        workers: int | Team = 1,
        store: Store | None = None,
        max_faults: int = MAX_FAULTS,
        commit_every: float = 0.0,
        play: Callable[[Task], Played] = play_task,
    ) -> None:
        self.workers = Workers(workers, play) if isinstance(workers, int) else workers
        self.store = store
        self.max_faults = max_faults
        self._commit_every = commit_every
        """Seconds; where games are short, those of such a time go into the store together."""
        self._unsaved: list[Played] = []
        self._saved = time.monotonic()
        self.retired: dict[str, str] = {}
        """Players that fault every time, and what they did last."""
        self.found = 0
        """Games that the store had already."""
        self.faults: Counter[str] = Counter()
        self.latencies = Latencies()
        """How long everybody took for their moves."""
        self.stopped = ""
        """Why it ended."""
        self._window = max(AHEAD, AHEAD * self.workers.free)

    def play(self, tasks: Iterable[Task]) -> Generator[Played]:
        """The games of a schedule in its order. Close the generator to stop at once."""
        waiting = iter(tasks)
        due: dict[int, Task] = {}  # handed out and not yet counted, in order
        done: dict[int, Played] = {}
        more = True
        try:
            while more or due:
                if more and self.workers.free and len(due) < self._window:
                    task = next(waiting, None)
                    if task is None:
                        more = False
                        continue
                    due[task.number] = task
                    known = self._without_playing(task)
                    if known is None:
                        self.workers.send(task)
                        continue
                    done[task.number] = known
                else:
                    finished = self.workers.finished()
                    self._unsaved += finished
                    if time.monotonic() - self._saved >= self._commit_every:
                        self.save()
                    done |= {played.task.number: played for played in finished}
                while due and (number := next(iter(due))) in done:
                    del due[number]
                    yield self._counted(done.pop(number))
        except BaseException:
            self.workers.close()
            self.save()
            self.leftover = [done[number] for number in sorted(done)]
            raise

    leftover: list[Played] = []  # noqa: RUF012  (replaced, never changed)
    """After an interruption: finished games that stand behind one that is not."""

    def save(self) -> None:
        """Put into the store what has finished."""
        unsaved, self._unsaved = self._unsaved, []
        if self.store is not None and unsaved:
            self.store.add(*unsaved)
        self._saved = time.monotonic()

    def _without_playing(self, task: Task) -> Played | None:
        if any(spec in self.retired for spec in task.players):
            return self._forfeited(task)
        found = self.store.find(task) if self.store is not None else None
        self.found += found is not None
        return found

    def _forfeited(self, task: Task) -> Played:
        """What a retired player would have lost; between two of them nobody wins."""
        gone = [spec in self.retired for spec in task.players]
        for_first = 0 if all(gone) else -1 if gone[0] else 1
        result = for_first if task.a_first else -for_first
        return Played(task, (), result, None, RETIRED)

    def _counted(self, played: Played) -> Played:
        """A game as it counts: one that a player played after its retirement does not."""
        if any(spec in self.retired for spec in played.task.players):
            return self._forfeited(played.task)
        for side, spec in enumerate(played.task.players):
            if played.fault == side:
                self.faults[spec] += 1
                if self.faults[spec] >= self.max_faults > 0:
                    self.retired[spec] = f"{played.reason}: {played.detail}".rstrip(": ")
            elif played.fault is None:
                self.faults[spec] = 0
        self.latencies.add(played)
        return replace(played, times=(), values=()) if played.times else played

    def close(self) -> None:
        self.workers.close()
        self.save()
