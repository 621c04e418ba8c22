"""``honte play``: a game against the machine, in the browser or in this terminal."""

from __future__ import annotations

from typing import Annotated

import typer

HostOption = Annotated[
    str, typer.Option("--host", metavar="H", help="Where to listen; others then need the token.")
]
PortOption = Annotated[
    int | None,
    typer.Option("--port", metavar="P", min=0, max=65535, help="8000, or the next free one."),
]
BrowserOption = Annotated[
    bool, typer.Option("--no-browser", help="Only print the address of the page.")
]


def play(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game spec.")] = None,
    player: Annotated[
        str | None,
        typer.Option("--player", metavar="SPEC", help="Your opponent: best, level:40, a bot."),
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="Let the machine begin.")] = False,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="Play in this terminal, line by line.")
    ] = False,
    host: HostOption = "127.0.0.1",
    port: PortOption = None,
    no_browser: BrowserOption = False,
) -> None:
    """Play a game: in the browser, or with --terminal in this terminal."""
    if terminal:
        import honte
        from honte.terminal.play import play_game

        rules = honte.game(game or "connect4")
        play_game(rules, honte.player(player or "best", rules), person=int(second))
        return

    from honte.web.address import fragment, listen

    behind = ""
    if game is not None or player is not None or second:
        from honte.web.position import game_of
        from honte.web.socket import check_player

        opponent = check_player(player or "best")
        behind = fragment(
            game=game_of(game or "connect4").spec,
            players=f"{opponent},person" if second else f"person,{opponent}",
        )
    place = listen(host, port)
    show(place.address("/", behind), not no_browser)

    from honte.web import server

    server.run(place)


def show(where: str, browse: bool) -> None:
    """Say where the page is, and open it where there is a browser."""
    typer.echo(f"Honte is at {where}\nCtrl-C ends it.")
    if browse:
        import threading

        threading.Thread(target=_browse, args=(where,), daemon=True).start()


def _browse(where: str) -> None:
    import contextlib
    import os
    import sys
    import webbrowser

    # Without a screen only a browser for the terminal could be found, and that one is taken.
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    if sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in screens):
        with contextlib.suppress(webbrowser.Error, OSError):
            webbrowser.open(where)
