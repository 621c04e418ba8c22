"""English messages of typer and the native core, recognised so that they can be translated."""

from __future__ import annotations

import math
import os
import re
import string
from typing import Any

import typer
from typer.core import TyperCommand

from honte.core.columns import width, wrap
from honte.core.language import Message, language, tr

TYPER = (
    Message("Arguments"),
    Message("Options"),
    Message("Commands"),
    Message("Aborted!"),
    Message("default: {default}"),
    Message("required"),
    Message("env var: {var}"),
    Message("(dynamic)"),
    Message("Missing command."),
    Message("No such command {name!r}."),
    Message("Show this message and exit."),
)
"""Words that typer takes from gettext, or shows in a help text."""
SENTENCES = (
    Message("No such option: {name} (Possible options: {others})"),
    Message("No such option: {name}"),
    Message("No such command '{name}'. Did you mean {others}?"),
    Message("Missing argument '{name}'."),
    Message("Missing option '{name}'."),
    Message("Option '{name}' requires an argument."),
    Message("Option '{name}' does not take a value."),
    Message("Got unexpected extra argument(s) ({words})"),
    Message("Invalid value for {name}: '{value}' is not a valid {kind}."),
    Message("Invalid value for {name}: {value} is not in the range {range}."),
    Message(
        "Invalid value for {name}: {value} is not a valid boolean. Recognized values: {values}"
    ),
    Message("Invalid value for {name}: {why}"),
    # Errors of files and sockets.
    Message("No such file or directory"),
    Message("Permission denied"),
    Message("Is a directory"),
    Message("Not a directory"),
    Message("No space left on device"),
    Message("Address already in use"),
    # Errors of the native core in positions and files.
    Message("the piece in row {row}, column {col} hangs above an empty cell; pieces fall"),
    Message("row {row}, column {col} is marked blocked, but it is not in this game"),
    Message("row {row}, column {col} must be marked blocked in this game"),
    Message("X has {x} and O {o} pieces, so {side} cannot be to move; X moves first"),
    Message("the side to move, {side}, already has a line; the game ended before this position"),
    Message("the group with the stone in row {row} from the top, column {col} has no liberty"),
    Message("the ko point cannot be played anyway; leave it out"),
    Message("a stone on the ko point would not take back a ko"),
    Message("this network is another game's"),
    Message("memory_mb is too small for the root of this game"),
)
KINDS = (Message("int range"), Message("integer"), Message("float"), Message("float range"))


def in_words(text: object) -> str:
    """An error in the chosen language, where it is known.

    >>> in_words(ValueError("nobody knows this one"))
    'nobody knows this one'
    >>> in_words(IsADirectoryError(21, "Is a directory", "games"))
    'games: Is a directory'
    """
    if isinstance(text, OSError) and text.strerror:
        why = in_words(text.strerror)
        names = [name_of(name) for name in (text.filename, text.filename2) if name is not None]
        return tr("{path}: {why}", path=" -> ".join(names), why=why) if names else why
    said = str(text)
    if isinstance(said, Message) or language() == "en":
        return tr(said)
    for sentence in SENTENCES:
        if found := pattern(sentence).fullmatch(said):
            kind = {"kind": tr(found["kind"])} if "kind" in found.groupdict() else {}
            return tr(sentence.text, **found.groupdict() | kind)
    return said


def name_of(file: object) -> str:
    """A file name as it can be printed on one line.

    >>> name_of(b"games.db"), name_of("two\\nlines")
    ('games.db', "'two\\\\nlines'")
    """
    name = os.fsdecode(file) if isinstance(file, str | bytes | os.PathLike) else str(file)
    return name if name.isprintable() else repr(name)


def pattern(sentence: str) -> re.Pattern[str]:
    """A sentence with gaps as a pattern.

    >>> pattern("no {what} here").fullmatch("no moves here")["what"]
    'moves'
    """
    parts = string.Formatter().parse(sentence)
    return re.compile(
        "".join(re.escape(text) + (f"(?P<{gap}>.+?)" if gap else "") for text, gap, *_ in parts),
        re.DOTALL,
    )


class Command(TyperCommand):
    """A command whose numbers are finite: nan is in every range, as it compares with nothing."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        for param in self.get_params(ctx):
            value = ctx.params.get(param.name)
            if isinstance(value, float) and not math.isfinite(value):
                raise ValueError(
                    Message(
                        "Invalid value for {name}: '{value}' is not a valid {kind}.",
                        name=param.get_error_hint(ctx),
                        value=value,
                        kind=Message("float"),
                    )
                )
        return rest


HELP_CONTEXT: Any = typer.Context.__mro__[1]
"""The class whose `formatter_class` writes help; typer does not export it."""


def help_in_columns() -> None:
    """Wrap help texts by columns: typer counts characters, of which Chinese ones take two."""
    plain: Any = HELP_CONTEXT.formatter_class

    class Formatter(plain):  # type: ignore[misc]
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            super().write_usage(prog, args, prefix or tr("Usage: "))

        def write_heading(self, heading: str) -> None:
            self.write(f"{' ' * self.current_indent}{heading}：\n")

        def write_text(self, text: str) -> None:
            indent = " " * self.current_indent
            for paragraph in text.split("\n\n"):
                joined = re.sub(r"\s*\n\s*", "", paragraph.strip())
                for line in wrap(joined, self.width - self.current_indent):
                    self.write(f"{indent}{line}\n")
                self.write("\n")
            self.buffer.pop()

        def write_dl(self, rows: Any, col_max: int = 30, col_spacing: int = 2) -> None:
            rows = list(rows)
            first = min(max(width(name) for name, _ in rows), col_max) + col_spacing
            indent = " " * self.current_indent
            for name, text in rows:
                lines = wrap(tr(text), max(self.width - first - self.current_indent, 20))
                if width(name) > first - col_spacing:
                    self.write(f"{indent}{name}\n{indent}{' ' * first}")
                else:
                    self.write(f"{indent}{name}{' ' * (first - width(name))}")
                self.write(f"\n{indent}{' ' * first}".join(lines) + "\n")

    HELP_CONTEXT.formatter_class = Formatter
