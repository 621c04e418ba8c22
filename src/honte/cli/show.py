"""``honte show``: replay a game of a store or a file, or list and export a store."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honte.core.columns import left
from honte.core.language import Message, plural, tr

if TYPE_CHECKING:
    from honte.arena.game import Played
    from honte.arena.store import Store
    from honte.core.contract import State
    from honte.core.record import Record

MOST_ENGINES = 20
"""Builds listed below the games of a store."""
STORE_BEGINS = b"SQLite format 3\0"


def is_store(path: Path) -> bool:
    """Whether a file is a store, by its first bytes."""
    if not path.is_file():  # a pipe can be read only once
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(STORE_BEGINS)) == STORE_BEGINS
    except OSError:
        return False


def show(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help=tr("An id in the store, a record (.sgf, .ggf, .wtb), or a store."),
        ),
    ] = None,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="DB", help=tr("The store that has the id."))
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--as", metavar="FORMAT", help=tr("Export: text, csv, sgf or ggf.")),
    ] = None,
    move: Annotated[
        int | None,
        typer.Option("--move", min=0, help=tr("Only the position after this many moves.")),
    ] = None,
    number: Annotated[int, typer.Option("--number", min=1, help=tr("Which game of a file."))] = 1,
    spec: Annotated[
        str | None,
        typer.Option("--game", metavar="G", help=tr("The game of a file of transcripts.")),
    ] = None,
    last: Annotated[int, typer.Option("--last", min=1, help=tr("How many games to list."))] = 20,
) -> None:
    """Replay a game, step by step on a terminal.

    Without GAME, list the games of a store, or export all of them with --as.
    """
    if store is None and game is not None and is_store(Path(game)):
        store, game = Path(game), None
    if store is None:
        if game is None:
            raise ValueError(Message("name a game to show: a file, or an id with --store DB"))
        if form is not None:
            raise ValueError(Message("--as exports games of a store; name it with --store DB"))
        replay(from_file(Path(game), number, spec), move)
        return

    from honte.arena import export
    from honte.arena.store import Store

    with Store(store, write=False) as kept:
        if game is not None:
            played = kept.get(game)
            if form is not None:
                typer.echo(export.write([played], form), nl=False)
                return
            record = export.record_of(played)
            typer.echo(f"{played.task.id}  {played.task.game}")
            for line in build_lines(kept, played):
                typer.echo(line)
            replay(record, move, ending(played.for_first, played.reason, played.detail))
        elif form is not None:
            typer.echo(export.write(kept.games(), form), nl=False)
        else:
            for head in kept.heads(last):
                result = {1: "1-0", 0: "½-½", -1: "0-1"}[head.result]
                one, two = head.players
                typer.echo(
                    tr(
                        "{id}  {result}  {reason} {plies:>3} plies  {one}  -  {two}   {game}",
                        id=head.id,
                        result=result,
                        reason=left(tr(head.reason), 10),
                        plies=head.plies,
                        one=one,
                        two=two,
                        game=head.game,
                    )
                )
            for line in engine_lines(kept):
                typer.echo(line)
            typer.echo(
                tr(
                    "{count} games; `honte show ID --store {store}` replays one",
                    count=len(kept),
                    store=store,
                )
            )


def build_lines(kept: Store, played: Played) -> list[str]:
    """The builds that played a game."""
    from honte.arena.report import printable

    return [
        printable(f"  {spec}  {build_words(build, kept.build_words(build))}")
        for spec, build in dict(zip(played.task.players, played.task.versions, strict=True)).items()
    ]


def engine_lines(kept: Store) -> list[str]:
    """The builds in a store, the newest last."""
    from honte.arena.report import printable, short

    engines = kept.engines()
    rest = len(engines) - MOST_ENGINES
    more = [tr("and {n} more builds", n=rest)] if rest > 0 else []
    lines = [
        tr(
            "{player} {games:>6} games since {date}  {build}",
            player=left(short(engine.spec), 28),
            games=engine.games,
            date=time.strftime("%Y-%m-%d", time.gmtime(engine.since)),
            build=printable(build_words(engine.build, engine.words)),
        )
        for engine in engines[-MOST_ENGINES:]
    ]
    return ["", *more, *lines, ""]


def build_words(build: str, words: str) -> str:
    """A build with what it consists of."""
    if words:
        return tr("build {build} ({words})", build=build, words=words)
    if build:
        return tr("build not recorded (version {build})", build=build)
    return tr("build not recorded")


def ending(result: int, reason: str, detail: str) -> str:
    """The result of a game in words."""
    from honte.arena.report import fault_words

    who = {1: tr("the first player wins"), 0: tr("a draw"), -1: tr("the second player wins")}[
        result
    ]
    return tr("{who} ({how})", who=who, how=fault_words(reason, detail))


def from_file(path: Path, number: int, spec: str | None) -> Record:
    from honte.core.record import load

    if not path.exists():
        raise ValueError(
            Message("there is no file {path}; for a game of a store add --store DB", path=path)
        )
    records = load(path, game=spec)
    if not records:
        raise ValueError(Message("there is no game in {file}", file=path.name))
    if number > len(records):
        raise ValueError(
            Message(
                "{file} has {count} games; there is no number {number}",
                file=path.name,
                count=len(records),
                number=number,
            )
        )
    return records[number - 1]


def replay(record: Record, only: int | None, end: str = "") -> None:
    """Show all positions of a game, or one of them."""
    from honte.arena.report import printable
    from honte.core.variations import children_of

    states = list(record.states())
    if only is not None and only >= len(states):
        raise ValueError(
            Message(
                "the game has {count} moves; there is no move {only}",
                count=len(states) - 1,
                only=only,
            )
        )
    one, two = (name or "?" for name in record.players)
    typer.echo(tr("{one}  (first)  -  {two}\n", one=one, two=two))
    if only is not None:
        typer.echo(picture(record, states, only))
        return
    step = sys.stdin.isatty() and sys.stdout.isatty()
    place = 0
    while place < len(states):
        typer.echo(picture(record, states, place))
        place += 1
        if step and place < len(states):
            answer = input(tr("Enter: next, b: back, e: end, q: quit ")).strip().lower()
            if answer == "q":
                return
            if answer == "b":
                place = max(0, place - 2)
            elif answer == "e":
                place = len(states) - 1
        typer.echo("")
    final = end or record.result
    if final:
        typer.echo(printable(final))
    if rest := record.rest_words():
        typer.echo(rest)
    if variations := sum(len(ways) - 1 for ways in children_of(record.tree) if ways):
        told = plural(
            "{n} variation is not shown; open the file on the page of `honte play`",
            "{n} variations are not shown; open the file on the page of `honte play`",
            variations,
        )
        typer.echo(tr(told))


def picture(record: Record, states: Sequence[State], place: int) -> str:
    """The position after a move, with the move's player, time and evaluation."""
    from honte.drawing.text import words as shown

    board = shown(states[place])
    if place == 0:
        return board
    before = states[place - 1]
    move = record.moves[place - 1]
    words = f"{place}. {before.game.format(move)}"
    if record.players[before.to_move]:
        words += f"  {record.players[before.to_move]}"
    seconds = record.meta.get("times", {}).get(place)
    value = record.meta.get("evals", {}).get(place)
    if seconds is not None:
        words += tr(", {seconds:.3f} s", seconds=seconds)
    if value is not None:
        words += tr(", value {value:+.3f}", value=value)
    return f"{words}\n{board}"
