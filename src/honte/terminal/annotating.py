"""A thread that goes through a game and remarks on its moves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from honte.arena.review import Remark, review
from honte.games.contract import Game, State
from honte.search.limit import Limit

SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""As chess players write them."""


class Annotator:
    """Remarks on a game, told one by one from a thread of its own; at the end None is told.

    What goes wrong is told as a sentence.
    """

    def __init__(
        self,
        states: Sequence[State],
        player: str,
        limit: Limit,
        tell: Callable[[Annotator, Remark | str | None], None],
    ) -> None:
        self._states, self._player, self._limit, self._tell = list(states), player, limit, tell
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="annotator", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            for remark in review(self._states, self._player, self._limit):
                if self._stopped.is_set():
                    return
                self._tell(self, remark)
            self._tell(self, None)
        except Exception as error:  # told, not hidden: the screen goes on without remarks
            self._tell(self, str(error) or type(error).__name__)

    def stop(self) -> None:
        self._stopped.set()

    def close(self) -> None:
        """Stop, and wait for the search of the position it is at."""
        self.stop()
        self._thread.join(timeout=5)


def words_of(game: Game, remark: Remark) -> str:
    """What is said about a move."""
    if not remark.mark:
        return "The only move" if remark.forced else ""
    kind = f"An {remark.mark}" if remark.mark == "inaccuracy" else f"A {remark.mark}"
    what = f", a proven {remark.best_proven}" if remark.best_proven else ""
    return f"{kind}: {game.format(remark.best)} is better{what}"
