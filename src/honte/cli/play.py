"""``honte play``: a game against the machine, in the browser or in this terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from honte.core.language import tr
from honte.games import DEFAULT

HostOption = Annotated[
    str,
    typer.Option("--host", metavar="H", help=tr("Address to listen on; others need the token.")),
]
PortOption = Annotated[
    int | None,
    typer.Option("--port", metavar="P", min=0, max=65535, help=tr("8000, or the next free one.")),
]
BrowserOption = Annotated[
    bool, typer.Option("--no-browser", help=tr("Only print the address of the page."))
]


def play(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help=tr("A game spec."))] = None,
    player: Annotated[
        str | None,
        typer.Option("--player", metavar="SPEC", help=tr("Your opponent: best, level:40, a bot.")),
    ] = None,
    second: Annotated[
        bool, typer.Option("--second", help=tr("Let the engine move first."))
    ] = False,
    terminal: Annotated[
        bool, typer.Option("--terminal", help=tr("Play in this terminal, line by line."))
    ] = False,
    host: HostOption = "127.0.0.1",
    port: PortOption = None,
    no_browser: BrowserOption = False,
) -> None:
    """Play a game: in the browser, or with --terminal in this terminal."""
    if terminal:
        import honte
        from honte.terminal.play import play_game

        rules = honte.game(game or DEFAULT)
        play_game(rules, honte.player(player or "best", rules), person=int(second))
        return

    from honte.sandbox import names
    from honte.web.address import fragment, listen

    names.bots()  # report a wrong file now, not on the page
    behind = ""
    if game is not None or player is not None or second:
        from honte.web import games

        spec = games.register(game or DEFAULT)
        opponent = opponent_of(player or "best", spec)
        behind = fragment(
            game=spec,
            players=f"{opponent},person" if second else f"person,{opponent}",
        )
    endpoint = listen(host, port)
    show(endpoint.address("/", behind), not no_browser)

    from honte.web import server

    server.run(endpoint)


def opponent_of(player: str, game: str) -> str:
    """The name that the page knows a player by; a spec or a bot gets a name of its own."""
    from honte.core.players import player as make_player
    from honte.sandbox import names
    from honte.web.games import game_of
    from honte.web.session import is_offered

    if is_offered(player, names.known()):
        return player
    make_player(player, game_of(game)).close()  # a wrong spec is reported before the page opens
    return names.give(player)


def show(where: str, browse: bool) -> None:
    """Print the page's address, and open it in a browser if possible."""
    typer.echo(tr("Honte is at {where}\nCtrl-C ends it.", where=where))
    if browse:
        import threading

        threading.Thread(target=_browse, args=(where,), daemon=True).start()


def _browse(where: str) -> None:
    import contextlib
    import os
    import sys
    import webbrowser

    # Without a display only a text browser could start, in the terminal we are using.
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    if sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in screens):
        with contextlib.suppress(webbrowser.Error, OSError):
            webbrowser.open(where)
