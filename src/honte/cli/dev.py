"""``honte dev ./Strategy.cpp``: compile, check and ladder a bot whenever its source changes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honte.core.language import Message, plural, tr
from honte.games import MEASURED

if TYPE_CHECKING:
    from honte.submissions.compiler import Build, Diagnostic
    from honte.submissions.versions import Version, Versions

EVERY = 0.5
"""Seconds between two looks at the files."""
CHECK_SECONDS = 30.0
FOLDER = ".honte"

Changed = Callable[[], bool]


def dev(
    path: Annotated[
        Path,
        typer.Argument(metavar="FILE", help=tr("Strategy.cpp, a folder, a zip or a .py file.")),
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
) -> None:
    """Compile, check and ladder a bot, again whenever its source changes; every version is kept."""
    from honte.sandbox.names import need_posix
    from honte.submissions.versions import Versions

    need_posix()
    home = path if path.is_dir() else path.parent
    versions = Versions((keep or home / FOLDER).absolute())
    last: object = None
    failed = False
    while True:
        seen = stamp(path)

        def changed(since: object = seen) -> bool:
            return not once and stamp(path) != since

        if seen != last:
            last = seen
            failed = not attempt(path, versions, game, seconds, ladder, changed)
            if once:
                break
            typer.echo(tr("watching {file}; Ctrl-C ends", file=path))
        time.sleep(EVERY)
    if failed:
        raise typer.Exit(1)


def stamp(path: Path) -> object:
    """What changes when the source does."""
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
    path: Path, versions: Versions, game: str | None, seconds: float, ladder: bool, changed: Changed
) -> bool:
    """One round; whether nothing is wrong."""
    from honte.submissions.sources import files_of

    before = versions.all()
    try:
        version, build = versions.add(files_of(path))
    except ValueError as error:
        typer.echo(tr(str(error)))
        return False
    show_build(version, build)
    if not build.ok:
        return False
    old = next((one for one in before if one.number == version.number), None)
    if old is not None:
        typer.echo(tr("{name}: the source is unchanged", name=version.name))
        version = old
    version = check(version, game, seconds, changed)
    versions.save(version)
    if version.faults or not ladder or changed():
        return not version.faults
    version = climb(version, versions, game, seconds, changed)
    versions.save(version)
    compare(version, game or MEASURED, [one for one in before if one.number < version.number])
    return True


def show_build(version: Version, build: Build) -> None:
    for found in build.diagnostics:
        typer.echo(words_for(found))
    if not build.ok:
        errors = len(build.errors)
        typer.echo(
            tr(plural("One error; nothing was run.", "{n} errors; nothing was run.", errors))
        )
    elif build.seconds:
        told = tr("{name}: compiled in {seconds:.1f} s", name=version.name, seconds=build.seconds)
        typer.echo(told)


def words_for(found: Diagnostic) -> str:
    """A diagnostic, with what to do about it."""
    where = f"{found.file}:{found.line}: " if found.line else f"{found.file}: " * bool(found.file)
    kind = tr(Message("error")) if found.kind == "error" else tr(Message("warning"))
    told = f"{where}{kind}: {tr(found.text)}"
    return f"{told}\n    → {tr(found.advice)}" if found.advice else told


def check(version: Version, game: str | None, seconds: float, changed: Changed) -> Version:
    import honte
    from honte.check import Check
    from honte.cli.check import likely_game, summary
    from honte.cli.check import words_for as finding_words

    rules = honte.game(game or likely_game(version.spec))
    trial = Check(version.spec, rules, seconds=seconds, budget=CHECK_SECONDS)
    found = []
    for finding in trial.run():
        found.append(finding)
        if finding.kind != "ok":
            typer.echo(finding_words(finding))
        if changed():
            break
    faults = tuple(str(finding.name) for finding in found if finding.kind == "fault")
    warnings = sum(finding.kind == "warning" for finding in found)
    told = summary(len(faults), warnings, found)
    typer.echo(tr("{name}: {told}", name=version.name, told=told))
    return replace(version, faults=faults)


def climb(
    version: Version, versions: Versions, game: str | None, seconds: float, changed: Changed
) -> Version:
    """A quick ladder; it ends early when the source changes."""
    from honte.arena.report import Live
    from honte.submissions.trial import STORE, climbed

    live: Live | None = None
    playing = climbed(version, versions.folder / STORE, game or MEASURED, seconds)
    try:
        for event in playing:
            elo, error, games = event["elo"], event["error"], event["games"]
            version = replace(version, elo=elo, error=error, games=games)
            live = live or Live(event["planned"])
            if live.due():
                live.show(games, 0, tr("Elo {elo} ± {error}", elo=elo, error=error))
            if changed():
                break
    finally:
        if live is not None:
            live.clear()
        playing.close()
    return version


def compare(version: Version, game: str, before: list[Version]) -> None:
    """The rating, beside those of the versions before."""
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
                "to be sure which is better:\n  honte match {new} {old} --game {game} --sprt 0,50",
                new=version.spec,
                old=rated[-1].spec,
                game=game,
            )
        )
