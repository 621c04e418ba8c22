"""``honte calibrate GAME``: measure the strength of a game's levels and write their table."""

from __future__ import annotations

import json
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honte.cli.match import (
    SeedOption,
    StoreOption,
    WorkersOption,
    exit_for,
    handling_signals,
    running,
)
from honte.core.language import Message, tr
from honte.core.whole_file import write_whole

if TYPE_CHECKING:
    from honte.arena.calibrate import Calibration, Check
    from honte.arena.calibrate_network import NetworkCalibration
    from honte.arena.run import Run
    from honte.arena.schedule import Plan, Task
    from honte.core.contract import Game
    from honte.core.descriptor_parts import Levels


def calibrate(
    game: Annotated[str, typer.Argument(metavar="GAME", help=tr("A game with levels."))],
    games: Annotated[
        int | None,
        typer.Option(
            "--games", min=2, max=100_000, help=tr("Per pairing; expensive ones play fewer.")
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help=tr("Check a sample of the present levels instead."))
    ] = False,
    network: Annotated[
        bool, typer.Option("--network", help=tr("Measure the levels that a network plays instead."))
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help=tr("The table to write; levels.json or network_levels.json by default."),
        ),
    ] = None,
    store: StoreOption = None,
    workers: WorkersOption = 1,
    seed: SeedOption = 0,
) -> None:
    """Measure the strength of a game's levels and write a table for `level:N`."""
    from honte import __version__
    from honte.arena import calibrate as scale
    from honte.arena.identity import hashes, level_identity
    from honte.arena.schedule import Plan
    from honte.core.games import game as make_game
    from honte.players.level import TABLE, engine_spec, engine_words, levels_of, signature

    rules = make_game(game)
    dial = levels_of(rules)
    plan = Plan(dial.game, seed=seed)
    if check:
        checked(rules, dial, plan, games or scale.CHECK_GAMES, store, workers)
        return
    if network:
        by_network(game, rules, dial, games, output, store, workers, seed)
        return
    games = games or scale.GAMES
    path = output or Path(TABLE)
    if not path.absolute().parent.is_dir():
        raise ValueError(Message("{path}: there is no such folder; make it first", path=path))
    places = scale.settings(dial)
    board = make_game(dial.game)
    engines = {
        place.spec: level_identity(
            signature(engine_spec(dial, place.iterations), place.noise), board
        )
        for place in places
    }
    plan = Plan(dial.game, seed=seed, versions=hashes(engines))
    tasks = list(scale.schedule(plan, dial, places, games))
    results = scale.Calibration(places)
    command = f"honte calibrate {game} --games {games} --seed {seed}"
    with running(workers, store, 0, {"command": "calibrate", "game": game}, engines) as run:
        follow(run, tasks, results)
    if results.stopped != "all games played":
        typer.echo(
            tr(
                "stopped: {stopped} after {total} of {count} games",
                stopped=tr(results.stopped),
                total=results.total,
                count=len(tasks),
            )
        )
        exit_for(results.stopped)
    points = results.points()
    about: dict[str, object] = {
        "command": command,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "version": __version__,
        "engine": engine_words(dial),
    }
    found = scale.document(dial, points, results.total, about)
    write_whole(path, written(found).encode())
    typer.echo(tr("  noise  iterations     Elo  ±      fitted  games"))
    for point in points:
        typer.echo(
            f"  {point.noise:5.3f}  {point.iterations:>10,}  {point.elo:6.0f}  "
            f"{point.error:<5.0f}  {point.fitted:>6.0f}  {point.games:>5}"
        )
    for line in run.left_out.lines():
        typer.echo(tr(line))
    typer.echo(
        tr("{total} games; the hundred levels are in {path}", total=results.total, path=path)
    )
    typer.echo(how_to_install(rules, path, TABLE))


