"""Boards as `state.svg()` draws them: well-formed, complete and self-contained."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import honte
from honte.drawing import svg
from tests.pictures import OwnGame

SVG = "{http://www.w3.org/2000/svg}"


def after(spec: str, moves: str = "") -> Any:
    """The state of a game after these moves, written as people write them."""
    game = honte.game(spec)
    state = game.start()
    for move in game.read_moves(moves):
        state = state.play(move)
    return state


def drawn(state: Any, **options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(svg.draw(state, **options))


def shapes(picture: ElementTree.Element, group: str) -> list[ElementTree.Element]:
    """The shapes in the group of this class; none if there is no such group."""
    return [
        shape for found in picture.findall(f"{SVG}g[@class='honte-{group}']") for shape in found
    ]


def words(picture: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in picture.iter(f"{SVG}text")]


def title(picture: ElementTree.Element) -> str:
    return picture.findtext(f"{SVG}title") or ""


def centre(shape: ElementTree.Element) -> tuple[str | None, str | None]:
    return shape.get("cx"), shape.get("cy")


EVERY_SIZE = [
    *(f"connect4:rows={n},cols={n}" for n in range(4, 17)),
    "connect4:rows=4,cols=16",
    "connect4:rows=16,cols=4,blocked=0/0+15/3",
    *(f"othello:size={n}" for n in (4, 6, 8)),
    *(f"go:size={n}" for n in range(2, 20)),
]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("spec", EVERY_SIZE)
def test_every_board_is_a_picture_on_its_own(spec: str, dark: bool) -> None:
    state = after(spec)
    state = state.play(state.legal_moves()[0])
    source = svg.draw(state, dark=dark)
    picture = ElementTree.fromstring(source)
    left, top, width, height = map(float, (picture.get("viewBox") or "").split())
    assert (left, top) == (0, 0)
    assert max(width, height) <= 960
    assert picture.get("role") == "img"
    assert title(picture)
    assert "<script" not in source
    assert "<style" not in source
    assert "http" not in source.replace("http://www.w3.org/2000/svg", "")
    for circle in picture.iter(f"{SVG}circle"):
        assert 0 <= float(circle.get("cx", "-1")) <= width
        assert 0 <= float(circle.get("cy", "-1")) <= height
    for label in picture.iter(f"{SVG}text"):
        assert 0 <= float(label.get("x", "-1")) <= width
        assert 0 <= float(label.get("y", "-1")) <= height


@pytest.mark.parametrize("spec", ["connect4:blocked=5/6", "othello", "go:size=9"])
def test_every_reference_is_defined_and_no_two_pictures_share_an_id(spec: str) -> None:
    state = after(spec)
    following = state.play(state.legal_moves()[0])
    seen: set[str] = set()
    for source in (svg.draw(state), svg.draw(state, dark=True), svg.draw(following)):
        ids = re.findall(r'id="([^"]+)"', source)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r"url\(#([^)]+)\)", source)) == set(ids)
        assert not seen & set(ids)
        seen |= set(ids)


@pytest.mark.parametrize("spec", ["connect4", "othello", "go:size=9"])
def test_the_same_state_gives_the_same_picture_and_dark_differs_from_light(spec: str) -> None:
    assert svg.draw(after(spec)) == svg.draw(after(spec))
    assert svg.draw(after(spec)) != svg.draw(after(spec), dark=True)


@pytest.mark.parametrize(
    "spec", ["connect4:rows=4,cols=16", "connect4:rows=16,cols=4", "othello", "go:size=9"]
)
@pytest.mark.parametrize("size", [1, 48, 480, 20000])
def test_the_longer_side_has_the_size_asked_for(spec: str, size: int) -> None:
    picture = drawn(after(spec), size=size)
    wide, high = int(picture.get("width", "0")), int(picture.get("height", "0"))
    assert max(wide, high) == size
    assert min(wide, high) >= 1


@pytest.mark.parametrize("size", [0, -480])
def test_a_size_below_one_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"a picture of {size} pixels"):
        svg.draw(after("connect4"), size=size)


# --- Connect Four ---


def test_connect_four_has_a_hole_or_a_disc_or_a_plate_in_every_cell() -> None:
    picture = drawn(after("connect4:rows=9,cols=10,blocked=8/0+4/4+3/8", "24545"))
    assert len(shapes(picture, "x")) == 3
    assert len(shapes(picture, "o")) == 2
    assert len(shapes(picture, "blocked")) == 3
    assert len(shapes(picture, "hole")) == 90 - 3 - 2 - 3
    assert words(picture)[:10] == list("123456789a")
    assert words(picture)[10:] == ["Yellow to move"]


def test_discs_of_connect_four_differ_by_a_mark_as_well() -> None:
    picture = drawn(after("connect4", "44"))
    groups = picture.findall(f"{SVG}g")
    marks = {
        group.get("class"): [shape.tag.removeprefix(SVG) for shape in below]
        for group, below in pairwise(groups)
    }
    assert marks["honte-x"] == ["path"]
    assert marks["honte-o"] == ["circle"]


def test_the_last_disc_is_ringed() -> None:
    picture = drawn(after("connect4", "443"))
    (ring,) = shapes(picture, "last")
    bottom, _ = sorted(shapes(picture, "x"), key=lambda disc: int(disc.get("cx", "0")))
    assert centre(ring) == centre(bottom)
    assert not shapes(drawn(after("connect4")), "last")
    assert title(picture) == "Connect Four, 6 by 7: Yellow to move, last move 3"


def test_the_winning_line_runs_through_its_discs() -> None:
    picture = drawn(after("connect4", "4455667"))
    (line,) = shapes(picture, "win")
    ends = {(line.get("x1"), line.get("y1")), (line.get("x2"), line.get("y2"))}
    discs = sorted((centre(disc) for disc in shapes(picture, "x")), key=lambda at: int(at[0] or 0))
    assert ends == {discs[0], discs[-1]}
    assert words(picture)[-1] == "Red wins"
    assert not shapes(drawn(after("connect4", "445566")), "win")


def test_two_winning_lines_are_both_marked() -> None:
    # The piece in the corner ends a row and a diagonal.
    state = honte.game("connect4").from_text("......./......./...X.../..XO.../.XOO.../XXXXOOO O")
    assert len(shapes(drawn(state), "win")) == 2


def test_a_line_longer_than_needed_is_marked_at_its_full_length() -> None:
    picture = drawn(after("connect4", "112244553"))
    (line,) = shapes(picture, "win")
    columns = sorted(int(disc.get("cx", "0")) for disc in shapes(picture, "x"))
    assert len(columns) == 5
    assert [line.get("x1"), line.get("x2")] == [str(columns[0]), str(columns[-1])]


def test_blocked_cells_break_the_line_that_is_marked() -> None:
    state = honte.game("connect4:inarow=2,blocked=5/2").from_text(
        "......./......./......./......./O....../XX#XO.. O"
    )
    assert len(shapes(drawn(state), "win")) == 1


def test_a_draw_is_told_in_words() -> None:
    state = honte.game("connect4:rows=4,cols=4").from_text("XOXO/XOXO/OXOX/OXOX X")
    assert words(drawn(state))[-1] == "Draw"
    assert title(drawn(state)) == "Connect Four, 4 by 4: draw"


# --- Othello ---


def test_othello_shows_discs_hints_counts_and_coordinates() -> None:
    picture = drawn(after("othello", "f5d6c3d3c4"))
    assert len(shapes(picture, "x")) == 6
    assert len(shapes(picture, "o")) == 3
    assert len(shapes(picture, "hint")) == 6
    (dot,) = shapes(picture, "last")
    assert centre(dot) in [centre(disc) for disc in shapes(picture, "x")]
    assert words(picture) == [*"abcdefgh", *"12345678", "White to move", "6", "3"]


def test_a_pass_in_othello_leaves_no_last_disc() -> None:
    state = honte.game("othello:size=4").from_text("XO--XXXXXXXXXXXX O").play(64)
    picture = drawn(state)
    assert not shapes(picture, "last")
    assert len(shapes(picture, "hint")) == 1
    assert words(picture)[-3:] == ["White passed, Black to move", "13", "1"]


def test_a_finished_game_of_othello_has_no_hints() -> None:
    state = honte.game("othello:size=4").from_text("XXX-XXXXXXXXXXX- O")
    assert not shapes(drawn(state), "hint")
    assert "Black wins by 16" in words(drawn(state))


# --- Go ---


def test_go_shows_stones_stars_and_coordinates() -> None:
    picture = drawn(after("go:size=9", "D4E5G7"))
    assert len(shapes(picture, "x")) == 2
    assert len(shapes(picture, "o")) == 1
    assert len(shapes(picture, "star")) == 3  # the stones at E5 and G7 hide theirs
    assert words(picture)[:9] == list("ABCDEFGHJ")
    assert words(picture)[18:27] == list("987654321")
    (ring,) = shapes(picture, "last")
    assert centre(ring) in [centre(stone) for stone in shapes(picture, "x")]


def test_row_one_of_go_is_at_the_bottom_left_under_a() -> None:
    picture = drawn(after("go:size=19", "A1T19"))
    (black,), (white,) = shapes(picture, "x"), shapes(picture, "o")
    assert float(black.get("cx", "0")) < float(white.get("cx", "0"))
    assert float(black.get("cy", "0")) > float(white.get("cy", "0"))


def test_a_finished_game_of_go_tells_the_margin() -> None:
    assert words(drawn(after("go:size=9,komi=7.5", "pass,pass")))[-1] == "White wins by 7.5"


def test_a_full_board_of_go_is_small_enough_for_a_page() -> None:
    state = honte.game("go:size=19").from_text("/".join(["XXXXXXXXX.OOOOOOOOO"] * 19) + " X")
    assert len(svg.draw(state)) < 60_000


# --- games of one's own ---


class Nim:
    """A game unknown to this package."""

    game: Any = OwnGame("<nim> & co")
    last_move = None
    to_move, is_over, winner = 0, False, None

    def __str__(self) -> str:
        return "heaps:  |||\n\x1b[1m<you> & me\x1b[0m\x00"

    def to_text(self) -> str:
        return "3 4 5"


class Silent(Nim):
    __str__ = object.__str__


def test_a_game_of_your_own_is_drawn_as_what_it_prints() -> None:
    picture = drawn(Nim())
    assert words(picture) == ["heaps:\u00a0\u00a0|||", "<you>\u00a0&\u00a0me\ufffd"]
    assert title(picture) == "<nim> & co"
    assert ElementTree.tostring(picture) != ElementTree.tostring(drawn(Nim(), dark=True))


def test_a_state_that_prints_nothing_of_its_own_is_drawn_as_its_text() -> None:
    assert words(drawn(Silent())) == ["3\u00a04\u00a05"]


def test_a_grid_of_your_own_is_drawn_as_its_grid() -> None:
    state = Silent()
    state.game = OwnGame("pair", rows=1, cols=2)
    state.cells = lambda: b"\x01\x02"  # type: ignore[attr-defined]
    picture = drawn(state)
    assert title(picture) == "pair, 1 by 2: X to move"
    assert {"honte-x", "honte-o"} <= {part.get("class") for part in picture.iter()}


def test_any_text_is_carried_or_replaced() -> None:
    class Odd(Nim):
        def __str__(self) -> str:
            return "\ud800\uffff\x0b\u2028\t|\U0001f534"

    assert "".join(words(drawn(Odd()))).endswith("|\U0001f534")


def test_a_state_gives_its_own_picture_to_pages_and_notebooks() -> None:
    state = after("connect4", "4")
    assert state.svg() == state._repr_svg_() == svg.draw(state)
    assert state.svg(dark=True) == svg.draw(state, dark=True)


# --- the README ---

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SHOWN = {
    "connect4": ("connect4:rows=8,cols=9,blocked=5/4+7/1", "555565655444666466644433784332"),
    "othello": ("othello", "f5d6c3d3c4f4c5b3c2e3d2c6b4a3d7"),
    "go": ("go:size=9", "F5D5E7E3C6G4C5H6D4C2H8B3B4G7G8G5F7H7E5D3C4J8C3B2A3"),
}


def shown(name: str) -> str:
    return svg.draw(after(*SHOWN[name]), size=320) + "\n"


@pytest.mark.parametrize("name", SHOWN)
def test_the_readme_shows_what_is_drawn_today(name: str) -> None:
    stored = (IMAGES / f"{name}.svg").read_text(encoding="utf-8")
    assert stored == shown(name), "draw them again: python tests/games/test_svg.py"


if __name__ == "__main__":
    for name in SHOWN:
        (IMAGES / f"{name}.svg").write_text(shown(name), encoding="utf-8")
