"""``honte serve``: serve the web page, and live tournaments."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from honte.cli.play import BrowserOption, HostOption, PortOption, show
from honte.core.language import Message, tr


def serve(
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="DB", help=tr("A store to watch, even during a run.")),
    ] = None,
    training: Annotated[
        Path | None,
        typer.Option("--training", metavar="FOLDER", help=tr("A run of `honte learn net`.")),
    ] = None,
    class_: Annotated[
        str | None,
        typer.Option("--class", metavar="NAME", help=tr("A class: see `honte class create`.")),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=1024, help=tr("Games of a round at once."))
    ] = 1,
    on: Annotated[
        str, typer.Option("--on", metavar="WHERE", help=tr("Rounds on a cluster: ray://HOST:PORT."))
    ] = "local",
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
    """Serve the page; live, the games of a store, the curves of a training run, or a class."""
    from honte.sandbox import names
    from honte.web.address import listen

    if sum(given is not None for given in (store, training, class_)) > 1:
        raise ValueError(Message("give one of --store, --training and --class"))
    names.bots()  # report a wrong file now, not on the page
    if store is not None:
        from honte.arena.store import Store

        Store(store, write=False).close()
    if game:
        from honte.web import games

        for spec in game:
            games.register(spec)
    if training is not None and not any(
        (training / name).is_file() for name in ("run.json", "log.jsonl")
    ):
        raise ValueError(Message("{folder} holds no training run", folder=training))
    if class_ is not None:
        serve_class(class_, host, port, public, no_browser, workers, on)
        return
    endpoint = listen(host, port, public)
    page = "/watch" if store is not None else "/training" if training is not None else "/"
    show(endpoint.address(page), not no_browser)

    from honte.web import server

    server.run(endpoint, store, training=training)


def serve_class(
    name: str,
    host: str,
    port: int | None,
    public: str | None,
    no_browser: bool,
    workers: int,
    on: str,
) -> None:
    """Serve a class: everybody signs in."""
    import os

    from honte.classroom.classroom import GAMES, find
    from honte.sandbox.levels import check_level
    from honte.sandbox.names import UPLOADS, need_posix
    from honte.sandbox.programs import DEFAULT_LEVEL
    from honte.web.address import listen

    need_posix()
    classroom = find(name)
    check_level("untrusted")  # students' bots run there, or not at all
    os.environ[DEFAULT_LEVEL] = "untrusted"
    os.environ[UPLOADS] = str(classroom.folder)
    endpoint = listen(host, port, public)
    address = endpoint.page("/class")
    typer.echo(
        tr(
            "Students sign in at {address} with the code {code}\n"
            "You sign in there with       {teacher}",
            address=address,
            code=classroom.join_code,
            teacher=classroom.teacher_code,
        )
    )
    show(f"{address}#code={classroom.teacher_code}", not no_browser)

    from honte.arena.store import Store
    from honte.web import server
    from honte.web.classes import ClassServer

    games = classroom.folder / GAMES
    if not games.exists():
        Store(games).close()
        games.chmod(0o600)
    server.run(endpoint, games, ClassServer(classroom, workers, on))
