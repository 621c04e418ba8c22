"""``honte tui``: the full-screen board in a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honte.core.language import Message, tr
from honte.games import DEFAULT

if TYPE_CHECKING:
    from honte.core.record import Record


def tui(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help=tr("A game spec."))] = DEFAULT,
    player: Annotated[
        str, typer.Option("--player", metavar="SPEC", help=tr("Your opponent."))
    ] = "best",
    second: Annotated[
        bool, typer.Option("--second", help=tr("Let the engine move first."))
    ] = False,
    watch: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="SPEC", help=tr("Watch a game: this player instead of you.")
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=3600, help=tr("The engine's time per move."))
    ] = 1.0,
    review: Annotated[
        str | None,
        typer.Option("--review", metavar="FILE|ID", help=tr("A game to step through.")),
    ] = None,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="DB", help=tr("The store that has the id."))
    ] = None,
    number: Annotated[int, typer.Option("--number", min=1, help=tr("Which game of a file."))] = 1,
    light: Annotated[bool, typer.Option("--light", help=tr("Light colours."))] = (False),
) -> None:
    """Play in the terminal, with mouse and keys, and watch the engine think.

    With --review, step through a game: a file (SGF, GGF, WTHOR, or transcripts of GAME), or
    an id of a store.
    """
    try:
        import textual  # noqa: F401
    except ImportError:
        raise ValueError(
            Message(
                "the board in a terminal needs Textual; pip install 'honte[tui]', or use "
                "`honte play --terminal`"
            )
        ) from None
    from honte.core.games import game as make_game
    from honte.core.players import player as make_player
    from honte.core.request import Limit
    from honte.terminal.dialogs import GameSetup
    from honte.terminal.session import PERSON, Session
    from honte.terminal.tui import BoardApp

    if store is not None and review is None:
        raise ValueError(Message("--store needs the id of a game; add --review ID"))
    if review is not None:
        session = Session.of_record(find(review, store, number, game))
    else:
        rules = make_game(game)
        for spec in {player, watch or player}:
            make_player(spec, rules).close()  # report a wrong spec before the screen opens
        person = watch or PERSON
        session = Session(rules, (player, person) if second else (person, player))
    side = "none" if watch else "second" if second else "first"
    app = BoardApp(
        session, Limit(seconds=seconds), GameSetup(session.game.spec, side, player, seconds)
    )
    if light:
        app.theme = "textual-light"
    app.run()
    raise typer.Exit(app.return_code or 0)


def find(name: str, store: Path | None, number: int, spec: str) -> Record:
    """The game to review: from a store by its id, or from a file."""
    if store is None:
        from honte.cli.show import from_file

        return from_file(Path(name), number, spec)
    from honte.arena.export import record_of
    from honte.arena.store import Store

    with Store(store, write=False) as kept:
        return record_of(kept.get(name))
