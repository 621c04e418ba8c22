"""Which stones are dead, judged by whose their points are after playouts.

This is the one place that decides about life and death for ``final_score`` and
``final_status_list``; a better judge takes the place of `ownership`.
"""

from __future__ import annotations

from typing import Any

from honte.search.uct import DEFAULTS, read_playout

DEAD = -0.1
"""A group is dead if its points belong to the other side in more than 55 playouts of a hundred."""
PLAYOUTS = 400
"""A tenth of a second, or a quarter on the largest board."""


def groups(state: Any, without: set[int] | frozenset[int] = frozenset()) -> list[list[int]]:
    """The chains of stones on the board, except those with a stone in `without`."""
    found, seen = [], set(without)
    for point, cell in enumerate(state.cells()):
        if cell and point not in seen:
            stones = sorted(state.group(point)[0])
            seen.update(stones)
            found.append(stones)
    return found


def dead_groups(state: Any) -> list[list[int]]:
    """The chains that are taken for dead."""
    chains = groups(state)
    if not chains:
        return []
    owned = ownership(state)
    cells = state.cells()
    dead = []
    for stones in chains:
        mine = 1 if cells[stones[0]] == 1 else -1
        if mine * sum(owned[stone] for stone in stones) / len(stones) <= DEAD:
            dead.append(stones)
    return dead


def territory(state: Any, dead: list[list[int]]) -> tuple[list[int], list[int]]:
    """The points that each side surrounds, with the dead stones taken off."""
    cells = bytearray(state.cells())
    for stones in dead:
        for stone in stones:
            cells[stone] = 0
    size = state.game.size
    found: tuple[list[int], list[int]] = ([], [])
    seen: set[int] = set()
    for point, cell in enumerate(cells):
        if cell or point in seen:
            continue
        region, borders, todo = {point}, set(), [point]
        while todo:
            for near in neighbours(todo.pop(), size):
                if cells[near]:
                    borders.add(cells[near])
                elif near not in region:
                    region.add(near)
                    todo.append(near)
        seen |= region
        if len(borders) == 1:
            found[borders.pop() - 1].extend(region)
    return sorted(found[0]), sorted(found[1])


def ownership(state: Any, seed: int = 1) -> list[float]:
    """For every point how often it ends as Black's, from −1 (White's) to 1.

    By the playouts of the search, half of them begun by each side.
    """
    game = state.game
    policies = read_playout(game, str(DEFAULTS[game.name]["playout"]))
    owned: list[float] = state.ownership(PLAYOUTS, policies, seed)
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
