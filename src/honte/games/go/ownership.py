"""Life and death by playout ownership.

The single judge of dead stones for ``final_score`` and ``final_status_list``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from honte.search.uct_settings import default_playout

DEAD = -0.1
"""A group is dead if the opponent owns its points in more than 55 % of the playouts."""
ROOM = 4
"""Eye size from which an eye counts as two."""
MOST_SHARED = 4
"""Maximum size of a shared region in a seki."""
PLAYOUTS = 400
"""Default number of playouts: a tenth of a second, or a quarter on the largest board."""


def groups(state: Any, without: set[int] | frozenset[int] = frozenset()) -> list[list[int]]:
    """The chains of stones on the board, except those with a stone in `without`."""
    found, seen = [], set(without)
    for point, cell in enumerate(state.cells()):
        if cell and point not in seen:
            stones = sorted(state.group(point)[0])
            seen.update(stones)
            found.append(stones)
    return found


def dead_groups(state: Any, owned: Sequence[float] | None = None) -> list[list[int]]:
    """The chains judged dead, by the result `owned` of `ownership` if it is already known."""
    chains = groups(state)
    if not chains:
        return []
    owned = ownership(state) if owned is None else owned
    cells = state.cells()
    dead = []
    for stones in chains:
        mine = 1 if cells[stones[0]] == 1 else -1
        if mine * sum(owned[stone] for stone in stones) / len(stones) <= DEAD:
            dead.append(stones)
    return dead


class Region(NamedTuple):
    """A connected empty region and its border."""

    points: set[int]
    borders: set[int]
    """Adjacent stones."""
    colours: set[int]


def regions(state: Any, dead: list[list[int]]) -> list[Region]:
    """The empty regions of the board, with the dead stones taken off."""
    cells = bytearray(state.cells())
    for stones in dead:
        for stone in stones:
            cells[stone] = 0
    size = state.game.size
    found, seen = [], set[int]()
    for point, cell in enumerate(cells):
        if cell or point in seen:
            continue
        region, borders, todo = {point}, set(), [point]
        while todo:
            for near in neighbours(todo.pop(), size):
                if cells[near]:
                    borders.add(near)
                elif near not in region:
                    region.add(near)
                    todo.append(near)
        seen |= region
        found.append(Region(region, borders, {cells[stone] for stone in borders}))
    return found


def territory(state: Any, dead: list[list[int]]) -> tuple[list[int], list[int]]:
    """The points that each side surrounds, with the dead stones taken off."""
    found: tuple[list[int], list[int]] = ([], [])
    for region in regions(state, dead):
        if len(region.colours) == 1:
            found[min(region.colours) - 1].extend(region.points)
    return sorted(found[0]), sorted(found[1])


def seki_groups(state: Any, dead: list[list[int]]) -> list[list[int]]:
    """Live chains without two eyes that share liberties with the opponent.

    Chains of one colour that touch the same empty points are judged together. They have two eyes
    if they surround two regions, or one that is large enough. A large shared region means an
    unfinished game rather than a seki.
    """
    gone = {point for group in dead for point in group}
    chains = groups(state, without=gone)
    cells, size = state.cells(), state.game.size
    unit = {stone: index for index, chain in enumerate(chains) for stone in chain}

    def join(stones: set[int]) -> None:
        names = {unit[stone] for stone in stones}
        for stone, name in unit.items():
            if name in names:
                unit[stone] = min(names)

    empty = regions(state, dead)
    for region in empty:
        if len(region.colours) == 1:
            join(region.borders)
            continue
        for point in region.points:
            near = [stone for stone in neighbours(point, size) if stone in unit]
            for colour in (1, 2):
                if beside := {stone for stone in near if cells[stone] == colour}:
                    join(beside)
    found = []
    for name in sorted(set(unit.values())):
        touched = [one for one in empty if any(unit[stone] == name for stone in one.borders)]
        eyes = [len(one.points) for one in touched if len(one.colours) == 1]
        shared = [len(one.points) for one in touched if len(one.colours) == 2]
        if len(eyes) < 2 and sum(eyes) < ROOM and shared and max(shared) <= MOST_SHARED:
            found += [chain for chain in chains if unit[chain[0]] == name]
    return found


def ownership(state: Any, seed: int = 1, playouts: int = PLAYOUTS) -> list[float]:
    """The expected owner of every point, from −1 (White) to 1 (Black).

    Averages playouts with the default policies, half of them started by each side.
    """
    game = state.game
    policies = default_playout(game)
    owned: list[float] = state.ownership(playouts, policies, seed)
    return owned


def neighbours(point: int, size: int) -> list[int]:
    row, col = divmod(point, size)
    found = []
    if row:
        found.append(point - size)
    if row < size - 1:
        found.append(point + size)
    if col:
        found.append(point - 1)
    if col < size - 1:
        found.append(point + 1)
    return found
