"""The pictures of the analysis, each alone in a browser: graph, candidates, tree, review."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from honte.core.request import Limit
from honte.players.level import NOISE_WORDS, SEARCH_WORDS
from honte.search.uct import Uct
from honte.web.games import descriptor_json, game_of
from honte.web.position import candidates_json, state_json
from tests.web.browser import axe
from tests.web.browser.axe import findings
from tests.web.browser.user import WAIT, ServerProcess


@pytest.fixture(scope="module")
def sheet(browser: Browser, server: ServerProcess) -> Iterator[Page]:
    """An empty page of ours, its style sheets and its content policy in force."""
    page = browser.new_page(locale="en-GB")
    page.set_default_timeout(WAIT)
    page.goto(f"{server.address}health")  # nothing of ours runs there
    page.evaluate(
        """() => Promise.all(["style", "pictures"].map((name) => new Promise((loaded) => {
          const sheet = document.createElement("link");
          sheet.rel = "stylesheet";
          sheet.href = `/static/${name}.css`;
          sheet.onload = loaded;
          document.head.append(sheet);
        })))"""
    )
    yield page
    page.close()


@pytest.fixture
def page(sheet: Page) -> Iterator[Page]:
    """A clean place on that page; whatever goes wrong on it fails the test."""
    errors: list[str] = []

    def note(error: object) -> None:
        errors.append(str(error))

    sheet.on("pageerror", note)
    sheet.set_viewport_size({"width": 1000, "height": 700})
    sheet.mouse.move(990, 690)
    sheet.evaluate(
        """() => {
          window.place = document.createElement("div");
          place.id = "place";
          document.body.replaceChildren(place);
        }"""
    )
    yield sheet
    sheet.remove_listener("pageerror", note)
    assert not errors


GRAPH = """async (given) => {
  const { drawGraph } = await import("/static/graph.js");
  window.picked = [];
  window.draw = (more) => drawGraph(place, { ...given, ...more, onPick: (p) => picked.push(p) });
  draw({});
}"""
GAME = {
    "values": [0.1, 0.2, None, None, -0.4, -0.2, 0.6, 1.0],
    "marks": [{"ply": 4, "mark": "blunder"}, {"ply": 6, "mark": "inaccuracy"}],
    "at": 5,
}


def test_the_graph_leaves_a_gap_where_no_value_is_known(page: Page) -> None:
    page.evaluate(GRAPH, GAME)
    assert page.locator(".graph path.line").count() == 2
    assert page.locator(".graph path.first").count() == 2


def test_marks_differ_by_shape(page: Page) -> None:
    page.evaluate(GRAPH, GAME)
    assert page.locator(".graph circle.inaccuracy").count() == 1
    assert page.locator(".graph path.blunder").count() == 1


def test_the_graph_is_a_slider_for_the_keyboard(page: Page) -> None:
    page.evaluate(GRAPH, GAME)
    slider = page.get_by_role("slider")
    assert slider.get_attribute("aria-valuenow") == "5"
    assert "40%" in (slider.get_attribute("aria-valuetext") or "")
    slider.focus()
    for key in ("ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"):
        page.keyboard.press(key)
    assert page.evaluate("picked") == [4, 6, 0, 7, 4, 6]


def test_a_click_on_the_graph_picks_the_nearest_ply(page: Page) -> None:
    page.evaluate(GRAPH, GAME)
    box = page.locator(".graph").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + 40)
    assert page.evaluate("picked") == [7]


def test_the_graph_says_in_words_how_the_game_went(page: Page) -> None:
    page.evaluate(GRAPH, GAME)
    words = page.locator("#place .unseen").inner_text()
    assert "6 of 8 positions" in words
    assert "1 blunders" in words


def test_the_graph_of_a_lead_has_a_scale_in_points(page: Page) -> None:
    page.evaluate(GRAPH, {**GAME, "values": [0.5, -3.2, 12.5, None, 4.0, -6.0], "unit": "points"})
    ticks = page.locator(".graph .tick").all_text_contents()
    assert ticks[:3] == ["+15", "0", "−15"]
    slider = page.get_by_role("slider")
    assert "−6.0 points" in (slider.get_attribute("aria-valuetext") or "")


CANDIDATES = """async (report) => {
  const { drawCandidates } = await import("/static/candidates.js");
  window.seen = [];
  window.picked = [];
  window.draw = (report) => drawCandidates(place, {
    report, onShow: (pv) => seen.push(pv), onPick: (move) => picked.push(move),
  });
  draw(report);
}"""


def candidate(move: str, visits: int, value: float, **more: Any) -> dict[str, Any]:
    spread = {"low": value - 0.1, "high": value + 0.1, "exploration": 0.1}
    return {"move": move, "visits": visits, "value": value, "share": 0.0, **spread, **more}


def test_the_table_keeps_the_focus_while_the_numbers_move(page: Page) -> None:
    rows = [candidate("4", 900, 0.4), candidate("3", 80, 0.1, proven="loss", cell=37)]
    page.evaluate(CANDIDATES, {"pv": ["4"], "pv_cells": [38], "candidates": rows})
    page.locator("tbody tr").nth(1).focus()
    assert page.evaluate("seen") == [[[37, "3"]]]
    assert "loss" in page.locator("tbody tr").nth(1).inner_text()
    rows = [candidate("3", 1900, 0.5), candidate("4", 950, 0.3)]
    page.evaluate("(report) => draw(report)", {"pv": ["3", "1"], "candidates": rows})
    assert page.locator("tbody th").all_text_contents() == ["3", "4"]
    assert page.evaluate("document.activeElement.textContent.startsWith('3')")
    page.keyboard.press("Enter")
    assert page.evaluate("picked") == ["3"]


def test_hovering_a_candidate_shows_its_line_and_leaving_hides_it(page: Page) -> None:
    rows = [candidate("4", 900, 0.4), candidate("3", 80, 0.1)]
    line = {"pv": ["4", "3", "5"], "pv_cells": [38, 37, 39]}
    page.evaluate(CANDIDATES, {**line, "candidates": rows})
    page.locator("tbody tr").first.hover()
    page.mouse.move(900, 600)
    assert page.evaluate("seen") == [[[38, "4"], [37, "3"], [39, "5"]], None]


def test_expected_discs_are_shown_where_the_engine_knows_them(page: Page) -> None:
    rows = [candidate("f5", 0, 0.3, score=4.2, cell=37), candidate("d3", 0, 0.1, score=-12.6)]
    page.evaluate(CANDIDATES, {"pv": ["f5"], "candidates": rows})
    assert page.locator("td.score").all_text_contents() == ["+4.2", "−13"]
    page.evaluate(
        """async ([game, state, rows]) => {
          const { Board } = await import("/static/board.js");
          const board = new Board(place);
          board.draw(game, state, { hints: false });
          board.showCandidates(rows);
        }""",
        [descriptor_json(game_of("othello")), state_json([game_of("othello").start()]), rows[:1]],
    )
    assert page.locator(".heat text").first.text_content() == "+4.2"


def test_every_word_is_there_in_both_languages(page: Page) -> None:
    words: dict[str, dict[str, str]] = page.evaluate(
        """async () => {
          const all = ["figures", "verdict", "words_table"];
          await Promise.all(all.map((name) => import(`/static/${name}.js`)));
          return (await import("/static/words.js")).tables;
        }"""
    )
    assert words["en"].keys() == words["zh"].keys()
    gaps = re.compile(r"\{\w+\}")
    for key, phrase in words["en"].items():
        assert phrase, key
        assert set(gaps.findall(words["zh"][key])) <= set(gaps.findall(phrase)) | {
            "{other}",
            "{unit}",
        }, key


def test_what_a_level_is_like_is_said_in_both_languages(page: Page) -> None:
    known = [words for _, words in NOISE_WORDS + SEARCH_WORDS]
    said: list[str] = page.evaluate(
        """async (known) => {
          const { inWords, language, setLanguage } = await import("/static/words.js");
          const before = language();
          setLanguage("zh", false);
          const said = known.map(inWords);
          setLanguage(before, false);
          return said;
        }""",
        known,
    )
    assert not [words for words, chinese in zip(known, said, strict=True) if words == chinese]


TREE = """async (nodes) => {
  const { openTree } = await import("/static/tree.js");
  window.asked = [];
  const fetch = async (path) => {
    asked.push(path.join(" "));
    if (!(path.join(" ") in nodes)) throw new Error("the search has not looked beyond this move");
    return structuredClone(nodes[path.join(" ")]);
  };
  window.tree = openTree(place, { fetch });
  await tree.ready;
}"""


@pytest.fixture(scope="module")
def nodes() -> dict[str, Any]:
    """The top of a real search tree, as the server sends it."""
    game = game_of("connect4")
    start = game.start()
    search = Uct(game, seed=1, c=0.8)
    search.search(start, Limit(iterations=20_000))
    found = {}
    for path in ([], *([move] for move in start.legal_moves()), [3, 3]):
        state = start
        for move in path:
            state = state.play(move)
        report = search.look(path)
        assert report is not None
        rows = sorted(report.candidates, key=lambda row: -row.visits)
        found[" ".join(game.format(move) for move in path)] = {
            "node": {"visits": sum(row.visits for row in rows), "value": report.value},
            "children": candidates_json(state, rows, rows),
            "more": 0,
        }
    return found


def test_the_tree_opens_node_by_node(page: Page, nodes: dict[str, Any]) -> None:
    page.evaluate(TREE, nodes)
    assert page.evaluate("asked") == ["", "4"]
    items = page.get_by_role("treeitem")
    before = items.count()
    page.locator(".tree-node", has_text="… 2 more").last.click()
    assert items.count() == before + 1  # seven children instead of five and "2 more"
    second = page.locator("[aria-level='2']").nth(1)
    second.click()
    expect(second).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".tree-node.asking")).to_have_count(0)
    assert page.evaluate("asked.length") == 3


def test_the_tree_is_walked_with_the_arrow_keys(page: Page, nodes: dict[str, Any]) -> None:
    page.evaluate(TREE, nodes)
    page.get_by_role("treeitem").first.focus()
    level = "document.activeElement.getAttribute('aria-level')"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(level) == "2"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(level) == "3"
    page.keyboard.press("ArrowRight")  # opens it
    expect(page.locator("[aria-level='4']").first).to_be_visible()
    assert "4 4" in page.evaluate("asked")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(level) == "4"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")  # closes it
    assert page.evaluate("document.activeElement.ariaExpanded") == "false"
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.ariaPosInSet") == "2"


def test_the_formula_has_the_numbers_of_the_chosen_node(page: Page, nodes: dict[str, Any]) -> None:
    page.evaluate(TREE, nodes)
    page.evaluate("tree.select(['3'])")
    child = next(row for row in nodes[""]["children"] if row["move"] == "3")
    words = page.locator(".formula").inner_text().replace("\u202f", "").replace("−", "-")
    assert f"0.8·√(2 ln 20000 / {child['visits']})" in words
    term = 0.8 * math.sqrt(2 * math.log(20_000) / child["visits"])
    assert float(words.split("=")[-1]) == pytest.approx(child["value"] + term, abs=0.002)


def test_the_next_simulation_is_the_largest_sum(page: Page, nodes: dict[str, Any]) -> None:
    page.evaluate(TREE, nodes)
    rows = nodes[""]["children"]
    best = max(rows, key=lambda row: row["value"] + row["exploration"])
    page.evaluate("tree.select([])")
    assert page.locator(".race li.next .move").text_content() == best["move"]


def test_rave_is_shown_where_it_weighs(page: Page) -> None:
    row = candidate("D4", 100, 0.2, share=1.0, rave_share=0.25, amaf_value=0.6)
    page.evaluate(TREE, {"": {"node": {"visits": 100, "value": 0.2}, "children": [row]}})
    page.evaluate("tree.select(['D4'])")
    words = page.locator(".tree-card").inner_text()
    assert "(1 − 0.25)·0.20 + 0.25·0.60" in words
    assert "0.300 + 0.100 = 0.400" in words


def test_a_node_beyond_the_tree_says_so(page: Page, nodes: dict[str, Any]) -> None:
    page.evaluate(TREE, nodes)
    page.locator("[aria-level='3']").nth(1).click()
    expect(page.get_by_role("status")).to_contain_text("has not looked beyond")


def test_the_tree_is_a_list_on_a_phone(page: Page, nodes: dict[str, Any]) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate(TREE, nodes)
    page.wait_for_selector(".tree.narrow")
    tops = page.evaluate(
        "[...document.querySelectorAll('.tree-node')].map((n) => n.getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)
    assert len(set(tops)) == len(tops)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_open_tree_follows_the_search(page: Page, nodes: dict[str, Any]) -> None:
    page.evaluate(TREE, nodes)
    page.locator("[aria-level='2']").first.focus()
    page.evaluate("tree.refresh()")  # resolves when all of it has been asked for again
    assert page.evaluate("asked") == ["", "4", "", "4"]
    assert page.evaluate("document.activeElement.getAttribute('aria-level')") == "2"


REVIEW = """async ({parts, moves}) => {
  const { Review } = await import("/static/review.js");
  window.jumps = [];
  let tell, finish;
  const stream = (name, fields, onPart) => {
    tell = onPart;
    return { done: new Promise((resolve) => (finish = resolve)), stop: () => finish(null) };
  };
  window.review = new Review(place, { stream });
  review.addEventListener("jump", (event) => jumps.push(event.detail.ply));
  const ended = review.start({ game: "connect4", moves }, { seconds: 0.1 });
  window.sofar = () => document.querySelector("progress")?.value;
  for (const part of parts) tell(part);
  window.after = sofar();
  finish({ done: true });
  await ended;
}"""


def remark(ply: int, cost: float, mark: str | None) -> dict[str, Any]:
    found = {"ply": ply, "move": "4", "best": "3", "value": 0.1 * ply, "pv": ["3", "2"]}
    return found | {"after": -0.5, "cost": cost, "mark": mark, "proven": None, "done": False}


def test_a_review_lists_the_mistakes_and_jumps_between_them(page: Page) -> None:
    marks = [None, "mistake", None, "blunder", "inaccuracy"]
    parts = [remark(ply, 0.2 * bool(mark), mark) for ply, mark in enumerate(marks)]
    page.evaluate(REVIEW, {"parts": parts, "moves": ["4"] * 5})
    assert page.evaluate("after") == 5
    assert page.locator(".review-item").count() == 3
    assert "better" not in page.locator(".review-list").inner_text()  # nothing is given away
    page.evaluate("review.tellBest(2)")
    assert "better 3" in page.locator("[data-key=ply2]").inner_text()
    following = page.get_by_role("button", name="Next mistake")
    for _ in range(4):
        following.click()
    page.get_by_role("button", name="Previous mistake").click()
    assert page.evaluate("jumps") == [2, 4, 5, 2, 5]
    second = page.locator(".review-summary tbody tr").nth(1)
    assert second.locator("td").all_text_contents()[:3] == ["0", "1", "1"]
    assert page.evaluate("review.values.length") == 6  # the last position has a value too


def test_remarks_that_come_again_after_a_lost_connection_count_once(page: Page) -> None:
    before = [remark(0, 0, None), remark(1, 0.5, "blunder"), remark(2, 0.2, "mistake")]
    again = [remark(0, 0, None), remark(1, 0.5, "blunder"), remark(2, 0, None)]
    page.evaluate(REVIEW, {"parts": before + again, "moves": ["4"] * 3})
    assert page.locator(".review-item").count() == 1
    assert page.evaluate("review.marks") == [{"ply": 2, "mark": "blunder"}]


def test_a_clean_game_is_called_clean(page: Page) -> None:
    page.evaluate(REVIEW, {"parts": [remark(0, 0, None)], "moves": ["4"]})
    assert "No mistakes found" in page.locator("#place").inner_text()


def test_no_picture_has_a_serious_fault_for_those_who_cannot_see(
    page: Page, nodes: dict[str, Any]
) -> None:
    parts = [remark(0, 0.2, "mistake"), remark(1, 0.9, "blunder")]
    rows = [candidate("4", 900, 0.4), candidate("3", 80, 0.1, proven="loss")]
    for script, given in (
        (TREE, nodes),
        (GRAPH, GAME),
        (CANDIDATES, {"pv": ["4"], "candidates": rows}),
        (REVIEW, {"parts": parts, "moves": ["4", "4"]}),
    ):
        page.evaluate(script, given)
        assert findings(page, axe.ALL, within="#place") == []
