"""``honte play``: a game against the machine."""

from __future__ import annotations

from typing import Annotated

import typer


def play(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game spec.")] = "connect4",
    player: Annotated[
        str, typer.Option("--player", metavar="SPEC", help="Your opponent.")
    ] = "best",
    second: Annotated[bool, typer.Option("--second", help="Let the machine begin.")] = False,
) -> None:
    """Play a game in this terminal."""
    import honte
    from honte.terminal.play import play_game

    rules = honte.game(game)
    play_game(rules, honte.player(player, rules), person=int(second))
