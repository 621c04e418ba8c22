"""Scores, confidence intervals and Elo."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from honte.arena.match import Standing, Tally
from honte.core.language import Message

SCALE = 400 / math.log(10)
"""Elo per unit of natural log-odds."""
CONFIDENCE = 1.96
"""Standard errors to either side of a 95 % interval."""


def elo(score: float) -> float:
    """The rating difference at which this score is expected.

    >>> round(elo(0.75))
    191
    """
    score = min(max(score, 1e-4), 1 - 1e-4)
    return -400 * math.log10(1 / score - 1)


def expected(difference: float) -> float:
    """The expected score at this rating difference.

    >>> round(expected(191), 2)
    0.75
    """
    return 1 / (1 + 10 ** (-difference / 400))


def wilson(points: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a proportion, which works at 0 and 1 too.

    >>> low, high = wilson(10, 10)
    >>> round(low, 3), high
    (0.722, 1.0)
    """
    if games == 0:
        return 0.0, 1.0
    z2 = CONFIDENCE**2
    share = points / games
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = CONFIDENCE / (1 + z2 / games)
    half *= math.sqrt(share * (1 - share) / games + z2 / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean and half its 95 % interval."""
    n = len(values)
    if n == 0:
        return 0.0, 0.0
    mean = sum(values) / n
    if n == 1:
        return mean, math.inf
    variance = sum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, CONFIDENCE * math.sqrt(variance / n)


def pair_means(pairs: Iterable[int], values: Iterable[float]) -> list[float]:
    """The mean of each pair of games: the two games of an opening are not independent."""
    found: dict[int, list[float]] = defaultdict(list)
    for pair, value in zip(pairs, values, strict=True):
        if not math.isnan(value):
            found[pair].append(value)
    return [sum(values) / len(values) for values in found.values()]


def pentanomial(standing: Standing) -> list[int]:
    """How many complete pairs gave A 0, ½, 1, 1½ and 2 points."""
    counts = [0] * 5
    waiting: dict[int, int] = {}
    for pair, result in zip(standing.pairs, standing.results, strict=True):
        if pair in waiting:
            counts[waiting.pop(pair) + result + 2] += 1
        else:
            waiting[pair] = result
    return counts


def error_of_pairs(standing: Standing) -> float | None:
    """Half the 95 % interval of A's share, from its pairs; None if all of them ended alike."""
    means = pair_means(standing.pairs, standing.results)
    _, error = mean_and_error([(1 + mean) / 2 for mean in means])
    return error if 0 < error < math.inf else None


def score_and_error(standing: Standing) -> tuple[float, float]:
    """A's share of the points (a draw is half), and half its 95 % interval.

    The interval is computed from pairs; if all ended alike it is Wilson's, which lies to one side
    of the share: then the error reaches its farther end.
    """
    total = standing.total
    low, high = wilson(total.points, total.games)
    share = total.points / max(1, total.games)
    error = error_of_pairs(standing)
    return share, max(high - share, share - low) if error is None else error


def elo_and_error(standing: Standing) -> tuple[float, float]:
    """A's rating above B's, and half its 95 % interval, or the farther end of Wilson's."""
    score, error = score_and_error(standing)
    rating = elo(score)
    if error_of_pairs(standing) is not None:
        return rating, (elo(score + error) - elo(score - error)) / 2
    low, high = wilson(standing.total.points, standing.total.games)
    return rating, max(elo(high) - rating, rating - elo(low))


def repeats(standing: Standing) -> str:
    """A warning if many games are identical: repeated games add no information."""
    games, distinct = standing.total.games, standing.distinct
    out = standing.played_out
    if out < 4 or distinct > 0.9 * games:
        return ""
    return Message(
        "only {distinct} of {games} games are distinct: the players repeat themselves, "
        "and the errors are too small; use more openings (--opening-plies)",
        distinct=distinct,
        games=games,
    )


def summary(standing: Standing) -> dict[str, object]:
    """The match as JSON-ready values, from A's side."""
    rating, rating_error = elo_and_error(standing)
    margin, margin_error = mean_and_error(pair_means(standing.pairs, standing.margins))
    score, score_error = score_and_error(standing)
    low, high = wilson(standing.total.points, standing.total.games)
    return {
        "games": standing.total.games,
        **counted(standing.total),
        "first": counted(standing.first),
        "second": counted(standing.second),
        "score": round(score, 4),
        "score_error": round(score_error, 4),
        "wilson": [round(low, 4), round(high, 4)],
        "elo": round(rating, 1),
        "elo_error": round(rating_error, 1),
        "margin": round(margin, 3),
        "margin_error": round(margin_error, 3) if math.isfinite(margin_error) else None,
        "distinct": standing.distinct,
        "pairs": pentanomial(standing),
        "reasons": dict(standing.reasons),
        "faults": {"a": dict(standing.faults[0]), "b": dict(standing.faults[1])},
        "stopped": standing.stopped,
        "warning": repeats(standing),
    }


def counted(tally: Tally) -> dict[str, int]:
    """A tally as JSON."""
    return {"wins": tally.wins, "draws": tally.draws, "losses": tally.losses}
