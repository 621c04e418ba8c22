"""Go: the opening book, then UCT: ``best``."""

from __future__ import annotations

import time
from collections.abc import Callable

from honte.games.contract import Game, State
from honte.games.spec import Options, yes_no
from honte.players.engine import UctInside
from honte.search import joseki
from honte.search.limit import Limit
from honte.search.report import Candidate, Report
from honte.search.uct import OPTIONS as UCT_OPTIONS
from honte.search.uct import Uct

OPTIONS = Options(
    *UCT_OPTIONS, yes_no("book", False, "open by the book: 9×9, and the corners of larger boards")
)


class Opening:
    """The book while it knows something, then UCT."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        by_book = OPTIONS.read("best", settings)["book"] and joseki.is_for(game)
        self.uct = Uct(game, **{key: value for key, value in settings.items() if key != "book"})
        self._book = joseki.standard() if by_book else joseki.Book()

    def forget(self) -> None:
        """Drop the tree."""
        self.uct.forget()

    def search(
        self,
        state: State,
        limit: Limit,
        on_progress: Callable[[Report], None] | None = None,
    ) -> Report:
        """Decide within a limit; one by iterations or nodes asks for a search."""
        started = time.perf_counter()
        if len(self._book) and limit.iterations is None and limit.nodes is None:
            known = self._book.find(state)
            if known:
                return self._report(state, known, started)
        return self.uct.search(state, limit, on_progress)

    def _report(self, state: State, known: list[tuple[int, float]], started: float) -> Report:
        line = [known[0][0]]
        after = state.play(line[0])
        while then := self._book.find(after):
            line.append(then[0][0])
            after = after.play(line[-1])
        if state.game.size != joseki.WHOLE:  # type: ignore[attr-defined]
            known = [(move, 0.0) for move, _ in known]  # of corners, nobody knows who wins
        return Report(
            move=line[0],
            value=known[0][1],
            pv=line,
            candidates=[Candidate(move, value=value) for move, value in known],
            seconds=time.perf_counter() - started,
            stopped="book",
        )


class GoPlayer(UctInside):
    """The strongest engine there is for Go.

    >>> import honte
    >>> game = honte.game("go:size=9")
    >>> honte.player("best:iterations=100", game).choose(game.start()).iterations
    100
    """

    name = "best"
    options = OPTIONS

    kind = Opening
