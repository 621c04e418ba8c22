"""How a position may have come about, for bots that must be told moves.

A state does not carry its moves. Where nobody told them, some that lead to the position do:
for Connect Four and Go any order that the rules allow, for Othello a search over the first
few plies, which is where openings end.
"""

from __future__ import annotations

from typing import Any

from honte.games.contract import State

MOST_PLIES = 7
MOST_NODES = 20_000


def find(state: State) -> list[int] | None:
    """Moves from the start of the game to a position; None if none are found."""
    start = state.game.start()
    if state == start:
        return []
    finders = {"connect4": _connect4, "go": _go, "othello": _othello}
    finder = finders.get(state.game.name)
    return finder(state) if finder else None


def _connect4(state: Any) -> list[int] | None:
    """Columns filled from the bottom, sides alternating."""
    game, cells = state.game, state.cells()
    columns = [
        [
            cell - 1
            for row in range(game.rows - 1, -1, -1)
            if (cell := cells[row * game.cols + col]) in (1, 2)
        ]
        for col in range(game.cols)
    ]
    total = sum(map(len, columns))
    last = state.last_move
    if last is not None and columns[last]:
        columns[last].pop()  # it was the last to fall
        total -= 1
    dead: set[tuple[int, ...]] = set()
    heights, moves = [0] * game.cols, list[int]()
    tried = [0]
    while len(moves) < total:
        side = len(moves) % 2
        for col in range(tried[-1], game.cols):
            if heights[col] < len(columns[col]) and columns[col][heights[col]] == side:
                heights[col] += 1
                if tuple(heights) not in dead:
                    tried[-1] = col + 1
                    tried.append(0)
                    moves.append(col)
                    break
                heights[col] -= 1
        else:
            dead.add(tuple(heights))
            tried.pop()
            if not moves or len(dead) > MOST_NODES:
                return None
            heights[moves.pop()] -= 1
    if last is not None:
        moves.append(last)
    return moves if _leads_to(moves, state) else None


def _go(state: Any) -> list[int] | None:
    """The stones one by one, with passes where a side has fewer.

    No stone is ever captured on the way: a part of a group borders on the rest of it, still
    empty, or on the group's own liberties.
    """
    game = state.game
    handicap = game.start().cells()
    stones: list[list[int]] = [[], []]
    for point, cell in enumerate(state.cells()):
        if cell and not handicap[point]:
            stones[cell - 1].append(point)
        elif handicap[point] and cell != handicap[point]:
            return None
    last = state.last_move
    before = 1 - state.to_move
    if last is not None and last in stones[before]:
        stones[before].remove(last)
        stones[before].append(last)
    position = game.start()
    moves: list[int] = []
    queue = [list(reversed(own)) for own in stones]
    while any(queue) or position.to_move != state.to_move or position.passes < state.passes:
        own = queue[position.to_move]
        # The last stone waits until it is the last move.
        early = len(own) == 1 and own[0] == last and queue[1 - position.to_move]
        move = own.pop() if own and not early else game.pass_move
        moves.append(move)
        try:
            position = position.play(move)
        except ValueError:
            return None
        if position.is_over or len(moves) > 2000:
            return None
    return moves if position.cells() == state.cells() else None


def _othello(state: Any) -> list[int] | None:
    """A search over the first plies."""
    start = state.game.start()
    plies = sum(map(bool, state.cells())) - 4
    if plies > MOST_PLIES:
        return None
    goal = state.cells(), state.to_move
    occupied = goal[0]
    size = state.game.size
    stack: list[tuple[Any, list[int]]] = [(start, [])]
    nodes = 0
    while stack and nodes < MOST_NODES:
        position, moves = stack.pop()
        nodes += 1
        if (position.cells(), position.to_move) == goal:
            return moves
        for move in position.legal_moves():
            row, col = divmod(move, 8)
            if move == 64 or occupied[row * size + col]:
                stack.append((position.play(move), [*moves, move]))
    return None


def _leads_to(moves: list[int], state: State) -> bool:
    position = state.game.start()
    try:
        for move in moves:
            position = position.play(move)
    except ValueError:
        return False
    return position.to_text() == state.to_text()
