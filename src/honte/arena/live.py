"""A live table of a run on the terminal, refreshed twice a second."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live as Screen
from rich.table import Table
from rich.text import Text

from honte.arena.match import Standing
from honte.arena.report import duration, short, words
from honte.arena.run import Run
from honte.arena.statistics import elo_and_error, score_and_error
from honte.core.language import tr

if TYPE_CHECKING:
    from honte.arena.sprt import Sprt
    from honte.arena.tournament import Tournament  # which needs numpy, and a match does not

EVERY = 0.5
ROWS = 12
"""Number of players shown, from the top of the table."""
SHOW_CURSOR = "\033[?25h"


class LiveTable:
    """The standing of a run on standard error; silent unless that is a terminal."""

    def __init__(self, total: int) -> None:
        self.total = total
        self._console = Console(file=sys.stderr, highlight=False)
        self._began = time.monotonic()
        self._shown = self._began
        self._screen: Screen | None = None
        self._ratings: dict[str, str] = {}
        self._order: list[str] = []
        self._rate_at = 0.0

    def due(self) -> bool:
        """Whether the table should be refreshed."""
        return self._console.is_terminal and time.monotonic() - self._shown > EVERY

    def match(self, a: str, b: str, standing: Standing, run: Run, test: Sprt | None = None) -> None:
        """Draw a match."""
        table = grid(
            tr("games"),
            tr("W-D-L"),
            tr("score"),
            "Elo",
            *(["LLR"] if test else []),
            tr("left"),
            tr("games/s"),
        )
        total = standing.total
        score, error = score_and_error(standing)
        rating, rating_error = elo_and_error(standing)
        llr = [tr("{llr:+.2f} of ±{bound:.2f}", llr=test.llr, bound=test.bound)] if test else []
        left, pace = self._pace(total.games, run.found)
        table.add_row(
            f"{total.games}/{self.total}",
            f"+{total.wins} ={total.draws} -{total.losses}",
            f"{100 * score:.1f} ± {100 * error:.1f} %",
            f"{rating:+.0f} ± {rating_error:.0f}",
            *llr,
            left,
            pace,
        )
        faults = [
            tr("faults of {player}: {faults}", player=short(name), faults=words(dict(counts)))
            for name, counts in zip((a, b), standing.faults, strict=True)
            if counts
        ]
        head = Text(tr("{a}  against  {b}", a=short(a), b=short(b)))
        self._draw(Group(head, table, *map(Text, faults)))

    def tournament(self, found: Tournament, run: Run) -> None:
        """Draw the top of a tournament's table."""
        left, pace = self._pace(found.total, run.found)
        head = Text(
            tr(
                "{done}/{total} games   {left} left   {pace} games/s",
                done=found.total,
                total=self.total,
                left=left,
                pace=pace,
            )
        )
        table = grid("", tr("player"), tr("points"), tr("W-D-L"), "Elo", tr("faults"), left=2)
        self._rate(found)
        order = [found.rows[spec] for spec in self._order]
        if not found.by_rating:
            order.sort(key=lambda row: -row.points)
        for place, row in enumerate(order[:ROWS], 1):
            total = row.total
            faults = tr("retired") if row.spec in found.retired else words(dict(row.faults))
            table.add_row(
                str(place),
                Text(short(row.spec)),
                f"{row.points:g}/{total.games}",
                f"+{total.wins} ={total.draws} -{total.losses}",
                self._ratings.get(row.spec, ""),
                faults,
            )
        more = len(order) - ROWS
        below = sum(sum(row.faults.values()) for row in order[ROWS:])
        rest = tr("and {more} more, with {faults} faults", more=more, faults=below)
        last = [Text(rest)] if more > 0 else []
        self._draw(Group(head, table, *last))

    def _rate(self, found: Tournament) -> None:
        """Update the ratings, spending at most a twentieth of the time on them."""
        began = time.monotonic()
        if began < self._rate_at:
            return
        ratings = found.ratings()
        self._order = found.ranking(ratings)
        self._ratings = {
            spec: f"{elo:+.0f} ± {error:.0f}"
            for spec, elo, error in zip(found.players, ratings.elo, ratings.errors, strict=True)
        }
        now = time.monotonic()
        self._rate_at = now + 20 * (now - began)

    def _pace(self, done: int, known: int) -> tuple[str, str]:
        """Time left and games per second, not counting games from the store."""
        seconds = time.monotonic() - self._began
        played = done - known
        if played <= 0:
            return "?", "?"
        rate = played / seconds
        return duration((self.total - done) / rate), f"{rate:.1f}" if rate < 100 else f"{rate:.0f}"

    def _draw(self, what: Group) -> None:
        if self._screen is None:
            # No refresh thread: workers are forked.
            self._screen = Screen(console=self._console, auto_refresh=False, transient=True)
            self._screen.start()
        self._screen.update(what, refresh=True)
        self._shown = time.monotonic()

    def clear(self) -> None:
        """Remove the table from the screen."""
        if self._screen is not None:
            self._screen.stop()
            self._screen = None


def grid(*columns: str, left: int = 0) -> Table:
    """A table without borders; its first `left` columns are left-aligned."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for number, name in enumerate(columns):
        table.add_column(name, justify="left" if number < left else "right", no_wrap=True)
    return table


def restore_cursor() -> None:
    """Show the cursor again after a run that ends abruptly."""
    if sys.stderr.isatty():
        sys.stderr.write(SHOW_CURSOR)
        sys.stderr.flush()
