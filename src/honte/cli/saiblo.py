"""``honte saiblo``: our players as bots on Saiblo."""

from __future__ import annotations

from honte.cli.serving import GameOption, PlayerOption, SecondsOption


def saiblo(
    game: GameOption = "connect4", player: PlayerOption = "best", seconds: SecondsOption = None
) -> None:
    """Be a Saiblo bot for Connect Four, on standard input and output."""
    import honte
    from honte.bots.serve.loop import serve
    from honte.bots.serve.saiblo import SaibloEngine

    rules = honte.game(game)
    serve(lambda wires: SaibloEngine(rules, player, wires, seconds), framed=False)
