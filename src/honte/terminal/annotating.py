"""Annotate a game in a background thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from honte.analysis.review import Remark, review
from honte.analysis.words import cost_words
from honte.core.contract import Game, State
from honte.core.language import Message, tr
from honte.core.request import CancelToken, Limit

SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""Annotation symbols, as in chess."""
KINDS = {
    "inaccuracy": Message("An inaccuracy"),
    "mistake": Message("A mistake"),
    "blunder": Message("A blunder"),
}


class Annotator:
    """Passes on the remarks on a game one by one, then None; an error as a sentence."""

    def __init__(
        self,
        states: Sequence[State],
        player: str,
        limit: Limit,
        tell: Callable[[Annotator, Remark | str | None], None],
    ) -> None:
        self._states, self._player, self._limit, self._tell = list(states), player, limit, tell
        self._cancel = CancelToken()
        self._thread = threading.Thread(target=self._run, name="annotator", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            for remark in review(self._states, self._player, self._limit, cancel=self._cancel):
                if self._cancel.cancelled:
                    return
                self._tell(self, remark)
            self._tell(self, None)
        except Exception as error:  # reported, not hidden: the screen goes on without remarks
            self._tell(self, str(error) or type(error).__name__)

    @property
    def is_running(self) -> bool:
        """Whether its thread still searches."""
        return self._thread.is_alive()

    def stop(self) -> None:
        self._cancel.cancel()

    def close(self) -> None:
        """Stop, and wait for the search under way to end."""
        self.stop()
        self._thread.join(timeout=5)


def words_of(game: Game, remark: Remark) -> str:
    """The remark on a move, in words."""
    if not remark.mark:
        return tr("The only move") if remark.forced else ""
    return tr(
        "{kind} ({cost}): {best} is better",
        kind=KINDS[remark.mark],
        cost=cost_words(game, remark),
        best=game.format(remark.best),
    )
