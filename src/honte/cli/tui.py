"""``honte tui``: the board on a whole terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from honte.games.records import Record


def tui(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game spec.")] = "connect4",
    player: Annotated[
        str, typer.Option("--player", metavar="SPEC", help="Your opponent.")
    ] = "best",
    second: Annotated[bool, typer.Option("--second", help="Let the machine begin.")] = False,
    watch: Annotated[
        str | None,
        typer.Option("--against", metavar="SPEC", help="Watch: this player in your place."),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=3600, help="The machine's time for a move.")
    ] = 1.0,
    review: Annotated[
        str | None,
        typer.Option("--review", metavar="FILE|ID", help="A game to step through."),
    ] = None,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="DB", help="Where the id is looked up.")
    ] = None,
    number: Annotated[int, typer.Option("--number", min=1, help="Which game of a file.")] = 1,
    light: Annotated[bool, typer.Option("--light", help="For a terminal with a light ground.")] = (
        False
    ),
) -> None:
    """Play on a whole terminal, with mouse and keys, and see the machine think.

    With --review a game is stepped through: a file (SGF, GGF, WTHOR, or transcripts of GAME), or
    an id of a store.
    """
    try:
        import textual  # noqa: F401
    except ImportError:
        raise ValueError(
            "the board on a whole terminal needs Textual; pip install 'honte[tui]', "
            "or use `honte play --terminal`"
        ) from None
    from honte.games.registry import game as make_game
    from honte.players.registry import player as make_player
    from honte.search.limit import Limit
    from honte.terminal.dialogs import Wish
    from honte.terminal.session import PERSON, Session
    from honte.terminal.tui import BoardApp

    if store is not None and review is None:
        raise ValueError("--store says where a game is looked up; give its id with --review ID")
    if review is not None:
        session = Session.of_record(find(review, store, number, game))
    else:
        rules = make_game(game)
        for spec in {player, watch or player}:
            make_player(spec, rules).close()  # a wrong spec is said before the screen is taken
        person = watch or PERSON
        session = Session(rules, (player, person) if second else (person, player))
    side = "none" if watch else "second" if second else "first"
    app = BoardApp(session, Limit(seconds=seconds), Wish(session.game.spec, side, player, seconds))
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
