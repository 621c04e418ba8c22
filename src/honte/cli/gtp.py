"""``honte gtp``: our players in Go and Othello programs."""

from __future__ import annotations

from typing import Annotated

import typer

from honte.cli.serving import GameOption, PlayerOption, SecondsOption
from honte.core.language import tr


def gtp(
    game: GameOption = "go",
    player: PlayerOption = "best",
    seconds: SecondsOption = None,
    resign: Annotated[bool, typer.Option("--resign", help=tr("Resign hopeless games."))] = False,
    resign_at: Annotated[
        float,
        typer.Option(
            min=-1, max=0, help=tr("The value below which --resign counts a position as hopeless.")
        ),
    ] = -0.95,
) -> None:
    """Be a GTP engine for Go or Othello, on standard input and output."""
    import honte
    from honte.protocols.engine_loop import serve
    from honte.protocols.gtp_go import engine_for

    rules = honte.game(game)
    engine, hopeless = engine_for(rules), resign_at if resign else None
    serve(lambda transport: engine(rules, player, transport, seconds, hopeless))
