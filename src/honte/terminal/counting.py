"""The end of a game by agreement: dead pieces, the resulting count, and its wording."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from rich.text import Text

from honte.core.columns import cut, left, right
from honte.core.columns import width as columns
from honte.core.contract import Game, State
from honte.core.language import tr
from honte.core.scoring import Count, scoring_of


class Counting:
    """The count of a finished game, first as the engine sees it, then as people correct it.

    The engine needs a moment for playouts: they run in a thread, which calls `tell`.
    """

    def __init__(self, states: Sequence[State], tell: Callable[[Counting], None]) -> None:
        found = scoring_of(states[-1])
        assert found is not None, "asked for a game that is not counted by agreement"
        self.states, self._scoring, self._tell = list(states), found, tell
        self.count: Count | None = None
        self.error = ""
        self.agreed = False
        self._thread = threading.Thread(target=self._run, name="counting", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.count = self._scoring.count(self.states, None)
        except Exception as error:  # reported, not hidden: the rules' own score stands
            self.error = str(error) or type(error).__name__
        self._tell(self)

    def close(self) -> None:
        """Wait for the playouts to return from native code."""
        self._thread.join(timeout=5)

    def toggle(self, cell: int) -> None:
        """Mark the group on a cell as dead, or as alive again; raises ValueError."""
        if self.count is None or self.agreed:
            return
        group = set(self._scoring.group(self.states[-1], cell))
        dead = set(self.count.dead)
        dead = dead - group if cell in dead else dead | group
        self.count = self._scoring.count(self.states, dead)

    def agree(self) -> bool:
        """Accept the count as the result; False while there is none."""
        self.agreed = self.count is not None
        return self.agreed


def result_words(game: Game, count: Count) -> str:
    """``White wins by 8.5 points``."""
    if count.score == 0:
        return tr("A draw")
    words = game.descriptor.message
    side, unit = game.descriptor.sides[count.score < 0], game.descriptor.unit
    return tr(
        "{who} wins by {margin:g} {unit}",
        who=words(side.name),
        margin=abs(count.score),
        unit=words(unit),
    ).rstrip()


def table(game: Game, count: Count, width: int) -> Text:
    """Every part of the count for both sides; what is not counted stands below the total."""
    words = game.descriptor.message
    names = [right(tr(words(side.name)), 8) for side in game.descriptor.sides]
    rows = [(tr(words(line.label)), line.values, "") for line in count.lines if line.counted]
    rows.append((tr("Total"), count.totals, "bold"))
    rows += [
        (tr(words(line.label)), line.values, "dim") for line in count.lines if not line.counted
    ]
    wide = min(width - 16, max(columns(label) for label, _, _ in rows) + 1)
    text = Text()
    text.append(f"{'':<{wide}}{names[0]}{names[1]}\n", style="dim")
    for label, values, style in rows:
        text.append(left(cut(label, wide), wide), style=style)
        text.append(f"{values[0]:>8g}{values[1]:>8g}\n", style=style)
    return text
