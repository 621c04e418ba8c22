"""``honte match A B``: a match between two players on paired openings."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honte.core import signals
from honte.core.language import Message, tr
from honte.games import DEFAULT

if TYPE_CHECKING:
    from honte.arena.identity import Identity
    from honte.arena.match import Played, Standing
    from honte.arena.run import Run
    from honte.arena.schedule import Plan, Task
    from honte.arena.sprt import Sprt

GameOption = Annotated[str, typer.Option("--game", metavar="G", help=tr("A game spec."))]
SecondsOption = Annotated[float | None, typer.Option("--seconds", help=tr("Seconds per move."))]
IterationsOption = Annotated[
    int | None, typer.Option("--iterations", help=tr("Simulations per move."))
]
ClockOption = Annotated[
    str | None,
    typer.Option("--clock", metavar="S[+I]", help=tr("Seconds per game, and increment.")),
]
MarginOption = Annotated[
    float,
    typer.Option("--margin", min=0, max=3600, help=tr("Tolerated seconds over the limit.")),
]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, max=256, help=tr("Games at once."))]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, help=tr("Determines boards and openings."))
]
PliesOption = Annotated[
    int | None,
    typer.Option("--opening-plies", min=0, max=100, help=tr("Random plies at the start.")),
]
OpeningsOption = Annotated[
    Path | None,
    typer.Option("--openings", metavar="FILE", help=tr("Openings, one per line.")),
]
MaxPliesOption = Annotated[
    int, typer.Option("--max-plies", min=1, max=100_000, help=tr("Games of this length are draws."))
]
FaultsOption = Annotated[
    int,
    typer.Option("--max-faults", min=0, help=tr("Faults in a row that retire a player; 0: never.")),
]
StoreOption = Annotated[
    Path | None,
    typer.Option("--store", metavar="DB", help=tr("Store the games; resume from them.")),
]
PlotOption = Annotated[
    Path | None,
    typer.Option("--plot", metavar="OUT", help=tr("Draw a plot: out.png, out.svg, ...")),
]
SandboxOption = Annotated[
    str | None,
    typer.Option(
        "--sandbox", metavar="LEVEL", help=tr("Sandbox level of bots: see `honte doctor`.")
    ),
]
OnOption = Annotated[
    str,
    typer.Option(
        "--on", metavar="WHERE", help=tr("local, ray (starts its own), or ray://HOST:PORT.")
    ),
]
PauseOption = Annotated[
    bool, typer.Option("--pause", help=tr("Suspend a bot while its opponent thinks."))
]
JsonOption = Annotated[bool, typer.Option("--json", help=tr("Print one JSON object."))]


def match(
    a: Annotated[str, typer.Argument(metavar="A", help=tr("A player spec."))],
    b: Annotated[str, typer.Argument(metavar="B", help=tr("Its opponent."))],
    game: GameOption = DEFAULT,
    games: Annotated[
        int, typer.Option("--games", min=1, max=1_000_000, help=tr("Games to play."))
    ] = 20,
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
    sprt: Annotated[
        str | None,
        typer.Option("--sprt", metavar="ELO0,ELO1", help=tr("Stop when the test decides.")),
    ] = None,
    sprt_model: Annotated[
        str, typer.Option("--sprt-model", help=tr("paired or trinomial."))
    ] = "paired",
    store: StoreOption = None,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a match; prints the score and the Elo difference with their errors."""
    from honte.arena import plot as plots
    from honte.arena import report, schedule, statistics
    from honte.arena import sprt as tests
    from honte.arena.match import Standing

    test = tests.parse(sprt, sprt_model) if sprt is not None else None
    set_sandbox(sandbox)
    settings = Settings(
        game, seconds, iterations, clock, margin, seed, opening_plies, openings, max_plies, pause
    )
    plan = settings.plan((a, b))
    if plot is not None:
        plots.check(plot)
    standing = Standing()
    command = {"command": "match", "players": [a, b], "games": games, **settings.written()}
    if test is not None:
        command |= {"sprt": [test.elo0, test.elo1], "sprt_model": sprt_model}
    with running(workers, store, max_faults, command, settings.engines, on=on) as run:
        with handling_signals(run, standing):
            follow(run, plan, schedule.match(plan, a, b, games), games, standing, test)
        if not standing.total.games:
            exit_without_games(standing.stopped)
        found = statistics.summary(standing)
        found |= from_store(run)
        found["times"] = run.latencies.summary()
        if test is not None:
            found["sprt"] = test.summary()
        if as_json:
            typer.echo(json.dumps(found))
        else:
            if test is not None:
                found["sprt_words"] = test.words()
            typer.echo(report.match_table(a, b, found, run.left_out.lines()))
        if plot is not None:
            plots.plot_match(standing, a, b, plot)
    exit_for(standing.stopped)


