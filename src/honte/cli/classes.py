"""``honte class create NAME``, ``honte class show NAME`` …: a class, its rounds and its table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from honte.core.language import Message, plural, tr
from honte.core.messages import quote
from honte.games import MEASURED

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help=tr("The class: its name, or its folder."))
]


def classes() -> None:
    """List the classes: `honte class create` makes one, `honte serve --class` opens it."""
    from honte.classroom.classroom import DATABASE, home

    found = sorted(path.parent.name for path in home().glob(f"*/{DATABASE}"))
    if not found:
        typer.echo(tr("There is no class yet; make one with `honte class create NAME`."))
    for name in found:
        typer.echo(name)


def class_create(
    name: NameArgument,
    game: Annotated[
        str, typer.Option("--game", metavar="G", help=tr("What its bots play."))
    ] = MEASURED,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=600, help=tr("Seconds per move."))
    ] = 3.0,
) -> None:
    """Make a class: a code for the students, a code for the teacher, a folder with everything."""
    from honte.classroom.classroom import create

    made = create(name, game, seconds)
    typer.echo(
        tr(
            "The class {name} is in {folder}\n"
            "Code of the class  {join}\n"
            "Your own code      {teacher}\n"
            "Open it with       honte serve --class {given} --host 0.0.0.0",
            name=made.name,
            folder=made.folder,
            join=made.join_code,
            teacher=made.teacher_code,
            given=quoted(name),
        )
    )


def class_show(name: NameArgument) -> None:
    """Print the codes of a class, its students and the table."""
    from honte.classroom.classroom import find
    from honte.classroom.export import table

    room = find(name)
    rounds = room.rounds()
    typer.echo(
        tr(
            "{name}: {game}, {seconds:g} s a move\nCode of the class  {join}\n"
            "Your own code      {teacher}",
            name=room.name,
            game=room.game,
            seconds=room.seconds,
            join=room.join_code,
            teacher=room.teacher_code,
        )
    )
    if rounds:
        typer.echo(
            tr(
                "Round {n}: {words}",
                n=rounds[-1].id,
                words=tr(rounds[-1].words) or tr("not finished"),
            )
        )
    for row in table(room):
        rating = tr(plural("{n} upload, not ranked", "{n} uploads, not ranked", row["uploads"]))
        if row["place"]:
            rating = f"{row['elo']:+5} ± {row['error']:<4} v{row['version']}"
        fault = f"  {row['last_fault']}" if row["last_fault"] else ""
        typer.echo(f"{row['place']:>4} {row['name']:<24} {rating}{fault}")


def class_round(
    name: NameArgument,
    games: Annotated[
        int, typer.Option("--games", min=2, max=10_000, help=tr("New games per bot."))
    ] = 20,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.01, max=600, help=tr("Seconds per move."))
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=0, max=1024, help=tr("Games at once; 0: one per CPU."))
    ] = 1,
    on: Annotated[
        str, typer.Option("--on", metavar="WHERE", help=tr("local, ray or ray://HOST:PORT."))
    ] = "local",
) -> None:
    """Play a round without the page, or go on with one that was stopped."""
    from honte.arena.store import StoreError
    from honte.classroom.classroom import find
    from honte.classroom.round import play
    from honte.sandbox.levels import check_level
    from honte.sandbox.names import need_posix

    need_posix()
    check_level("untrusted")
    room = find(name)
    round = room.current or room.begin_round(games, seconds)

    def tell(done: int, total: int) -> None:
        typer.echo(f"\r{done}/{total}", nl=False, err=True)

    try:
        words = play(room, round, workers, on, tell)
    except KeyboardInterrupt:
        typer.echo("", err=True)
        typer.echo(tr("stopped; `honte class round {name}` goes on", name=quoted(name)), err=True)
        raise typer.Exit(130) from None
    except StoreError:
        raise ValueError(Message("the round is being played by the server of the class")) from None
    typer.echo("", err=True)
    room.end_round(round.id, str(words))
    class_show(name)


def class_freeze(
    name: NameArgument,
    off: Annotated[bool, typer.Option("--off", help=tr("Let new uploads enter again."))] = False,
) -> None:
    """Freeze the list: later uploads are checked but do not play."""
    from honte.classroom.classroom import find

    room = find(name)
    if off:
        room.unfreeze()
        typer.echo(tr("New uploads enter again."))
        return
    room.freeze()
    count = len(room.entries())
    typer.echo(tr(plural("The list is frozen: {n} bot.", "The list is frozen: {n} bots.", count)))


def class_code(
    name: NameArgument,
    student: Annotated[str, typer.Argument(metavar="STUDENT", help=tr("The student's name."))],
) -> None:
    """Give a student a new code; the old one stops working."""
    from honte.classroom.classroom import find

    room = find(name)
    found = [one for one in room.students() if one.name.casefold() == student.casefold()]
    if not found:
        raise ValueError(
            Message(
                "there is no student {name} in the class {room}",
                name=quote(student),
                room=room.name,
            )
        )
    typer.echo(room.new_code(found[0].id))


def class_export(
    name: NameArgument,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="FILE", help=tr(".csv, .html, or .zip for games.")),
    ],
) -> None:
    """Write the table of a class (.csv, .html), or all its games (.zip)."""
    from honte.classroom import export
    from honte.classroom.classroom import find
    from honte.core.whole_file import write_whole

    form = export.kind_of(output.name)
    write_whole(output, export.write(find(name), form))
    typer.echo(tr("wrote {file}", file=output))


def quoted(name: str) -> str:
    """A name quoted for the shell."""
    import shlex

    return shlex.quote(name)
