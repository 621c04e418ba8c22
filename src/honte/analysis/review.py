"""Review a finished game: the cost of each move, and better moves.

An engine searches every position of the game in order, reusing its tree. The value of a move is
the negated value of the position after it. If the engine prefers another move by enough for a
mark, the position after that move is searched too, so that both values come from searches of
equal depth. A loss within the error of the two searches costs nothing.

>>> import honte
>>> game = honte.game("connect4")
>>> states = [game.start()]
>>> for move in game.read_moves("4141472"):  # 7 does not block, and 2 does not win
...     states.append(states[-1].play(move))
>>> for remark in review(states, "uct", honte.Limit(iterations=2000)):
...     if remark.number > 5:
...         print(remark.number, game.format(remark.move), remark.mark, remark.why[0].words)
6 7 mistake The opponent threatens to win on 4/4; 4 stops it, 7 does not.
7 2 mistake 4 wins at once.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from honte.core.contract import Game, State
from honte.core.descriptor import load
from honte.core.language import Message
from honte.core.player import Player
from honte.core.players import player as make_player
from honte.core.reason import Reason
from honte.core.report import EXACT, Candidate, Report
from honte.core.request import CancelToken, Limit, Request

DEFAULT_LIMIT = Limit(seconds=0.15)
"""Per position, in every interface: a game of 60 moves takes 121 searches at most."""
MARKS = (("blunder", 0.6), ("mistake", 0.25), ("inaccuracy", 0.1))
"""The minimum cost of each mark; from lost to won is 2. See docs/review.md."""
LOST = -0.5
"""A side with a value above this is not lost yet."""
TURNED = {"win": "loss", "loss": "win", "draw": "draw"}


@dataclass(frozen=True)
class Remark:
    """The review of one move. Values are for the mover, −1 to 1."""

    number: int
    """Counted from 1."""
    mover: int
    move: int
    value: float
    """Value of the position after the move."""
    proven: str | None
    """The proven result of the move for the mover, if any."""
    best: int
    """The engine's move, or the played move if that is as good."""
    best_value: float
    best_proven: str | None
    score: float | None
    """Score of the played move in the game's own unit, if known."""
    best_score: float | None
    lead: float | None
    """The expected score after the move for the player who moved first, if the game counts one."""
    distance: int
    """Plies to the end, including the played move, if its result is proven; 0: unknown."""
    best_distance: int
    line: list[int]
    """The principal variation that starts with `best`."""
    reply: list[int]
    """The played move and its expected continuation: the refutation of a bad one."""
    cost: float
    """The loss in value: 0 to 2; 0 where the loss is within `error`."""
    error: float
    """Error of the cost: 0 if both values are proven."""
    lost: float | None
    """Margin lost by the move, in discs or points; None if unknown."""
    mark: str
    """``inaccuracy``, ``mistake``, ``blunder`` or ``""``."""
    forced: bool
    """Whether it was the only legal move."""
    exact: bool = False
    """Whether both values, and so the cost, are proven."""
    why: tuple[Reason, ...] = ()
    """Why the best move is better, as far as the position proves it; the strongest first."""

    @property
    def for_first(self) -> float:
        """The value after the move for the player who moved first."""
        return self.value if self.mover == 0 else -self.value


@dataclass(frozen=True)
class Worth:
    """The value of a position for the side to move."""

    value: float
    proven: str | None = None
    distance: int | None = None
    """Plies to the end, if the result is proven; None: unknown."""
    move: int | None = None
    line: tuple[int, ...] = ()
    score: float | None = None
    error: float = 0.0
    """Half of the 95 % interval of an estimated value."""
    score_error: float = 0.0
    """Half of the 95 % interval of an estimated score, if known."""
    proofs: Mapping[int, Worth] = field(default_factory=dict, compare=False)
    """Proven values of single moves from here, for the side to move."""

    def turned(self) -> Worth:
        """The value of the move that led here, for its mover."""
        return replace(
            self,
            value=-self.value,
            proven=TURNED[self.proven] if self.proven else None,
            distance=None if self.distance is None else self.distance + 1,
            move=None,
            score=None if self.score is None else -self.score,
            proofs={},
        )

    def margin(self, game: Game) -> float:
        """The margin of the result: the score if the game counts one, else how soon it comes.

        In units of `whole_margin`; without a score and a distance, the value itself.
        """
        if game.descriptor.unit and self.score is not None:
            return max(-1.0, min(1.0, self.score / whole_margin(game)))
        if self.proven and self.distance is not None:
            return EXACT[self.proven] * max(0.0, 1 - self.distance / cells_of(game))
        return self.value

    def practical(self, game: Game) -> float:
        """The value, weighing result and margin equally: −1 to 1."""
        return (self.value + self.margin(game)) / 2


