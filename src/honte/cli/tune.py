"""``honte tune FILE.toml``: tune an engine's settings by playing games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honte.cli.match import (
    FaultsOption,
    JsonOption,
    OnOption,
    PlotOption,
    exit_for,
    exit_without_games,
    from_store,
    handling_signals,
    running,
)
from honte.core.language import Message, tr

if TYPE_CHECKING:
    from honte.arena.run import Run
    from honte.tune.tuning import Tuning

COMMIT_EVERY = 0.25


def tune(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help=tr("The study."))],
    store: Annotated[
        Path | None,
        typer.Option(
            "--store", metavar="DB", help=tr("The store of the games; FILE.db by default.")
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=0, max=10_000, help=tr("0: one per core."))
    ] = 0,
    on: OnOption = "local",
    batch: Annotated[
        int,
        typer.Option("--batch", min=0, max=10_000, help=tr("Games per batch; 0: automatic.")),
    ] = 0,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=2**40, help=tr("Overrides the study's seed."))
    ] = None,
    max_faults: FaultsOption = 5,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tune an engine's settings, then verify the best in a match. Resumes."""
    from honte.arena import plot as plots
    from honte.arena.identity import hashes, identity
    from honte.tune import games, report
    from honte.tune import plot as pictures
    from honte.tune.study import load
    from honte.tune.tuning import Tuning

    study = load(file, seed)
    if plot is not None:
        plots.check(plot)
    specs = {study.spec(study.space.start), *study.opponents, *study.verified}
    engines = {spec: identity(spec, study.file.game) for spec in specs}
    versions = hashes(engines)
    build = versions[study.spec(study.space.start)]  # of all points: only their settings differ
    tuning = Tuning(study, versions, build)
    command = {
        "command": "tune",
        "study": file.read_text(encoding="utf-8"),
        "seed": study.seed,
        "versions": versions,
        "build": build,
    }
    kept = store or Path(file.with_suffix(".db").name)
    with running(
        workers,
        kept,
        max_faults,
        command,
        engines,
        on=on,
        play=games.play,
        batch=batch or games.batch(study),
        commit_every=COMMIT_EVERY,
    ) as run:
        with handling_signals(run, tuning):
            follow(tuning, run)
        if not tuning.games:
            exit_without_games(tuning.stopped)
        found = tuning.summary() | from_store(run) | {"store": str(kept)}
        typer.echo(json.dumps(found) if as_json else report.study_table(tuning, found))
        if not as_json:
            for line in run.left_out.lines():
                typer.echo(tr(line))
        if plot is not None and tuning.history:
            pictures.plot_study(tuning, plot)
    exit_for(tuning.stopped)
    if run.retired:
        raise ValueError(
            Message(
                "{stopped}; the games are in {kept}: fix it and run the same command to resume",
                stopped=tuning.stopped,
                kept=kept,
            )
        )


def follow(tuning: Tuning, run: Run) -> None:
    """Search and verify, until all games are played or a player is retired."""
    from honte.tune.live import LiveStudy

    live = LiveStudy(tuning.expected_games)
    searching, verifying = tuning.search(run), tuning.verify(run)
    try:
        for _ in searching:
            if live.due():
                live.study(tuning, run)
        if tuning.stopped:
            return
        for _ in verifying:
            if live.due():
                live.verification(tuning, run)
        tuning.stopped = tuning.stopped or Message("all games played")
    finally:
        live.clear()
        searching.close()
        verifying.close()
