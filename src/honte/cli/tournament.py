"""``honte tournament SPEC...``: round robin, gauntlet, Swiss or adaptive."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from honte.cli.match import (
    ClockOption,
    FaultsOption,
    GameOption,
    IterationsOption,
    JsonOption,
    MarginOption,
    MaxPliesOption,
    OnOption,
    OpeningsOption,
    PauseOption,
    PliesOption,
    PlotOption,
    SandboxOption,
    SecondsOption,
    SeedOption,
    Settings,
    StoreOption,
    WorkersOption,
    exit_for,
    exit_without_games,
    from_store,
    handling_signals,
    running,
    set_sandbox,
)
from honte.core.language import Message, tr
from honte.games import DEFAULT


def tournament(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC...", help=tr("Player specs."))],
    game: GameOption = DEFAULT,
    schedule: Annotated[
        str | None,
        typer.Option(
            "--schedule",
            metavar="NAME",
            help=tr(
                "round-robin, gauntlet (the first player against the others), swiss (players with "
                "similar points) or adaptive (pairs that say most about the ranking)."
            ),
        ),
    ] = None,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help=tr("Short for --schedule gauntlet."))
    ] = False,
    swiss: Annotated[bool, typer.Option("--swiss", help=tr("Short for --schedule swiss."))] = False,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=100_000, help=tr("Pairs of games per pairing."))
    ] = 1,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            min=1,
            max=1_000_000,
            help=tr("Most games of an adaptive schedule; as many as a round robin by default."),
        ),
    ] = None,
    seconds: SecondsOption = None,
    iterations: IterationsOption = None,
    clock: ClockOption = None,
    margin: MarginOption = 0.5,
    workers: WorkersOption = 1,
    seed: SeedOption = 0,
    opening_plies: PliesOption = None,
    openings: OpeningsOption = None,
    max_plies: MaxPliesOption = 2000,
    max_faults: FaultsOption = 5,
    sandbox: SandboxOption = None,
    pause: PauseOption = False,
    on: OnOption = "local",
    store: StoreOption = None,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a tournament; prints the table, the crosstable and ratings with their errors."""
    from honte.arena import plot as plots
    from honte.arena import report, tournament
    from honte.arena.live import LiveTable

    system = chosen_system(schedule, gauntlet, swiss)
    adaptive = system == "adaptive"
    if games is not None and not adaptive:
        raise ValueError(Message("--games needs --schedule adaptive; use --rounds"))
    table = tournament.Tournament(specs, by_rating=adaptive)
    set_sandbox(sandbox)
    settings = Settings(
        game, seconds, iterations, clock, margin, seed, opening_plies, openings, max_plies, pause
    )
    plan = settings.plan(specs)
    if plot is not None:
        plots.check(plot)
    command = {"command": "tournament", "players": specs, "system": system, "rounds": rounds}
    total = games or tournament.expected_games(system, len(specs), rounds)
    if adaptive:
        command["games"] = total
    live = LiveTable(total)
    command |= settings.written()
    with running(workers, store, max_faults, command, settings.engines, on=on) as run:
        with handling_signals(run, table):
            playing = tournament.play(table, plan, system, rounds, run, games)
            try:
                for _ in playing:
                    if live.due():
                        live.tournament(table, run)
                table.stopped = table.stopped or Message("all games played")
            finally:
                live.clear()
                playing.close()
                if not table.stopped:
                    for played in run.leftover:
                        table.add(played)
        if not table.total:
            exit_without_games(table.stopped)
        found = table.summary() | {"system": system} | from_store(run)
        found["times"] = run.latencies.summary()
        lines = run.left_out.lines()
        typer.echo(json.dumps(found) if as_json else report.tournament_table(found, lines))
        if plot is not None:
            plots.plot_tournament(found, plot)
    exit_for(table.stopped)


def chosen_system(schedule: str | None, gauntlet: bool, swiss: bool) -> str:
    """The schedule that the options name."""
    from honte.arena.tournament import SYSTEMS

    names = [schedule] * (schedule is not None) + ["gauntlet"] * gauntlet + ["swiss"] * swiss
    if len(names) > 1:
        raise ValueError(Message("choose one of --schedule, --gauntlet and --swiss"))
    known = {name.replace(" ", "-"): name for name in SYSTEMS}
    name = names[0] if names else "round-robin"
    if name not in known:
        raise ValueError(
            Message(
                "unknown schedule {name}; choose one of {known}", name=name, known=", ".join(known)
            )
        )
    return known[name]