def cells_of(game: Game) -> int:
    """The number of cells of the board; 1 for a game without one."""
    rows, cols = game.shape() or (1, 1)
    return rows * cols


def whole_margin(game: Game) -> float:
    """The score that weighs as much as a win instead of a draw: half the board by default."""
    return game.descriptor.whole_margin or cells_of(game) / 2


class Reviewer:
    """Two engines: one follows the game, the other searches alternatives."""

    def __init__(self, game: Game, spec: str, limit: Limit, settings: dict[str, object]) -> None:
        self.limit = limit
        self.cancel = CancelToken()
        """Cancels the current search and every later one."""
        self.walker = make_player(spec, game, **settings)
        self.aside = make_player(spec, game, **settings)
        self.spec = spec

    def worth(self, state: State, engine: Player) -> Worth:
        """The value of a position; exact if the game is over."""
        if state.is_over:
            return ended(state)
        legal = state.legal_moves()
        if len(legal) == 1:  # forced: evaluate the position it leads to
            after = self.worth(state.play(legal[0]), engine).turned()
            return replace(after, move=legal[0], line=(legal[0], *after.line))
        request = Request(state, limit=self.limit, cancel=self.cancel)
        report = engine.choose(request)
        if report.source == "book" and report.kind == "bound":  # the book names only moves: search
            report = engine.choose(replace(request, all_moves=True))
        if not report.has_value:
            raise ValueError(
                Message(
                    "{spec} does not evaluate its moves; review with best, uct or another built-in "
                    "engine",
                    spec=self.spec,
                )
            )
        return of_report(report)

    def with_lead(self, worth: Worth, state: State) -> Worth:
        """A move's value with the expected score after it, if the engine reported none.

        `state` is the position after the move. Two moves are compared by playouts from positions
        with the same side to move: in playouts every extra stone is worth points of its own.
        """
        ref = state.game.descriptor.lead
        if ref is None or worth.score is not None or worth.proven or state.is_over:
            return worth
        assert DEFAULT_LIMIT.seconds is not None
        effort = (self.limit.seconds or DEFAULT_LIMIT.seconds) / DEFAULT_LIMIT.seconds
        score, error = load(ref)(state, max(1.0, effort))
        sign = -1 if state.to_move == 0 else 1  # from the first player's view to the mover's
        return replace(worth, score=sign * score, score_error=error)

    def close(self) -> None:
        self.walker.close()
        self.aside.close()


def ended(state: State) -> Worth:
    """The value of a finished game."""
    score = state.score if state.to_move == 0 else -state.score
    if state.winner is None:
        return Worth(0.0, "draw", 0, score=score)
    won = state.winner == state.to_move
    return Worth(1.0 if won else -1.0, "win" if won else "loss", 0, score=score)


def of_report(report: Report) -> Worth:
    """The worth of a position that was searched."""
    value = EXACT[report.proven] if report.proven else max(-1.0, min(1.0, report.value))
    line = tuple(report.pv) or (report.move,)
    distance = report.distance or None
    found = Worth(value, report.proven, distance, report.move, line, report.score)
    found = replace(found, proofs={one.move: of_proof(one) for one in proven_of(report)})
    best = report.best
    if report.proven or best is None or not best.visits:
        return found
    return replace(found, error=(best.high - best.low) / 2, score_error=best.score_error or 0.0)


def proven_of(report: Report) -> list[Candidate]:
    """The candidates whose results are proven."""
    return [one for one in report.candidates if one.proven is not None]


def of_proof(candidate: Candidate) -> Worth:
    """The worth of a move whose result is proven."""
    assert candidate.proven is not None
    value = EXACT[candidate.proven]
    score = candidate.score if candidate.kind == "exact" else None
    return Worth(value, candidate.proven, candidate.distance or None, None, candidate.line, score)


