"""Why a move of Go is better than another: captures, atari, cuts.

>>> import honte
>>> game = honte.game("go:size=5")
>>> list(reasons(game.start(), game.parse("C3"), game.parse("C2")))
[]
"""

from __future__ import annotations

from collections.abc import Iterator

from honte.core.contract import State
from honte.core.reason import Reason


def neighbours(size: int, point: int) -> list[int]:
    row, col = divmod(point, size)
    around = ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
    return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]


def chain_of(cells: tuple[int, ...], size: int, point: int) -> tuple[set[int], set[int]]:
    """The stones connected with a stone, and their liberties."""
    chain, liberties, rest = {point}, set(), [point]
    while rest:
        for near in neighbours(size, rest.pop()):
            if cells[near] == 0:
                liberties.add(near)
            elif cells[near] == cells[point] and near not in chain:
                chain.add(near)
                rest.append(near)
    return chain, liberties


def chains(state: State, side: int) -> list[tuple[set[int], set[int]]]:
    """The chains of a side with their liberties."""
    size: int = state.game.size  # type: ignore[attr-defined]
    cells: tuple[int, ...] = tuple(state.cells())  # type: ignore[attr-defined]
    found: list[tuple[set[int], set[int]]] = []
    for point, cell in enumerate(cells):
        if cell == side + 1 and not any(point in chain for chain, _ in found):
            found.append(chain_of(cells, size, point))
    return found


def can_be_captured(state: State, side: int) -> set[int]:
    """The stones of a side that the opponent, who is to move, can capture at once."""
    if state.is_over or state.to_move == side:
        return set()
    found = set()
    for chain, liberties in chains(state, side):
        if len(liberties) == 1 and next(iter(liberties)) in state.legal_moves():
            found |= chain
    return found


def reasons(state: State, move: int, best: int) -> Iterator[Reason]:
    """Provable reasons to prefer one move to another, the strongest first."""
    size: int = state.game.size  # type: ignore[attr-defined]
    show, side = state.game.format, state.to_move
    names: dict[str, str | int] = {"best": show(best), "move": show(move)}
    if best == size * size:
        return
    after, better = state.play(move), state.play(best)
    taken = count(state, 1 - side) - count(better, 1 - side)
    if taken and count(after, 1 - side) == count(state, 1 - side):
        yield Reason("{best} captures {taken} stones.", {**names, "taken": taken}, (best,))
    exposed = can_be_captured(after, side) - can_be_captured(better, side)
    if exposed:
        point = move if move in exposed else min(exposed)
        group = set(after.group(point)[0])  # type: ignore[attr-defined]
        gaps = {**names, "point": show(point), "stones": len(group)}
        if move in exposed:
            text = "{move} puts its own stones into atari."
        else:
            text = "{move} leaves the {stones} stones at {point} in atari."
        yield Reason(text, gaps, tuple(sorted(group)))
    cells: tuple[int, ...] = tuple(state.cells())  # type: ignore[attr-defined]
    joined: list[set[int]] = []
    for near in neighbours(size, best):
        if cells[near] == side + 1 and not any(near in chain for chain in joined):
            joined.append(chain_of(cells, size, near)[0])
    ends = [min(chain) for chain in joined[:2]]
    if len(ends) > 1 and best in after.legal_moves() and stay_apart(after.play(best), *ends):
        gaps = {**names, "one": show(ends[0]), "other": show(ends[1])}
        text = "{best} connects the stones at {one} and {other}; after {move} they can be cut."
        yield Reason(text, gaps, (best,))


def stay_apart(state: State, one: int, other: int) -> bool:
    """Whether two stones of the side to move are on the board and no single move connects them."""
    cells = state.cells()  # type: ignore[attr-defined]
    if state.is_over or not cells[one] == cells[other] == state.to_move + 1:
        return False
    for move in state.legal_moves():
        after = state.play(move)
        cells = after.cells()  # type: ignore[attr-defined]
        if cells[one] and cells[other] and one in after.group(other)[0]:  # type: ignore[attr-defined]
            return False
    return True


def count(state: State, side: int) -> int:
    """The stones of a side on the board."""
    return tuple(state.cells()).count(side + 1)  # type: ignore[attr-defined]
