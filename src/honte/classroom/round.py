"""A round of a class: an adaptive tournament of its bots, resumed where it was stopped.

``python -m honte.classroom.round FOLDER`` plays the class's current round in a process of its own.
It ends when its standard input is closed, so that no round outlives its server.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from honte import __version__
from honte.arena import tournament as tournaments
from honte.arena.adaptive import Adaptive
from honte.arena.cluster import team
from honte.arena.game import play_task
from honte.arena.identity import hashes, identity
from honte.arena.run import Run
from honte.arena.schedule import Clock, Plan
from honte.arena.store import Store
from honte.arena.tournament import Tournament
from honte.classroom.classroom import GAMES, STANDINGS, Classroom, Round, Student, bot_name
from honte.core import signals
from honte.core.language import Message
from honte.core.request import Limit
from honte.core.whole_file import write_whole
from honte.sandbox.names import UPLOADS
from honte.sandbox.programs import DEFAULT_LEVEL

EVERY = 1.0
"""Seconds between two updates of the published table."""
MAX_FAULTS = 5
SEED = 1
MARGIN = 0.5
LEVEL = "untrusted"


@dataclass
class Progress:
    """The progress of a round."""

    table: Tournament
    total: int
    """Games of the table when the round has ended."""
    before: int
    """How many of them are from earlier rounds."""
    students: Mapping[str, Student]
    """Students by the names of their bots."""


def play(
    classroom: Classroom,
    round: Round,
    workers: int = 1,
    on: str = "local",
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> str:
    """Play a round to its end; returns why it ended. `tell` gets the games done and the total."""
    os.environ[UPLOADS] = str(classroom.folder)
    os.environ[DEFAULT_LEVEL] = LEVEL
    classroom.write_names()
    students = {bot_name(student, version): student for student, version in classroom.entries()}
    players = list(students)
    engines = {name: identity(name, classroom.game) for name in players}
    plan = Plan(
        game=classroom.game,
        limit=Limit(seconds=round.seconds),
        seed=SEED,
        clock=Clock(MARGIN),
        versions=hashes(engines),
    )
    table = Tournament(players, by_rating=True)
    with ExitStack() as stack:
        store = stack.enter_context(Store(classroom.folder / GAMES))
        store.add_builds(engines.values())
        before = games_before(plan, players, store, round.started)
        total = before + len(players) * round.games // 2
        total += total % 2
        command: dict[str, Any] = {
            "command": "tournament",
            "players": players,
            "system": "adaptive",
            "rounds": 1,
            "games": total,
            "game": classroom.game,
            "seed": SEED,
            "engines": hashes(engines),
        }
        number = store.begin_run(command, __version__)
        run = Run(team(on, workers, play_task), store, MAX_FAULTS)
        stack.callback(run.close)
        progress = Progress(table, total, before, students)
        playing = tournaments.play(table, plan, "adaptive", 1, run, total)
        stack.callback(playing.close)
        told = 0.0
        try:
            for _ in playing:
                if time.monotonic() - told > EVERY:
                    write_standings(classroom, round, progress)
                    tell(table.total, total)
                    told = time.monotonic()
            table.stopped = table.stopped or Message("all games played")
        finally:
            write_standings(classroom, round, progress)
            store.end_run(number, table.stopped or Message("interrupted"))
    return table.stopped


def games_before(plan: Plan, players: list[str], store: Store, started: float) -> int:
    """The games between these bots that earlier rounds have played."""
    earlier = 0
    for a, b, round in Adaptive(plan, players, 0, store).stored():
        for task in plan.pair(players[a], players[b], 0, round):
            played = store.find(task)
            earlier += played is not None and played.started < started
    return earlier


def write_standings(classroom: Classroom, round: Round, progress: Progress) -> None:
    """Write the table for the server to show."""
    found = progress.table.summary()
    rows: Any = found["players"]
    for row in rows:
        student = progress.students[row["player"]]
        row |= {"student": student.id, "name": student.name}
    written = found | {
        "round": round.id,
        "done": progress.table.total,
        "total": progress.total,
        "before": progress.before,
        "time": time.time(),
    }
    write_whole(classroom.folder / STANDINGS, json.dumps(written).encode())


def standings(classroom: Classroom) -> dict[str, Any] | None:
    """The table of the last round; None before the first."""
    try:
        found: dict[str, Any] = json.loads((classroom.folder / STANDINGS).read_bytes())
    except FileNotFoundError:
        return None
    return found


def main() -> None:
    """``FOLDER [WORKERS [ON]]``."""
    folder, *more = sys.argv[1:]
    classroom = Classroom(Path(folder))
    if sys.platform != "win32":
        os.nice(10)
    stopping: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.append(number)
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, stop)
    signals.end_with_input()
    round = classroom.current
    if round is None:
        return
    try:
        words = play(
            classroom, round, int(more[0]) if more else 1, more[1] if more[1:] else "local"
        )
        classroom.end_round(round.id, str(words))
    except KeyboardInterrupt:
        os._exit(0)
    except (ValueError, OSError) as error:
        print(json.dumps({"error": str(error)}), flush=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
