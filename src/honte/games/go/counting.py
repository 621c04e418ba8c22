"""Scoring by agreement: dead stones are removed, then the area is counted."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from honte.core.language import Message
from honte.core.scoring import Count, Line, Scoring
from honte.games.go.ownership import (
    PLAYOUTS,
    dead_groups,
    groups,
    ownership,
    regions,
    seki_groups,
    territory,
)

LEAST = 4
"""Points per stone above which a board is not settled, whatever playouts say."""
BATCHES = 10
"""Batches of playouts for an expected score; their spread gives its error."""
SURE = 0.5
"""Mean ownership from which a region is settled: its owner's in three playouts out of four."""


def count(states: Sequence[Any], dead: Iterable[int] | None = None) -> Count:
    """Count the last of these positions, with the groups at `dead` removed.

    >>> import honte
    >>> game = honte.game("go:size=2,komi=0.5")
    >>> found = count([game.from_text("XX/.X X passes=2")], dead=[])
    >>> [(line.label, *line.values) for line in found.lines if line.counted], found.score
    ([('Stones', 3, 0), ('Territory', 1, 0), ('Komi', 0.0, 0.5)], 3.5)
    """
    state = states[-1]
    game, cells = state.game, state.cells()
    gone = dead_groups(state) if dead is None else chains_at(state, dead)
    off = {point for chain in gone for point in chain}
    areas = territory(state, gone)
    alive = [
        sum(cell == side and point not in off for point, cell in enumerate(cells))
        for side in (1, 2)
    ]
    owners = [0 if point in off else (0, 1, -1)[cell] for point, cell in enumerate(cells)]
    for side, points in enumerate(areas):
        for point in points:
            owners[point] = 1 - 2 * side
    taken = prisoners(states)
    for point in off:
        taken[cells[point] % 2] += 1
    return Count(
        tuple(sorted(off)),
        tuple(owners),
        (
            Line("Stones", (alive[0], alive[1])),
            Line("Territory", (len(areas[0]), len(areas[1]))),
            Line("Komi", (max(0.0, -game.komi), max(0.0, game.komi))),
            Line("Prisoners", (taken[0], taken[1]), counted=False),
        ),
    )


def group(state: Any, point: int) -> list[int]:
    """The chain of the stone on a point."""
    if not 0 <= point < len(state.cells()) or not state.cells()[point]:
        raise ValueError(
            Message("there is no stone on that point; click on a stone to mark its group")
        )
    return sorted(state.group(point)[0])


def chains_at(state: Any, points: Iterable[int]) -> list[list[int]]:
    """The distinct chains with a stone at these points."""
    found: dict[int, list[int]] = {}
    for point in points:
        chain = group(state, point)
        found[chain[0]] = chain
    return list(found.values())


def prisoners(states: Sequence[Any]) -> list[int]:
    """How many stones each side has captured."""
    taken = [0, 0]
    for before, after in pairwise(states):
        was, now = before.cells(), after.cells()
        for point, cell in enumerate(was):
            if cell and not now[point]:
                taken[cell % 2] += 1  # 1, a black stone, goes to White
    return taken


def is_settled(state: Any, owned: Sequence[float], dead: list[list[int]]) -> bool:
    """Whether playouts agree about every stone and every territory."""
    cells = state.cells()
    if LEAST * (len(cells) - cells.count(0)) < len(cells):
        return False
    off = {point for chain in dead for point in chain}

    def sure(points: Iterable[int], side: int) -> bool:
        shares = [owned[point] * (1 if side == 1 else -1) for point in points]
        return sum(shares) >= SURE * len(shares)

    stones = all(sure(chain, cells[chain[0]]) for chain in groups(state, without=off))
    closed = [region for region in regions(state, dead) if len(region.colours) == 1]
    return stones and all(sure(region.points, min(region.colours)) for region in closed)


def lead(state: Any, seed: int = 1, playouts: int = PLAYOUTS) -> float:
    """Black's expected lead in points, komi included.

    In a settled position this is the count, elsewhere the mean score of the playouts.
    """
    owned = ownership(state, seed, playouts)
    dead = dead_groups(state, owned)
    komi: float = state.game.komi
    if is_settled(state, owned, dead):
        return float(state.area(sorted(point for chain in dead for point in chain))) - komi
    return sum(owned) - komi


def expected_lead(state: Any, effort: float = 1.0) -> tuple[float, float]:
    """Black's expected lead, and the half-width of its 95 % interval; `effort` scales the playouts.

    >>> import honte
    >>> expected_lead(honte.game("go:size=3,komi=0.5").from_text("XXX/X.X/.X. O"))
    (8.5, 0.0)
    """
    each = max(1, round(effort * PLAYOUTS / BATCHES))
    leads = [lead(state, seed, each) for seed in range(1, BATCHES + 1)]
    return sum(leads) / len(leads), error_of(leads)


def error_of(leads: Sequence[float]) -> float:
    """Half-width of the 95 % confidence interval of the mean, by Student's t-distribution."""
    free = len(leads) - 1
    quantile = 1.96 + 2.4 / free + 3.6 / free**2  # accurate to 1 % from two degrees of freedom on
    return quantile * statistics.stdev(leads) / math.sqrt(len(leads))


def nothing_left(state: Any) -> bool:
    """Whether everything is settled, and neutral points (dame) cannot change the result."""
    owned = ownership(state)
    dead = dead_groups(state, owned)
    if not is_settled(state, owned, dead):
        return False
    seki = {stone for chain in seki_groups(state, dead) for stone in chain}
    neutral = sum(
        len(region.points)
        for region in regions(state, dead)
        if len(region.colours) == 2 and not region.borders & seki
    )
    off = sorted(point for chain in dead for point in chain)
    ahead = (state.area(off) - state.game.komi) * (1 - 2 * state.to_move)
    return neutral == 0 or bool(ahead > neutral)


SCORING = Scoring(count, group, nothing_left)
