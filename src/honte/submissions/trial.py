"""The trial of a submitted bot: compile, check, ladder.

`trial` yields events as JSON-ready values. ``python -m honte.submissions.trial`` does the same in a
process of its own, one event a line, so that a server can follow and cancel it.

    {"event": "build", "version": 3, "ok": true, "seconds": 1.2, "diagnostics": []}
    {"event": "finding", "kind": "ok", "name": …, "seen": …, "fix": …, "picture": …}
    {"event": "checked", "faults": [], "words": "Nothing is wrong."}
    {"event": "game", "level": 50, "result": 1, "elo": 700, "error": 160, …}
    {"event": "end", "ok": true, "elo": 688, "error": 169, "games": 20}
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from honte.arena import ladder as ladders
from honte.arena.cluster import team
from honte.arena.game import Played, play_task
from honte.arena.identity import Identity, hashes, identity
from honte.arena.run import Run
from honte.arena.schedule import Clock, Plan
from honte.arena.store import Store
from honte.core import language, signals
from honte.core.games import game as make_game
from honte.core.language import plural, tr, tr_value
from honte.core.request import Limit
from honte.games import MEASURED
from honte.players.level import table
from honte.submissions import compiler
from honte.submissions.compiler import Build
from honte.submissions.sources import files_of
from honte.submissions.versions import Version, Versions
from honte.submissions.watched import findings

CHECK_SECONDS = 30.0
QUICK_MOVE = 0.5
"""Seconds per move; a bot that takes its full time does not lose by it."""
MARGIN = 0.5
STORE = "games.db"
COMMAND = "--command"
MAX_FAULTS = 5

Event = dict[str, Any]


def trial(
    versions: Versions,
    path: Path | str,
    game: str | None = None,
    seconds: float = 3.0,
    *,
    ladder: bool = True,
    compile_seconds: float = compiler.SECONDS,
) -> Generator[Event, None, None]:
    """Take in the files at a path, or a command line; yields the events of its trial.

    The last event is an ``end``.
    """
    version = None
    for event in attempted(versions, path, game, seconds, ladder, compile_seconds):
        yield event
        if event["event"] == "build" and event["ok"]:
            version = event["version"]
    found = next((one for one in versions.all() if one.number == version), None)
    yield {"event": "end", "ok": False} if found is None else ended(found)


def ended(version: Version) -> Event:
    """The final event for a version that was kept."""
    rating = {"elo": version.elo, "error": version.error, "games": version.games}
    return {"event": "end", "ok": not version.faults, **rating}


def laddered_newest(
    versions: Versions, game: str | None, seconds: float
) -> Generator[Event, None, None]:
    """The ladder of the newest version alone."""
    yield from laddered(versions, versions.all()[-1], game, seconds)
    yield ended(versions.all()[-1])


def attempted(
    versions: Versions,
    path: Path | str,
    game: str | None,
    seconds: float,
    ladder: bool,
    compile_seconds: float,
) -> Iterator[Event]:
    """The events of a trial before its end."""
    try:
        if isinstance(path, str):
            version, build = versions.add_command(path, game)
        else:
            version, build = versions.add(files_of(path), game, seconds=compile_seconds)
    except ValueError as error:
        yield {"event": "refused", "words": tr(str(error))}
        return
    game = game or version.source.game or None
    yield build_event(version, build)
    if not build.ok:
        return
    for event in checked(version, game, seconds):
        yield event
        if event["event"] == "checked":
            version = replace(version, faults=tuple(event["faults"]), checked=True)
    versions.save(version)
    if ladder and not version.faults:
        yield from laddered(versions, version, game, seconds)


def laddered(
    versions: Versions, version: Version, game: str | None, seconds: float
) -> Iterator[Event]:
    """The games of a version's ladder, its rating saved after each."""
    for event in climbed(version, versions.folder / STORE, game or MEASURED, seconds):
        yield event
        version = replace(version, elo=event["elo"], error=event["error"], games=event["games"])
        versions.save(version)


