"""A training run on the terminal, redrawn twice a second; plain lines without a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable

from rich.console import Group
from rich.text import Text

from honte.arena.live import LiveTable
from honte.arena.report import duration
from honte.core.columns import right
from honte.core.language import plural, tr
from honte.nets import curves
from honte.nets.run import Status, Watch

ROWS = 8
"""Number of latest generations shown."""


class LiveRun(LiveTable, Watch):
    """Draws on standard error; without a terminal, prints a line per complete generation."""

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
        """Show a run that is known only from its log."""
        if self._console.is_terminal:
            self._draw(Group(Text(head, style="bold"), *drawn(rows)))
        elif rows:
            self.line(rows[-1])

    def line(self, row: curves.Row) -> None:
        if not self.told:
            self.told = True
            self.echo(aligned(tuple(map(tr, curves.COLUMNS))))
        self.echo(aligned(curves.cells(row)))
        sys.stdout.flush()


WIDTHS = (10, 10, 9, 6, 9, 7, 8, 7, 6)
"""Fixed column widths for line-by-line output, where later lines are not known."""


def aligned(words: tuple[str, ...]) -> str:
    return "  ".join(right(word, width) for word, width in zip(words, WIDTHS, strict=True))


def lines(status: Status) -> list[Text]:
    """The lines drawn, from top to bottom."""
    options = status.options
    head = tr(
        "{game}, {size}, {workers}, {simulations} simulations a move",
        game=options.game,
        size=options.size,
        simulations=options.simulations,
        workers=plural("{n} worker", "{n} workers", status.workers),
    )
    left = "" if status.left is None else tr(", {time} left", time=duration(status.left))
    count = f" {status.done:,}/{status.total:,}" if status.total else ""
    now = tr("generation {n}: {phase}", n=status.generation, phase=tr(status.phase)) + count
    pace = f"{duration(status.seconds)}{left}   " + tr(
        "{games:,} games, {positions:,} positions   {pace:.1f} games/s, "
        "{evaluations:,.0f} evaluations/s, {cores:.1f} cores busy",
        games=status.games,
        positions=status.positions,
        pace=status.games_per_second,
        evaluations=status.evaluations_per_second,
        cores=status.cores,
    )
    return [Text(head, style="bold"), Text(now), Text(pace), *drawn(status.rows)]


def drawn(rows: list[curves.Row]) -> list[Text]:
    """The table of the latest generations, and the curves of all."""
    return [Text(line) for line in [*curves.table(rows[-ROWS:]), *curves.chart(rows)] if rows]
