"""``honte show``: a game again, from a store or from a file; or the list of a store's games."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from honte.games.contract import State
    from honte.games.records import Record


def show(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="An id in the store, or a file (.sgf, .ggf, .wtb)."),
    ] = None,
    store: Annotated[
        Path | None, typer.Option("--store", metavar="DB", help="Where the id is looked up.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--as", metavar="FORMAT", help="text, csv, sgf or ggf instead.")
    ] = None,
    move: Annotated[
        int | None, typer.Option("--move", min=0, help="Only the position after this move.")
    ] = None,
    number: Annotated[int, typer.Option("--number", min=1, help="Which game of a file.")] = 1,
    spec: Annotated[
        str | None, typer.Option("--game", metavar="G", help="The game of a file of transcripts.")
    ] = None,
    last: Annotated[int, typer.Option("--last", min=1, help="How many games to list.")] = 20,
) -> None:
    """Replay a game; on a terminal step by step, with Enter.

    Without a GAME, list a store's games, or with --as write all of them.
    """
    if store is None:
        if game is None:
            raise ValueError("name a game to show: an id with --store DB, or a file")
        if form is not None:
            raise ValueError("--as writes the games of a store; give one with --store DB")
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
            replay(record, move, ending(played.for_first, played.reason, played.detail))
        elif form is not None:
            typer.echo(export.write(kept.games(), form), nl=False)
        else:
            for head in kept.heads(last):
                result = {1: "1-0", 0: "½-½", -1: "0-1"}[head.result]
                one, two = head.players
                typer.echo(
                    f"{head.id}  {result}  {head.reason:<10} {head.plies:>3} plies  "
                    f"{one}  -  {two}   {head.game}"
                )
            typer.echo(f"{len(kept)} games; `honte show ID --store {store}` replays one")


def ending(result: int, reason: str, detail: str) -> str:
    """How a game ended, in words."""
    who = {1: "the first player wins", 0: "nobody wins", -1: "the second player wins"}[result]
    return f"{who} ({reason}{': ' + detail if detail else ''})"


def from_file(path: Path, number: int, spec: str | None) -> Record:
    from honte.games.records import load

    if not path.is_file():
        raise ValueError(f"there is no file {path}; for a game of a store give --store DB too")
    records = load(path, game=spec)
    if number > len(records):
        raise ValueError(f"{path.name} holds {len(records)} games; there is no number {number}")
    return records[number - 1]


def replay(record: Record, only: int | None, end: str = "") -> None:
    """Show every position of a game, or one of them."""
    from honte.arena.report import printable

    states = list(record.states())
    if only is not None and only >= len(states):
        raise ValueError(f"the game has {len(states) - 1} moves; there is no move {only}")
    one, two = (name or "?" for name in record.players)
    typer.echo(f"{one}  (first)  -  {two}\n")
    if only is not None:
        typer.echo(picture(record, states, only))
        return
    step = sys.stdin.isatty() and sys.stdout.isatty()
    place = 0
    while place < len(states):
        typer.echo(picture(record, states, place))
        place += 1
        if step and place < len(states):
            answer = input("Enter: on, b: back, e: to the end, q: leave ").strip().lower()
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


def picture(record: Record, states: Sequence[State], place: int) -> str:
    """The position after a move, and what is known about the move."""
    board = str(states[place])
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
        words += f", {seconds:.3f} s"
    if value is not None:
        words += f", its value {value:+.3f}"
    return f"{words}\n{board}"