def follow(
    run: Run, plan: Plan, tasks: Any, games: int, standing: Standing, test: Sprt | None
) -> None:
    """Play until all games are played, a player is retired, or the SPRT decides."""
    from honte.arena.live import LiveTable

    live = LiveTable(games)
    before = None
    playing = run.play(tasks)
    try:
        for played in playing:
            standing.add(played)
            if live.due():
                live.match(*plan_players(played), standing, run, test)
            if run.retired:
                spec, why = next(iter(run.retired.items()))
                standing.stopped = Message(
                    "{player} faulted {times} times in a row ({why})",
                    player=spec,
                    times=run.max_faults,
                    why=why,
                )
                return
            if test is not None and played.task.number % 2 and before is not None:
                test.add(before.result, played.result)
                if test.verdict:
                    standing.stopped = Message("the test accepts {verdict}", verdict=test.verdict)
                    return
            before = played
        standing.stopped = Message("all games played")
    finally:
        live.clear()
        playing.close()
        if not standing.stopped:
            for played in run.leftover:
                standing.add(played)


def plan_players(played: Played) -> tuple[str, str]:
    """A and B of a match."""
    first, second = played.task.players
    return (first, second) if played.task.a_first else (second, first)


def set_sandbox(level: str | None) -> None:
    """Set the sandbox level of bots that name none themselves."""
    if level is not None:
        from honte.sandbox.names import need_posix

        need_posix()
        from honte.sandbox.levels import check_level
        from honte.sandbox.programs import DEFAULT_LEVEL

        check_level(level)
        os.environ[DEFAULT_LEVEL] = level  # the workers inherit it


def tell_sandbox(specs: Iterable[str]) -> None:
    """Say on standard error where bots run at a weaker level than they could elsewhere."""
    if sys.platform == "win32":
        return
    from honte.sandbox.programs import fallback

    if words := fallback(specs):
        print(f"honte: {tr(words)}", file=sys.stderr)


class Settings:
    """Settings shared by the commands that play games."""

    def __init__(
        self,
        game: str,
        seconds: float | None,
        iterations: int | None,
        clock: str | None,
        margin: float,
        seed: int,
        opening_plies: int | None,
        openings: Path | None,
        max_plies: int,
        pause: bool = False,
    ) -> None:
        from honte.arena.schedule import Clock
        from honte.core.request import Limit

        self.game, self.seed, self.opening_plies = game, seed, opening_plies
        given = seconds is not None or iterations is not None
        self.limit = Limit(seconds=seconds, iterations=iterations) if given else None
        whole, increment = read_clock(clock) if clock is not None else (None, 0.0)
        self.clock = Clock(margin, whole, increment, max_plies, pause)
        self.openings = openings
        self.engines: dict[str, Identity] = {}
        """The builds of the players, once there is a plan."""

    def plan(self, players: Sequence[str]) -> Plan:
        """The plan of the games; raises ValueError if a setting or a player is wrong."""
        from honte.arena.identity import hashes, identity
        from honte.arena.schedule import Plan
        from honte.core.games import game as make_game
        from honte.core.record import load

        rules = make_game(self.game)
        openings = []
        if self.openings is not None:
            for record in load(self.openings, game=rules.spec):
                openings.append(tuple(record.moves))
                if record.start is not None or make_game(record.game_spec) != rules:
                    raise ValueError(
                        Message(
                            "{file}: opening {n} is not of {game}",
                            file=self.openings.name,
                            n=len(openings),
                            game=rules.spec,
                        )
                    )
            if not openings:
                raise ValueError(
                    Message("{file} has no openings; write one per line", file=self.openings.name)
                )
        self.engines = {spec: identity(spec, self.game) for spec in players}
        return Plan(
            game=self.game,
            limit=self.limit,
            seed=self.seed,
            opening_plies=self.opening_plies,
            clock=self.clock,
            versions=hashes(self.engines),
            openings=tuple(openings),
        )

    def written(self) -> dict[str, object]:
        """The settings, as a run records them in the store."""
        return {"game": self.game, "seed": self.seed, "opening_plies": self.opening_plies}


