"""``honte export``: our engine in the shapes that others load."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from honte.core.language import Message, tr


def export(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help=tr("getpoint: the course's C library."))
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help=tr("The file to write."))] = Path(
        "libhonte.so"
    ),
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.02, max=3600, help=tr("The limit of a move."))
    ] = 2.5,
) -> None:
    """Write a shared library with getPoint and clearPoint, for a judge of the course."""
    from honte.protocols.getpoint_engine import write_getpoint

    if kind != "getpoint":
        raise ValueError(Message("cannot export {kind}; only getpoint can be exported", kind=kind))
    write_getpoint(output, seconds)
    typer.echo(
        tr(
            "{output}: getPoint and clearPoint, at most {seconds:g} s a move",
            output=output,
            seconds=seconds,
        )
    )
