"""Where the cells of a board lie on a screen, and which move is made where."""

from __future__ import annotations

from dataclasses import dataclass

from honte.core.contract import Game
from honte.core.descriptor_parts import Cell
from honte.drawing.text import Board


@dataclass(frozen=True)
class Layout:
    """Where the cells of a board lie on a canvas."""

    board: Board
    scale: int
    left: int
    top: int
    right: int
    bottom: int

    @property
    def wide(self) -> int:
        return 2 * self.scale

    @property
    def width(self) -> int:
        # At the smallest scale there is one blank more, so that both edges look alike.
        return self.left + self.wide * self.board.cols + (self.scale == 1) + self.right

    @property
    def height(self) -> int:
        return self.top + self.scale * self.board.rows + self.bottom

    def corner(self, row: int, col: int) -> tuple[int, int]:
        """The first character of a cell: x, y."""
        return self.left + self.wide * col + (self.scale == 1), self.top + self.scale * row

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell under a character; above or below columns, the column's."""
        row = (y - self.top) // self.scale
        col = (x - self.left) // self.wide
        if self.board.shape == "columns":
            row = min(max(row, 0), self.board.rows - 1)
        inside = 0 <= row < self.board.rows and 0 <= col < self.board.cols
        return (row, col) if inside else None


_EDGES = {  # left, top, right, bottom
    "columns": (1, 2, 1, 1),
    "cells": (2, 1, 2, 1),
    "points": (3, 1, 3, 1),
}


def fit(board: Board, width: int, height: int) -> Layout:
    """The largest layout that fits; the smallest there is if none does."""
    for scale in (4, 3, 2):
        layout = Layout(board, scale, *_EDGES[board.shape])
        if layout.width <= width and layout.height <= height:
            return layout
    return Layout(board, 1, *_EDGES[board.shape])


def move_at(game: Game, board: Board, cell: Cell) -> int:
    """The move that is made at a cell, legal or not."""
    if board.style.move is not None:
        return board.style.move(game, cell)
    return cell[0] * board.cols + cell[1]