def review(
    states: Sequence[State],
    player: str = "best",
    limit: Limit | None = None,
    *,
    cancel: CancelToken | None = None,
    **settings: object,
) -> Generator[Remark, None, None]:
    """Yield a remark on every move of a game, given as its positions from first to last.

    Each takes one search of the position after the move, and a second one if it may be marked.
    Cancelling stops the current search; discard the remark that follows.
    """
    if not states:
        return
    moves: list[int] = []
    for number, state in enumerate(states[1:], start=1):
        if state.last_move is None:
            raise ValueError(
                Message(
                    "position {number} has no last move; make it with state.play", number=number
                )
            )
        moves.append(state.last_move)
    reviewer = Reviewer(states[0].game, player, limit or DEFAULT_LIMIT, settings)
    reviewer.cancel = cancel or reviewer.cancel
    try:
        yield from remarks(reviewer, states)
    finally:
        reviewer.close()


def remarks(
    reviewer: Reviewer, states: Sequence[State], first: int = 1
) -> Generator[Remark, None, None]:
    """Remark on the moves between these positions; the first of them has the number `first`."""
    if len(states) < 2:
        return
    here = reviewer.worth(states[0], reviewer.walker)
    neutral: float | None = None
    for number, (state, after) in enumerate(pairwise(states), first):
        assert after.last_move is not None
        there = reviewer.worth(after, reviewer.walker)
        played = there.turned()
        if not there.proven and after.last_move in here.proofs:  # known before, and not found again
            proof = here.proofs[after.last_move]
            played = replace(proof, line=played.line)
            if proof.proven == "win":  # whatever the answer
                left = None if proof.distance is None else proof.distance - 1
                there = replace(there, value=-1.0, proven="loss", distance=left)
        played = reviewer.with_lead(played, after)
        found = remark(reviewer, number, state, after.last_move, here, played)
        if played.score is not None and state.game.descriptor.unit:
            lead = played.score if state.to_move == 0 else -played.score
            by_playouts = there.score is None
            # The stone just played counts too much in playouts: average with the position before.
            smooth = (lead + neutral) / 2 if by_playouts and neutral is not None else lead
            found = replace(found, lead=smooth)
            neutral = lead if by_playouts else None
        yield found
        here = there


def remark(
    reviewer: Reviewer, number: int, state: State, move: int, here: Worth, played: Worth
) -> Remark:
    """Compare a move with the engine's choice."""
    game = state.game
    forced = len(state.legal_moves()) == 1
    best = here.move if here.move is not None else move
    better = replace(here, move=None)
    cost = error = 0.0
    if best != move and not forced:
        beyond = state.play(best)
        better = reviewer.with_lead(better, beyond)
        first = cost = cost_of(game, better, played)
        if cost >= MARKS[-1][1] and not better.proven:
            deeper = reviewer.worth(beyond, reviewer.aside).turned()
            deeper = replace(deeper, line=(best, *deeper.line))
            if deeper.score is None and not deeper.proven:
                deeper = replace(deeper, score=better.score, score_error=better.score_error)
            better = deeper
            cost = cost_of(game, better, played)
            # The difference between two searches of the same move estimates their error.
            error = abs(first - cost) if not better.proven else 0.0
        error = max(error, error_of(game, better, played))
        cost = cost if cost > error else 0.0
    mark = mark_of(cost)
    if not cost:  # nothing is better
        best, better = move, played
    line = list(better.line) if best != move else [move, *played.line]
    return Remark(
        number=number,
        mover=state.to_move,
        move=move,
        value=played.value,
        proven=played.proven,
        best=best,
        best_value=better.value,
        best_proven=better.proven,
        score=played.score,
        best_score=better.score,
        lead=None,
        distance=(played.distance or 0) if played.proven else 0,
        best_distance=(better.distance or 0) if better.proven else 0,
        line=line,
        reply=[move, *played.line],
        cost=cost,
        error=error,
        lost=lost_by(game, better, played) if cost else lost_by(game, played, played),
        mark=mark,
        forced=forced,
        exact=bool(played.proven and better.proven),
        why=explain(state, move, best, better, played) if mark else (),
    )


