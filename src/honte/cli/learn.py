"""``honte learn GAME``: trains weights from games."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from honte.cli.progress import Progress


def learn(
    game: Annotated[str, typer.Argument(metavar="GAME", help="connect4, othello or go")],
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="PATH",
            help="Games: .wtb files (Othello), .sgf files or stores (Go), lessons (Connect Four).",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where the weights go.")
    ] = None,
    work: Annotated[
        Path | None,
        typer.Option("--work", metavar="DIR", help="What is done is kept here; go on from it."),
    ] = None,
    caution: Annotated[
        float | None,
        typer.Option("--caution", min=0.1, max=1e6, help="Against believing rare patterns."),
    ] = None,
    self_play: Annotated[
        int, typer.Option("--self-play", min=0, max=1_000_000, help="Games of our own, too.")
    ] = 0,
    iterations: Annotated[
        int | None,
        typer.Option(min=1, max=10**9, help="Simulations a move of these (Connect Four, Go)."),
    ] = None,
    players: Annotated[
        str, typer.Option("--players", metavar="PATTERN", help="Whose moves teach (Go, a store).")
    ] = "*",
) -> None:
    """Learn an evaluation, or what moves are likely, from games; goes on where it was stopped."""
    if game not in ("connect4", "othello", "go"):
        raise ValueError(f"honte learn knows connect4, othello and go, not {game[:40]!r}")
    progress = Progress()
    try:
        if game == "othello":
            where = out or Path("othello.weights")
            lines = learn_othello(data, where, work, caution, self_play, progress)
        elif game == "connect4":
            where = out or Path("connect4.strengths")
            lines = learn_connect4(data, where, work, caution, self_play, iterations, progress)
        else:
            where = out or Path("go.strengths")
            play = (self_play, iterations or 800)
            lines = learn_go(data, where, work, caution, play, players, progress)
    finally:
        progress.clear()
    for line in lines:
        typer.echo(line)
    typer.echo(f"the weights are in {shlex.quote(str(where))}")


def learn_othello(
    data: Path | None,
    out: Path,
    work: Path | None,
    caution: float | None,
    self_play: int,
    progress: Progress,
) -> list[str]:
    from honte.learn import othello

    if data is None or not data.is_dir():
        raise ValueError(f"there is no folder {data or ''}; give one with .wtb files by --data")
    settings = othello.Settings(self_play=self_play)
    if caution is not None:
        settings = othello.Settings(caution=caution, self_play=self_play)
    learner = othello.Learner(work or Path(f"{out}.work"), settings, progress.tell)
    sources = list(othello.read_games(data))
    command = "honte learn othello --data WTHOR"
    if settings.caution != othello.Settings.caution:
        command += f" --caution {caution:g}"
    if self_play:
        command += f" --self-play {self_play}"
    errors = learner.run(sources, out, command)
    lines = ["discs   positions   mean error in discs, on games held out"]
    for phase, row in enumerate(errors):
        first = 4 + 5 * phase
        lines.append(
            f"{first:>2}–{min(first + 4, 63):<4} {row['positions']:>9,}   {row['error']:5.2f}   "
            f"{row['held_out_error']:5.2f}"
        )
    return lines


def learn_go(
    data: Path | None,
    out: Path,
    work: Path | None,
    caution: float | None,
    self_play: tuple[int, int],
    players: str,
    progress: Progress,
) -> list[str]:
    from honte.learn import go

    count, iterations = self_play
    if data is None and not count:
        raise ValueError("there are no games to learn from; give them by --data, or --self-play N")
    if data is not None and not data.exists():
        raise ValueError(f"there is no {data}; give a folder of .sgf files or a store by --data")
    settings = go.Settings(
        caution=go.Settings.caution if caution is None else caution,
        self_play=count,
        iterations=iterations,
        players=players,
    )
    learner = go.Learner(work or Path(f"{out}.work"), settings, progress.tell)
    games = list(go.read_games(data, players)) if data is not None else []
    command = "honte learn go" + (" --data GAMES" if data is not None else "")
    if count:
        learner.play()
        games += go.read_games(learner.work)
        command += f" --self-play {count} --iterations {iterations}"
    found = learner.learn(games, out, command)
    lines = [
        f"{found.games:,} games, {found.positions:,} positions; {found.held_out:,} more held out",
        "on those held out   mean log of the chance of the move played   it is the likeliest",
    ]
    for name, row in (
        ("at random", found.uniform),
        ("by hand", found.by_hand),
        ("learned", found.learned),
    ):
        lines.append(f"  {name:<18}{row.likelihood:>10.3f}{100 * row.first:>46.1f} %")
    return lines


def learn_connect4(
    data: Path | None,
    out: Path,
    work: Path | None,
    caution: float | None,
    self_play: int,
    iterations: int | None,
    progress: Progress,
) -> list[str]:
    from honte.learn import connect4

    if caution is not None:
        raise ValueError("--caution is for othello and go")
    if data is None and not self_play:
        raise ValueError("there is nothing to learn from; give lessons by --data, or --self-play N")
    if data is not None and not data.exists():
        raise ValueError(f"there is no {data}; give a file or a folder of lessons by --data")
    settings = connect4.Settings(
        self_play=self_play, iterations=iterations or connect4.Settings.iterations
    )
    learner = connect4.Learner(work or Path(f"{out}.work"), settings, progress.tell)
    lessons = list(connect4.read_lessons(data)) if data is not None else []
    command = "honte learn connect4" + (" --data LESSONS" if data is not None else "")
    if self_play:
        learner.play()
        lessons += connect4.read_lessons(learner.work)
        command += f" --self-play {self_play} --iterations {settings.iterations}"
    found = learner.learn(lessons, out, command)
    return [
        f"{found.games:,} games, {found.positions:,} positions; {found.held_out:,} more held out",
        "on those held out, mean log of the chance of where a visit went",
        f"  at random {found.uniform:>18.3f}",
        f"  learned   {found.likelihood:>18.3f}",
        f"  at best   {found.best:>18.3f}",
        f"the move with most visits is the likeliest in {100 * found.first:.1f} %",
    ]
