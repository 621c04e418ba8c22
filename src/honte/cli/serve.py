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
    from honte.web import server

    if store is not None:
        from honte.arena.store import Store

        Store(store, write=False).close()  # a wrong name is said now, not on the page
    server.run(
        host,
        port,
        store=store,
        path="/watch" if store is not None else "/",
        opened=lambda where: show(where, not no_browser),
    )
