"""``honte botzone``: our players as bots on Botzone."""

from __future__ import annotations

from typing import Annotated

import typer

from honte.cli.serving import GameOption, PlayerOption, SecondsOption


def botzone(
    game: GameOption = "othello",
    player: PlayerOption = "best",
    seconds: SecondsOption = None,
    once: Annotated[bool, typer.Option("--once", help="Answer one turn and end.")] = False,
) -> None:
    """Be a Botzone bot for Othello, Go or Connect Four, on standard input and output."""
    import honte
    from honte.bots.serve.botzone import BotzoneEngine
    from honte.bots.serve.loop import serve

    rules = honte.game(game)
    serve(lambda wires: BotzoneEngine(rules, player, wires, seconds, keep_running=not once))