FORCED: dict[tuple[object, object], str] = {
    ("win", "draw"): Message("{best} wins by force, {move} draws."),
    ("win", "loss"): Message("{best} wins by force, {move} loses."),
    ("draw", "loss"): Message("{best} draws by force, {move} loses."),
}
"""Reasons by the proven outcomes of the better move and of the one played."""
PREFERRED = Message("The search prefers {best}.")


def explain(state: State, move: int, best: int, better: Worth, played: Worth) -> tuple[Reason, ...]:
    """Why the best move is better: what the game can prove, else what the search says."""
    ref = state.game.descriptor.explain
    found: list[Reason] = list(load(ref)(state, move, best)) if ref is not None else []
    if (text := FORCED.get((better.proven, played.proven))) is not None:
        names = {"best": state.game.format(best), "move": state.game.format(move)}
        found.append(Reason(text, names))
    if not found:
        found.append(Reason(PREFERRED, {"best": state.game.format(best)}))
    return tuple(found)


def cost_of(game: Game, better: Worth, played: Worth) -> float:
    """Cost of the played move: half of it in result, half in margin."""
    margin = better.margin(game) - played.margin(game)
    distances = (better.distance, played.distance)
    if game.descriptor.unit and better.score is not None and played.score is not None:
        # Twenty points thrown away cost as much with a lead of fifty as with one of twenty.
        margin = max(-2.0, min(2.0, (better.score - played.score) / whole_margin(game)))
    elif better.proven and better.proven == played.proven and None in distances:
        margin = 0.0  # the same result, and nobody knows how soon
    return max(0.0, (better.value - played.value + margin) / 2)


def lost_by(game: Game, better: Worth, played: Worth) -> float | None:
    """Margin lost by the played move, in the game's unit; None if unknown."""
    if not game.descriptor.unit or better.score is None or played.score is None:
        return None
    return max(0.0, better.score - played.score)


def error_of(game: Game, better: Worth, played: Worth) -> float:
    """The 95 % error of such a cost, from the errors of the two searches."""
    result = math.hypot(better.error, played.error)
    if game.descriptor.unit and better.score is not None and played.score is not None:
        points = math.hypot(better.score_error, played.score_error)
        return math.hypot(result, points / whole_margin(game)) / 2
    return result  # the same for margin and result: they share one estimate


def mark_of(cost: float) -> str:
    """The mark for a cost: one scale for all games, so a larger cost never gets a milder mark.

    >>> [mark_of(cost) for cost in (0.05, 0.1, 0.3, 0.7)]
    ['', 'inaccuracy', 'mistake', 'blunder']
    """
    return next((name for name, least in MARKS if cost >= least), "")


@dataclass(frozen=True)
class Summary:
    """The moves of one side."""

    moves: int
    accuracy: float
    """100 × the mean of 1 − min(1, cost) over the moves that were not forced."""
    inaccuracies: int
    mistakes: int
    blunders: int
    cost: float
    """The total cost of its moves."""
    lost: float | None
    """Margin lost by its moves in the game's own unit; None if no scores are known."""
    worst: Remark | None
    """Its most expensive marked move."""


def summary(remarks: Sequence[Remark], side: int) -> Summary:
    """Summarise the moves of a side."""
    own = [remark for remark in remarks if remark.mover == side]
    free = [remark for remark in own if not remark.forced]
    kept = [1 - min(1.0, remark.cost) for remark in free]
    marks = [remark.mark for remark in own]
    marked = [remark for remark in own if remark.mark]
    lost = [remark.lost for remark in own if remark.lost is not None]
    return Summary(
        moves=len(own),
        accuracy=100 * sum(kept) / len(kept) if kept else 100.0,
        inaccuracies=marks.count("inaccuracy"),
        mistakes=marks.count("mistake"),
        blunders=marks.count("blunder"),
        cost=sum(remark.cost for remark in own),
        lost=sum(lost) if lost else None,
        worst=max(marked, key=lambda remark: remark.cost) if marked else None,
    )


def turning_point(remarks: Sequence[Remark]) -> Remark | None:
    """The last marked move that the losing side made while it was not yet lost."""
    if not remarks or abs(remarks[-1].for_first) < MARKS[-1][1]:
        return None
    behind = 1 if remarks[-1].for_first > 0 else 0
    held = [
        remark
        for remark in remarks
        if remark.mark and remark.mover == behind and remark.best_value > LOST
    ]
    return held[-1] if held else None
