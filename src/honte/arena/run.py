"""A run: the games of a schedule, played by workers, stored, and returned in order.

Games finish in any order but are counted in the order of the schedule. So everything that depends
on results (retired players, the decision of an SPRT, Swiss pairings) is independent of the number
of workers and of where a run was killed and resumed. An adaptive schedule is independent of the
workers; after a resumption it goes on from the games that the store has.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field, replace

from honte.arena.game import RETIRED, Played, play_task
from honte.arena.schedule import Task
from honte.arena.store import Store, StoreError
from honte.arena.times import Latencies
from honte.arena.workers import Team, Workers
from honte.core.language import Message, plural

MAX_FAULTS = 5
AHEAD = 32
"""Games per worker that may be in flight beyond the first unfinished one."""
NAMED = 3
"""Players named in the line about games that were left out."""


@dataclass
class LeftOut:
    """Stored games that a run leaves out: they differ only by the build of a player."""

    games: int = 0
    unrecorded: int = 0
    """How many of them are older than the recording of builds."""
    specs: dict[str, None] = field(default_factory=dict)
    """The players whose other builds played the rest."""

    def add(self, task: Task, builds: tuple[str, str], recorded: bool) -> None:
        self.games += 1
        if not recorded:
            self.unrecorded += 1
            return
        for spec, build, now in zip(task.players, builds, task.versions, strict=True):
            if build != now:
                self.specs[spec] = None

    def lines(self) -> list[str]:
        """The notice about the games left out.

        >>> LeftOut(12, 0, {"uct": None}).lines()
        ['12 games in the store were left out: they are from another build of uct']
        """
        found: list[str] = []
        if known := self.games - self.unrecorded:
            names = ", ".join(list(self.specs)[:NAMED])
            if (more := len(self.specs) - NAMED) > 0:
                names = Message("{names} and {more} more", names=names, more=more)
            found.append(
                plural(
                    "{n} game in the store was left out: it is from another build of {players}",
                    "{n} games in the store were left out: they are from another build of "
                    "{players}",
                    known,
                    players=names,
                )
            )
        if self.unrecorded:
            found.append(
                plural(
                    "{n} game in the store was left out: it is from before builds were recorded",
                    "{n} games in the store were left out: they are from before builds were "
                    "recorded",
                    self.unrecorded,
                )
            )
        return found


class Run:
    """Plays schedules on workers; games that the store has are not played again."""

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
        """Seconds between transactions: short games are stored several at a time."""
        self._unsaved: list[Played] = []
        self._saved = time.monotonic()
        self.retired: dict[str, str] = {}
        """Players removed after too many faults in a row, with their last fault."""
        self.found = 0
        """Games taken from the store."""
        self.left_out = LeftOut()
        """Games in the store that another build played."""
        self.faults: Counter[str] = Counter()
        self.latencies = Latencies()
        """Time per move of each player."""
        self.stopped = ""
        """Why the run ended."""
        self._window = max(AHEAD, AHEAD * self.workers.free)

    def play(self, tasks: Iterable[Task], ahead: int | None = None) -> Generator[Played]:
        """Yield the games of a schedule in order. Close the generator to stop at once.

        A schedule that depends on results sets `ahead`: how many games it can hand out before
        their results are known.
        """
        waiting = iter(tasks)
        window = self._window if ahead is None else min(ahead, self._window)
        due: dict[int, Task] = {}  # handed out and not yet counted, in order
        done: dict[int, Played] = {}
        more = True
        try:
            while more or due:
                if more and self.workers.free and len(due) < window:
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
                    new = {played.task.number: played for played in finished}
                    done |= new  # before they are stored: what is stored is counted
                    try:
                        if time.monotonic() - self._saved >= self._commit_every:
                            self.save()
                    except StoreError:
                        done = {number: done[number] for number in done.keys() - new}
                        raise
                while due and (number := next(iter(due))) in done:
                    del due[number]
                    counted = self._counted(done[number])
                    del done[number]
                    yield counted
        except BaseException:
            self.leftover = [done[number] for number in sorted(done)]
            try:
                self.save()  # a second Ctrl-C may come while the workers close
            finally:
                self.close()
            raise

    leftover: list[Played] = []  # noqa: RUF012  (replaced, never changed)
    """After an interruption: games that finished out of order, behind an unfinished one."""

    def save(self) -> None:
        """Store the games that have finished; Ctrl-C meanwhile leaves them for the next call."""
        if self.store is not None and self._unsaved:
            try:
                self.store.add(*self._unsaved)
            except StoreError:
                self._unsaved = []
                raise
        self._unsaved = []
        self._saved = time.monotonic()

    def _without_playing(self, task: Task) -> Played | None:
        if any(spec in self.retired for spec in task.players):
            return self._forfeited(task)
        if self.store is None:
            return None
        found = self.store.find(task)
        self.found += found is not None
        for builds in self.store.other_builds(task):
            recorded = all(map(self.store.build_words, builds))
            self.left_out.add(task, builds, recorded)
        return found

    def _forfeited(self, task: Task) -> Played:
        """A game that a retired player forfeits; a draw between two retired players."""
        gone = [spec in self.retired for spec in task.players]
        for_first = 0 if all(gone) else -1 if gone[0] else 1
        result = for_first if task.a_first else -for_first
        return Played(task, (), result, None, RETIRED)

    def _counted(self, played: Played) -> Played:
        """The game as it counts: a forfeit if a player has been retired meanwhile."""
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
