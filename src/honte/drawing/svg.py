"""Boards drawn as SVG pictures, for a page and for a notebook: what `state.svg()` gives.

A picture is self-contained: no script, no style sheet, no external font, and a transparent
background, so that it fits any page. Red and yellow pieces differ by a sign as well as by colour.
Ids carry a digest of the picture, so that those of two pictures in one page never clash.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from unicodedata import east_asian_width
from zlib import crc32

from honte.core.descriptor_parts import Cell
from honte.core.language import Message
from honte.drawing import marks as on_moves
from honte.drawing import text
from honte.drawing.marks import Mark
from honte.drawing.text import BLOCKED, EMPTY, FIRST, SECOND, Board

if TYPE_CHECKING:
    from honte.core.contract import State

_LONG = 960  # units along the longer side of a picture
_CAPTION = 64  # the strip below the board that says whose turn it is
_SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif"
_MONO = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace"

_ANSI = re.compile(r"\x1b\[[0-9;]*m")

_RIMS = {"columns": (24, 24, 60), "cells": (48, 48, 48), "points": (44, 44, 44)}
_SIGNED = ("red", "yellow")
"""Colours that colour-blind people may confuse: their pieces carry a sign too."""

# Two or three colours are a gradient.
_LIGHT = {
    "words": "#6b7582",
    "mark": "#f0563c",
    "paper": "#f5f6f8",
    "ink": "#2b323c",
    "frame": "#4f78bd #3d62a3",
    "frame-label": "#dfe8f7",
    "hole": "#dfe6f1 #f4f7fb",
    "hole-edge": "#33558f",
    "plate": "#2d4a80",
    "plate-line": "#6a90cf",
    "red": "#ea6a55 #d8432f",
    "red-mark": "#a52a1b",
    "yellow": "#fbd766 #f3bd2c",
    "yellow-mark": "#a87706",
    "rim": "#39463f #2b352f",
    "rim-label": "#c6d2cb",
    "felt": "#429d70 #34885d",
    "felt-line": "#256d49",
    "wood": "#f0d29a #e0b671",
    "grain": "#a9742c",
    "wood-line": "#6d4b20",
    "wood-label": "#775527",
    "black": "#666b74 #25282d #111317",
    "black-edge": "#0b0c0f",
    "white": "#ffffff #f4f5f7 #cdd1d8",
    "white-edge": "#aeb4bd",
}
_DARK = _LIGHT | {
    "words": "#a7b0bd",
    "mark": "#ff7a5f",
    "paper": "#1b2028",
    "ink": "#d7dde6",
    "frame": "#314b7d #273d68",
    "frame-label": "#a9bbdc",
    "hole": "#0f141d #18202e",
    "hole-edge": "#1b2c4d",
    "plate": "#1a2a4b",
    "plate-line": "#4b68a6",
    "red": "#e56a57 #cc4633",
    "red-mark": "#8c2416",
    "yellow": "#f2cd5e #dfaf2e",
    "yellow-mark": "#86610b",
    "rim": "#222b26 #191f1c",
    "rim-label": "#93a299",
    "felt": "#2d684c #24573f",
    "felt-line": "#173f2c",
    "wood": "#755a3d #60482f",
    "grain": "#33230f",
    "wood-line": "#ba9b72",
    "wood-label": "#cfb48d",
    "black": "#545a63 #1c1f24 #08090b",
    "black-edge": "#000000",
    "white": "#f4f5f7 #e0e3e7 #b3b8c0",
    "white-edge": "#878d97",
}


def draw(
    state: State, dark: bool = False, size: int = 480, marks: Mapping[int, Mark] | None = None
) -> str:
    """Draw a state as one SVG element whose longer side is `size` pixels.

    `marks` are words to write on moves. A game that is not played on rows and columns is drawn as
    the text that `str(state)` gives.
    """
    if size < 1:
        raise ValueError(
            Message(
                "a picture of {size} pixels cannot be drawn; give a size of at least 1", size=size
            )
        )
    board = text.read(state)
    theme = _DARK if dark else _LIGHT
    if board is None:
        return _draw_text(state, theme, size)
    digest = crc32((repr((board, dark, size)) + (repr(marks) if marks else "")).encode())
    picture = _Picture(state, board, theme, f"h{digest:08x}", *_RIMS[board.shape])
    {"columns": _draw_columns, "cells": _draw_cells, "points": _draw_points}[board.shape](picture)
    _draw_marks(picture, marks or {})
    descriptor = state.game.descriptor
    words = text.verdict(state, board, (descriptor.sides[0].name, descriptor.sides[1].name))
    _draw_caption(picture, words[0].upper() + words[1:])
    title = f"{descriptor.title or state.game.name}, {board.rows} by {board.cols}: {words}"
    if board.last is not None and state.last_move is not None:
        title += f", last move {state.game.format(state.last_move)}"
    return _element(title, picture.width, picture.height, size, picture.parts, picture.defs)


@dataclass
class _Picture:
    """The parts of a picture as they are drawn, and where on it each cell lies."""

    state: State
    board: Board
    theme: dict[str, str]
    prefix: str  # of every id
    side: int  # the rim to the left and to the right of the cells
    top: int
    bottom: int
    parts: list[str] = field(default_factory=list)
    defs: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        across = (_LONG - 2 * self.side) // self.board.cols
        down = (_LONG - _CAPTION - self.top - self.bottom) // self.board.rows
        self.cell = min(across, down) // 2 * 2  # even, so that centres are whole numbers
        self.width = self.board.cols * self.cell + 2 * self.side
        self.foot = self.board.rows * self.cell + self.top + self.bottom  # where the board ends
        self.height = self.foot + _CAPTION

    def x(self, col: int) -> int:
        """The middle of a column."""
        return self.side + col * self.cell + self.cell // 2

    def y(self, row: int) -> int:
        """The middle of a row."""
        return self.top + row * self.cell + self.cell // 2

    def fill(self, name: str) -> str:
        """A colour of the theme, or a reference to its gradient."""
        colors = self.theme[name].split()
        if len(colors) == 1:
            return colors[0]
        offsets = (i / (len(colors) - 1) for i in range(len(colors)))
        stops = "".join(
            f'<stop offset="{offset:g}" stop-color="{color}"/>'
            for offset, color in zip(offsets, colors, strict=True)
        )
        kind, axis = "linearGradient", 'x2="0" y2="1"'
        if len(colors) == 3:  # a ball, lit from the upper left
            kind, axis = "radialGradient", 'cx=".36" cy=".3" r=".75"'
        self.defs[name] = f'<{kind} id="{self.prefix}{name}" {axis}>{stops}</{kind}>'
        return f"url(#{self.prefix}{name})"

    def group(self, attributes: str, parts: Iterable[str]) -> None:
        """Draw parts that share their attributes."""
        inside = "".join(parts)
        if inside:
            self.parts.append(f"<g {attributes}>{inside}</g>")

    def circles(self, attributes: str, cells: Iterable[Cell], radius: float) -> None:
        """Draw a circle in the middle of each cell."""
        centres = ((self.x(col), self.y(row)) for row, col in cells)
        self.group(attributes, (_circle(x, y, radius) for x, y in centres))

    def panel(self, name: str) -> None:
        """Draw the body of the board."""
        self.parts.append(
            f'<rect width="{self.width}" height="{self.foot}" rx="28" fill="{self.fill(name)}"/>'
        )

    def labels(self, color: str, places: Iterable[tuple[float, float, str]]) -> None:
        """Draw coordinates, each centred on its place."""
        font = min(26, self.cell // 2)
        style = f'fill="{self.theme[color]}" font-family="{_SANS}" text-anchor="middle"'
        self.group(style, (_words(x, y, words, font) for x, y, words in places))

    @property
    def colors(self) -> tuple[str, str]:
        first, second = self.state.game.descriptor.sides
        return first.color, second.color

    def pieces(self) -> Iterable[tuple[str, int, list[Cell]]]:
        """For each player on the board: the name of the colour, the value in cells(), and where."""
        for color, content in zip(self.colors, (FIRST, SECOND), strict=True):
            if cells := self.board.holding(content):
                yield color, content, cells


def _draw_columns(picture: _Picture) -> None:
    board, theme, cell = picture.board, picture.theme, picture.cell
    radius = round(cell * 0.41, 1)
    edge = f'stroke="{theme["hole-edge"]}" stroke-width="{cell * 0.03:.3g}"'
    picture.panel("frame")
    holes = board.holding(EMPTY)
    picture.circles(f'class="honte-hole" fill="{picture.fill("hole")}" {edge}', holes, radius)
    _draw_plates(picture, edge)
    for color, content, cells in picture.pieces():
        style = f'class="honte-{"xo"[content - 1]}" fill="{picture.fill(color)}" {edge}'
        picture.circles(style, cells, radius)
        _draw_signs(picture, color, content, cells, radius)
    if board.last is not None:
        style = f'class="honte-last" fill="none" stroke="#fff" stroke-width="{cell * 0.05:.3g}"'
        picture.circles(style, [board.last], round(cell * 0.448, 1))
    lines = [
        f'<line x1="{picture.x(col)}" y1="{picture.y(row)}" '
        f'x2="{picture.x(end_col)}" y2="{picture.y(end_row)}"/>'
        for (row, col), *_, (end_row, end_col) in board.won
    ]
    for name, color, width in (("edge", "#1b2c4d", 0.14), ("win", "#fff", 0.09)):
        style = f'stroke="{color}" stroke-width="{cell * width:.3g}" stroke-linecap="round"'
        picture.group(f'class="honte-{name}" {style}', lines)
    y = picture.foot - 32
    names = enumerate(board.style.columns[: board.cols])
    picture.labels("frame-label", ((picture.x(col), y, name) for col, name in names))


def _draw_plates(picture: _Picture, edge: str) -> None:
    """Draw cells that cannot be played on: a hatched plate where the hole would be."""
    theme, cell = picture.theme, picture.cell
    name, step, half = f"{picture.prefix}plate", cell * 0.16, round(cell * 0.38, 1)
    plates = [
        f'<rect x="{picture.x(col) - half:g}" y="{picture.y(row) - half:g}" '
        f'width="{2 * half:g}" height="{2 * half:g}" rx="{cell * 0.1:.3g}"/>'
        for row, col in picture.board.holding(BLOCKED)
    ]
    picture.group(f'class="honte-blocked" fill="url(#{name})" {edge}', plates)
    if plates:
        picture.defs["plate"] = (
            f'<pattern id="{name}" width="{step:.3g}" height="{step:.3g}" '
            'patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            f'<rect width="{step:.3g}" height="{step:.3g}" fill="{theme["plate"]}"/>'
            f'<rect width="{step * 0.4:.3g}" height="{step:.3g}" fill="{theme["plate-line"]}"/>'
            "</pattern>"
        )


def _draw_cells(picture: _Picture) -> None:
    board, theme, cell, state = picture.board, picture.theme, picture.cell, picture.state
    side, top, wide, high = picture.side, picture.top, board.cols * cell, board.rows * cell
    picture.panel("rim")
    picture.parts.append(
        f'<rect x="{side}" y="{top}" width="{wide}" height="{high}" rx="6" '
        f'fill="{picture.fill("felt")}"/>'
    )
    grid = "".join(
        [
            *(f"M{side} {top + i * cell}h{wide}" for i in range(1, board.rows)),
            *(f"M{side + i * cell} {top}v{high}" for i in range(1, board.cols)),
        ]
    )
    picture.parts.append(f'<path d="{grid}" stroke="{theme["felt-line"]}" stroke-width="3"/>')
    if board.rows == board.cols == 8:  # as on a wooden one
        dots = [(side + i * cell, top + j * cell) for i in (2, 6) for j in (2, 6)]
        picture.group(f'fill="{theme["felt-line"]}"', (_circle(x, y, 7) for x, y in dots))
    _draw_plates(picture, f'stroke="{theme["felt-line"]}"')
    _draw_stones(picture, round(cell * 0.41, 1))
    mover = ('fill="#000" fill-opacity=".4"', 'fill="#fff" fill-opacity=".5"')[state.to_move]
    picture.circles(f'class="honte-hint" {mover}', sorted(board.hints), round(cell * 0.09, 1))
    if board.last is not None:
        style = f'class="honte-last" fill="{theme["mark"]}"'
        picture.circles(style, [board.last], round(cell * 0.1, 1))
    names = enumerate(board.style.columns[: board.cols])
    letters = [(picture.x(col), top / 2, name) for col, name in names]
    numbers = [(side / 2, picture.y(row), board.row_name(row)) for row in range(board.rows)]
    picture.labels("rim-label", [*letters, *numbers])


def _draw_points(picture: _Picture) -> None:
    board, theme, cell = picture.board, picture.theme, picture.cell
    left, top = picture.x(0), picture.y(0)
    wide, high = (board.cols - 1) * cell, (board.rows - 1) * cell
    picture.panel("wood")
    w, h = picture.width, picture.foot
    grain = "".join(
        f"M0 {h * a:.0f}C{w * 0.3:.0f} {h * b:.0f} {w * 0.6:.0f} {h * c:.0f} {w} {h * d:.0f}"
        for a, b, c, d in _GRAIN
    )
    style = f'stroke="{theme["grain"]}" stroke-opacity=".13" stroke-width="5"'
    picture.parts.append(f'<path d="{grain}" fill="none" {style}/>')
    lines = "".join(
        [
            *(f"M{left} {picture.y(i)}h{wide}" for i in range(1, board.rows - 1)),
            *(f"M{picture.x(i)} {top}v{high}" for i in range(1, board.cols - 1)),
        ]
    )
    edge = f"M{left} {top}h{wide}v{high}h-{wide}z"
    for path, width in ((lines, 2), (edge, 3)):
        style = f'stroke="{theme["wood-line"]}" stroke-width="{width}"'
        picture.parts.append(f'<path d="{path}" fill="none" {style}/>')
    stars = [star for star in board.stars if board.at(*star) == EMPTY]
    style = f'class="honte-star" fill="{theme["wood-line"]}"'
    picture.circles(style, stars, max(5.0, round(cell * 0.08, 1)))
    _draw_stones(picture, round(cell * 0.47, 1))
    if board.last is not None:
        style = f'stroke="{theme["mark"]}" stroke-width="{cell * 0.08:.3g}"'
        picture.circles(f'class="honte-last" fill="none" {style}', [board.last], cell * 0.23)
    names = list(enumerate(board.style.columns[: board.cols]))
    heights = (picture.top / 2, picture.foot - picture.bottom / 2)
    sides = (picture.side / 2, picture.width - picture.side / 2)
    letters = [(picture.x(col), y, name) for y in heights for col, name in names]
    numbers = [(x, picture.y(i), board.row_name(i)) for x in sides for i in range(board.rows)]
    picture.labels("wood-label", [*letters, *numbers])


# Heights at which a line of the wood grain begins, bends twice and ends, as fractions.
_GRAIN = (
    (0.07, 0.05, 0.10, 0.08),
    (0.16, 0.21, 0.13, 0.18),
    (0.31, 0.27, 0.35, 0.29),
    (0.38, 0.43, 0.37, 0.41),
    (0.55, 0.50, 0.58, 0.53),
    (0.66, 0.70, 0.63, 0.69),
    (0.78, 0.75, 0.82, 0.77),
    (0.91, 0.95, 0.89, 0.93),
)


def _draw_stones(picture: _Picture, radius: float) -> None:
    """Draw discs or stones, with a soft shadow."""
    # A stroke of no length with round ends is a dot: all shadows are one short path.
    shadows = "".join(
        f"M{picture.x(col) + radius * 0.05:.4g} {picture.y(row) + radius * 0.09:.4g}h0"
        for _, _, cells in picture.pieces()
        for row, col in cells
    )
    if shadows:
        style = f'stroke="#000" stroke-opacity=".28" stroke-width="{2.04 * radius:.4g}"'
        picture.parts.append(f'<path d="{shadows}" {style} stroke-linecap="round"/>')
    for color, content, cells in picture.pieces():
        edge = f'stroke="{picture.theme.get(color + "-edge", "none")}" stroke-width="1.5"'
        style = f'class="honte-{"xo"[content - 1]}" fill="{picture.fill(color)}" {edge}'
        picture.circles(style, cells, radius)
        _draw_signs(picture, color, content, cells, radius)


def _draw_signs(
    picture: _Picture, color: str, content: int, cells: list[Cell], radius: float
) -> None:
    """Draw a sign on pieces of colours that colour-blind people may confuse."""
    if color in _SIGNED:
        marks = (_mark(content, picture.x(col), picture.y(row), radius) for row, col in cells)
        picture.group(_mark_style(picture.theme[f"{color}-mark"], radius), marks)


def _draw_marks(picture: _Picture, marks: Mapping[int, Mark]) -> None:
    """Draw labels on moves, each in its own disc."""
    parts = []
    found = on_moves.shapes(picture.state, picture.board, marks, picture.cell)
    for (row, col), radius, ground, ink, opacity, words, font in found:
        x, y = picture.x(col), picture.y(row)
        round_ = f'<g fill="{ground}" fill-opacity="{opacity:.2f}">{_circle(x, y, radius)}</g>'
        parts.append(f'{round_}<g fill="{ink}">{_words(x, y, words, font)}</g>')
    style = f'font-family="{_SANS}" font-weight="600" text-anchor="middle"'
    picture.group(f'class="honte-marks" {style}', parts)


def _draw_caption(picture: _Picture, words: str) -> None:
    """Draw the line below the board: a piece of the player it names, and the verdict in words."""
    state, board = picture.state, picture.board
    x, y = picture.side, picture.foot + _CAPTION // 2 + 4
    player = state.winner if state.is_over else state.to_move
    parts = []
    if player is not None:
        parts.append(_small_piece(picture, player, x + 15, y))
        x += 44
    font = min(30.0, (picture.width - picture.side - x) / (0.56 * len(words)))
    parts.append(_words(x, y, words, font))
    if state.game.descriptor.counts:
        for player, place in ((0, picture.width - 200), (1, picture.width - 100)):
            count = len(board.holding(player + 1))
            parts.append(_small_piece(picture, player, place, y))
            parts.append(_words(place + 24, y, str(count), 30))
    style = f'fill="{picture.theme["words"]}" font-family="{_SANS}"'
    picture.group(f'class="honte-caption" {style}', parts)


def _small_piece(picture: _Picture, player: int, x: int, y: int) -> str:
    """A piece for the caption, with an edge that shows on any page."""
    color = picture.colors[player]
    edge = "none" if color in _SIGNED else picture.theme["white-edge"]
    disc = f'<g fill="{picture.fill(color)}" stroke="{edge}">{_circle(x, y, 15)}</g>'
    if color not in _SIGNED:
        return disc
    style = _mark_style(picture.theme[f"{color}-mark"], 15)
    return f"{disc}<g {style}>{_mark(player + 1, x, y, 15)}</g>"


def _mark(content: int, x: int, y: int, radius: float) -> str:
    """The sign by which players differ without colour: X or O."""
    if content == SECOND:
        return _circle(x, y, radius * 0.38)
    arm = radius * 0.3
    there, back = f"{2 * arm:.3g}", f"{-2 * arm:.3g}"
    return f'<path d="M{x - arm:.4g} {y - arm:.4g}l{there} {there}m0 {back}l{back} {there}"/>'


def _mark_style(color: str, radius: float) -> str:
    width = f'stroke-width="{radius * 0.17:.3g}"'
    return f'fill="none" stroke="{color}" {width} stroke-linecap="round"'


def _circle(x: float, y: float, radius: float) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.4g}"/>'


def _words(x: float, y: float, words: str, font: float) -> str:
    """Text whose capitals are centred on the height y."""
    at = f'x="{x:g}" y="{y + font * 0.36:.4g}"'
    return f'<text {at} font-size="{font:.3g}">{_clean(words)}</text>'


def _draw_text(state: State, theme: dict[str, str], size: int) -> str:
    """Draw a game that has no grid of cells: the text it prints, in a monospaced font."""
    words = _ANSI.sub("", text.words(state))
    # Non-breaking spaces, because SVG collapses runs of ordinary ones.
    lines = [line.replace(" ", "\u00a0") for line in words.expandtabs().splitlines()] or [""]
    columns = max(sum(2 if east_asian_width(c) in "WF" else 1 for c in line) for line in lines)
    width, height = 12 * columns + 48, 24 * len(lines) + 48
    parts = [
        f'<text x="24" y="{24 * i + 42}">{_clean(line)}</text>' for i, line in enumerate(lines)
    ]
    style = f'fill="{theme["ink"]}" font-family="{_MONO}" font-size="20"'
    paper = f'<rect width="{width}" height="{height}" rx="14" fill="{theme["paper"]}"/>'
    name = state.game.descriptor.title or state.game.name
    body = [paper, f"<g {style}>", *parts, "</g>"]
    # A short text is not enlarged to fill the size; a long one is shrunk to it.
    return _element(str(name), width, height, min(size, max(width, height)), body, {})


def _clean(words: str) -> str:
    """Escape markup, and replace characters that XML cannot carry."""
    fine = "".join(c if c.isprintable() or c == "\u00a0" else "\ufffd" for c in words)
    return fine.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _element(
    title: str, width: int, height: int, size: int, parts: list[str], defs: dict[str, str]
) -> str:
    wide, high = (max(1, round(side * size / max(width, height))) for side in (width, height))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{wide}" height="{high}" role="img" style="max-width:100%;height:auto">'
        f"<title>{_clean(title)}</title>"
        f"<defs>{''.join(defs.values())}</defs>{''.join(parts)}</svg>"
    )
