"""GTP analysis commands: their arguments and their ``info`` lines.

``lz-analyze b 50`` and ``kata-analyze b 50 maxmoves 5``: a colour, an interval in centiseconds, and
pairs of words, all optional. Leela Zero writes a win rate as 0 to 10000, KataGo as 0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from honte.core.contract import State
from honte.core.report import Candidate, Report
from honte.protocols.engine_session import variation

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
MAX_LINES = 8
"""Number of best moves that get a principal variation; the others get the move alone."""
MAX_PV = 30


@dataclass
class AnalyzeCommand:
    """The arguments of an analysis command."""

    side: int | None = None
    every: float = 1.0
    max_moves: int = 1000
    ownership: bool = False
    allowed: dict[int, set[int]] = field(default_factory=dict)
    avoided: dict[int, set[int]] = field(default_factory=dict)
    """Per side, the only moves to show, and those to leave out."""

    def shows(self, side: int, move: int) -> bool:
        return move not in self.avoided.get(side, ()) and move in self.allowed.get(side, (move,))


def parse_analyze(words: list[str], parse: Callable[[str], int]) -> AnalyzeCommand:
    """Read the arguments; raises ValueError."""
    command = AnalyzeCommand()
    left = [word.lower() for word in words]
    while left:
        word = left.pop(0)
        if word in COLOURS:
            command.side = COLOURS[word]
        elif word.isdecimal() and word.isascii():
            command.every = interval(word)
        elif not left:
            raise ValueError(f"{word[:20]} has no value")
        elif word == "interval":
            command.every = interval(left.pop(0))
        elif word == "maxmoves":
            command.max_moves = max(1, count(left.pop(0)))
        elif word == "ownership":
            command.ownership = left.pop(0) == "true"
        elif word in ("allow", "avoid"):
            if len(left) < 3 or left[0] not in COLOURS:
                raise ValueError(f"{word} needs a colour, moves and a depth")
            side, moves, _ = COLOURS[left.pop(0)], left.pop(0), left.pop(0)
            kind = command.allowed if word == "allow" else command.avoided
            kind.setdefault(side, set()).update(map(parse, moves.split(",")))
        else:  # minmoves, rootInfo, …: not supported
            left.pop(0)
    return command


def count(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) <= 9):
        raise ValueError(f"{word[:20]} is not a whole number")
    return int(word)


def interval(word: str) -> float:
    return max(0.01, count(word) / 100)


def shown_candidates(command: AnalyzeCommand, state: State, report: Report) -> list[Candidate]:
    """The moves to report: those with a value, the best first.

    A bound is not a win rate, so a move known only by a bound is left out.
    """
    known = [one for one in report.candidates if one.kind != "bound" or one.proven]
    tried = [candidate for candidate in known if candidate.visits]
    found = tried or known or [Candidate(report.move, value=report.value)]
    return [one for one in found if command.shows(state.to_move, one.move)][: command.max_moves]


def info_line(
    game: Any,
    report: Report,
    candidates: list[Candidate],
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
        score = ""
        if kata and one.score is not None:  # Lizzie reads the first, Sabaki the second
            score = f"scoreMean {one.score:.3f} scoreLead {one.score:.3f} "
        moves = variation(report, one)[:MAX_PV]
        pv = " ".join(map(game.format, moves))
        parts.append(
            f"info move {game.format(one.move)} visits {max(one.visits, 1)} winrate {win} "
            f"{score}prior {before} lcb {low} order {order} pv {pv}"
        )
    return " ".join(parts)
