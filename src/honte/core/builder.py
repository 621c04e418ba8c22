"""Builders of a game's data files, behind ``honte learn`` and ``honte book``.

A game's descriptor names a `Builder` for its weights (``learner``) and one for its opening book
(``book``). The command line takes its flags from the builder's options.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from honte.core.progress import Tell
from honte.core.spec import Option, Options

StoredGame = tuple[str, tuple[str, str], Sequence[int], int]
"""A stored game: game spec, player specs, moves, and the number of opening moves."""


class Built(NamedTuple):
    """The result of a build."""

    lines: Sequence[str]
    """A summary to print: errors, sizes."""
    wrote: bool = True
    failed: bool = False
    """A check failed: exit code 1."""


@dataclass(frozen=True)
class Build:
    """One run of a builder."""

    output: Path | None
    """The file given with ``-o``, if any."""
    default: Path
    """The file to write by default, in the current folder."""
    settings: Mapping[str, Any]
    command: str
    """The command line, recorded in the file."""
    tell: Tell = lambda stage, done, total: None
    stored_games: Callable[[Path], Iterable[StoredGame]] = lambda path: ()

    @property
    def path(self) -> Path:
        """Where the file goes."""
        return self.output or self.default


@dataclass(frozen=True)
class Builder:
    """Builds one kind of file."""

    file: str
    """File name, in the current folder and in the game's data folder."""
    run: Callable[[Build], Built]
    options: Options = field(default_factory=Options)
    player: str = ""
    """A player spec that uses the file, as ``uct:policy={file}``; "" if it must be installed."""


def path_option(name: str, help: str) -> Option:
    return Option(name, None, "a path", Path, help)


def command_line(words: str, options: Options, given: Mapping[str, object]) -> str:
    """A command line with its settings; paths are reduced to their last component.

    >>> command_line("honte learn", Options(path_option("data", "")), {"data": "/games/wthor"})
    'honte learn --data wthor'
    """
    for name, value in given.items():
        is_path = any(option.name == name and option.convert is Path for option in options)
        word = Path(str(value)).name if is_path else str(value)
        words += f" --{name.replace('_', '-')} {shlex.quote(word)}"
    return words
