"""A search's verdict on a move, in words: one wording for every interface.

An exact score is an integer in the game's own unit, an estimate says that it is one, and a bound
is written as a bound, never as a chance.

>>> from honte.core.report import Candidate
>>> exact = Candidate(3, value=1, proven="win", distance=41, score=1, kind="exact")
>>> brief(exact), sentence(exact, "moves")
('+1', 'win in 21 moves')
>>> bound = Candidate(3, kind="bound", bounds=(-21, 0))
>>> brief(bound), sentence(bound, "moves")
('≤0', 'at most 0')
>>> guess = Candidate(3, value=0.2, low=0.1, high=0.3)
>>> brief(guess), sentence(guess)
('60%', '60 % to win, ± 5')
"""

from __future__ import annotations

import math

from honte.core.language import Message, plural
from honte.core.report import Candidate

MOVES = "moves"
"""The unit of scores that count moves to the end: the sign alone says who wins."""
PROVEN = {"win": Message("win"), "loss": Message("loss"), "draw": Message("draw")}


def signed(score: float, digits: int = 0) -> str:
    """A score with its sign, as people write it.

    >>> signed(3), signed(-4.25, 1), signed(0)
    ('+3', '−4.2', '0')
    """
    rounded = round(score, digits)
    if rounded == 0:
        return "0"
    return ("+" if rounded > 0 else "−") + f"{abs(rounded):.{digits}f}"


def exactly(score: float) -> str:
    """An exact score: komi has halves.

    >>> exactly(3), exactly(-2.5)
    ('+3', '−2.5')
    """
    return signed(score, 0 if score == int(score) else 1)


def tighter(candidate: Candidate) -> tuple[str, int]:
    """The tighter side of a bound in the game's unit, rounded so that it still holds.

    >>> tighter(Candidate(3, kind="bound", bounds=(-64, 2.3))), tighter(Candidate(3, kind="bound"))
    (('≤', 3), ('', 0))
    """
    low, high = candidate.bounds or (-math.inf, math.inf)
    if high <= -low:
        return ("≤", math.ceil(high)) if high < math.inf else ("", 0)
    return ("≥", math.floor(low)) if low > -math.inf else ("", 0)


def moves_in(candidate: Candidate) -> int:
    """Moves of the winner until the end of the game; `distance` counts the plies of both sides."""
    return (candidate.distance + 1) // 2


def brief(candidate: Candidate) -> str:
    """At most five characters, for a cell of the board."""
    if candidate.kind == "exact" and candidate.score is not None:
        return exactly(candidate.score)
    if candidate.proven is not None:
        letter = candidate.proven[0].upper()
        return f"{letter} {moves_in(candidate)}" if 0 < candidate.distance < 200 else letter
    if candidate.kind == "bound":
        sign, score = tighter(candidate)
        return f"{sign}{signed(score)}" if sign else "?"
    if candidate.score is not None:
        return signed(candidate.score, 1 if abs(candidate.score) < 9.95 else 0)
    return f"{round(100 * (candidate.chance or 0.0))}%"


def sentence(candidate: Candidate, unit: str = "") -> str:
    """The verdict in words; `unit` is the unit of its score."""
    if candidate.proven is not None:
        return _proven(candidate, candidate.proven, unit)
    if candidate.kind == "bound":
        sign, score = tighter(candidate)
        if not sign:
            return Message("not known")
        if sign == "≤":
            return Message("at most {score}", score=signed(score))
        return Message("at least {score}", score=signed(score))
    percent = round(100 * (candidate.chance or 0.0))
    if candidate.score is not None:
        about = signed(candidate.score, 1)
        if unit:
            about = Message("{score} {unit}", score=signed(candidate.score, 1), unit=unit)
        return Message("about {score}, {percent} % to win", score=about, percent=percent)
    error = 100 * (candidate.high - candidate.low) / 4
    if candidate.visits or error < 50:
        error = max(1, round(error))
        return Message("{percent} % to win, ± {error}", percent=percent, error=error)
    return Message("{percent} % to win", percent=percent)


def _proven(candidate: Candidate, outcome: str, unit: str) -> str:
    told = PROVEN[outcome]
    if outcome == "draw":
        return told
    if unit and unit != MOVES and candidate.score is not None:
        score = exactly(candidate.score).lstrip("+−")
        return Message("{outcome} by {score} {unit}", outcome=told, score=score, unit=unit)
    if not candidate.distance:
        return told
    return plural(
        "{outcome} in {n} move", "{outcome} in {n} moves", moves_in(candidate), outcome=told
    )
