"""A finished game, move by move: what each cost, and what was better.

An engine searches every position in the order of the game and keeps its tree from one to the
next. A move is worth what the search of the position after it says, its sign turned; so is the
move that the engine prefers. Where both differ enough to be held against the player, the
position after the preferred move is searched as well, so that like is compared with like.

>>> import honte
>>> game = honte.game("connect4")
>>> states = [game.start()]
>>> for move in game.read_moves("4141472"):  # 7 does not block, and 2 does not win
...     states.append(states[-1].play(move))
>>> for remark in review(states, "uct", honte.Limit(iterations=2000)):
...     if remark.mark == "blunder":
...         print(remark.number, game.format(remark.move), "better", game.format(remark.best))
6 7 better 4
7 2 better 4
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from honte.games.contract import Game, State
from honte.players.contract import Player
from honte.players.registry import player as make_player
from honte.search.limit import Limit
from honte.search.report import Report

DEFAULT_LIMIT = Limit(seconds=0.5)
MARKS = (("blunder", 0.5), ("mistake", 0.25), ("inaccuracy", 0.1))
"""From which cost on a move gets which mark; the whole scale, from lost to won, is 2."""
SHORT = 3
"""A win or a loss within so many plies is one that a player should see."""
LOST = -0.5
"""A side with a value above this can still hold on."""
TURNED = {"win": "loss", "loss": "win", "draw": "draw"}
EXACT = {"win": 1.0, "draw": 0.0, "loss": -1.0}


@dataclass(frozen=True)
class Remark:
    """What the engine says about one move. Values are the mover's, from −1 to 1."""

    number: int
    """Counted from 1."""
    mover: int
    move: int
    value: float
    """Of the position after the move."""
    proven: str | None
    """What the move comes to for the mover, where that is proven."""
    best: int
    """What the engine would have played; the move itself where that is as good."""
    best_value: float
    best_proven: str | None
    line: list[int]
    """What it expects from `best` on."""
    cost: float
    """How much the move gave away: 0 to 2."""
    mark: str
    """``inaccuracy``, ``mistake`` or ``blunder``, or nothing."""
    forced: bool
    """There was no other move."""

    @property
    def for_first(self) -> float:
        """The value after the move for the player who moved first."""
        return self.value if self.mover == 0 else -self.value


@dataclass(frozen=True)
class Worth:
    """What a position is worth to the side to move."""

    value: float
    proven: str | None = None
    distance: int = 0
    move: int | None = None
    line: tuple[int, ...] = ()

    def turned(self) -> Worth:
        """The same for the other side, as the worth of the move that led here."""
        proven = TURNED[self.proven] if self.proven else None
        return Worth(-self.value, proven, self.distance + 1, None, self.line)


class Reviewer:
    """Two engines: one walks through the game, the other looks aside."""

    def __init__(self, game: Game, spec: str, limit: Limit, settings: dict[str, object]) -> None:
        self.limit = limit
        self.walker = make_player(spec, game, **settings)
        self.aside = make_player(spec, game, **settings)
        self.spec = spec

    def worth(self, state: State, engine: Player) -> Worth:
        """What a position is worth, exactly where the game is over."""
        if state.is_over:
            return ended(state)
        legal = state.legal_moves()
        if len(legal) == 1:  # forced: nothing to weigh, so look at what it leads to
            after = self.worth(state.play(legal[0]), engine).turned()
            return replace(after, move=legal[0], line=(legal[0], *after.line))
        report = engine.choose(state, self.limit)
        if not (report.iterations or report.nodes or report.proven):
            raise ValueError(
                f"{self.spec} says where to play and not what it thinks of it; review with best, "
                "uct or another engine of ours"
            )
        return of_report(report)

    def close(self) -> None:
        self.walker.close()
        self.aside.close()


def ended(state: State) -> Worth:
    """The worth of a position in which the game is over."""
    if state.winner is None:
        return Worth(0.0, "draw")
    return Worth(1.0, "win") if state.winner == state.to_move else Worth(-1.0, "loss")


def of_report(report: Report) -> Worth:
    value = EXACT[report.proven] if report.proven else max(-1.0, min(1.0, report.value))
    line = tuple(report.pv) or (report.move,)
    return Worth(value, report.proven, report.distance, report.move, line)


