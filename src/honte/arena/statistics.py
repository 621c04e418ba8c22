"""What a score says about strength."""

from __future__ import annotations

import math
from collections import defaultdict

from honte.arena.match import Played, Standing

CONFIDENCE = 1.96
"""Standard errors to either side: 95 %."""


def elo(score: float) -> float:
    """The rating difference at which one expects this score.

    >>> round(elo(0.75))
    191
    """
    score = min(max(score, 1e-4), 1 - 1e-4)
    return -400 * math.log10(1 / score - 1)


def mean_and_error(values: list[float]) -> tuple[float, float]:
    """The mean and half its 95 % interval."""
    n = len(values)
    if n == 0:
        return 0.0, 0.0
    mean = sum(values) / n
    if n == 1:
        return mean, math.inf
    variance = sum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, CONFIDENCE * math.sqrt(variance / n)


def pair_means(played: list[Played], value: str) -> list[float]:
    """One number a pair of games: the two games of an opening are not independent."""
    pairs: dict[int, list[float]] = defaultdict(list)
    for game in played:
        pairs[game.task.number // 2].append(float(getattr(game, value)))
    return [sum(values) / len(values) for values in pairs.values()]


def score_and_error(standing: Standing) -> tuple[float, float]:
    """A's share of the points (a draw is half), and half its 95 % interval.

    The interval comes from the pairs; where all of them ended alike it is Wilson's.
    """
    results = [(1 + mean) / 2 for mean in pair_means(standing.played, "result")]
    _, error = mean_and_error(results)
    n = max(1, standing.total.games)
    z2 = CONFIDENCE**2
    share = (standing.total.wins + standing.total.draws / 2) / n
    wilson = CONFIDENCE / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return share, error if 0 < error < math.inf else wilson


def elo_and_error(standing: Standing) -> tuple[float, float]:
    """A's rating above B's, and half the 95 % interval."""
    score, error = score_and_error(standing)
    return elo(score), (elo(score + error) - elo(score - error)) / 2


def summary(standing: Standing) -> dict[str, object]:
    """The match as programs read it, seen from A."""
    rating, rating_error = elo_and_error(standing)
    margin, margin_error = mean_and_error(pair_means(standing.played, "margin"))
    reasons: dict[str, int] = defaultdict(int)
    for game in standing.played:
        reasons[game.reason] += 1
    score, score_error = score_and_error(standing)
    return {
        "games": standing.total.games,
        "wins": standing.total.wins,
        "draws": standing.total.draws,
        "losses": standing.total.losses,
        "first": vars(standing.first),
        "second": vars(standing.second),
        "score": round(score, 4),
        "score_error": round(score_error, 4),
        "elo": round(rating, 1),
        "elo_error": round(rating_error, 1),
        "margin": round(margin, 3),
        "margin_error": round(margin_error, 3) if math.isfinite(margin_error) else None,
        "distinct": standing.distinct,
        "reasons": dict(reasons),
        "stopped": standing.stopped,
    }
