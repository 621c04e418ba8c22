"""Boards in tests are pictures: text in, text out, and a failing test shows two boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import honte

SETTLED = """
    . . . . . . X X X
    . . . . . . X O O
    . . . X O O X O .
    . . . X . X X O .
    X X X . . X O O .
    X O X X X O . . .
    O O O O O O . . .
    . . . . . . . . .
    . . . . . . . . .
"""
"""White's two stones in the middle are dead; Black has 40 points, White 41."""


def chosen(game: Any, choices: list[int]) -> Any:
    """The position after these choices: numbers of legal moves, counted round."""
    state = game.start()
    for choice in choices:
        if state.is_over:
            break
        moves = state.legal_moves()
        state = state.play(moves[choice % len(moves)])
    return state


def rows(picture: str) -> list[str]:
    """The rows of a picture, without the blanks that make it readable."""
    return ["".join(line.split()) for line in picture.strip().splitlines()]


def picture(drawing: str) -> str:
    """A picture as `show` gives it, to compare with."""
    return "\n".join(rows(drawing))


def set_up(spec: str, drawing: str, side: str = "X", fields: str = "") -> Any:
    """The position of a picture."""
    return honte.game(spec).from_text(f"{'/'.join(rows(drawing))} {side} {fields}")


def show(state: Any) -> str:
    """The stones of a state as a picture, top row first."""
    board = state.to_text().split()[0].replace("/", "")
    width = getattr(state.game, "cols", None) or state.game.size
    return "\n".join(board[start : start + width] for start in range(0, len(board), width))


def after(spec: str, moves: str = "") -> Any:
    """The state of a game after these moves, written as people write them."""
    game = honte.game(spec)
    return play(game.start(), moves)


def play(state: Any, moves: str) -> Any:
    """A state after these further moves."""
    for move in state.game.read_moves(moves, state):
        state = state.play(move)
    return state


def written(state: Any) -> list[str]:
    """The legal moves of a state as people write them."""
    return [state.game.format(move) for move in state.legal_moves()]


def refusal(call: Callable[[], object]) -> str:
    """The sentence with which a call is refused."""
    try:
        accepted = call()
    except ValueError as error:
        return str(error)
    raise AssertionError(f"not refused, but {accepted!r}")


def try_to_read(game: honte.Game, text: str) -> tuple[Any, str]:
    """The position of a text and no error, or no position and the error message."""
    try:
        return game.from_text(text), ""
    except ValueError as error:
        return None, str(error)


class OwnGame(honte.Game):
    """A game unknown to this package."""

    def __init__(self, name: str = "own", **attributes: Any) -> None:
        self.name = self.spec = name
        vars(self).update(attributes)

    def start(self) -> honte.State:
        raise NotImplementedError

    def from_text(self, text: str) -> honte.State:
        raise NotImplementedError
