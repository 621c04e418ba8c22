"""``honte gtp``: our players in Go and Othello programs."""

from __future__ import annotations

from typing import Annotated

import typer

from honte.cli.serving import GameOption, PlayerOption, SecondsOption


def gtp(
    game: GameOption = "go",
    player: PlayerOption = "best",
    seconds: SecondsOption = None,
    resign: Annotated[bool, typer.Option("--resign", help="May give up hopeless games.")] = False,
    resign_at: Annotated[
        float, typer.Option(min=-1, max=0, help="A value without hope, for --resign.")
    ] = -0.95,
) -> None:
    """Be a GTP engine for Go or Othello, on standard input and output."""
    import honte
    from honte.bots.serve.gtp import GtpEngine
    from honte.bots.serve.gtp_go import GoEngine
    from honte.bots.serve.loop import serve

    rules = honte.game(game)
    kind = GoEngine if rules.name == "go" else GtpEngine
    hopeless = resign_at if resign else None
    serve(lambda wires: kind(rules, player, wires, seconds, hopeless))
