"""``honte export``: our engines in the shapes that others load or compile."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from honte.core.language import Message, tr


def export(
    what: Annotated[
        str,
        typer.Argument(
            metavar="ENGINE",
            help=tr(
                "`getpoint` (the course's C library); with --as: `best` or `uct` with settings."
            ),
        ),
    ],
    site: Annotated[
        str | None,
        typer.Option("--as", metavar="SITE", help=tr("saiblo or botzone: a program to upload.")),
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="G", help=tr("A game spec."))
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help=tr("The file to write."))
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.02, max=3600, help=tr("The limit of a move."))
    ] = None,
) -> None:
    """Write an engine for others: a C library for the course, or with --as C++ to upload."""
    if site is not None:
        import honte
        from honte.protocols.site_program import SITES, default_game, write_package

        game = game or default_game(site)
        rules = honte.game(game)
        path = output or Path(f"honte-{site}.zip")
        write_package(path, what, rules, site, seconds)
        typer.echo(
            tr(
                "{output}: {engine} for {game}, one file of C++20, at most {seconds:g} s a move",
                output=path,
                engine=what,
                game=game,
                seconds=seconds or SITES[site],
            )
        )
        return
    from honte.protocols.getpoint_engine import write_getpoint

    if what != "getpoint":
        raise ValueError(
            Message("cannot export {kind}; only getpoint can be exported without --as", kind=what)
        )
    path, limit = output or Path("libhonte.so"), seconds or 2.5
    write_getpoint(path, limit)
    typer.echo(
        tr(
            "{output}: getPoint and clearPoint, at most {seconds:g} s a move",
            output=path,
            seconds=limit,
        )
    )
