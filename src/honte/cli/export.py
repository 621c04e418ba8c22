"""``honte export``: our engine in the shapes that others load."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="getpoint: the course's C library.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")] = Path(
        "libhonte.so"
    ),
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.02, max=3600, help="The limit of a move.")
    ] = 2.5,
) -> None:
    """Write a shared library with getPoint and clearPoint, for a judge of the course."""
    from honte.protocols.getpoint_engine import write_getpoint

    if kind != "getpoint":
        raise ValueError(f"cannot export {kind}; only getpoint can be exported")
    write_getpoint(output, seconds)
    typer.echo(f"{output}: getPoint and clearPoint, at most {seconds:g} s a move")
