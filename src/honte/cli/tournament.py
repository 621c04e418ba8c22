"""``honte tournament SPEC...``: round robin, gauntlet or Swiss."""

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
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help=tr("The first player against each other."))
    ] = False,
    swiss: Annotated[
        bool, typer.Option("--swiss", help=tr("Pair players with similar points."))
    ] = False,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=100_000, help=tr("Pairs of games per pairing."))
    ] = 1,
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

    if gauntlet and swiss:
        raise ValueError(Message("choose --gauntlet or --swiss, not both"))
    system = "gauntlet" if gauntlet else "swiss" if swiss else "round robin"
    table = tournament.Tournament(specs)
    set_sandbox(sandbox)
    settings = Settings(
        game, seconds, iterations, clock, margin, seed, opening_plies, openings, max_plies, pause
    )
    plan = settings.plan(specs)
    if plot is not None:
        plots.check(plot)
    command = {"command": "tournament", "players": specs, "system": system, "rounds": rounds}
    live = LiveTable(tournament.expected_games(system, len(specs), rounds))
    command |= settings.written()
    with running(workers, store, max_faults, command, settings.engines, on=on) as run:
        with handling_signals(run, table):
            playing = tournament.play(table, plan, system, rounds, run)
            try:
                for _ in playing:
                    if live.due():
                        live.tournament(table, run)
                table.stopped = Message("all games played")
            finally:
                live.clear()
                playing.close()
                if not table.stopped:
                    for played in run.leftover:
                        table.add(played)
        if not table.total:
            exit_for(table.stopped)
        found = table.summary() | {"system": system} | from_store(run)
        found["times"] = run.latencies.summary()
        lines = run.left_out.lines()
        typer.echo(json.dumps(found) if as_json else report.tournament_table(found, lines))
        if plot is not None:
            plots.plot_tournament(found, plot)
    exit_for(table.stopped)
