"""Perfect play in Connect Four: the 7×6 opening book, the solver, and UCT as the fallback.

>>> import honte
>>> from honte.games.connect4.perfect import Perfect
>>> game = honte.game("connect4")
>>> report = Perfect(game).search(game.start(), honte.Limit(seconds=1))
>>> game.format(report.move), report.proven, report.distance
('4', 'win', 41)
"""

from __future__ import annotations

import dataclasses
import threading
import time

from honte.core.contract import Game, State
from honte.core.report import EXACT, Candidate, Report
from honte.core.request import Interrupted, Limit, Request
from honte.core.spec import Options, whole, yes_no
from honte.games.connect4 import book
from honte.search.base import Search, limit_of
from honte.search.solver import Solved, SolvedMove, Solver, as_report, solver_of
from honte.search.uct import Uct

OPTIONS = Options(
    whole("threads", 1, 1, 64, "threads that share one table, or one tree"),
    whole("memory_mb", 128, 2, 32_000, "memory limit of table and tree together"),
    whole("seed", 0, 0, 2**63 - 1, "makes UCT repeatable, with one thread"),
    yes_no("book", True, "use the opening book (7×6 only)"),
    yes_no("all", False, "evaluate every move, not only the best"),
)


LOOK_MB, LOOK_SECONDS = 16, 0.3
"""Limits of the solver when `look` asks it about a node."""


@dataclasses.dataclass(frozen=True)
class Effort:
    """Limits of a proof attempt."""

    share: float
    """Share of the time; the rest is for UCT if the proof fails."""
    wld: bool = False
    """Prove the outcome first, then the exact score."""
    soon: int | None = None
    """Node limit for the exact score, tried for wins only; None: no limit, and losses too."""
    all_moves: bool = False
    """Prove the score of every move."""


def is_standard(game: Game) -> bool:
    """Whether this is the 7×6 board without blocked cells."""
    return game.spec == book.GAME


class Proving(Search):
    """A solver with UCT as the fallback; keeps its table between moves."""

    def __init__(self, game: Game, solver: Solver, uct: Uct) -> None:
        self.game = game
        self.uct = uct
        self._solver = solver
        self._lock = threading.Lock()
        self._proved: State | None = None
        """The last searched position, if a proof answered it rather than UCT."""
        self._looker: Solver | None = None

    def effort(self, request: Request) -> Effort | None:
        """The proof attempt for a request; None to go straight to UCT."""
        raise NotImplementedError

    def known(self, request: Request) -> Solved | None:
        """A result that needs no search, such as a book entry."""
        return None

    def forget(self) -> None:
        """Clear tree and tables."""
        self.uct.forget()
        self._solver.forget()

    has_tree = True

    def look(self, moves: list[int]) -> Report | None:
        """The tree of the search that answered: UCT's, or the solver's proof of a node."""
        state = self._proved
        if state is None:
            return self.uct.look(moves)
        for move in moves:
            state = state.play(move)
        if state.is_over:
            return None
        # A separate solver: the main one may be in the middle of a search.
        if self._looker is None:
            self._looker = solver_of(self.game, memory_mb=LOOK_MB)
        known = self.known(Request(state))
        if known is None or not all_scored(known):
            solved = self._looker.solve(state, all_moves=True, seconds=LOOK_SECONDS, line=False)
            known = merged(known, solved)
        return self._report(state, known)

    def run(self, request: Request) -> Report:
        """Search within a limit; nodes and iterations limit the solver and UCT separately."""
        with self._lock:
            return self._run(request)

    def _run(self, request: Request) -> Report:
        started = time.perf_counter()
        state, limit = request.state, limit_of(request)
        effort = self.effort(request)
        self._proved = None
        if effort is None:
            return self.uct.run(request)
        self._proved = state
        solved = self._prove(request, effort)
        best = solved.moves[0]
        if best.low == solved.high or best.low > 0 or request.cancel.cancelled:
            spent = time.perf_counter() - started
            return dataclasses.replace(self._report(state, solved), seconds=spent)
        self._proved = None
        spent = time.perf_counter() - started
        rest = Limit(
            seconds=None if limit.seconds is None else max(limit.seconds - spent, 0.001),
            iterations=limit.iterations or limit.nodes,
        )
        report = self.uct.run(request.within(rest))
        return dataclasses.replace(
            with_proofs(report, solved),
            nodes=solved.nodes + report.nodes,
            seconds=time.perf_counter() - started,
        )

    def _prove(self, request: Request, effort: Effort) -> Solved:
        """Prove the outcome, then the exact score, then both for every move if requested."""
        state, limit = request.state, limit_of(request)
        started = time.perf_counter()
        solved = self.known(request)
        seconds = None if limit.seconds is None else effort.share * limit.seconds
        nodes = limit.nodes or limit.iterations
        if nodes is None and seconds is None:
            nodes = 2**62

        def progress(so_far: Solved) -> None:
            if request.on_progress is not None:
                request.on_progress(self._report(state, merged(solved, so_far)))

        def solve(most: int | None, **asked: bool) -> Solved:
            return self._solver.solve(
                state,
                seconds=seconds and max(seconds - (time.perf_counter() - started), 0.0),
                nodes=most,
                cancel=request.cancel,
                on_progress=progress,
                every=request.every,
                **asked,
            )

        try:
            if solved is None:
                solved = solve(nodes, wld=effort.wld)
            elif effort.all_moves:
                progress(solved)
            decided = solved.low > 0 or (solved.high < 0 and effort.soon is None)
            if effort.wld and decided and solved.score is None and not request.cancel.cancelled:
                soonest = solve(min(nodes or 2**62, effort.soon or 2**62))
                if soonest.finished or soonest.moves[0].low > 0:
                    solved = soonest
            if effort.all_moves and solved.outcome is not None:
                for wld in (True, False):
                    if not request.cancel.cancelled and not all_scored(solved):
                        solved = merged(solved, solve(nodes, wld=wld, all_moves=True))
        except Interrupted as interrupted:
            raise Interrupted(self._report(state, merged(solved, interrupted.report))) from None
        return solved

    def _report(self, state: State, solved: Solved) -> Report:
        by_book = not solved.nodes and self.known(Request(state)) is not None
        report = as_report(solved, "book" if by_book else "solver")
        cells, stones = counts(state)

        def distance(score: float | None) -> int:
            return 0 if score is None else plies_to_end(cells, stones, state.to_move, int(score))

        return dataclasses.replace(
            report,
            distance=distance(solved.score),
            pv=report.pv or [report.move],
            candidates=[one._replace(distance=distance(one.score)) for one in report.candidates],
        )


