"""``honte learn net GAME``: train a network by self-play."""

from __future__ import annotations

import math
import os
import shlex
import signal
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honte.cli.match import OnOption, PlotOption
from honte.core import signals
from honte.core.language import Message, tr

if TYPE_CHECKING:
    from honte.nets.run import Options, Run

HOUR = 3600.0


def learn_net(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help=tr("A game spec with networks."))
    ] = None,
    size: Annotated[
        str | None, typer.Option("--size", help=tr("Blocks and channels; b2c16 by default."))
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            "--seconds", min=1, help=tr("Seconds of training in all; an hour by default.")
        ),
    ] = None,
    generations: Annotated[
        int | None, typer.Option("--generations", min=1, help=tr("Generations in all."))
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help=tr("The folder of the run.")),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help=tr("Go on with the run in the folder."))
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", min=4, max=1_000_000, help=tr("Games per generation; 400 by default.")
        ),
    ] = None,
    simulations: Annotated[
        int | None,
        typer.Option("--simulations", min=2, max=100_000, help=tr("Per move; 100 by default.")),
    ] = None,
    exam: Annotated[
        int | None,
        typer.Option(
            "--exam", min=0, max=100_000, help=tr("Positions marked by the solver; 300 by default.")
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=0, max=10_000, help=tr("0: one per core."))
    ] = 0,
    on: OnOption = "local",
    device: Annotated[
        str, typer.Option("--device", help=tr("auto, cpu or accelerator (needs JAX)."))
    ] = "auto",
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, max=2**31, help=tr("Random seed."))
    ] = None,
    show: Annotated[
        Path | None,
        typer.Option("--show", metavar="FOLDER", help=tr("Draw the curves of a run instead.")),
    ] = None,
    plot: PlotOption = None,
) -> None:
    """Train a network by self-play: on an accelerator where JAX sees one, else on CPU cores.

    Each generation plays games against itself, learns from them, is marked by the exact solver
    where the game has one, and plays a match against an earlier one. Ctrl-C and even kill -9 lose
    seconds; --resume goes on.
    """
    # The learner and the workers share the cores already; threads of numpy's would only wait.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if plot is not None:
        from honte.arena import plot as plots

        plots.check(plot)
    if show is not None:
        draw(show, plot)
        return
    given: dict[str, Any] = {
        "size": size, "games": games, "simulations": simulations, "exam": exam,
        "seed": seed,
    }  # fmt: skip
    given = {key: value for key, value in given.items() if value is not None}
    folder = out or Path(f"net-{(game or 'run').replace(':', '-').replace('/', '-')}")
    if seconds is None and generations is None:
        seconds = HOUR
    from honte.nets.accelerated import choose, has_jax
    from honte.nets.run import holds_a_run

    if not resume and (folder / "log.jsonl").exists():
        raise holds_a_run(folder)
    begun = (folder / "run.json").exists()
    by_cpu = resume and begun
    if not by_cpu and on == "local" and choose(device):
        if begun:
            raise holds_a_run(folder)
        refuse_options_of_cores(
            generations=generations, games=games, exam=exam, workers=workers or None
        )
        on_accelerator(game, folder, seconds or HOUR, resume, given)
    else:
        if device == "auto" and not has_jax() and not by_cpu:
            from honte.nets.accelerated import INSTALL

            typer.echo(
                tr(
                    "training on CPU cores; with an accelerator, install JAX: `{install}`",
                    install=INSTALL,
                )
            )
        options = options_for(game, folder, resume, given)
        on_cores(folder, options, seconds, generations, workers, on)
    if plot is not None:
        draw(folder, plot, quiet=True)


def options_for(game: str | None, folder: Path, resume: bool, given: dict[str, Any]) -> Options:
    """What to train: as given, or as the run in the folder began."""
    from honte.nets.run import Options, options_of
    from honte.nets.sizes import Size

    if not resume:
        if game is None:
            raise ValueError(Message("name the game to learn, or a run with --show FOLDER"))
        options = Options(game, **given)
        Size.parse(options.size)
        return options
    options = options_of(folder)
    asked = {"game": game, **given} if game is not None else given
    began = asdict(options)
    for name, value in asked.items():
        if began[name] != value:
            raise ValueError(
                Message(
                    "the run in {folder} has {name} {began}, not {value}; leave it out, or begin "
                    "another run with --out",
                    folder=folder,
                    name=name,
                    began=began[name],
                    value=value,
                )
            )
    return options


def on_cores(
    folder: Path, options: Options, seconds: float | None, generations: int | None, workers: int,
    on: str,
) -> None:  # fmt: skip
    from honte.nets.live import LiveRun
    from honte.nets.run import Run

    live = LiveRun(typer.echo)
    run = Run(
        folder, options, seconds=seconds or math.inf, generations=generations, workers=workers,
        on=on, watch=live,
    )  # fmt: skip
    with signals.heard(run.stop, run.team.kill) as heard:
        try:
            run.train()
        finally:
            live.clear()
            run.close()
    if heard:
        typer.echo(
            tr(
                "stopped at generation {generation} after {games:,} games; everything is in "
                "{folder}, and --resume goes on",
                generation=run.about["generation"],
                games=int(run.done["games"]),
                folder=folder,
            )
        )
        raise typer.Exit(130)
    typer.echo(summary(folder, run))


