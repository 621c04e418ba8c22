"""``honte dev ./Strategy.cpp``: compile, check and ladder a bot whenever its source changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honte.core.language import Message, plural, tr

if TYPE_CHECKING:
    from honte.submissions.compiler import Diagnostic
    from honte.submissions.trial import Event
    from honte.submissions.versions import Version, Versions

EVERY = 0.5
"""Seconds between two polls of the files."""
FOLDER = ".honte"

Changed = Callable[[], bool]


def dev(
    given: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help=tr("Strategy.cpp, a folder, a zip, a .py file, a program, or saiblo:./bot --x."),
        ),
    ],
    game: Annotated[
        str | None, typer.Option("--game", metavar="G", help=tr("A game spec."))
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=600, help=tr("The bot's seconds per move."))
    ] = 3.0,
    ladder: Annotated[
        bool, typer.Option("--ladder/--no-ladder", help=tr("Play a quick ladder as well."))
    ] = True,
    once: Annotated[bool, typer.Option("--once", help=tr("Once, without watching."))] = False,
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="FOLDER", help=tr("Where versions are kept.")),
    ] = None,
    compare: Annotated[
        int | None,
        typer.Option(
            "--compare",
            metavar="N",
            min=1,
            help=tr("Play the newest version against version N until it is clear which is better."),
        ),
    ] = None,
) -> None:
    """Compile, check and ladder a bot, again whenever its source changes; every version is kept."""
    from honte.sandbox.names import need_posix
    from honte.submissions.versions import Versions

    need_posix()
    path = Path(given)
    command = is_command(given)
    home = Path() if command else path if path.is_dir() else path.parent
    versions = Versions((keep or home / FOLDER).absolute())
    if compare is not None:
        if not compared(given if command else path, versions, compare, game, seconds):
            raise typer.Exit(1)
        return
    last: object = None
    failed = False
    while True:
        seen = look(given)

        def changed(since: object = seen) -> bool:
            return not once and look(given) != since

        if seen != last:
            last = seen
            what = given if command else path
            failed = not attempt(what, versions, game, seconds, ladder, changed)
            if once:
                break
            typer.echo(tr("watching {file}; Ctrl-C ends", file=given))
        time.sleep(EVERY)
    if failed:
        raise typer.Exit(1)


def is_command(given: str) -> bool:
    """Whether a protocol and a command line were given."""
    from honte.sandbox.programs import PROTOCOLS

    name, colon, _ = given.partition(":")
    return bool(colon) and name in PROTOCOLS and not Path(given).exists()


def look(given: str) -> object:
    """A stamp that changes with the bot: its source, or the files that a command line names."""
    if not is_command(given):
        return stamp(Path(given))
    found = []
    for word in given.partition(":")[2].split():
        try:
            status = Path(word.rpartition(":")[0] or word).stat()
        except OSError:
            continue
        found.append((word, status.st_mtime_ns, status.st_size))
    return found


def stamp(path: Path) -> object:
    """A stamp that changes with the source."""
    from honte.submissions.sources import HEADERS, SUFFIXES

    folder = path if path.is_dir() else path.parent
    found = []
    for one in [path, *(folder.rglob("*") if path.is_dir() else folder.glob("*"))]:
        hidden = any(part.startswith(".") for part in one.relative_to(folder).parts)
        if not hidden and (one == path or one.suffix in (*SUFFIXES, *HEADERS, ".py")):
            try:
                status = one.stat()
            except OSError:  # an editor is replacing it
                continue
            found.append((str(one), status.st_mtime_ns, status.st_size))
    return sorted(found)


def attempt(
    path: Path | str,
    versions: Versions,
    game: str | None,
    seconds: float,
    ladder: bool,
    changed: Changed,
) -> bool:
    """Run one round; returns whether nothing is wrong. Ends early when the source changes."""
    from honte.arena.report import Live
    from honte.submissions.trial import trial

    before = versions.all()
    live: Live | None = None
    events = trial(versions, path, game, seconds, ladder=ladder)
    event: Event = {}
    try:
        for event in events:
            if event["event"] == "game":
                live = live or Live(event["planned"])
                if live.due():
                    told = tr("Elo {elo} ± {error}", elo=event["elo"], error=event["error"])
                    live.show(event["games"], 0, told)
            else:
                tell(event)
            if changed():
                break
    finally:
        if live is not None:
            live.clear()
        events.close()
    ok = bool(event.get("ok", True))  # an interrupted trial is not a failure
    if live is not None and event["event"] == "end":
        tell_rating(versions.all()[-1], path, before)
    return ok


def tell(event: Event) -> None:
    """Print an event of a trial."""
    from honte.check.advice import Finding
    from honte.cli.check import words_for as finding_words
    from honte.submissions.compiler import Diagnostic

    if event["event"] == "refused":
        typer.echo(event["words"])
    elif event["event"] == "build":
        for found in event["diagnostics"]:
            typer.echo(words_for(Diagnostic(**found)))
        if not event["ok"]:
            errors = sum(found["kind"] == "error" for found in event["diagnostics"])
            words = plural("One error; nothing was run.", "{n} errors; nothing was run.", errors)
            typer.echo(tr(words))
        elif event["seconds"]:
            typer.echo(
                tr(
                    "v{n}: compiled in {seconds:.1f} s",
                    n=event["version"],
                    seconds=event["seconds"],
                )
            )
    elif event["event"] == "finding" and event["kind"] != "ok":
        parts = {name: event[name] for name in ("kind", "name", "seen", "fix", "picture")}
        typer.echo(finding_words(Finding(**parts)))
    elif event["event"] == "checked":
        typer.echo(event["words"])


def words_for(found: Diagnostic) -> str:
    """A diagnostic, with what to do about it."""
    where = f"{found.file}:{found.line}: " if found.line else f"{found.file}: " * bool(found.file)
    kind = tr(Message("error")) if found.kind == "error" else tr(Message("warning"))
    told = f"{where}{kind}: {tr(found.text)}"
    return f"{told}\n    → {tr(found.advice)}" if found.advice else told


def tell_rating(version: Version, path: Path | str, before: list[Version]) -> None:
    """Print the rating, beside those of earlier versions."""
    before = [one for one in before if one.number < version.number]
    typer.echo(
        tr(
            "{name}: Elo {elo} ± {error} in {games} games",
            name=version.name,
            elo=version.elo,
            error=version.error,
            games=version.games,
        )
    )
    rated = [one for one in before if one.elo is not None]
    for one in rated[-3:]:
        typer.echo(f"  {one.name:<5} {one.elo} ± {one.error}")
    if rated:
        typer.echo(
            tr(
                "to be sure which is better:\n  honte dev {file} --compare {n}",
                file=path,
                n=rated[-1].number,
            )
        )


def compared(
    path: Path | str, versions: Versions, other: int, game: str | None, seconds: float
) -> bool:
    """Compare the bot with another version of it; returns whether that worked."""
    from honte.arena.report import Live
    from honte.submissions.compare import compare
    from honte.submissions.sources import files_of
    from honte.submissions.trial import build_event

    if isinstance(path, str):
        version, build = versions.add_command(path, game)
    else:
        version, build = versions.add(files_of(path), game)
    tell(build_event(version, build))
    if not build.ok:
        return False
    live: Live | None = None
    events = compare(versions, version.number, other, game, seconds)
    event: Event = {}
    try:
        for event in events:
            if event["event"] == "standing":
                live = live or Live(event["most"])
                if live.due():
                    live.show(event["games"], 0, standing_words(event))
            elif live is not None:
                live.clear()
            if "words" in event:
                typer.echo(event["words"])
    finally:
        if live is not None:
            live.clear()
        events.close()
    return bool(event["ok"])


def standing_words(event: Event) -> str:
    """A comparison so far."""
    score = f"+{event['wins']} −{event['losses']} ={event['draws']}"
    test = event["sprt"]
    return f"{score}  " + tr("{llr:+.2f} of ±{bound:.2f}", llr=test["llr"], bound=test["bound"])