class Perfect(Proving):
    """The book, then the solver, then UCT."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        self.settings = OPTIONS.read("perfect", settings)
        half = max(self.settings["memory_mb"] // 2, 1)
        threads = self.settings["threads"]
        super().__init__(
            game,
            solver_of(game, threads=threads, memory_mb=half),
            Uct(game, threads=threads, memory_mb=half, seed=self.settings["seed"]),
        )
        self._book = book.standard() if self.settings["book"] and is_standard(game) else book.Book()

    def effort(self, request: Request) -> Effort:
        return Effort(
            share=0.75, wld=True, all_moves=request.all_moves or bool(self.settings["all"])
        )

    def known(self, request: Request) -> Solved | None:
        state = request.state
        entry = self._book.find(state) if len(self._book) else None
        if entry is None:
            return None
        others = [self._bounds(state, move, entry.high) for move in state.legal_moves()]
        others = [other for other in others if other.move != entry.move]
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

    def _bounds(self, state: State, move: int, most: int) -> SolvedMove:
        """The book's bounds on a move other than its own choice."""
        after = state.play(move)
        child = self._book.find(after)
        if child is not None:
            return SolvedMove(move, -child.high, min(-child.low, most))
        if any(after.play(answer).winner is not None for answer in after.legal_moves()):
            stones = counts(after)[1]
            lost = stones // 2 + 1 - (book.MOST + 1)  # the opponent wins with the next stone
            return SolvedMove(move, lost, lost)
        return SolvedMove(move, -book.MOST, most)


def merged(known: Solved | None, found: Solved) -> Solved:
    """Combine two proofs: the tighter bounds of each move."""
    if known is None:
        return found
    others = {move.move: move for move in known.moves}
    moves = [
        SolvedMove(
            one.move, max(one.low, others[one.move].low), min(one.high, others[one.move].high)
        )
        for one in found.moves
    ]
    first = known.moves[0].move
    moves.sort(key=lambda one: (-one.low, -one.high, one.move != first))
    low, high = max(one.low for one in moves), max(one.high for one in moves)
    line = next((pv for pv in (found.pv, known.pv) if pv[:1] == [moves[0].move]), [])
    return dataclasses.replace(
        found,
        low=max(low, found.low, known.low),
        high=min(high, found.high, known.high),
        moves=moves,
        pv=line,
        finished=low == high,
    )


def all_scored(solved: Solved) -> bool:
    """Whether the score of every move is proved."""
    return all(move.score is not None for move in solved.moves)


def counts(state: State) -> tuple[int, int]:
    """The number of playable cells, and of stones on the board."""
    cells = state.cells()  # type: ignore[attr-defined]
    open_cells = sum(cell != 3 for cell in cells)
    return open_cells, open_cells - sum(cell == 0 for cell in cells)


def plies_to_end(cells: int, stones: int, to_move: int, score: int) -> int:
    """The number of stones still to be played, given a solver score."""
    if score == 0:
        return cells - stones
    of_winner = (cells + 1) // 2 + 1 - abs(score)
    winner = to_move ^ (score < 0)
    return 2 * of_winner - 1 + winner - stones


def with_proofs(report: Report, solved: Solved) -> Report:
    """UCT's report, with moves that are proven inferior moved last."""
    proved = {move.move: move for move in solved.moves}
    best_low = max(move.low for move in solved.moves)
    candidates = [_with_proof(candidate, proved[candidate.move]) for candidate in report.candidates]
    candidates.sort(key=lambda candidate: proved[candidate.move].high < best_low)
    chosen: Candidate = candidates[0]
    if solved.high < 0:
        report = dataclasses.replace(report, value=-1.0, proven="loss")
    if chosen.move == report.move:
        value = chosen.value if chosen.kind == "exact" else report.value
        return dataclasses.replace(report, value=value, candidates=candidates)
    return dataclasses.replace(
        report,
        move=chosen.move,
        value=chosen.value,
        proven=chosen.proven,
        distance=chosen.distance,
        pv=[chosen.move],
        candidates=candidates,
    )


def _with_proof(candidate: Candidate, proof: SolvedMove) -> Candidate:
    proven = candidate.proven or _outcome(proof)
    if proven is None:
        return candidate
    value = EXACT[proven]
    return candidate._replace(proven=proven, kind="exact", value=value, low=value, high=value)


def _outcome(move: SolvedMove) -> str | None:
    if move.low > 0 or move.high < 0:
        return "win" if move.low > 0 else "loss"
    return "draw" if move.low == move.high else None
