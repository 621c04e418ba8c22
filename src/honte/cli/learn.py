"""``honte learn GAME``: trains evaluation weights from games."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import Annotated

import typer


def learn(
    game: Annotated[str, typer.Argument(metavar="GAME", help="othello")],
    data: Annotated[
        Path, typer.Option("--data", metavar="DIR", help="A folder of games: .wtb files.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Where the weights go.")
    ] = Path("othello.weights"),
    work: Annotated[
        Path | None,
        typer.Option("--work", metavar="DIR", help="What is done is kept here; go on from it."),
    ] = None,
    caution: Annotated[
        float, typer.Option("--caution", min=0.1, max=1e6, help="Against believing rare patterns.")
    ] = 20.0,
    self_play: Annotated[
        int, typer.Option("--self-play", min=0, max=1_000_000, help="Games of our own, too.")
    ] = 0,
) -> None:
    """Learn an evaluation from games; goes on where it was stopped."""
    from honte.learn import othello

    if game != "othello":
        raise ValueError(f"honte learn knows othello, not {game[:40]!r}")
    if not data.is_dir():
        raise ValueError(f"there is no folder {data}; give one with .wtb files by --data")
    settings = othello.Settings(caution=caution, self_play=self_play)
    progress = Progress()
    learner = othello.Learner(work or Path(f"{out}.work"), settings, progress.tell)
    try:
        sources = list(othello.read_games(data))
        command = "honte learn othello --data WTHOR"
        if caution != 20.0:
            command += f" --caution {caution:g}"
        if self_play:
            command += f" --self-play {self_play}"
        errors = learner.run(sources, out, command)
    finally:
        progress.clear()
    typer.echo("discs   positions   mean error in discs, on games held out")
    for phase, row in enumerate(errors):
        first = 4 + 5 * phase
        typer.echo(
            f"{first:>2}–{min(first + 4, 63):<4} {row['positions']:>9,}   {row['error']:5.2f}   "
            f"{row['held_out_error']:5.2f}"
        )
    typer.echo(f"the weights are in {shlex.quote(str(out))}")


class Progress:
    """One line on the standard error of a terminal, with the time that is left."""

    def __init__(self) -> None:
        self._stage = ""
        self._began = 0.0
        self._shown = False

    def tell(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage != self._stage:
            self._stage, self._began = stage, now
        if not sys.stderr.isatty():
            return
        left = f", {(now - self._began) / done * (total - done):.0f} s left" if done else ""
        self._shown = True
        print(f"\r{stage}: {done} of {total}{left}", end="\033[K", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
