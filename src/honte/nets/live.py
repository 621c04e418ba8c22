"""A training run on the terminal, redrawn twice a second; lines where there is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

from rich.console import Group
from rich.text import Text

from honte.arena.live import LiveTable
from honte.arena.report import duration
from honte.nets import curves
from honte.nets.run import Status, Watch

ROWS = 8
"""Generations that are shown, the newest."""


class LiveRun(LiveTable, Watch):
    """Draws on standard error; each complete generation is a line of output elsewhere."""

    def __init__(self, echo: Callable[[str], None]) -> None:
        super().__init__(0)
        self.echo = echo
        self.told = False

    def progress(self, status: Status) -> None:
        if self.due():
            self.draw(status)

    def generation(self, status: Status) -> None:
        if self._console.is_terminal:
            self.draw(status)
        else:
            self.line(status.rows[-1])

    def draw(self, status: Status) -> None:
        self._draw(Group(*lines(status)))

    def logged(self, head: str, rows: list[curves.Row]) -> None:
        """A run that is known by its log alone."""
        if self._console.is_terminal:
            self._draw(Group(Text(head, style="bold"), *drawn(rows)))
        elif rows:
            self.line(rows[-1])

    def line(self, row: curves.Row) -> None:
        if not self.told:
            self.told = True
            self.echo(aligned(curves.COLUMNS))
        self.echo(aligned(curves.cells(row)))
        sys.stdout.flush()


WIDTHS = (10, 10, 9, 6, 9, 7, 8, 7, 6)
"""Of the columns where lines follow each other and none knows the next."""


def aligned(words: tuple[str, ...]) -> str:
    return "  ".join(word.rjust(width) for word, width in zip(words, WIDTHS, strict=True))


def lines(status: Status) -> list[Text]:
    """What is drawn, from top to bottom."""
    options = status.options
    workers = "1 worker" if status.workers == 1 else f"{status.workers} workers"
    head = f"{options.game}, {options.size}, {workers}, "
    head += f"{options.simulations} simulations a move"
    left = "" if status.left is None else f", {duration(status.left)} left"
    count = f" {status.done:,}/{status.total:,}" if status.total else ""
    now = f"generation {status.generation}: {status.phase}{count}"
    pace = (
        f"{duration(status.seconds)}{left}   {status.games:,} games, "
        f"{status.positions:,} positions   {status.games_per_second:.1f} games/s, "
        f"{status.evaluations_per_second:,.0f} evaluations/s"
    )
    return [Text(head, style="bold"), Text(now), Text(pace), *drawn(status.rows)]


def drawn(rows: list[curves.Row]) -> list[Text]:
    """The newest generations, and the curves of all."""
    return [Text(line) for line in [*curves.table(rows[-ROWS:]), *curves.chart(rows)] if rows]