def read_clock(text: str) -> tuple[float, float]:
    """Parse ``60+0.5``: seconds per game and increment."""
    whole, _, increment = text.partition("+")
    try:
        seconds, each = float(whole), float(increment or 0)
    except ValueError:
        seconds, each = -1.0, 0.0
    if not (0 < seconds < 1e6 and 0 <= each < 1e6):
        raise ValueError(
            Message("--clock {given!r}: write seconds like 60 or 60+0.5", given=text[:40])
        )
    return seconds, each


def from_store(run: Run) -> dict[str, object]:
    """How many games came from the store, and how many of other builds were left out."""
    return {"from_store": run.found, "left_out": run.left_out.games}


@contextlib.contextmanager
def running(
    workers: int,
    store: Path | None,
    max_faults: int,
    command: dict[str, object],
    engines: Mapping[str, Identity],
    on: str = "local",
    play: Callable[[Task], Played] | None = None,
    batch: int = 1,
    commit_every: float = 0.0,
) -> Iterator[Run]:
    """A run with its store; at the end workers are stopped and the store is closed."""
    from honte import __version__
    from honte.arena.cluster import team
    from honte.arena.game import play_task
    from honte.arena.identity import hashes
    from honte.arena.run import Run
    from honte.arena.store import Store

    command = command | {"engines": hashes(engines)}
    tell_sandbox(engines)
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(Store(store)) if store is not None else None
        players = team(on, workers, play or play_task, batch)
        run = Run(players, kept, max_faults, commit_every)
        stack.callback(run.close)
        number = 0
        if kept is not None:
            kept.add_builds(engines.values())
            number = kept.begin_run(command, __version__)
        try:
            yield run
        finally:
            if kept is not None and run.stopped:
                kept.end_run(number, run.stopped)


@contextlib.contextmanager
def handling_signals(run: Run, standing: Any) -> Iterator[None]:
    """Handle Ctrl-C, SIGTERM and SIGHUP: the first stops the run, a second exits at once.

    ``standing.stopped`` says what stopped the run, which may also be an unwritable store.
    """
    from honte.arena.live import restore_cursor
    from honte.arena.store import StoreError

    heard: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        if len(heard) > 1:
            run.workers.kill()
            restore_cursor()
            os._exit(130)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in signals.heeded()}
    try:
        yield
    except KeyboardInterrupt:
        by = signal.Signals(heard[0]).name if heard else "SIGINT"
        standing.stopped = (
            Message("interrupted")
            if by == "SIGINT"
            else Message("interrupted by {signal}", signal=by)
        )
    except StoreError as error:
        print(f"honte: {tr(str(error))}", file=sys.stderr)
        standing.stopped = Message("the store could not be written")
    finally:
        run.close()
        run.stopped = standing.stopped
        if not heard:  # after a first signal, a second still exits at once
            for number, handler in before.items():
                signal.signal(number, handler)


def exit_without_games(stopped: str) -> None:
    """Say that no game was finished, and exit with the code for how the run ended."""
    typer.echo(tr("stopped: {stopped}, before a game was finished", stopped=tr(stopped)), err=True)
    exit_for(stopped)


def exit_for(stopped: str) -> None:
    """Exit with the code for how the run ended."""
    if stopped.startswith("interrupted"):
        # Another signal now must not replace the exit code.
        for number in signals.ENDING:
            signal.signal(number, signal.SIG_IGN)
        raise typer.Exit(130)
    if stopped.startswith("the store"):
        raise typer.Exit(1)
