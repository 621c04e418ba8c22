"""Games to step through in a notebook: accepted input, display, and escaped names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import honte
from honte.core.record import Record
from honte.drawing.marks import Mark
from honte.drawing.replay import _DIGITS
from honte.drawing.svg import draw
from tests.pictures import after


def frames(html: str) -> list[str]:
    """The frames of a replay, assembled as its script does."""
    data = json.loads(re.search(r"const game = (.*);\n", html)[1])  # type: ignore[index]
    wide = int(re.search(r"wide = (\d+);", html)[1])  # type: ignore[index]
    pictures = []
    for codes in data["frames"]:
        numbers = [
            sum(_DIGITS.index(codes[at + place]) << 6 * place for place in range(wide))
            for at in range(0, len(codes), wide)
        ]
        pictures.append("".join(data["pieces"][number] for number in numbers))
    return pictures


def without_ids(svg: str) -> str:
    return re.sub(r"h[0-9a-f]{8}(?=[a-z])|honte-[0-9a-f]{12}-", "ID", svg)


@pytest.mark.parametrize(
    ("spec", "moves"),
    [("connect4:blocked=2/3", "44455"), ("othello", "f5d6c3"), ("go:size=5", "C3B2passpass")],
)
def test_every_position_is_shown_as_it_is_drawn_elsewhere(spec: str, moves: str) -> None:
    game = honte.game(spec)
    replay = honte.replay(moves, spec)
    pictures = frames(replay.html)
    assert len(pictures) == len(game.read_moves(moves)) + 1
    for state, picture in zip(replay.states, pictures, strict=True):
        assert without_ids(picture) == without_ids(draw(state, size=420))


def test_moves_positions_and_records_give_the_same_game() -> None:
    game = honte.game("connect4")
    states = [after("connect4", "4455"[:n]) for n in range(5)]
    given: list[Any] = [Record("connect4", moves=[3, 3, 4, 4]), states, iter(states)]
    for replay in [
        *map(honte.replay, given),
        honte.replay([3, 3, 4, 4], game),
        honte.replay("4455", "connect4"),
    ]:
        assert replay.states == states
        assert replay.lines[2] == "2 of 4: 4"


def test_what_a_record_says_stands_below_the_board() -> None:
    meta = {"evals": {1: 0.25}, "times": {1: 0.5}, "comments": {1: "bold"}}
    replay = honte.replay(Record("connect4", ("Ann", ""), moves=[3, 3], result="1-0", meta=meta))
    assert replay.title == "Ann – ?   1-0"
    assert replay.lines[1] == "1 of 2: 4, value +0.25, 0.50 s. bold"


def test_names_and_comments_are_text_never_markup() -> None:
    bad = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    record = Record(
        "othello", (bad, bad), moves=[37], result=bad, meta={"comments": {0: bad, 1: bad}}
    )
    html = honte.replay(record).html
    assert html.count("<script>") == html.count("</script>") == 1
    assert "<img" not in html
    assert html.count("alert(1)") > 0


def test_two_replays_in_one_page_keep_apart() -> None:
    one, two = (honte.replay("44", "connect4").html for _ in range(2))
    ids = [set(re.findall(r'\bid="([^"]+)"', html)) for html in (one, two)]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_a_long_game_of_go_stays_light() -> None:
    state: Any = honte.game("go:size=19").start()
    states = [state]
    for number in range(150):
        state = state.play(state.legal_moves()[number * 7 % 150])
        states.append(state)
    whole = sum(len(draw(state, size=420)) for state in states[::10]) * 10
    assert len(honte.replay(states).html) < whole / 5


def test_a_page_is_saved(tmp_path: Path) -> None:
    honte.replay("44", "connect4", dark=True).save(tmp_path / "game.html")
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert page.count('class="honte-replay"') == 1


@pytest.mark.parametrize(
    ("game", "of", "words"),
    [
        ("4455", None, "which game"),
        ([3, 3], None, "which game"),
        ([], None, "which game"),
        ("48", "connect4", "off the board"),
        ([3, "x"], "connect4", "'x' is no move"),
        ([99], "connect4", "move 1 of the record"),
        ([0] * 6000, "connect4", "the most"),
        ("44", "chess", "no game"),
    ],
)
def test_what_is_no_game_gets_a_sentence(game: Any, of: str | None, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        honte.replay(game, of)


# -- marks on a drawn board ------------------------------------------------------------


def test_a_mark_is_written_where_the_piece_would_land() -> None:
    state = after("connect4", "44")
    plain, marked = draw(state), draw(state, marks={3: Mark("52%", 1.0, True)})
    assert "52%" not in plain
    assert "52%" in marked
    rows = re.findall(r'<text x="(\d+)" y="([\d.]+)"[^>]*>52%', marked)
    assert len(rows) == 1
    lands = re.findall(r'<circle cx="(\d+)" cy="(\d+)"', draw(state.play(3)))
    assert (rows[0][0],) in {(x,) for x, _ in lands}


@pytest.mark.parametrize(
    ("spec", "no_moves"),
    [("connect4", (-1, 7, 27, 999)), ("othello", (-1, 27, 64, 999)), ("go:size=9", (-1, 82, 999))],
)
def test_marks_on_what_is_no_move_are_left_out(spec: str, no_moves: tuple[int, ...]) -> None:
    state = honte.game(spec).start()
    assert "zz" not in draw(state, marks={move: Mark("zz") for move in no_moves})
    assert "<b>" not in draw(state, marks={state.legal_moves()[0]: Mark("<b>")})


# -- the documents ---------------------------------------------------------------------

ROOT = Path(__file__).parents[2]


def test_the_cells_of_the_example_run_and_its_outputs_are_drawn() -> None:
    notebook = json.loads((ROOT / "examples" / "notebook.ipynb").read_text(encoding="utf-8"))
    drawn = []
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            *body, last = "".join(cell["source"]).splitlines()
            exec("\n".join(body), names)
            shown = eval(last, names)
            drawn.append(getattr(shown, "_repr_html_", None) or shown._repr_svg_)
    assert len(drawn) == 3
    assert all("<svg" in draw() for draw in drawn)


def test_the_python_in_the_page_about_notebooks_runs() -> None:
    page = (ROOT / "docs" / "notebook.md").read_text(encoding="utf-8")
    found = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(found) == 2
    for block in found:
        exec(block, {})