def build_event(version: Version, build: Build) -> Event:
    """The event that reports a build."""
    return {
        "event": "build",
        "version": version.number,
        "main": version.source.main,
        "protocol": version.source.protocol,
        "game": version.source.game,
        "ok": build.ok,
        "seconds": round(build.seconds, 2),
        "diagnostics": [
            {**found._asdict(), "text": tr(found.text), "advice": tr(found.advice)}
            for found in build.diagnostics
        ],
    }


def checked(version: Version, game: str | None, seconds: float) -> Iterator[Event]:
    """Yield the findings of the check, then its verdict."""
    faults: list[str] = []
    for finding in findings(version, make_game(game or MEASURED), seconds, CHECK_SECONDS):
        if finding.kind == "fault":
            faults.append(str(finding.name))
        yield {
            "event": "finding",
            "kind": finding.kind,
            "name": tr(finding.name),
            "seen": tr_value(finding.seen),
            "fix": tr(finding.fix),
            "picture": finding.picture,
        }
    words = tr("Nothing is wrong.")
    if faults:
        words = tr(plural("One fault.", "{n} faults.", len(faults)))
    yield {"event": "checked", "faults": faults, "words": words}


def climbed(
    version: Version, store: Path, game: str, seconds: float
) -> Generator[Event, None, None]:
    """The games of a quick ladder as they end, with the rating so far."""
    spec = version.spec
    rules = make_game(game)
    rungs = table(rules)
    engines = {spec: identity(spec, game)} | ladders.identities(rungs, rules)
    results = ladders.Ladder(spec, rungs)
    with stored_run(store, engines) as run:
        playing = ladders.climb(results, quick_plan(game, seconds, engines), run)
        try:
            for played in playing:
                yield game_event(results, played, spec)
        finally:
            playing.close()


def quick_plan(game: str, seconds: float, engines: Mapping[str, Identity]) -> Plan:
    """Games with quick moves, in which a bot may still take its full time."""
    return Plan(
        game=game,
        limit=Limit(seconds=min(seconds, QUICK_MOVE)),
        clock=Clock(MARGIN + max(0.0, seconds - QUICK_MOVE)),
        versions=hashes(engines),
    )


@contextmanager
def stored_run(store: Path, engines: Mapping[str, Identity], workers: int = 1) -> Iterator[Run]:
    """A run that keeps its games in the store of the versions."""
    with Store(store) as kept:
        kept.add_builds(engines.values())
        run = Run(team("local", workers, play_task), kept, MAX_FAULTS)
        try:
            yield run
        finally:
            run.close()


def game_event(results: ladders.Ladder, played: Played, spec: str) -> Event:
    """A game, seen from the bot."""
    elo, error = results.rating()
    first = played.task.players[0] == spec
    rules = make_game(played.task.game)
    opponent = played.task.players[1 if first else 0]
    return {
        "event": "game",
        "id": played.task.id,
        "level": int(opponent.partition(":")[2].partition(",")[0]),
        "first": first,
        "result": played.for_first if first else -played.for_first,
        "reason": tr(played.reason),
        "detail": tr(played.detail),
        "game": played.task.game,
        "moves": [rules.format(move) for move in played.moves],
        "elo": round(elo),
        "error": round(error),
        "games": results.total.games,
        "planned": 2 * ladders.QUICK_RUNGS,
    }


def main() -> None:
    """``FOLDER PATH [GAME [SECONDS [PART]]]``: try the bot at PATH and keep it in FOLDER.

    PART: ``check`` does not ladder it; ``ladder`` only ladders the newest version. ``FOLDER
    --command LINE`` tries a command line.
    """
    language.use(language.wanted([], os.environ))
    signals.end_with_input()
    folder, path, *more = sys.argv[1:]
    given: Path | str = more.pop(0) if path == COMMAND else Path(path)
    game = more[0] if more else None
    seconds = float(more[1]) if more[1:] else 3.0
    part = more[2] if more[2:] else ""
    versions = Versions(Path(folder))
    events = trial(versions, given, game, seconds, ladder=part != "check")
    if part == "ladder":
        events = laddered_newest(versions, game, seconds)
    for event in events:
        print(json.dumps(event), flush=True)


if __name__ == "__main__":
    main()
