"""Which stones are dead, guessed from random playouts.

This is the one place that decides about life and death for ``final_score`` and
``final_status_list``; a better judge takes the place of `ownership`.
"""

from __future__ import annotations

import random
from typing import Any

from honte.bots.serve.board import go_turn
from honte.games.registry import game as make_game

DEAD = -0.1
"""A group is dead if its points belong to the other side in more than 55 playouts of a hundred."""
WORK = 30_000
"""Points of all the boards played out: a fraction of a second."""


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

    Uniform playouts that fill no eyes, half of them begun by each side.
    """
    game = state.game
    plain = make_game("go", size=game.size, ko="simple")
    text = state.to_text().split()[0]
    draw = random.Random(seed)
    total = [0] * len(state.cells())
    count = max(8, min(300, WORK // len(total)))
    for number in range(count):
        start: Any = plain.from_text(f"{text} {'XO'[number % 2]}")
        for point, owner in enumerate(played_out(go_turn(start, number % 2), draw)):
            total[point] += owner
    return [points / count for points in total]


def played_out(state: Any, draw: random.Random) -> list[int]:
    """Who owns each point after one playout: 1 Black, −1 White, 0 neither."""
    size, points = state.game.size, state.game.size**2
    for _ in range(3 * points):
        if state.is_over:
            break
        state = state.play(_random_move(state, draw, size, points))
    cells = state.cells()
    owners = []
    for point, cell in enumerate(cells):
        if not cell:
            near = {cells[other] for other in neighbours(point, size)}
            cell = near.pop() if len(near) == 1 else 0
        owners.append((0, 1, -1)[cell])
    return owners


def _random_move(state: Any, draw: random.Random, size: int, passing: int) -> int:
    moves = state.legal_moves()
    cells, mine = state.cells(), state.to_move + 1
    while moves:
        at = draw.randrange(len(moves))
        move = int(moves[at])
        moves[at] = moves[-1]
        moves.pop()
        if move != passing and not is_eye(cells, move, mine, size):
            return move
    return passing


def is_eye(cells: bytes, point: int, mine: int, size: int) -> bool:
    """A point with own stones on all sides, and at most one hostile corner (none at the edge)."""
    if any(cells[near] != mine for near in neighbours(point, size)):
        return False
    row, col = divmod(point, size)
    hostile, corners = 0, 0
    for down in (-1, 1):
        for right in (-1, 1):
            if 0 <= row + down < size and 0 <= col + right < size:
                corners += 1
                hostile += cells[(row + down) * size + col + right] == 3 - mine
    return hostile < (2 if corners == 4 else 1)


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
