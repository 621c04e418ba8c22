"""Generalised sequential probability ratio test (GSPRT): stop a match once it is decided.

H0: A is ELO0 stronger. H1: A is ELO1 stronger. After each pair of games the likelihoods of both
are compared, each maximised over the distributions of outcomes with that mean score; past a bound
one hypothesis is accepted, wrongly in at most 5 % of matches.

The *paired* (pentanomial) model uses the five outcomes of a pair of games on one opening, which
are not independent; *trinomial* uses single games. Paired is right for paired openings and
usually shorter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from honte.arena.statistics import expected
from honte.core.language import Message

ERROR = 0.04
"""Nominal error of the bounds. The variance is estimated from the same games, which costs the rest
of the 5 % (simulated: up to 0.049 with bounds 50 Elo apart, less with closer ones)."""
MIN_PAIRS = 20
"""Minimum number of pairs: with fewer, the distribution of outcomes is too uncertain."""
FAINT = 1e-3
"""Count of an outcome that has not occurred, to keep its probability positive."""


@dataclass
class Sprt:
    """A test under way; `add` takes the results of pairs in the order of the schedule.

    >>> test = Sprt(0, 50)
    >>> for _ in range(100):
    ...     test.add(1, 0)
    >>> test.verdict
    'H1'
    """

    elo0: float
    elo1: float
    model: str = "paired"
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs in which A made 0, ½, 1, 1½, 2 points."""
    games: list[int] = field(default_factory=lambda: [0] * 3)
    """Games that A lost, drew, won."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1)) or self.elo0 >= self.elo1:
            raise ValueError(
                Message(
                    "SPRT bounds {elo0:g},{elo1:g}: write two numbers, the smaller first, like "
                    "0,30",
                    elo0=self.elo0,
                    elo1=self.elo1,
                )
            )
        if max(abs(self.elo0), abs(self.elo1)) > 1000:
            raise ValueError(Message("an SPRT bound is beyond 1000 Elo; use smaller ones"))
        if self.model not in ("paired", "trinomial"):
            raise ValueError(
                Message("unknown SPRT model {model!r}; use paired or trinomial", model=self.model)
            )

    @property
    def bound(self) -> float:
        """Wald's bound: the test ends when the LLR leaves ±bound."""
        return math.log((1 - ERROR) / ERROR)

    def add(self, one: int, other: int) -> None:
        """Count a pair of games, each 1, 0 or −1 for A."""
        self.pairs[one + other + 2] += 1
        self.games[one + 1] += 1
        self.games[other + 1] += 1

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of H1 to H0."""
        return llr(
            self.pairs if self.model == "paired" else self.games,
            expected(self.elo0),
            expected(self.elo1),
        )

    @property
    def verdict(self) -> str:
        """H0 or H1; "" while undecided."""
        if sum(self.pairs) < MIN_PAIRS:
            return ""
        found = self.llr
        return "H1" if found >= self.bound else "H0" if found <= -self.bound else ""

    def summary(self) -> dict[str, object]:
        return {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "model": self.model,
            "llr": round(self.llr, 3),
            "bound": round(self.bound, 3),
            "verdict": self.verdict or None,
        }

    def __str__(self) -> str:
        return self.words()

    def words(self) -> Message:
        given = {
            "elo0": self.elo0,
            "elo1": self.elo1,
            "model": self.model,
            "llr": self.llr,
            "bound": self.bound,
        }
        if self.verdict:
            return Message(
                "SPRT {elo0:g},{elo1:g} ({model}): LLR {llr:+.2f} of ±{bound:.2f}, {verdict} "
                "accepted",
                verdict=self.verdict,
                **given,
            )
        return Message("SPRT {elo0:g},{elo1:g} ({model}): LLR {llr:+.2f} of ±{bound:.2f}", **given)


def parse(text: str, model: str = "paired") -> Sprt:
    """Parse ``ELO0,ELO1``."""
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise ValueError(
            Message("--sprt {given!r}: write two numbers like 0,30", given=text[:40])
        ) from None
    return Sprt(low, high, model)


def llr(counts: Sequence[float], score0: float, score1: float) -> float:
    """The log-likelihood ratio of two mean scores, for outcomes evenly spread from 0 to 1."""
    total = sum(counts)
    if total == 0:
        return 0.0
    seen = [max(count, FAINT) for count in counts]
    shares = [count / sum(seen) for count in seen]
    values = [index / (len(counts) - 1) for index in range(len(counts))]
    under0, under1 = (tilted(shares, values, score) for score in (score0, score1))
    return sum(
        count * math.log(one / zero) for count, one, zero in zip(seen, under1, under0, strict=True)
    )


def tilted(shares: Sequence[float], values: Sequence[float], mean: float) -> list[float]:
    """The maximum-likelihood distribution with a given mean.

    It is p / (1 + t·(value − mean)), with the t that makes its mean right: the root of a
    function that decreases between its two poles.
    """
    away = [value - mean for value in values]
    low, high = -1 / max(away), -1 / min(away)
    for _ in range(40):
        t = (low + high) / 2
        if sum(p * d / (1 + t * d) for p, d in zip(shares, away, strict=True)) > 0:
            low = t
        else:
            high = t
    return [p / (1 + t * d) for p, d in zip(shares, away, strict=True)]
