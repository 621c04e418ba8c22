"""Characters with colours on a grid, and discs drawn from quarter blocks."""

from __future__ import annotations

from functools import cache

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

# By which quarters are lit: upper left, upper right, lower left, lower right.
_QUARTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"


@cache
def style(fg: str | None, bg: str | None, bold: bool = False, reverse: bool = False) -> Style:
    return Style(
        color=Color.parse(fg) if fg else None,
        bgcolor=Color.parse(bg) if bg else None,
        bold=bold or None,
        reverse=reverse or None,
    )


@cache
def disc(scale: int, ring: bool = False) -> tuple[str, ...]:
    """A disc `scale` lines high and twice as many characters wide; or one with a hole.

    A character has four quarters, each twice as high as it is wide:

        ▗██▖      ▗▀▀▖
        ▝██▘      ▝▄▄▘
    """
    reach, hole = ((0.94 if scale == 4 else 0.9) * scale) ** 2, (0.5 * scale) ** 2

    def lit(x: int, y: int) -> bool:
        far = ((x + 0.5) / 2 - scale) ** 2 + (y + 0.5 - scale) ** 2
        return far <= reach and not (ring and far <= hole)

    def quarters(x: int, y: int) -> str:
        corners = ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1))
        return _QUARTERS[sum(lit(*corner) << bit for bit, corner in enumerate(corners))]

    wide, high = 4 * scale, 2 * scale
    return tuple("".join(quarters(x, y) for x in range(0, wide, 2)) for y in range(0, high, 2))


class Canvas:
    """A grid of characters; what is drawn off it is cut."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        plain = (" ", Style.null())
        self._cells: list[list[tuple[str, Style]]] = [[plain] * width for _ in range(height)]

    def put(
        self,
        x: int,
        y: int,
        text: str,
        fg: str | None = None,
        bg: str | None = None,
        bold: bool = False,
        reverse: bool = False,
    ) -> None:
        """Write a text; without a background it takes the one that is there."""
        if not 0 <= y < self.height:
            return
        for place, character in enumerate(text, start=x):
            if 0 <= place < self.width:
                below = self._cells[y][place][1].bgcolor
                ground = bg if bg or below is None else below.name
                self._cells[y][place] = (character, style(fg, ground, bold, reverse))

    def fill(self, x: int, y: int, width: int, height: int, bg: str | None) -> None:
        for line in range(y, y + height):
            self.put(x, line, " " * width, bg=bg)

    def character(self, x: int, y: int) -> str:
        return self._cells[y][x][0]

    def line(self, y: int) -> list[Segment]:
        """A line as segments, neighbours of one style joined."""
        segments: list[Segment] = []
        text, last = "", Style.null()
        for character, drawn in self._cells[y]:
            if drawn is not last and text:
                segments.append(Segment(text, last))
                text = ""
            text, last = text + character, drawn
        return [*segments, Segment(text, last)]

    def text(self) -> str:
        """The characters alone."""
        return "\n".join("".join(c for c, _ in row).rstrip() for row in self._cells)
