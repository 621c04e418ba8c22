"""A position drawn for a terminal, as large as there is room, and which cell lies where.

A cell is two characters wide and one line high, or twice or three times or four times that. The
first player's pieces are full discs (or X, or ●), the second's are rings (or O, or ○) wherever hue
alone would tell them apart, and in every game without colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from honte.core.contract import State
from honte.core.descriptor import GameDescriptor
from honte.core.descriptor_parts import Cell
from honte.core.scoring import Count
from honte.drawing.text import BLOCKED, EMPTY, FIRST, cell_of
from honte.terminal.canvas import Canvas, disc
from honte.terminal.layout import Layout, move_at

MARK = "#00d7ff"
INK = "#101010"


class Candidate(NamedTuple):
    """The labels of a move."""

    words: str
    """At most four characters: 52%, or W 7."""
    short: str
    """At most two; one over columns, where they stand side by side."""
    detail: str = ""
    """At most four; on a second line, where there is one."""
    best: bool = False


class Paint(NamedTuple):
    """The colours of a game: its ground (and every other cell's), its empty cells, its pieces."""

    ground: str
    other: str
    empty: str
    first: str
    second: str
    shade: str
    """The inside of the second player's rings."""
    mark: str = "#00d7ff"

    def piece(self, player: int) -> str:
        return (self.first, self.second)[player]


GROUNDS = {  # ground, every other cell's, empty cells, mark
    "columns": ("#2a52a0", "#2a52a0", "#0d1b3e", "#ffffff"),
    "cells": ("#2e8b57", "#277a4c", "#1f5f3b", "#ff5f3a"),
    "points": ("#d9aa66", "#d9aa66", "#7d5a2b", "#e02020"),
}
PIECES = {"red": "#ff5f4a", "yellow": "#ffd23f", "black": "#0c0c0c", "white": "#ffffff"}
SHADES = {"red": "#a52a1b", "yellow": "#b88a00", "black": "#000000", "white": "#d0d0d0"}
FAR_APART = ("black", "white")
"""Colours that can be told apart with any colour vision."""


def paint_of(descriptor: GameDescriptor) -> Paint:
    """The colours of a game."""
    ground, other, empty, mark = GROUNDS[descriptor.board.shape]
    first, second = (side.color for side in descriptor.sides)
    return Paint(ground, other, empty, PIECES[first], PIECES[second], SHADES[second], mark)


def draw(
    state: State,
    layout: Layout,
    cursor: Cell | None = None,
    candidates: Mapping[int, Candidate] = {},
    color: bool = True,
    count: Count | None = None,
) -> Canvas:
    """Draw a position with its candidates, or with the count at its end."""
    return _Drawing(state, layout, cursor, candidates, color, count).canvas


class _Drawing:
    def __init__(
        self,
        state: State,
        layout: Layout,
        cursor: Cell | None,
        candidates: Mapping[int, Candidate],
        color: bool,
        count: Count | None,
    ) -> None:
        self.state, self.layout, self.board, self.color = state, layout, layout.board, color
        self.descriptor = state.game.descriptor
        self.paint = paint_of(self.descriptor)
        self.canvas = Canvas(layout.width, layout.height)
        self.scale = layout.scale
        self.ground()
        for row in range(self.board.rows):
            for col in range(self.board.cols):
                self.cell(row, col)
        won = {cell for line in self.board.won for cell in line}
        for cell in won or {self.board.last} - {None}:
            self.mark(*cell)  # type: ignore[misc]
        self.labels(cursor)
        self.legal(candidates, cursor)
        for move, candidate in candidates.items():
            self.candidate(move, candidate)
        if count is not None:
            self.count(count)
        if cursor is not None:
            self.cursor(cursor)

    def tone(self, color: str) -> str | None:
        return color if self.color else None

    def put(
        self,
        x: int,
        y: int,
        words: str,
        fg: str,
        bg: str | None = None,
        bold: bool = False,
        reverse: bool = False,
    ) -> None:
        self.canvas.put(
            x, y, words, self.tone(fg), bg and self.tone(bg), bold, reverse and not self.color
        )

    # -- the board itself ------------------------------------------------------------

    def ground(self) -> None:
        layout, board = self.layout, self.board
        if not self.color:
            return
        x, y = layout.left, layout.top
        width = layout.width - layout.left - layout.right
        height = layout.scale * board.rows
        if board.shape == "columns":
            x, width, height = x - 1, width + 2, height + 1
        self.canvas.fill(x, y, width, height, self.paint.ground)
        if board.shape == "cells" and self.scale > 1:
            for row in range(board.rows):
                for col in range(row % 2, board.cols, 2):
                    at = layout.corner(row, col)
                    self.canvas.fill(*at, layout.wide, self.scale, self.paint.other)

    def cell(self, row: int, col: int) -> None:
        content = self.board.at(row, col)
        if content == EMPTY:
            self.empty(row, col)
        elif content == BLOCKED:
            x, y = self.layout.corner(row, col)
            block = "▒" * (1 if self.scale == 1 else self.layout.wide)
            for line in range(self.scale):
                self.put(x, y + line, block, "#9aa4b8")
        else:
            self.piece(row, col, content - FIRST)

    def empty(self, row: int, col: int) -> None:
        if self.board.shape == "points":
            self.point(row, col)
        elif self.scale == 1 or not self.color:
            self.centre(row, col, "·", "·", self.paint.empty if self.scale > 1 else "#a8c0f0")
        elif self.board.shape == "columns":
            self.disc(row, col, self.paint.empty)

    def centre(
        self,
        row: int,
        col: int,
        one: str,
        two: str,
        fg: str,
        bg: str | None = None,
        bold: bool = False,
    ) -> None:
        """Write one character at the middle of a cell, or two where the middle is between them."""
        x, y = self.layout.corner(row, col)
        words = one if self.scale == 1 else two.center(2)
        offset = 0 if self.scale == 1 else self.scale - 1
        self.put(x + offset, y + (self.scale - 1) // 2, words, fg, bg, bold=bold)

    def point(self, row: int, col: int) -> None:
        """A point with the lines that meet there."""
        x, y = self.layout.corner(row, col)
        n, middle, line = self.board.rows, (self.scale - 1) // 2, self.paint.empty
        star = (row, col) in self.board.stars
        if self.scale == 1:
            cross = _CROSS[(row > 0) + (row == n - 1)][(col > 0) + (col == n - 1)]
            self.put(x, y, "•" if star and self.color else "╋" if star else cross, line)
            if col > 0:
                self.put(x - 1, y, "─", line)
            if col < n - 1:
                self.put(x + 1, y, "─", line)
            return
        half = self.layout.wide // 2
        begin, end = (half if col == 0 else 0), (half + 1 if col == n - 1 else self.layout.wide)
        self.put(x + begin, y + middle, "─" * (end - begin), line)
        for down in range(self.scale):
            if down != middle and not (row == 0 and down < middle):
                if row == n - 1 and down > middle:
                    continue
                self.put(x + half, y + down, "│", line)
        cross = _CROSS[(row > 0) + (row == n - 1)][(col > 0) + (col == n - 1)]
        self.put(x + half, y + middle, "•" if star else cross, line)

    def piece(self, row: int, col: int, player: int) -> None:
        x, y = self.layout.corner(row, col)
        color = self.paint.piece(player)
        if self.scale == 1:
            side = self.descriptor.sides[player]
            words = side.piece
            if side.color in FAR_APART and self.color:
                words = "●"  # black and white are far apart, and a ring would look thin
            self.put(x, y, words, color, bold=True)
            return
        # With colours black and white differ enough; a ring is for other pairs, and for all
        # without colours.
        told_apart = self.descriptor.sides[player].color in FAR_APART
        ring = player == 1 and not (told_apart and self.color)
        self.disc(row, col, color, ring)

    def disc(self, row: int, col: int, color: str, ring: bool = False) -> None:
        """A disc with a fine gap above, so that it does not merge with the next."""
        x, y = self.layout.corner(row, col)
        whole = disc(self.scale)
        for line, words in enumerate(disc(self.scale, ring)):
            for at, (mine, full) in enumerate(zip(words, whole[line], strict=True)):
                if mine == " " == full:
                    continue
                if mine != full and self.color:
                    self.put(x + at, y + line, mine, color, self.paint.shade)
                elif full == "█" and line == 0 and self.color:
                    self.put(x + at, y, "▇", color)
                else:
                    self.put(x + at, y + line, mine, color)

    def mark(self, row: int, col: int) -> None:
        """Mark the piece that was played last, or one of a winning line."""
        x, y = self.layout.corner(row, col)
        player = self.board.at(row, col) - FIRST
        if player not in (0, 1):
            return
        color = self.paint.piece(player)
        if self.scale == 1:
            fg = self.paint.mark if self.color else color
            self.put(x - 1, y, "(", fg, bold=True)
            self.put(x + 1, y, ")", fg, bold=True)
        elif self.color:
            self.dot(row, col, self.paint.mark, color)
        elif self.scale == 2:  # a hole in the disc, or a dot in the ring
            for line, words in enumerate((("▛▜", "▙▟"), ("▜▛", "▟▙"))[player]):
                self.put(x + 1, y + line, words, color)
        else:
            self.centre(row, col, "", "()", color)

    def dot(self, row: int, col: int, fg: str, bg: str | None = None) -> None:
        """A small square in the very middle of a large cell."""
        x, y = self.layout.corner(row, col)
        words = ("▐▌",) if self.scale % 2 else ("▗▖", "▝▘")
        for line, part in enumerate(words):
            self.put(x + self.scale - 1, y + (self.scale - 1) // 2 + line, part, fg, bg)

    # -- what is written about it ----------------------------------------------------

    def labels(self, cursor: Cell | None) -> None:
        layout, board = self.layout, self.board
        middle = (self.scale - 1) // 2
        offset = 0 if self.scale == 1 else self.scale - (board.shape != "points")
        last, names = board.last or (-1, -1), board.style.columns
        for col in range(min(board.cols, len(names))):
            x = layout.corner(0, col)[0] + offset
            bold = col in (last[1], cursor[1] if cursor else -1)
            if board.shape == "columns":
                self.put(x, layout.height - 1, names[col], "#dfe8ff", bold=bold)
                continue
            for y in (0, layout.height - 1):
                self.canvas.put(x, y, names[col], bold=bold, reverse=col == last[1])
        if not board.style.rows:
            return
        for row in range(board.rows):
            y = layout.corner(row, 0)[1] + middle
            name = board.row_name(row)
            bold, reverse = row in (last[0], cursor[0] if cursor else -1), row == last[0]
            self.canvas.put(layout.left - 1 - len(name), y, name, bold=bold, reverse=reverse)
            self.canvas.put(layout.width - layout.right + 1, y, name, bold=bold, reverse=reverse)

    def legal(self, candidates: Mapping[int, Candidate], cursor: Cell | None) -> None:
        """Show the legal moves, if they are hard to see."""
        state, board = self.state, self.board
        mine = self.paint.piece(state.to_move)
        if board.shape == "columns":
            for move in state.legal_moves():
                x, _ = self.layout.corner(0, move)
                here = cursor is not None and cursor[1] == move
                at = x if self.scale == 1 else x + self.scale - 1
                words = ("▼" if here else "▿") * (1 if self.scale == 1 else 2)
                self.put(at, 1, words, mine if here else "#8090b0", bold=here)
        elif board.hints:
            for row, col in board.hints:
                if move_at(state.game, board, (row, col)) in candidates:
                    continue
                if self.scale > 1:
                    self.dot(row, col, mine)
                else:
                    self.centre(row, col, "•" if self.color else "+", "", mine, bold=True)
        if board.style.forbidden is not None:
            for row, col in board.style.forbidden(state):
                self.centre(row, col, "×", "><", "#c02020", bold=True)

    def count(self, count: Count) -> None:
        """Cross the dead pieces out, and mark the empty cells that a side owns."""
        for at, owner in enumerate(count.owners):
            row, col = divmod(at, self.board.cols)
            if at in count.dead:
                player = self.board.at(row, col) - FIRST
                ground = self.paint.piece(player) if self.scale > 1 else None
                self.centre(row, col, "×", "><", self.paint.mark, ground, bold=True)
            elif owner and self.board.at(row, col) == EMPTY:
                color = self.paint.piece(0 if owner > 0 else 1)
                if self.color and self.scale > 1:
                    self.dot(row, col, color)
                else:
                    mark = "▪" if owner > 0 or self.color else "▫"
                    self.centre(row, col, mark, mark, color)

    def candidate(self, move: int, candidate: Candidate) -> None:
        layout, board = self.layout, self.board
        legal = move in self.state.legal_moves()
        cell = cell_of(self.state, board.cols, move) if legal else None
        if cell is None:
            return
        fg, bg = (INK, MARK) if candidate.best else ("#ffffff", None)
        x, y = layout.corner(*cell)
        if board.shape == "columns":
            words = (
                candidate.short if self.scale == 1 else candidate.words.rjust(4).center(layout.wide)
            )
            if candidate.best:
                self.put(x, 0, words, fg, bg, bold=True, reverse=True)
            else:
                self.canvas.put(x, 0, words)
            return
        if board.shape == "points" and not candidate.best:
            fg, bg = INK, "#f0d7a8"
        elif bg is None:
            bg = "#1d5c3a"
        lines = [candidate.short] if self.scale == 1 else [candidate.words, candidate.detail]
        top = y + (self.scale - len(lines)) // 2 if self.scale > 2 else y
        for line, words in enumerate(lines):
            at = layout.wide if self.scale > 1 else 2
            self.put(
                x,
                top + line,
                words.rjust(min(at, 4)).center(at),
                fg,
                bg,
                candidate.best,
                candidate.best,
            )

    def cursor(self, cell: Cell) -> None:
        x, y = self.layout.corner(*cell)
        board, wide, high = self.board, self.layout.wide, self.scale
        if board.shape == "columns":
            move = move_at(self.state.game, board, cell)
            legal = move in self.state.legal_moves()
            landing = cell_of(self.state, board.cols, move) if legal else None
            if landing is not None:
                mine = self.paint.piece(self.state.to_move)
                if self.scale == 1:
                    self.centre(*landing, "•", "", mine, bold=True)
                else:
                    self.dot(*landing, mine, self.paint.empty)
            return
        fg = "#e00000" if board.shape == "points" else "#ffff5f"
        if self.scale == 1:
            self.put(x - 1, y, "[", fg, bold=True)
            self.put(x + 1, y, "]", fg, bold=True)
            return
        for at, down, corner in (
            (0, 0, "┏"),
            (wide - 1, 0, "┓"),
            (0, high - 1, "┗"),
            (wide - 1, high - 1, "┛"),
        ):
            self.put(x + at, y + down, corner, fg, bold=True)


_CROSS = ("┌┬┐", "├┼┤", "└┴┘")
