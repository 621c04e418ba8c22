"""``honte serve``: the page for others, and tournaments to watch while they are played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from honte.cli.play import BrowserOption, HostOption, PortOption, show


def serve(
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="DB", help="A store to watch, even while it is written."),
    ] = None,
    host: HostOption = "127.0.0.1",
    port: PortOption = None,
    no_browser: BrowserOption = False,
) -> None:
    """Serve the page; with --store also the tournaments of a store, live."""
    from honte.web.address import listen

    if store is not None:
        from honte.arena.store import Store

        Store(store, write=False).close()  # a wrong name is said now, not on the page
    place = listen(host, port)
    show(place.address("/watch" if store is not None else "/"), not no_browser)

    from honte.web import server

    server.run(place, store)
