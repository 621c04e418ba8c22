"""``honte match A B``: two players, sides alternating on paired openings."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from honte.arena.match import Played, Standing
    from honte.arena.run import Run
    from honte.arena.schedule import Plan, Task
    from honte.arena.sprt import Sprt

GameOption = Annotated[str, typer.Option("--game", metavar="G", help="A game spec.")]
SecondsOption = Annotated[float | None, typer.Option("--seconds", help="Time for a move.")]
IterationsOption = Annotated[
    int | None, typer.Option("--iterations", help="Simulations for a move.")
]
ClockOption = Annotated[
    str | None,
    typer.Option("--clock", metavar="S[+I]", help="Seconds for a whole game, and for each move."),
]
MarginOption = Annotated[
    float, typer.Option("--margin", min=0, max=3600, help="Seconds past a limit that are forgiven.")
]
WorkersOption = Annotated[int, typer.Option("--workers", min=1, max=256)]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Boards and openings.")]
PliesOption = Annotated[
    int | None, typer.Option("--opening-plies", min=0, max=100, help="Random moves at first.")
]
OpeningsOption = Annotated[
    Path | None, typer.Option("--openings", metavar="FILE", help="Openings, one a line.")
]
MaxPliesOption = Annotated[
    int, typer.Option("--max-plies", min=1, max=100_000, help="A longer game is a draw.")
]
FaultsOption = Annotated[
    int, typer.Option("--max-faults", min=0, help="Faults in a row that retire a player; 0: none.")
]
StoreOption = Annotated[
    Path | None, typer.Option("--store", metavar="DB", help="Keep the games; go on from there.")
]
PlotOption = Annotated[
    Path | None, typer.Option("--plot", metavar="OUT", help="A picture: out.png, out.svg, ...")
]
SandboxOption = Annotated[
    str | None,
    typer.Option("--sandbox", metavar="LEVEL", help="How bots are kept: see `honte doctor`."),
]
OnOption = Annotated[
    str,
    typer.Option(
        "--on", metavar="WHERE", help="local, ray (a Ray of its own), or ray://HOST:PORT."
    ),
]
PauseOption = Annotated[
    bool, typer.Option("--pause", help="Stop a bot while the other side thinks.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object.")]


def match(
    a: Annotated[str, typer.Argument(metavar="A", help="A player spec.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    game: GameOption = "connect4",
    games: Annotated[int, typer.Option("--games", min=1, max=1_000_000)] = 20,
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
        typer.Option("--sprt", metavar="ELO0,ELO1", help="Stop when it is clear which holds."),
    ] = None,
    sprt_model: Annotated[
        str, typer.Option("--sprt-model", help="paired, or trinomial for single games.")
    ] = "paired",
    store: StoreOption = None,
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a match and say who is stronger, with the error."""
    from honte.arena import plot as plots
    from honte.arena import report, schedule, statistics
    from honte.arena import sprt as tests
    from honte.arena.match import Standing

    test = tests.parse(sprt, sprt_model) if sprt is not None else None
    keep_bots_by(sandbox)
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
    with running(workers, store, max_faults, command, on=on) as run:
        with watched(run, standing):
            follow(run, plan, schedule.match(plan, a, b, games), games, standing, test)
        if not standing.total.games:
            leave(standing.stopped)
        found = statistics.summary(standing)
        found["from_store"] = run.found
        found["times"] = run.latencies.summary()
        if test is not None:
            found["sprt"] = test.summary()
        if as_json:
            typer.echo(json.dumps(found))
        else:
            if test is not None:
                found["sprt_words"] = str(test)
            typer.echo(report.match_table(a, b, found))
        if plot is not None:
            plots.plot_match(standing, a, b, plot)
    leave(standing.stopped)


def follow(
    run: Run, plan: Plan, tasks: Any, games: int, standing: Standing, test: Sprt | None
) -> None:
    """Play the games until all are played, a player is retired, or the test has decided."""
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
                standing.stopped = f"{spec} faulted {run.max_faults} times in a row ({why})"
                return
            if test is not None and played.task.number % 2 and before is not None:
                test.add(before.result, played.result)
                if test.verdict:
                    standing.stopped = f"the test accepts {test.verdict}"
                    return
            before = played
        standing.stopped = "all games played"
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


def keep_bots_by(level: str | None) -> None:
    """Make a sandbox level the one of all bots that name none themselves."""
    if level is not None:
        from honte.bots.programs import DEFAULT_LEVEL
        from honte.bots.sandbox import check_level

        os.environ[DEFAULT_LEVEL] = check_level(level)  # the workers inherit it


