"""``honte``: the command line and its error handling."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from inspect import cleandoc
from typing import Any

import typer
from typer.core import TyperGroup

from honte.cli.usage import Command, help_in_columns, in_words
from honte.core.fault import Fault
from honte.core.language import Message, language, split, tr
from honte.games import EXAMPLE, SPECS, TITLES

COMMANDS = (
    "play", "serve", "tui", "best", "solve", "match", "tournament", "ladder", "check", "dev",
    "review", "show", "tune", "learn", "selfplay", "book", "calibrate", "perft", "bench", "doctor",
    "analyse", "gtp", "nboard", "botzone", "saiblo", "export", "openings", "class",
)  # fmt: skip
"""Each command is the function of that name in the module of that name, unless RENAMED."""
RENAMED = {"class": "classes"}
"""Commands whose name is a keyword of Python, with the name of their function."""
USAGE_ERROR: Any = typer.BadParameter.__mro__[2]
"""What typer raises for a wrong command line; it does not export the class."""
SECOND_WORDS = {
    "learn": {"net": "learn_net"},
    "class": dict.fromkeys(("create", "show", "round", "freeze", "code", "export"), "classes"),
}
"""Commands of two words, and the modules of their functions: ``learn_net``."""
BUILDERS = ("learn", "book")
"""Commands whose options depend on the game."""

OVERVIEW = Message(
    """\
Honte plays {games}, and games of your own.

  honte play                        a board in the browser (tui: in a terminal)
  honte best {example:<23}the best move, and why (solve: prove it)
  honte check py:bot.py:choose      what is wrong with a bot
  honte ladder mybot --quick        where a bot stands among a hundred levels
  honte match uct uct:c=1.2         who is stronger? (--games, --seconds S)
  honte tournament uct random best  a round robin (live: serve --store DB)
  honte review ID --store DB        where a game was lost (show: step by step)
  honte tune STUDY.toml             tune settings by playing
  honte bench, honte doctor         how fast it is here; what is installed

Games: {specs}
`honte --help` lists all commands, `honte COMMAND --help` their options.""",
    games=TITLES,
    example=EXAMPLE,
    specs=SPECS,
)


class Commands(TyperGroup):
    """Commands of one word or of two."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        two = " ".join(args[:2])
        if two in self.commands:
            return two, self.commands[two], args[2:]
        return super().resolve_command(ctx, args)


def make_app(commands: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line with these commands; loading one is quicker than loading all."""
    app = typer.Typer(
        cls=Commands,
        add_completion=False,
        invoke_without_command=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(help=tr("Strong, fast, understandable AI for {games}.", games=TITLES))(overview)
    for name in commands:
        known_as = RENAMED.get(name, name)
        found = vars(import_module(f"honte.cli.{known_as}"))[known_as]
        app.command(name, cls=_class_of(name), **help_of(found))(found)
        for second, module in SECOND_WORDS.get(name, {}).items():
            found = vars(import_module(f"honte.cli.{module}"))[f"{name}_{second}"]
            app.command(f"{name} {second}", cls=Command, **help_of(found))(found)
    return app


def help_of(command: Callable[..., None]) -> dict[str, Any]:
    """The help of a command is its docstring; in other languages its translation."""
    if language() == "en":
        return {}
    told = tr(cleandoc(command.__doc__ or ""))
    return {"help": told, "short_help": re.split(r"(?<=。)|\n", told)[0]}


def _class_of(name: str) -> type[Command]:
    if name not in BUILDERS:
        return Command
    from honte.cli.builder import GameCommand

    return GameCommand


def overview(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help=tr("Print the version.")),
    lang: str = typer.Option(
        "", "--lang", metavar="en|zh", show_default=False, help=tr("The language of messages.")
    ),
) -> None:
    """Print the overview if no command is given."""
    if version:
        from honte import __version__

        typer.echo(f"honte {__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(tr(OVERVIEW))


def run() -> None:
    """The ``honte`` command. Exit codes: 0 fine, 1 a check failed, 2 usage, 130 interrupted."""
    try:
        words = split(sys.argv[1:])[1]
        if language() != "en":
            help_in_columns()
        app = make_app(words[:1] if words[:1] and words[0] in COMMANDS else COMMANDS)
        code = app(words, standalone_mode=False)
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
    except BrokenPipeError:  # the reader closed the pipe: exit quietly
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except SystemExit as leaving:  # typer turns a broken pipe into exit code 1
        sys.exit(141 if isinstance(leaving.__context__, BrokenPipeError) else leaving.code)
    except (ValueError, OSError) as error:
        sys.exit(complain(error))
    except Fault as fault:  # of somebody's bot
        sys.exit(complain(Message("the bot failed: {why}", why=fault.detail)))
    except ImportError as error:
        if error.name != "honte._native":
            raise
        sys.exit(complain(error))  # no build of the native core for this processor
    except USAGE_ERROR as error:
        sys.exit(complain(error.format_message()))
    sys.exit(code if isinstance(code, int) else 0)


def complain(error: object) -> int:
    print(f"honte: {in_words(error)}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    run()
