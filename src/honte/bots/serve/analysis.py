"""The analysis commands of GTP: what they ask for, and the lines that answer.

``lz-analyze b 50`` and ``kata-analyze b 50 maxmoves 5``: a colour, hundredths of a second, and
pairs of words; each may be missing. Leela Zero writes a winning rate as 0 to 10000, KataGo as 0
to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from honte.games.contract import State
from honte.search.report import Candidate, Report

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
LONG_LINES = 8
"""For so many moves the expected line is looked up; for the rest it is the move alone."""


@dataclass
class Wish:
    """What an analysis command asks for."""

    side: int | None = None
    every: float = 1.0
    most: int = 1000
    ownership: bool = False
    allowed: dict[int, set[int]] = field(default_factory=dict)
    avoided: dict[int, set[int]] = field(default_factory=dict)
    """By side, the moves that alone, or that not, are to be shown."""

    def shows(self, side: int, move: int) -> bool:
        return move not in self.avoided.get(side, ()) and move in self.allowed.get(side, (move,))


def read_wish(words: list[str], parse: Callable[[str], int]) -> Wish:
    """Read the arguments; raises ValueError."""
    wish = Wish()
    left = [word.lower() for word in words]
    while left:
        word = left.pop(0)
        if word in COLOURS:
            wish.side = COLOURS[word]
        elif word.isdecimal() and word.isascii():
            wish.every = interval(word)
        elif not left:
            raise ValueError(f"{word[:20]} lacks its value")
        elif word == "interval":
            wish.every = interval(left.pop(0))
        elif word == "maxmoves":
            wish.most = max(1, count(left.pop(0)))
        elif word == "ownership":
            wish.ownership = left.pop(0) == "true"
        elif word in ("allow", "avoid"):
            if len(left) < 3 or left[0] not in COLOURS:
                raise ValueError(f"{word} needs a colour, moves and a depth")
            side, moves, _ = COLOURS[left.pop(0)], left.pop(0), left.pop(0)
            kind = wish.allowed if word == "allow" else wish.avoided
            kind.setdefault(side, set()).update(map(parse, moves.split(",")))
        else:  # minmoves, rootInfo, …: what we have nothing to say to
            left.pop(0)
    return wish


def count(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) <= 9):
        raise ValueError(f"{word[:20]} is not a whole number")
    return int(word)


def interval(word: str) -> float:
    return max(0.01, count(word) / 100)


def chosen(wish: Wish, state: State, report: Report) -> list[Candidate]:
    """The moves that are shown: those looked at, the best first."""
    tried = [candidate for candidate in report.candidates if candidate.visits]
    found = tried or report.candidates or [Candidate(report.move, value=report.value)]
    return [one for one in found if wish.shows(state.to_move, one.move)][: wish.most]


def info(
    game: Any,
    report: Report,
    candidates: list[Candidate],
    line: Callable[[int], list[int]],
    kata: bool = False,
) -> str:
    """One line for one report, as Leela Zero or KataGo writes it."""
    prior = 1 / max(1, len(report.candidates))
    parts = []
    for order, one in enumerate(candidates):
        rates = [(one.value + 1) / 2, one.prior if one.prior is not None else prior]
        rates.append((one.low + 1) / 2)
        if kata:
            win, before, low = (f"{min(max(rate, 0.0), 1.0):.6f}" for rate in rates)
        else:
            win, before, low = (str(round(10_000 * min(max(rate, 0.0), 1.0))) for rate in rates)
        moves = (line(one.move) if order < LONG_LINES else [one.move])[:30]
        pv = " ".join(map(game.format, moves))
        parts.append(
            f"info move {game.format(one.move)} visits {max(one.visits, 1)} winrate {win} "
            f"prior {before} lcb {low} order {order} pv {pv}"
        )
    return " ".join(parts)