def review(
    states: Sequence[State],
    player: str = "best",
    limit: Limit | None = None,
    **settings: object,
) -> Generator[Remark, None, None]:
    """A remark on every move of a game, given as its positions from the first to the last.

    Each comes when the position after the move has been searched: with a limit of so many
    seconds about that long after the one before, and as long again for a move that is marked.
    """
    if not states:
        return
    moves: list[int] = []
    for number, state in enumerate(states[1:], start=1):
        if state.last_move is None:
            raise ValueError(f"position {number} does not say which move led to it; play it out")
        moves.append(state.last_move)
    reviewer = Reviewer(states[0].game, player, limit or DEFAULT_LIMIT, settings)
    try:
        here = reviewer.worth(states[0], reviewer.walker) if moves else Worth(0.0)
        for number, move in enumerate(moves, start=1):
            state, after = states[number - 1], states[number]
            there = reviewer.worth(after, reviewer.walker)
            yield remark(reviewer, number, state, move, here, there.turned())
            here = there
    finally:
        reviewer.close()


def remark(
    reviewer: Reviewer, number: int, state: State, move: int, here: Worth, played: Worth
) -> Remark:
    """Weigh a move against what the engine prefers."""
    forced = len(state.legal_moves()) == 1
    best = here.move if here.move is not None else move
    better = Worth(here.value, here.proven, here.distance, None, here.line)
    if best != move and cost_of(better, played) >= MARKS[-1][1] and not better.proven:
        beyond = reviewer.worth(state.play(best), reviewer.aside).turned()
        better = replace(beyond, line=(best, *beyond.line))
    cost = 0.0 if forced or best == move else cost_of(better, played)
    mark = mark_of(cost, better, played) if cost > 0 else ""
    if not mark and cost == 0:  # the move is as good as any: nothing is better
        best, better = move, played
    return Remark(
        number=number,
        mover=state.to_move,
        move=move,
        value=played.value,
        proven=played.proven,
        best=best,
        best_value=better.value,
        best_proven=better.proven,
        line=list(better.line) if best != move else [move, *played.line],
        cost=cost,
        mark=mark,
        forced=forced,
    )


def cost_of(better: Worth, played: Worth) -> float:
    """What the played move gave away; nothing where the other was lost anyway."""
    if better.proven == "loss" or played.proven == "win":
        return 0.0
    return max(0.0, better.value - played.value)


def mark_of(cost: float, better: Worth, played: Worth) -> str:
    """The mark for a cost; what is proven stands over what is estimated."""
    if better.proven and played.proven and EXACT[better.proven] > EXACT[played.proven]:
        return "blunder"  # a proven win or draw thrown away
    missed = better.proven == "win" and better.distance <= SHORT
    overlooked = played.proven == "loss" and played.distance <= SHORT
    mark = next((name for name, least in MARKS if cost >= least), "")
    if missed or overlooked:  # a player should have seen it, so it weighs a step more
        return "blunder" if cost >= MARKS[1][1] else "mistake"
    return mark


@dataclass(frozen=True)
class Summary:
    """One side's game."""

    moves: int
    accuracy: float
    """100 × the mean of 1 − cost over the moves with a choice, no cost counted above 1."""
    inaccuracies: int
    mistakes: int
    blunders: int
    cost: float
    """All that its moves gave away."""
    worst: Remark | None
    """Its costliest move, if one was marked."""


def summary(remarks: Sequence[Remark], side: int) -> Summary:
    """What a side's moves come to."""
    own = [remark for remark in remarks if remark.mover == side]
    free = [remark for remark in own if not remark.forced]
    kept = [1 - min(1.0, remark.cost) for remark in free]
    marks = [remark.mark for remark in own]
    marked = [remark for remark in own if remark.mark]
    return Summary(
        moves=len(own),
        accuracy=100 * sum(kept) / len(kept) if kept else 100.0,
        inaccuracies=marks.count("inaccuracy"),
        mistakes=marks.count("mistake"),
        blunders=marks.count("blunder"),
        cost=sum(remark.cost for remark in own),
        worst=max(marked, key=lambda remark: remark.cost) if marked else None,
    )


def turning_point(remarks: Sequence[Remark]) -> Remark | None:
    """The last marked move with which the side that is behind in the end could have held on."""
    if not remarks or abs(remarks[-1].for_first) < MARKS[-1][1]:
        return None
    behind = 1 if remarks[-1].for_first > 0 else 0
    held = [
        remark
        for remark in remarks
        if remark.mark and remark.mover == behind and remark.best_value > LOST
    ]
    return held[-1] if held else None
