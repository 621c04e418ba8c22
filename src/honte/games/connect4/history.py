"""Reconstructs moves that lead to a position, for protocols that send moves."""

from __future__ import annotations

from typing import Any

MAX_NODES = 20_000


def find_history(state: Any) -> list[int] | None:
    """Search for an order of drops with alternating sides; None if there is none."""
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
        columns[last].pop()  # it was dropped last
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
            if not moves or len(dead) > MAX_NODES:
                return None
            heights[moves.pop()] -= 1
    if last is not None:
        moves.append(last)
    return moves if leads_to(moves, state) else None


def leads_to(moves: list[int], state: Any) -> bool:
    position = state.game.start()
    try:
        for move in moves:
            position = position.play(move)
    except ValueError:
        return False
    return bool(position.to_text() == state.to_text())
