"""Connect Four by proof: the opening book of 7×6, the solver, and UCT where neither gets through.

>>> import honte
>>> from honte.search.perfect import Perfect
>>> game = honte.game("connect4")
>>> report = Perfect(game).search(game.start(), honte.Limit(seconds=1))
>>> game.format(report.move), report.proven, report.distance
('4', 'win', 41)
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable

from honte.games.contract import Game, State
from honte.games.spec import Options, whole, yes_no
from honte.search import book
from honte.search.limit import Limit
from honte.search.report import Candidate, Report
from honte.search.solver import Solved, SolvedMove, Solver, as_report
from honte.search.uct import Uct

OPTIONS = Options(
    whole("threads", 1, 1, 64, "how many search with one table, or one tree"),
    whole("memory_mb", 128, 2, 32_000, "the size of table and tree together"),
    whole("seed", 0, 0, 2**63 - 1, "makes what is not proved repeatable, with one thread"),
    yes_no("book", True, "use the opening book, on 7×6"),
    yes_no("all", False, "a value for every move, not only for the best"),
)


@dataclasses.dataclass(frozen=True)
class Effort:
    """How a proof is tried."""

    share: float
    """Of the time; the rest is for UCT, should the proof not get through."""
    wld: bool = False
    """Ask first who wins, and then how soon."""
    soon: int | None = None
    """… for so many nodes, and only how one wins; None: while there is time."""
    every: bool = False
    """Ask for the score of every move."""


def is_standard(game: Game) -> bool:
    """Whether a board is 7×6 with nothing blocked."""
    return game.spec == book.GAME


class Proving:
    """A solver, and UCT for what it cannot prove; what was proved serves the next decisions."""

    def __init__(self, game: Game, solver: Solver, uct: Uct) -> None:
        if game.name != "connect4":
            raise ValueError(f"this search is for connect4, not for {game.name}")
        self.game = game
        self.uct = uct
        self._solver = solver
        self._lock = threading.Lock()
        self._stopped = False

    def effort(self, state: State, limit: Limit) -> Effort | None:
        """How to try a proof of a position; None: not at all."""
        raise NotImplementedError

    def known(self, state: State) -> Solved | None:
        """What is known without a search."""
        return None

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        self._stopped = True
        self.uct.stop()

    def forget(self) -> None:
        """Drop what was thought of other positions."""
        self.uct.forget()
        self._solver.forget()

    def search(
        self,
        state: State,
        limit: Limit,
        on_progress: Callable[[Report], None] | None = None,
        every: float = 0.2,
    ) -> Report:
        """Think within a limit; `on_progress` gets partial reports about `every` so many seconds.

        A limit of nodes or iterations counts for the solver and again for UCT. Ctrl-C ends the
        search; what it has found so far is the `report` of the exception.
        """
        if state.is_over:
            raise ValueError("the game is over in this position; there is no move to choose")
        with self._lock:
            self._stopped = False
            return self._search(state, limit, on_progress, every)

    def _search(
        self,
        state: State,
        limit: Limit,
        on_progress: Callable[[Report], None] | None,
        every: float,
    ) -> Report:
        started = time.perf_counter()
        effort = self.effort(state, limit)
        if effort is None:
            return self.uct.search(state, limit, on_progress, every)
        solved = self._prove(state, limit, effort, on_progress, every)
        best = solved.moves[0]
        if best.low == solved.high or best.low > 0 or self._stopped:
            return self._report(state, solved)
        spent = time.perf_counter() - started
        rest = Limit(
            seconds=None if limit.seconds is None else max(limit.seconds - spent, 0.001),
            iterations=limit.iterations or limit.nodes,
        )
        report = self.uct.search(state, rest, on_progress, every)
        return dataclasses.replace(
            with_proofs(report, solved),
            nodes=solved.nodes + report.nodes,
            seconds=time.perf_counter() - started,
        )

    def _prove(
        self,
        state: State,
        limit: Limit,
        effort: Effort,
        on_progress: Callable[[Report], None] | None,
        every: float,
    ) -> Solved:
        started = told = time.perf_counter()

        def progress(so_far: Solved) -> None:
            nonlocal told
            now = time.perf_counter()
            if self._stopped:  # by another thread; the solver is this one's
                self._solver.stop()
            elif on_progress is not None and now - told >= every:
                told = now
                on_progress(self._report(state, so_far))

        seconds = None if limit.seconds is None else effort.share * limit.seconds
        nodes = limit.nodes or limit.iterations
        if nodes is None and seconds is None:
            nodes = 2**62
        try:
            solved = self.known(state) or self._solver.solve(
                state,
                wld=effort.wld,
                every=effort.every,
                seconds=seconds,
                nodes=nodes,
                on_progress=progress,
            )
            decided = solved.low > 0 or (solved.high < 0 and effort.soon is None)
            if effort.wld and decided and solved.score is None and not self._stopped:
                soonest = self._solver.solve(
                    state,
                    seconds=seconds and max(seconds - (time.perf_counter() - started), 0.0),
                    nodes=min(nodes or 2**62, effort.soon or 2**62),
                    on_progress=progress,
                )
                if soonest.finished or soonest.moves[0].low > 0:
                    solved = soonest
        except KeyboardInterrupt as interrupt:
            if hasattr(interrupt, "report"):
                interrupt.report = self._report(state, interrupt.report)
            raise
        return solved

    def _report(self, state: State, solved: Solved) -> Report:
        report = as_report(solved)
        distance = 0 if solved.score is None else plies_to_end(state, solved.score)
        return dataclasses.replace(report, distance=distance, pv=report.pv or [report.move])


class Perfect(Proving):
    """The book, then the solver, then UCT."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        self.settings = OPTIONS.read("perfect", settings)
        half = max(self.settings["memory_mb"] // 2, 1)
        threads = self.settings["threads"]
        super().__init__(
            game,
            Solver(game, threads=threads, memory_mb=half),
            Uct(game, threads=threads, memory_mb=half, seed=self.settings["seed"]),
        )
        self._book = book.standard() if self.settings["book"] and is_standard(game) else book.Book()

    def effort(self, state: State, limit: Limit) -> Effort:
        every = self.settings["all"]
        return Effort(share=0.75, wld=not every, every=every)

    def known(self, state: State) -> Solved | None:
        entry = self._book.find(state) if len(self._book) and not self.settings["all"] else None
        if entry is None:
            return None
        others = []
        for move in state.legal_moves():
            if move != entry.move:
                child = self._book.find(state.play(move))
                low, high = (-child.high, -child.low) if child else (-book.MOST, entry.high)
                others.append(SolvedMove(move, low, min(high, entry.high)))
        line, after = [], state
        while not after.is_over and (then := self._book.find(after)) is not None:
            line.append(then.move)
            after = after.play(then.move)
        return Solved(
            low=entry.low,
            high=entry.high,
            moves=[entry, *sorted(others, key=lambda move: (-move.high, -move.low))],
            pv=line,
            nodes=0,
            seconds=0.0,
            finished=entry.score is not None,
            stopped="proven",
        )


def cells_of(state: State) -> int:
    """How many cells one can play on."""
    return sum(cell != 3 for cell in state.cells())  # type: ignore[attr-defined]


def plies_to_end(state: State, score: int) -> int:
    """How many stones are still to come, by a score of the solver's."""
    cells = cells_of(state)
    stones = cells - sum(cell == 0 for cell in state.cells())  # type: ignore[attr-defined]
    if score == 0:
        return cells - stones
    of_winner = (cells + 1) // 2 + 1 - abs(score)
    winner = state.to_move ^ (score < 0)
    return 2 * of_winner - 1 + winner - stones


def with_proofs(report: Report, solved: Solved) -> Report:
    """What UCT found, less the moves that are proved to be worse than another."""
    proved = {move.move: move for move in solved.moves}
    best_low = max(move.low for move in solved.moves)
    candidates = [
        candidate._replace(proven=candidate.proven or _outcome(proved[candidate.move]))
        for candidate in report.candidates
    ]
    candidates.sort(key=lambda candidate: proved[candidate.move].high < best_low)
    chosen: Candidate = candidates[0]
    if solved.high < 0:
        report = dataclasses.replace(report, value=-1.0, proven="loss")
    if chosen.move == report.move:
        return dataclasses.replace(report, candidates=candidates)
    return dataclasses.replace(
        report,
        move=chosen.move,
        value=chosen.value,
        proven=chosen.proven,
        pv=[chosen.move],
        candidates=candidates,
    )


def _outcome(move: SolvedMove) -> str | None:
    if move.low > 0 or move.high < 0:
        return "win" if move.low > 0 else "loss"
    return "draw" if move.low == move.high else None
