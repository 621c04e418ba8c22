"""``honte serve``: serve the web page, and live tournaments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from honte.cli.play import BrowserOption, HostOption, PortOption, show
from honte.core.language import tr


def serve(
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="DB", help=tr("A store to watch, even during a run.")),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="G", help=tr("Also a game of your own: file.py:Class.")),
    ] = None,
    host: HostOption = "127.0.0.1",
    port: PortOption = None,
    public: Annotated[
        str | None,
        typer.Option("--public", metavar="URL", help=tr("Its address behind a reverse proxy.")),
    ] = None,
    no_browser: BrowserOption = False,
) -> None:
    """Serve the page, and with --store the tournaments of a store, live."""
    from honte.sandbox import names
    from honte.web.address import listen

    names.bots()  # report a wrong file now, not on the page
    if store is not None:
        from honte.arena.store import Store

        Store(store, write=False).close()
    if game:
        from honte.web import games

        for spec in game:
            games.register(spec)
    endpoint = listen(host, port, public)
    show(endpoint.address("/watch" if store is not None else "/"), not no_browser)

    from honte.web import server

    server.run(endpoint, store)
