"""``honte calibrate GAME``: measure the levels of a game, and write their table."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honte.cli.match import SeedOption, StoreOption, WorkersOption, leave, running, watched

if TYPE_CHECKING:
    from honte.arena.calibrate import Calibration, Check
    from honte.arena.run import Run
    from honte.arena.schedule import Plan, Task
    from honte.players.level import Dial


def calibrate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="connect4, othello or go.")],
    games: Annotated[
        int | None,
        typer.Option("--games", min=2, max=100_000, help="Of a pairing; costly ones play fewer."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Measure a sample of the levels there are instead.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The table; else honte's own."),
    ] = None,
    store: StoreOption = None,
    workers: WorkersOption = 1,
    seed: SeedOption = 0,
) -> None:
    """Measure how strong the levels of a game are, and write the table that `level:N` plays by."""
    from honte import __version__
    from honte.arena import calibrate as scale
    from honte.arena.schedule import Plan
    from honte.players.level import FOLDER, dial_of, engine_words

    dial = dial_of(game)
    plan = Plan(dial.game, seed=seed)
    if check:
        checked(game, dial, plan, games or scale.CHECK_GAMES, store, workers)
        return
    games = games or scale.GAMES
    path = output or FOLDER / f"{game}.json"
    if not path.absolute().parent.is_dir():
        raise ValueError(f"{path}: there is no such folder; make it first")
    places = scale.settings(dial)
    versions = {place.spec: engine_version(dial) for place in places}
    plan = Plan(dial.game, seed=seed, versions=versions)
    tasks = list(scale.schedule(plan, dial, places, games))
    results = scale.Calibration(places)
    command = f"honte calibrate {game} --games {games} --seed {seed}"
    with running(workers, store, 0, {"command": "calibrate", "game": game}) as run:
        follow(run, tasks, results)
    if results.stopped != "all games played":
        typer.echo(f"stopped: {results.stopped} after {results.total} of {len(tasks)} games")
        leave(results.stopped)
    points = results.points()
    about: dict[str, object] = {
        "command": command,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "version": __version__,
        "engine": engine_words(dial),
    }
    found = scale.document(dial, points, results.total, about)
    path.write_text(written(found), encoding="utf-8")
    typer.echo("  noise  iterations     Elo  ±      fitted  games")
    for point in points:
        typer.echo(
            f"  {point.noise:5.3f}  {point.iterations:>10,}  {point.elo:6.0f}  "
            f"{point.error:<5.0f}  {point.fitted:>6.0f}  {point.games:>5}"
        )
    typer.echo(f"{results.total} games; the hundred levels are in {path}")


def engine_version(dial: Dial) -> str:
    """What the engine is made of: its games count only for the same one."""
    from honte import __version__
    from honte.players.level import engine_words

    return f"{__version__} {engine_words(dial)}"


def written(found: dict[str, Any]) -> str:
    """JSON that is easy to read: one line a level."""
    lines = []
    for key, value in found.items():
        if isinstance(value, list) and isinstance(value[0], dict):
            rows = ",\n".join(f"    {json.dumps(row)}" for row in value)
            lines.append(f"  {json.dumps(key)}: [\n{rows}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def follow(run: Run, tasks: list[Task], results: Calibration | Check) -> None:
    """Play the games, with the time left on the standard error."""
    from honte.arena.report import Live

    live = Live(len(tasks))
    with watched(run, results):
        playing = run.play(tasks)
        try:
            for played in playing:
                results.add(played)
                if live.due():
                    live.show(results.total, run.found, "")
            results.stopped = "all games played"
        finally:
            live.clear()
            playing.close()


def checked(
    game: str, dial: Dial, plan: Plan, games: int, store: Path | None, workers: int
) -> None:
    """Play levels against others ten above them; exit 1 if the table is wrong about one."""
    from dataclasses import replace

    from honte.arena import calibrate as scale
    from honte.players.level import NAME, table

    rungs = table(game)
    versions = {f"{NAME}:{rung.level}": rung.signature for rung in rungs}
    tasks = list(scale.check_schedule(replace(plan, versions=versions), games))
    results = scale.Check(rungs)
    with running(workers, store, 0, {"command": "calibrate", "check": game}) as run:
        follow(run, tasks, results)
    rows = results.rows()
    typer.echo("  level  against  games  predicted  measured  ± (95 %)")
    for row in rows:
        typer.echo(
            f"  {row.high:>5}  {row.low:>7}  {row.games:>5}  {100 * row.predicted:>7.1f} %  "
            f"{100 * row.measured:>6.1f} %  {196 * row.error:>5.1f}"
            f"{'' if row.fine else '   off'}"
        )
    leave(results.stopped)
    if not all(row.fine for row in rows):
        print("honte: the table is off; run `honte calibrate` again", file=sys.stderr)
        raise typer.Exit(1)
    typer.echo(f"the table of {dial.game} agrees with {results.total} games")
