"""``honte saiblo``: our players as bots on Saiblo."""

from __future__ import annotations

from honte.cli.serving import GameOption, PlayerOption, SecondsOption


def saiblo(
    game: GameOption = "connect4", player: PlayerOption = "best", seconds: SecondsOption = None
) -> None:
    """Be a Saiblo bot for Connect Four, on standard input and output."""
    import honte
    from honte.protocols.engine_loop import serve
    from honte.protocols.saiblo_engine import SaibloEngine

    rules = honte.game(game)
    serve(lambda transport: SaibloEngine(rules, player, transport, seconds), framed=False)
