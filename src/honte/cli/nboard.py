"""``honte nboard``: our players in NBoard and its like."""

from __future__ import annotations

from honte.cli.serving import GameOption, PlayerOption, SecondsOption


def nboard(
    game: GameOption = "othello", player: PlayerOption = "best", seconds: SecondsOption = None
) -> None:
    """Be an NBoard engine for Othello, on standard input and output."""
    import honte
    from honte.protocols.engine_loop import serve
    from honte.protocols.nboard_engine import NBoardEngine

    rules = honte.game(game)
    serve(lambda transport: NBoardEngine(rules, player, transport, seconds))
