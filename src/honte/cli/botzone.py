"""``honte botzone``: our players as bots on Botzone."""

from __future__ import annotations

from typing import Annotated

import typer

from honte.cli.serving import GameOption, PlayerOption, SecondsOption
from honte.core.language import tr


def botzone(
    game: GameOption = "othello",
    player: PlayerOption = "best",
    seconds: SecondsOption = None,
    once: Annotated[bool, typer.Option("--once", help=tr("Answer one turn and end."))] = False,
) -> None:
    """Be a Botzone bot for Othello, Go or Connect Four, on standard input and output."""
    import honte
    from honte.protocols.botzone_engine import BotzoneEngine
    from honte.protocols.engine_loop import serve

    rules = honte.game(game)
    serve(lambda transport: BotzoneEngine(rules, player, transport, seconds, keep_running=not once))
