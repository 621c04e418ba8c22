"""``best`` for Go: UCT, with a network where one is installed, and an optional opening book."""

from __future__ import annotations

import math
import time
from dataclasses import replace

from honte.core.contract import Game, State
from honte.core.report import Candidate, Report
from honte.core.request import Request
from honte.core.spec import Options, yes_no
from honte.games.go import joseki
from honte.games.go.counting import error_of, lead
from honte.games.go.uct import NETWORK
from honte.search.base import Search, limit_of
from honte.search.engine import Searcher
from honte.search.uct import Uct
from honte.search.uct_settings import OPTIONS as UCT_OPTIONS

OPTIONS = Options(
    *UCT_OPTIONS,
    yes_no("book", False, "use the opening book: 9×9, and corners of larger boards"),
)

NETWORK_SIZES = range(7, 20)
"""Boards on which the installed network is used; the classical engine plays the others."""
MOST_KOMI = 10
"""The largest komi that the network's planes (`planes.KOMI_STEPS`) can distinguish."""
CLASSICAL = {"selection", "policy", "net", "rave", "priors", "playout"}
"""Settings that select a search other than the one with the installed network."""
PLAYOUTS = 100
"""Playouts per batch, for the expected score after a candidate."""
LEAST = 4
"""Batches of playouts before a score is shown."""
SHARE = 0.1
"""Share of an analysis spent on playouts for the expected score."""


def has_network(game: Game) -> bool:
    """Whether the installed network plays on this board, at a komi that it can distinguish."""
    size: int = game.size  # type: ignore[attr-defined]
    komi: float = game.komi  # type: ignore[attr-defined]
    return size in NETWORK_SIZES and abs(komi) <= MOST_KOMI and NETWORK.is_file()


class Opening(Search):
    """The book while it has an entry, then UCT."""

    has_tree = True

    def __init__(self, game: Game, /, **settings: object) -> None:
        with_book = OPTIONS.read("best", settings)["book"]
        by_book = with_book and joseki.is_for(game)
        others = {key: value for key, value in settings.items() if key != "book"}
        if has_network(game) and not others.keys() & CLASSICAL:
            others = {"net": "learned", **others}
        self.uct = Uct(game, **others)
        self.settings = {**self.uct.settings, "book": with_book}
        self._book = joseki.standard() if by_book else joseki.Book()

    def forget(self) -> None:
        """Drop the tree."""
        self.uct.forget()

    def look(self, moves: list[int]) -> Report | None:
        return self.uct.look(moves)

    def run(self, request: Request) -> Report:
        """Search within a limit; a limit of iterations or nodes bypasses the book."""
        started = time.perf_counter()
        limit = limit_of(request)
        asks_for_search = limit.iterations is not None or limit.nodes is not None
        if len(self._book) and not asks_for_search and not request.all_moves:
            known = self._book.find(request.state)
            if known:
                return self._report(request.state, known, started)
        show = request.on_progress
        if self.uct.settings["net"] != "no":  # a network estimates the score itself
            error = network_error(self.uct.game.size)  # type: ignore[attr-defined]
            tell = None if show is None else lambda report: show(with_error(report, error))
            return with_error(self.uct.run(replace(request, on_progress=tell)), error)
        if request.lines == 1 and not request.all_moves:
            return self.uct.run(request)
        leads = Leads(request.state, request.lines, LEAST if asks_for_search else None)

        def progress(report: Report) -> None:
            if show is not None:
                show(leads.told(report))  # numbers first, then the next score
            leads.learn(report)

        return leads.finish(self.uct.run(replace(request, on_progress=progress)))

    def _report(self, state: State, known: list[tuple[int, float]], started: float) -> Report:
        line = [known[0][0]]
        after = state.play(line[0])
        while then := self._book.find(after):
            line.append(then[0][0])
            after = after.play(line[-1])
        if state.game.size == joseki.WHOLE:  # type: ignore[attr-defined]
            candidates = [Candidate(move, value=value) for move, value in known]
        else:  # a corner does not decide the game: nothing is known of its value
            candidates = [Candidate(move, kind="bound") for move, _ in known]
        return Report(
            move=line[0],
            value=candidates[0].value,
            pv=line,
            candidates=candidates,
            seconds=time.perf_counter() - started,
            stopped="book",
            source="book",
        )


def network_error(size: int) -> float:
    """Half-width of the 95 % interval of a network's score on a board of this size.

    1.96/√2 times the root mean square difference of two searches of the same move with 500
    simulations, one of them a ply deeper: 0.5 points on 9×9, 0.8 on 13×13, 1.5 on 19×19.
    """
    return 1.1 if size <= 13 else 2.1


def with_error(report: Report, error: float) -> Report:
    """A network's report with the error of its estimated scores filled in."""
    candidates = [
        found if found.score is None or found.proven else found._replace(score_error=error)
        for found in report.candidates
    ]
    return replace(report, candidates=candidates)


class Leads:
    """The expected score after the first candidates of an analysis, from separate playouts.

    They take a tenth of the time: the longer the analysis, the smaller their error. `most`
    limits the playouts of a candidate; its score then does not depend on the clock.
    """

    def __init__(self, state: State, lines: int, most: int | None = None) -> None:
        self._state = state
        self._lines = lines
        self._most = math.inf if most is None else most
        self._found: dict[int, list[float]] = {}
        self._spent = 0.0

    def learn(self, report: Report) -> None:
        """Run a batch of playouts for the candidate with the fewest, if the time share allows."""
        first = [found.move for found in report.candidates[: self._lines] if found.visits]
        if first and self._spent <= SHARE * report.seconds:
            new = (move for move in first if self._times(move) < LEAST)
            move = next(new, min(first, key=self._times))
            if self._times(move) < self._most:
                self._play_out(move)

    def finish(self, report: Report) -> Report:
        """The final report, with a score for the chosen move."""
        while self._times(report.move) < LEAST:
            self._play_out(report.move)
        return self.told(report)

    def _times(self, move: int) -> int:
        return len(self._found.get(move, ()))

    def _play_out(self, move: int) -> None:
        started = time.perf_counter()
        scores = self._found.setdefault(move, [])
        sign = 1 - 2 * self._state.to_move
        after = self._state.play(move)
        scores.append(sign * lead(after, seed=len(scores) + 1, playouts=PLAYOUTS))
        self._spent += time.perf_counter() - started

    def told(self, report: Report) -> Report:
        """The report with the known scores filled in."""
        candidates = []
        for found in report.candidates:
            scores = self._found.get(found.move, [])
            if len(scores) >= LEAST:  # fewer are too noisy
                score, error = sum(scores) / len(scores), error_of(scores)
                found = found._replace(score=score, score_error=error)
            candidates.append(found)
        return replace(report, candidates=candidates)


class GoPlayer(Searcher):
    """The strongest engine for Go.

    >>> import honte
    >>> game = honte.game("go:size=9")
    >>> honte.player("best:iterations=100", game).choose(game.start()).iterations
    100
    """

    name = "best"
    options = OPTIONS
    limits = ("seconds", "iterations", "nodes")

    kind = Opening