class Settings:
    """What the commands that play games have in common."""

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
        from honte.search.limit import Limit

        self.game, self.seed, self.opening_plies = game, seed, opening_plies
        given = seconds is not None or iterations is not None
        self.limit = Limit(seconds=seconds, iterations=iterations) if given else None
        whole, increment = read_clock(clock) if clock is not None else (None, 0.0)
        self.clock = Clock(margin, whole, increment, max_plies, pause)
        self.openings = openings

    def plan(self, players: Sequence[str]) -> Plan:
        """The plan, once everything that was given has been seen to make sense."""
        from honte.arena.schedule import Plan
        from honte.games.records import load
        from honte.games.registry import game as make_game

        rules = make_game(self.game)
        openings = []
        if self.openings is not None:
            for record in load(self.openings, game=rules.spec):
                openings.append(tuple(record.moves))
                if record.start is not None or make_game(record.game_spec) != rules:
                    raise ValueError(
                        f"{self.openings.name}: opening {len(openings)} is not one of {rules.spec}"
                    )
            if not openings:
                raise ValueError(f"{self.openings.name} holds no openings; write one a line")
        return Plan(
            game=self.game,
            limit=self.limit,
            seed=self.seed,
            opening_plies=self.opening_plies,
            clock=self.clock,
            versions={spec: version_of(spec, self.game) for spec in players},
            openings=tuple(openings),
        )

    def written(self) -> dict[str, object]:
        """The settings, to write down in a store."""
        return {"game": self.game, "seed": self.seed, "opening_plies": self.opening_plies}


def read_clock(text: str) -> tuple[float, float]:
    """Seconds for a game and for each move from ``60+0.5``."""
    whole, _, increment = text.partition("+")
    try:
        seconds, each = float(whole), float(increment or 0)
    except ValueError:
        seconds, each = -1.0, 0.0
    if not (0 < seconds < 1e6 and 0 <= each < 1e6):
        raise ValueError(f"--clock {text[:40]!r} is no clock; write seconds like 60 or 60+0.5")
    return seconds, each


def version_of(spec: str, game: str) -> str:
    """A player's version; a wrong spec is said here, before anything is played."""
    from honte import __version__
    from honte.arena.game import FAULTS, version_words
    from honte.games.registry import game as make_game
    from honte.players.registry import player

    try:
        made = player(spec, make_game(game))
    except Exception as error:
        if getattr(error, "reason", None) in FAULTS:
            return "does not start"  # its games will say so, and the others' go on
        raise
    try:
        return version_words(made, __version__)
    finally:
        made.close()


@contextlib.contextmanager
def running(
    workers: int,
    store: Path | None,
    max_faults: int,
    command: dict[str, object],
    on: str = "local",
    play: Callable[[Task], Played] | None = None,
    batch: int = 1,
    commit_every: float = 0.0,
) -> Iterator[Run]:
    """A run with its store; all children are gone and the store is closed at the end."""
    from honte import __version__
    from honte.arena.cluster import team
    from honte.arena.game import play_task
    from honte.arena.run import Run
    from honte.arena.store import Store

    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(Store(store)) if store is not None else None
        players = team(on, workers, play or play_task, batch)
        run = Run(players, kept, max_faults, commit_every)
        stack.callback(run.close)
        number = kept.begin_run(command, __version__) if kept is not None else 0
        try:
            yield run
        finally:
            if kept is not None and run.stopped:
                kept.end_run(number, run.stopped)


@contextlib.contextmanager
def watched(run: Run, standing: Any) -> Iterator[None]:
    """Hear Ctrl-C, SIGTERM and a closed terminal: the first stops the run, a second at once.

    What stopped the run is left in ``standing.stopped``; a store that cannot be written stops
    it too, and says so.
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

    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, stop) for number in signals}
    try:
        yield
    except KeyboardInterrupt:
        by = signal.Signals(heard[0]).name if heard else "SIGINT"
        standing.stopped = "interrupted" if by == "SIGINT" else f"interrupted by {by}"
    except StoreError as error:
        print(f"honte: {error}", file=sys.stderr)
        standing.stopped = "the store could not be written"
    finally:
        run.close()
        run.stopped = standing.stopped
        if not heard:  # after a first signal a second goes on meaning "at once"
            for number, handler in before.items():
                signal.signal(number, handler)


def leave(stopped: str) -> None:
    """End with the code that belongs to how the run ended."""
    if stopped.startswith("interrupted"):
        # Everything is done: another signal must not turn the last moments into a death by it.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        raise typer.Exit(130)
    if stopped.startswith("the store"):
        raise typer.Exit(1)
