"""``honte openings GAME``: a file of balanced openings for matches."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from honte.core.language import tr


def openings(
    game: Annotated[str, typer.Argument(metavar="GAME", help=tr("A game spec."))],
    count: Annotated[int, typer.Option("--count", min=1, help=tr("How many."))] = 400,
    plies: Annotated[
        int, typer.Option("--plies", min=1, max=60, help=tr("Random plies of each opening."))
    ] = 8,
    seed: Annotated[int, typer.Option("--seed", min=0, help=tr("Determines the openings."))] = 1,
    judge: Annotated[
        str, typer.Option("--judge", metavar="SPEC", help=tr("Player that judges the positions."))
    ] = "best",
    seconds: Annotated[
        float | None, typer.Option("--seconds", help=tr("Seconds per judged position."))
    ] = None,
    iterations: Annotated[int | None, typer.Option("--iterations", help=tr("Simulations."))] = None,
    depth: Annotated[
        int | None, typer.Option("--depth", help=tr("Search depth of the judge."))
    ] = None,
    sampler: Annotated[
        str | None,
        typer.Option(
            "--sampler", metavar="SPEC", help=tr("Draw moves by its visits, not uniformly.")
        ),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help=tr("The file to write."))] = Path(
        "balanced.txt"
    ),
) -> None:
    """Draw openings and keep those after which neither side is ahead."""
    from honte.arena.openings import make
    from honte.cli.progress import Screen
    from honte.core.games import game as make_game
    from honte.core.request import Limit

    limit = Limit(seconds, iterations, depth=depth)
    if limit == Limit():
        limit = Limit(seconds=0.1)
    found: list[str] = []
    tried = 0
    with Screen() as screen:
        for line in make(make_game(game), plies, seed, judge, limit, sampler):
            tried += 1
            if line is not None:
                found.append(line)
            screen.show(
                tr(
                    "{found} of {count} openings, {tried} tried",
                    found=len(found),
                    count=count,
                    tried=tried,
                )
            )
            if len(found) == count:
                break
    output.write_text("\n".join(found) + "\n", encoding="utf-8")
    typer.echo(
        tr(
            "{output}: {count} openings of {plies} plies; {tried} were tried",
            output=output,
            count=count,
            plies=plies,
            tried=tried,
        )
    )
