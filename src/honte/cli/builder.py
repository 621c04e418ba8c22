"""Shared by ``honte learn`` and ``honte book``: per-game options, and running the builder."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperOption

from honte.cli.progress import Progress
from honte.cli.usage import Command
from honte.core.language import Message, tr

if TYPE_CHECKING:
    from honte.core.builder import Builder, StoredGame
    from honte.core.contract import Game
    from honte.core.spec import Option

OutputOption = Annotated[
    Path | None,
    typer.Option("--output", "--out", "-o", metavar="FILE", help=tr("The file to write.")),
]
GAME_OPTIONS = "honte.game_options"


class GameCommand(Command):
    """A command that takes the options of its game's builder: ``honte learn GAME --help``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        options = builder_options(self.name or "", args)
        flags = [flag for option in options for flag in as_flags(option)]
        ctx.meta[GAME_OPTIONS] = flags
        rest = super().parse_args(ctx, args)
        found = {flag.name: ctx.params.pop(flag.name) for flag in flags}
        ctx.obj = {name: value for name, value in found.items() if value is not None}
        return rest

    def get_params(self, ctx: Any) -> list[Any]:
        return [*super().get_params(ctx), *ctx.meta.get(GAME_OPTIONS, [])]


def builder_options(command: str, args: list[str]) -> list[Option]:
    """The options of the game that the arguments name."""
    from honte.core.games import game as make_game
    from honte.games import DEFAULT

    for spec in (*(word for word in args if not word.startswith("-")), DEFAULT):
        with suppress(ValueError):  # not a game: an option's value, or an error reported later
            return list(builder_of(make_game(spec), command).options.shown())
    return []


def as_flags(option: Option) -> list[TyperOption]:
    """``self_play`` as ``--self-play``, and its former names as hidden flags.

    The values stay text, for the option to convert.
    """
    told = tr("{help} ({expects}).", help=tr(option.help), expects=tr(option.expects))
    if option.default is not None:
        told = tr(
            "{help} ({expects}; {default} by default).",
            help=tr(option.help),
            expects=tr(option.expects),
            default=option.default,
        )
    return [
        TyperOption(
            param_decls=[f"--{name.replace('_', '-')}", name],
            type=str,
            metavar=name.upper(),
            help=told,
            hidden=name in option.aliases,
        )
        for name in (option.name, *option.aliases)
    ]


def builder_of(game: Game, command: str) -> Builder:
    """The builder behind a command; the error lists the games that have one."""
    from honte.core.builder import Builder
    from honte.core.descriptor import load
    from honte.core.games import game as make_game
    from honte.core.games import names

    def ref(game: Game) -> str | None:
        return game.descriptor.learner if command == "learn" else game.descriptor.book

    found = ref(game)
    if found is None:
        others = ", ".join(name for name in names() if ref(make_game(name)))
        raise ValueError(
            Message(
                "{name} has no `honte {command}`; those that have are {others}",
                name=game.name,
                command=command,
                others=others,
            )
        )
    builder = load(found)
    assert isinstance(builder, Builder)
    return builder


def build(command: str, spec: str, output: Path | None, given: Mapping[str, object]) -> None:
    """Run a game's builder and print how to use its file."""
    from honte.core.builder import Build, command_line
    from honte.core.games import game as make_game

    game = make_game(spec)
    builder = builder_of(game, command)
    if game != make_game(game.name):
        raise ValueError(
            Message(
                "`honte {command} {name}` builds the one file of {name}, for no board of your "
                "choice; write {name}, not {spec}",
                command=command,
                name=game.name,
                spec=spec,
            )
        )
    owner = f"{command} {game.spec}"
    given = builder.options.current(owner, given)
    if output is not None and not output.absolute().parent.is_dir():
        raise ValueError(
            Message("there is no folder {parent}; make it first", parent=output.parent)
        )
    progress = Progress()
    job = Build(
        output=output,
        default=Path(builder.file),
        settings=builder.options.read(owner, given),
        command=command_line(f"honte {owner}", builder.options, given),
        tell=progress.tell,
        stored_games=stored_games,
    )
    try:
        built = builder.run(job)
    finally:
        progress.clear()
    for line in built.lines:
        typer.echo(tr(line))
    if built.wrote:
        typer.echo(how_to_use(game, builder, job.path))
    if built.failed:
        raise typer.Exit(1)


def how_to_use(game: Game, builder: Builder, path: Path) -> str:
    """How to try and install the file."""
    file = shlex.quote(str(path))
    lines = [tr("wrote {file}, {size:,} bytes", file=file, size=path.stat().st_size)]
    if builder.player:
        player = builder.player.format(file=file)
        lines.append(
            tr("try it:      honte best {spec} --player {player}", spec=game.spec, player=player)
        )
    if game.descriptor.data is not None:
        installed = shlex.quote(str(game.descriptor.data / builder.file))
        lines.append(tr("install it:  cp {file} {installed}", file=file, installed=installed))
    return "\n".join(lines)


def stored_games(path: Path) -> Iterator[StoredGame]:
    """The games of a store: spec, players, moves, number of opening moves."""
    from honte.arena.store import Store

    with Store(path, write=False) as store:
        for played in store.games():
            task = played.task
            yield task.game, task.players, played.moves, len(task.opening)