def summary(folder: Path, run: Run) -> str:
    """How it ended, and what to do with the network."""
    from honte.arena.report import duration
    from honte.nets import curves

    last, where = run.status.rows[-1], shlex.quote(str(folder))
    file, spec = shlex.quote(str(folder / "network.net")), shlex.quote(run.options.game)
    return "\n".join(
        [
            *curves.chart(run.status.rows),
            tr(
                "{generations} generations, {games:,} games, {positions:,} positions in {time}",
                generations=last["generation"],
                games=last["games"],
                positions=last["positions"],
                time=duration(last["seconds"]),
            ),
            tr("look again:   {command}", command=f"honte learn net --show {where}"),
            tr("on a page:    {command}", command=f"honte serve --training {where}"),
            tr(
                "try it:       {command}",
                command=f"honte best {spec} --player uct:net={file},iterations=1000",
            ),
            tr(
                "measure it:   {command}",
                command=f"honte match uct:net={file} uct --game {spec} --iterations 200",
            ),
        ]
    )


def draw(folder: Path, picture: Path | None, quiet: bool = False) -> None:
    """The curves of a run, on the terminal and as a picture."""
    from honte.nets import curves

    rows = curves.rows_of(folder)
    if not rows:
        raise ValueError(
            Message("the run in {folder} has no generation to show yet", folder=folder)
        )
    if not quiet:
        for line in [*curves.table(rows), "", *curves.chart(rows)]:
            typer.echo(line)
    if picture is not None:
        curves.plot(rows, picture)
        typer.echo(tr("wrote {file}", file=picture))


def refuse_options_of_cores(**given: int | None) -> None:
    """On an accelerator, thousands of games are always under way, and nothing is marked."""
    for name, value in given.items():
        if value is not None:
            raise ValueError(
                Message(
                    "--{name} is for training on CPU cores, and there is an accelerator; leave it "
                    "out, or add --device cpu",
                    name=name,
                )
            )


def seconds_trained(folder: Path, size: str) -> float:
    """Seconds of training, in earlier calls too, that are in a checkpoint of a run."""
    from honte.nets.quantise import load_checkpoint

    file = folder / f"network-{size}.npz"
    if not file.is_file():
        raise ValueError(
            Message("there is no {file} to go on with; give --out and --size of a run", file=file)
        )
    return float(load_checkpoint(file).about["done"]["seconds"])


def on_accelerator(
    game: str | None, folder: Path, seconds: float, resume: bool, given: dict[str, Any]
) -> None:
    """Follow the training process; what it logs is drawn, or printed where there is no terminal."""
    from honte.arena.schedule import is_drawn
    from honte.core.games import game as make_game
    from honte.nets import accelerated, curves
    from honte.nets.cpu_selfplay import training_of
    from honte.nets.export import export
    from honte.nets.live import LiveRun

    if game is None:
        raise ValueError(Message("name the game to learn, or a run with --show FOLDER"))
    rules = make_game(game)
    spec = training_of(rules).on_accelerator(rules, is_drawn(rules, game))
    size = given.get("size", "b4c32")
    left = max(0.0, seconds - seconds_trained(folder, size)) if resume else seconds
    words = [spec, "--out", str(folder), "--seconds", str(left), "--total", str(seconds)]
    words += ["--size", size]
    for key in ("simulations", "seed"):
        words += [f"--{key}", str(given[key])] if key in given else []
    words += ["--resume", str(folder)] if resume else []
    stopped = False
    live = LiveRun(typer.echo)

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stopped
        if stopped:
            os._exit(130)
        stopped = True
        process.terminate()

    with accelerated.training(words) as process:
        before = {number: signal.signal(number, stop) for number in signals.heeded()}
        try:
            for event in accelerated.events(process):
                if event["event"] in ("train", "match"):
                    told = tr("{game}, {size}, on an accelerator", game=spec, size=size)
                    live.logged(told, curves.rows_of(folder))
            code = process.wait()
        finally:
            live.clear()
            for number, handler in before.items():
                signal.signal(number, handler)
    if code:
        raise typer.Exit(130 if stopped else max(code, 1))
    export(folder / f"network-{size}.npz", folder / "network.net")
    for line in curves.chart(curves.rows_of(folder)):
        typer.echo(line)
    if stopped:
        typer.echo(tr("stopped; everything is in {folder}, and --resume goes on", folder=folder))
        raise typer.Exit(130)
    typer.echo(tr("wrote {file}", file=folder / "network.net"))