def by_network(
    game: str, rules: Game, dial: Levels, games: int | None, output: Path | None,
    store: Path | None, workers: int, seed: int,
) -> None:  # fmt: skip
    """Measure the network's settings on the scale of the other levels and write their table."""
    from honte import __version__
    from honte.arena import calibrate_network as scale
    from honte.arena.identity import hashes, level_identity
    from honte.arena.schedule import Plan
    from honte.core.games import game as make_game
    from honte.players.level import (
        NETWORK_TABLE,
        base_table,
        engine_spec,
        network_of,
        signature,
    )  # fmt: skip

    board = make_game(dial.game)
    its = network_of(board)
    if its is None:
        raise ValueError(Message("no network plays levels of {game}", game=game))
    games = games or scale.GAMES
    path = output or Path(NETWORK_TABLE)
    if not path.absolute().parent.is_dir():
        raise ValueError(Message("{path}: there is no such folder; make it first", path=path))
    places = scale.settings(its)
    rungs = base_table(rules)
    known = scale.anchors(rungs)
    signatures = {spec: rung.signature for spec, rung in known.items()}
    for place in places:
        engine = engine_spec(its, place.iterations)
        signatures[place.spec] = signature(engine, 0.0, place.temperature)
    engines = {spec: level_identity(found, board) for spec, found in signatures.items()}
    plan = Plan(dial.game, seed=seed, versions=hashes(engines))
    tasks = list(scale.schedule(plan, places, known, games))
    results = scale.NetworkCalibration(places, known)
    with running(workers, store, 0, {"command": "calibrate", "network": game}, engines) as run:
        follow(run, tasks, results)
    if results.stopped != "all games played":
        typer.echo(
            tr(
                "stopped: {stopped} after {total} of {count} games",
                stopped=results.stopped,
                total=results.total,
                count=len(tasks),
            )
        )
        exit_for(results.stopped)
    points = results.points()
    found = scale.levels(dial, points, rungs)
    about: dict[str, object] = {
        "command": f"honte calibrate {game} --network --games {games} --seed {seed}",
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "version": __version__,
        "engine": its.engine,
        "games": results.total,
    }
    write_whole(path, written(scale.document(dial, points, found, about)).encode())
    typer.echo(tr("  temperature  iterations     Elo  ±      fitted  games"))
    for point in points:
        typer.echo(
            f"  {point.temperature:11.2f}  {point.iterations:>10,}  {point.elo:6.0f}  "
            f"{point.error:<5.0f}  {point.fitted:>6.0f}  {point.games:>5}"
        )
    typer.echo(
        tr(
            "{total} games; levels {low} to {high} are in {path}",
            total=results.total,
            low=found[0].level,
            high=found[-1].level,
            path=path,
        )
    )
    typer.echo(how_to_install(rules, path, NETWORK_TABLE))


def how_to_install(game: Game, path: Path, name: str) -> str:
    """How to make a table the one that `level:N` uses."""
    from honte.players.level import table_path

    file, installed = shlex.quote(str(path)), shlex.quote(str(table_path(game, name)))
    return tr("install it:  cp {file} {installed}", file=file, installed=installed)


def written(found: dict[str, Any]) -> str:
    """Readable JSON: one line per level."""
    lines = []
    for key, value in found.items():
        if isinstance(value, list) and isinstance(value[0], dict):
            rows = ",\n".join(f"    {json.dumps(row)}" for row in value)
            lines.append(f"  {json.dumps(key)}: [\n{rows}\n  ]")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def follow(run: Run, tasks: list[Task], results: Calibration | NetworkCalibration | Check) -> None:
    """Play the games, with a progress line on standard error."""
    from honte.arena.report import Live

    live = Live(len(tasks))
    with handling_signals(run, results):
        playing = run.play(tasks)
        try:
            for played in playing:
                results.add(played)
                if live.due():
                    live.show(results.total, run.found, "")
            results.stopped = Message("all games played")
        finally:
            live.clear()
            playing.close()


def checked(
    game: Game, dial: Levels, plan: Plan, games: int, store: Path | None, workers: int
) -> None:
    """Play levels against those ten above; exit code 1 if a score contradicts the table."""
    from dataclasses import replace

    from honte.arena import calibrate as scale
    from honte.arena.identity import hashes
    from honte.arena.ladder import identities
    from honte.players.level import table

    rungs = table(game)
    engines = identities(rungs, game)
    tasks = list(scale.check_schedule(replace(plan, versions=hashes(engines)), games))
    results = scale.Check(rungs)
    command: dict[str, object] = {"command": "calibrate", "check": game.name}
    with running(workers, store, 0, command, engines) as run:
        follow(run, tasks, results)
    rows = results.rows()
    typer.echo(tr("  level  against  games  predicted  measured  ± (95 %)"))
    for row in rows:
        typer.echo(
            f"  {row.high:>5}  {row.low:>7}  {row.games:>5}  {100 * row.predicted:>7.1f} %  "
            f"{100 * row.measured:>6.1f} %  {196 * row.error:>5.1f}"
            f"{'' if row.fine else '   ' + tr('off')}"
        )
    exit_for(results.stopped)
    if not all(row.fine for row in rows):
        told = tr("the table is off; run `honte calibrate` again")
        print(f"honte: {told}", file=sys.stderr)
        raise typer.Exit(1)
    typer.echo(
        tr("the table of {game} agrees with {total} games", game=dial.game, total=results.total)
    )
