"""A running study on the terminal, redrawn twice a second."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from honte.arena.live import LiveTable, grid
from honte.arena.run import Run
from honte.arena.statistics import CONFIDENCE, score_and_error
from honte.core.language import tr
from honte.tune.optimiser import Score
from honte.tune.tuning import Tuning


class LiveStudy(LiveTable):
    """The progress of a study on standard error; silent unless that is a terminal."""

    def study(self, tuning: Tuning, run: Run) -> None:
        """Draw the search."""
        left, pace = self._pace(tuning.games, run.found)
        table = grid(
            tr("stage"),
            tr("games"),
            tr("best of the last round"),
            tr("mean"),
            tr("left"),
            tr("games/s"),
            left=1,
        )
        last = tuning.history[-1] if tuning.history else None
        table.add_row(
            tr(tuning.optimiser.stage),
            f"{tuning.games:,}/{self.total:,}",
            percent(last.top) if last else "",
            f"{100 * last.mean:.1f} %" if last else "",
            left,
            pace,
        )
        file = tuning.study.file
        told = tr(
            "{study} on {game}: {engine}",
            study=tuning.study.name,
            game=file.game,
            engine=file.engine,
        )
        head = Text(told)
        words = tuning.study.space.words(tuning.best)
        best = "  ".join(f"{name} {value}" for name, value in words.items())
        self._draw(Group(head, table, Text(tr("best so far: {point}", point=best))))

    def verification(self, tuning: Tuning, run: Run) -> None:
        """Draw the matches at the end."""
        table = grid(tr("the winner against"), tr("games"), tr("score"), left=1)
        for spec, standing in tuning.verification.items():
            score, error = score_and_error(standing)
            table.add_row(
                Text(spec[:60]),
                f"{standing.total.games:,}/{tuning.study.verify.games:,}",
                f"{100 * score:.1f} ± {100 * error:.1f} %",
            )
        self._draw(Group(table))


def percent(score: Score) -> str:
    """A score with its 95 % interval."""
    return f"{100 * score.value:.1f} ± {100 * CONFIDENCE * score.error:.1f} %"
