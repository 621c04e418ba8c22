"""The board as a widget: it is drawn, pointed at and clicked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from honte.core.contract import State
from honte.core.descriptor_parts import Cell
from honte.core.language import tr
from honte.core.scoring import Count
from honte.drawing import text
from honte.drawing.text import Board
from honte.terminal import drawing, layout
from honte.terminal.canvas import Canvas
from honte.terminal.drawing import Candidate
from honte.terminal.layout import Layout


class BoardView(Widget, can_focus=True):
    """A position, as large as there is room."""

    DEFAULT_CSS = "BoardView { width: auto; height: auto; }"

    class Chosen(Message):
        """A cell was clicked."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, color: bool = True) -> None:
        super().__init__()
        self.color = color
        self.cursor: Cell | None = None
        self.state: State | None = None
        self._board: Board | None = None
        self._layout: Layout | None = None
        self._canvas: Canvas | None = None
        self._candidates: Mapping[int, Candidate] = {}
        self._count: Count | None = None
        self._room = Size(0, 0)

    @property
    def board(self) -> Board:
        if self._board is None:
            raise ValueError(tr("this game is not played on rows and columns; use `honte play`"))
        return self._board

    def set_room(self, room: Size) -> None:
        """Say how much room there is; the board takes the largest scale that fits."""
        self._room = room
        self._fit()

    def set_state(
        self,
        state: State,
        candidates: Mapping[int, Candidate],
        cursor: Cell | None,
        count: Count | None = None,
    ) -> None:
        self.state, self._candidates, self.cursor = state, candidates, cursor
        self._count = count
        self._board = text.read(state)
        self._fit()

    def _fit(self) -> None:
        if self.state is None or self._board is None:
            return
        before = self._layout
        self._layout = layout.fit(self._board, self._room.width, self._room.height)
        self._canvas = drawing.draw(
            self.state, self._layout, self.cursor, self._candidates, self.color, self._count
        )
        moved = before is None or (before.width, before.height, before.scale) != (
            self._layout.width,
            self._layout.height,
            self._layout.scale,
        )
        self.refresh(layout=moved)

    def cursor_region(self) -> Region | None:
        """Where the cursor is, with a cell around it."""
        if self._layout is None or self.cursor is None:
            return None
        x, y = self._layout.corner(*self.cursor)
        wide, high = self._layout.wide, self._layout.scale
        return Region(x - wide, y - high, 3 * wide, 3 * high)

    def place_of(self, cell: Cell) -> tuple[int, int]:
        """The character in the middle of a cell, counted from the view's own corner."""
        assert self._layout is not None
        x, y = self._layout.corner(*cell)
        return x + (self._layout.wide - 1) // 2, y + (self._layout.scale - 1) // 2

    def drawn(self) -> str:
        """The characters on the view, without colours."""
        return self._canvas.text() if self._canvas else ""

    # -- Textual's interface of widgets ----------------------------------------------

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self._layout.width if self._layout else 1

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._layout.height if self._layout else 1

    def render_line(self, y: int) -> Strip:
        if self._canvas is None or y >= self._canvas.height:
            return Strip.blank(self.size.width, self.rich_style)
        segments: list[Segment] = self._canvas.line(y)
        return Strip(segments, self._canvas.width).apply_style(self.rich_style)

    def on_click(self, event: events.Click) -> None:
        cell = self._layout.cell_at(event.x, event.y) if self._layout else None
        if cell is not None:
            self.post_message(self.Chosen(cell))

    def render(self) -> Any:
        return ""
