"""Seeing the engine think, and going through a game afterwards."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.web.browser.user import User


@pytest.mark.parametrize(
    ("spec", "thoughts"),
    [
        ("connect4", ".chip"),
        pytest.param("othello", ".heat.best text", marks=pytest.mark.long),
        pytest.param("go:size=5", ".heat.best text", marks=pytest.mark.long),
    ],
)
def test_candidates_are_drawn_on_the_board(user: User, spec: str, thoughts: str) -> None:
    user.resume(spec)
    user.click("analysis")
    user.page.wait_for_selector(f".layer-thoughts {thoughts}")
    expect(user.page.locator("#candidates tbody tr").first).to_be_visible()
    expect(user.page.locator("#verdict")).not_to_have_text("…")
    expect(user.page.locator("#bar")).to_be_visible()


def test_territory_is_shown_in_go_until_it_is_not_wanted(user: User) -> None:
    """Black has the left side of a wall and White the right; a lost stone shows its new owner."""
    wall = "C5,D5,C4,D4,C3,D3,C2,D2,C1,D1,E3"
    user.resume("go:size=5", moves=wall)
    user.click("analysis")
    owners = user.page.locator(".layer-owners .owner")
    expect(user.page.locator(".owner.black")).not_to_have_count(0)
    expect(user.page.locator(".owner.white")).not_to_have_count(0)
    button = user.page.locator("#territory")
    button.click()
    expect(owners).to_have_count(0)
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(owners).not_to_have_count(0)


def test_nothing_moves_under_the_pointer_while_the_engine_thinks(user: User) -> None:
    """No layout shifts, neither in a search nor from one position to the next."""
    user.resume("go:size=5", moves="C3,C4,D3")
    user.click("analysis")
    user.page.wait_for_selector("#candidates tbody tr")
    user.page.evaluate(WATCH, ["territory", "tree", "analysis", "graph", "review-run"])
    expect(user.page.locator("#searched")).to_contain_text("depth")
    user.click("back")
    user.wait_for_ply(2)
    user.page.wait_for_function("() => watched.texts.size > 5")
    assert user.page.evaluate("watched.moved") == []


WATCH = """ids => {
  const at = () => Object.fromEntries(ids.map((id) => {
    const { x, y } = document.getElementById(id).getBoundingClientRect();
    return [id, `${Math.round(x)},${Math.round(y)}`];
  }));
  const first = at();
  window.watched = { moved: [], texts: new Set() };
  const look = () => {
    const now = at();
    for (const id of ids) if (now[id] !== first[id]) watched.moved.push(`${id}: ${now[id]}`);
    watched.texts.add(document.getElementById("searched").textContent);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Record every layout shift, frame by frame, and the status lines of the search."""


def test_analysis_is_hidden_without_being_lost(user: User) -> None:
    user.resume("connect4", moves="4,4")
    user.click("analysis")
    user.page.wait_for_selector(".layer-thoughts .chip")
    user.click("analysis")
    expect(user.page.locator(".layer-thoughts .chip")).to_have_count(0)
    expect(user.page.locator("#analysis-body")).to_be_hidden()
    expect(user.page.locator("#graph .dot")).to_have_count(1)
    user.page.reload()
    user.page.wait_for_selector("html[data-ready]")
    expect(user.page.locator("#graph .dot")).to_have_count(1)


@pytest.mark.long
def test_the_graph_is_of_one_reviewer_and_not_of_the_opponent(user: User) -> None:
    """The search behind a level's move is no analysis; a review replaces one."""
    user.resume("connect4", "person", "level:30", moves="1,2,1,2,1")
    user.wait_for_ply(6)
    user.wait_for_turn("person")
    user.click("back")
    user.wait_for_ply(5)
    expect(user.page.locator("#graph .dot")).to_have_count(0)
    user.click("analysis")
    expect(user.page.locator("#graph .dot")).to_have_count(1)
    expect(user.page.locator("#graph .line")).to_have_count(1)
    user.click("review-run")
    expect(user.page.locator("#review-run")).to_be_visible()
    summary = user.page.locator("#graph .unseen")
    expect(summary).to_contain_text("7 of 7 positions")
    expect(user.page.locator("#graph .mark")).not_to_have_count(0)


GO = "C7,D7,F2,G2,G3,B9,E4"
"""B9 gives away more than ten points."""


@pytest.mark.long
def test_go_is_reviewed_in_points(user: User) -> None:
    user.resume("go:size=9", moves=GO)
    user.click("review-run")
    expect(user.page.locator(".review-item").first).to_be_visible()
    expect(user.page.locator("#review-run")).to_be_visible()
    slip = user.page.locator(".review-item", has_text="6. B9")
    expect(slip.locator(".cost")).to_have_text(re.compile(r"≈ −\d+\.\d points, −\d+\s%"))
    expect(user.page.locator(".review-summary thead")).to_contain_text("points")
    listed = user.page.locator("#moves button", has_text="B9")
    expect(listed.locator(".lost")).to_have_text(re.compile(r"−\d+\.\d"))
    name = user.page.locator("#graph-name")
    expect(name).to_have_text("Lead over the game")
    expect(user.page.locator("#graph .tick").first).to_have_text(re.compile(r"\+\d+"))
    switch = user.page.locator("#graph-unit")
    expect(switch).to_have_text("Chances")
    switch.click()
    expect(name).to_have_text("Chances over the game")
    expect(switch).to_have_text("points")
    expect(user.page.locator("#graph .tick").first).to_have_text("100")
    user.click("language")
    expect(switch).to_have_text("目")
    expect(slip.locator(".cost")).to_have_text(re.compile("目，−"))


@pytest.mark.long
def test_the_analysis_of_go_tells_the_lead_and_what_each_move_loses(user: User) -> None:
    user.resume("go:size=9", moves=GO)
    user.click("analysis")
    head = user.page.locator("#candidates thead")
    expect(head).to_contain_text("Lost")
    rows = user.page.locator("#candidates tbody tr")
    expect(rows.first.locator(".score")).to_have_text(re.compile(r"[+−]\d"))
    expect(rows.first.locator(".lost")).to_have_text("")
    lost = rows.locator(".lost", has_text=re.compile(r"^−\d+\.\d$"))
    expect(lost).not_to_have_count(0)
    expect(user.page.locator("#verdict")).to_contain_text("leads by about")


@pytest.mark.long
def test_a_candidate_under_the_pointer_shows_its_line(user: User) -> None:
    user.resume("connect4", moves="4,4")
    user.click("analysis")
    row = user.page.locator("#candidates tbody tr").first
    row.hover()
    expect(user.page.locator(".ghost").first).to_be_visible()
    user.page.locator("h1").hover()
    expect(user.page.locator(".ghost")).to_have_count(0)
    user.cell(2).hover()
    expect(user.page.locator(".ghost text").first).to_have_text("1")


@pytest.mark.long
def test_a_proven_win_is_marked_as_such(user: User) -> None:
    user.resume("connect4", moves="4,1,4,1,4,1")
    user.click("analysis")
    expect(user.page.locator(".chip.won .big")).to_have_text(["+18", "+11"])
    expect(user.page.locator(".chip.best .big")).to_have_text("+18")
    expect(user.page.locator("#verdict")).to_have_text("Proven: Red wins in 1 move")


def test_the_search_tree_is_opened_node_by_node(user: User) -> None:
    user.resume("connect4", moves="4,4")
    user.click("analysis")
    user.page.wait_for_selector(".layer-thoughts .chip")
    user.click("tree")
    nodes = user.page.locator("dialog[open] .tree-node")
    expect(nodes.nth(3)).to_be_visible()
    before = nodes.count()
    user.page.locator("dialog[open] [role=treeitem][aria-expanded=false]").first.click()
    expect(nodes.nth(before)).to_be_visible()
    user.page.keyboard.press("Escape")
    expect(user.page.locator("dialog")).to_have_count(0)


def test_the_tree_is_that_of_the_search_that_answered(user: User) -> None:
    """Its root says what the board says: the tree used to be another search than the analysis."""
    user.resume("othello", moves="f5,f6,e6,f4,e3,d6")
    user.click("analysis")
    best = user.page.locator(".heat.best")
    expect(best).to_have_attribute("data-move", "g5")
    user.click("tree")
    expect(user.page.locator(".tree-source")).to_contain_text("search")
    first = user.page.locator("[aria-level='2']").first
    expect(first.locator(".move")).to_have_text("g5")
    assert first.locator(".value").inner_text() == best.locator(".big").text_content()
    expect(user.page.locator(".tree-step")).to_be_hidden()  # nothing is simulated


@pytest.mark.long
def test_the_tree_of_a_network_shows_priors_and_the_rule_that_uses_them(user: User) -> None:
    user.resume("connect4:course,seed=5")
    user.click("analysis")
    user.page.wait_for_selector(".layer-thoughts .chip")
    expect(user.page.locator("#searched")).to_contain_text("network estimate")
    user.click("tree")
    expect(user.page.locator(".tree-source")).to_contain_text("search with a network")
    card = user.page.locator(".tree-card")
    expect(card).to_contain_text("a network evaluates the new position")
    user.page.locator("[aria-level='2']").first.click()
    expect(card).to_contain_text("Prior P")
    expect(card).to_contain_text("PUCT = value + c·P·√N / (1 + n)")
    expect(card.locator(".formula span").nth(1)).to_contain_text("1.5·0.")
    expect(card).not_to_contain_text("∞")  # a new move has first-play urgency


@pytest.mark.long
def test_a_simulation_is_made_at_a_time_and_nodes_show_their_position(user: User) -> None:
    user.resume("connect4:course,seed=5")
    user.click("analysis")
    user.page.wait_for_selector(".layer-thoughts .chip")
    user.click("tree")
    expect(user.page.locator(".tree-board .stone")).to_have_count(0)
    user.page.locator("[aria-level='3']").nth(1).hover()
    expect(user.page.locator(".tree-board .stone")).to_have_count(2)
    visits = user.page.locator(".tree-card dd").first
    status = user.page.locator(".tree-status")
    seen = []
    for _ in range(3):
        user.page.evaluate("document.querySelector('.tree-status').textContent = ''")
        user.page.locator(".tree-step").click()
        expect(status).to_contain_text("This simulation went")
        seen.append(int(visits.inner_text().replace("\u202f", "")))
    assert [later - sooner for sooner, later in pairwise(seen)] == [1, 1]


def test_a_game_is_opened_and_stepped_through(user: User) -> None:
    user.open()
    user.click("open")
    user.page.locator("#load-text").fill("f5d6c3d3c4f4")
    user.click("load-go")
    expect(user.page.locator("#ply-text")).to_have_text("0 / 6")
    user.page.keyboard.press(".")
    user.wait_for_ply(1)
    user.click("to-end")
    user.wait_for_ply(6)
    user.page.locator("#ply").fill("3")
    user.wait_for_ply(3)
    expect(user.page.locator("#moves [aria-current]")).to_contain_text("c3")


def test_markup_in_an_opened_game_is_text(user: User) -> None:
    user.open()
    user.click("open")
    name = "<img src=x onerror=alert(1)>"
    user.page.locator("#load-text").fill(
        f"(;GM[1]FF[4]SZ[9]PB[{name}]PW[B];B[ee]C[<b>bold</b>];W[cc])"
    )
    user.click("load-go")
    expect(user.page.locator("#player-0 .name")).to_contain_text(name)
    user.click("forth")
    expect(user.page.locator("#comment")).to_have_text("<b>bold</b>")


@pytest.mark.long
def test_a_text_that_is_no_game_is_told(user: User) -> None:
    user.open()
    user.click("open")
    user.page.locator("#load-text").fill("no game at all")
    user.click("load-go")
    expect(user.page.locator("dialog[open] .trouble")).to_contain_text("Could not read it")


@pytest.mark.long
def test_a_variation_is_tried_and_the_game_is_still_there(user: User) -> None:
    user.resume("connect4", moves="4,4,5,5")
    user.click("back")
    user.click("back")
    user.wait_for_ply(2)
    user.cell(0).click()
    expect(user.page.locator("#variation")).to_contain_text("from move 3")
    user.wait_for_turn("person")
    user.cell(1).click()
    expect(user.page.locator("#ply-text")).to_have_text("4 / 4")
    expect(user.page.locator("#moves")).to_contain_text("2")
    user.click("main-line")
    user.wait_for_ply(2)
    user.click("to-end")
    user.wait_for_ply(4)
    user.wait_for_address("moves=4,4,5,5&tree=")
    expect(user.page.locator("#variation")).to_be_hidden()


def test_a_move_in_place_of_another_has_none_of_its_remarks(user: User) -> None:
    moves = "1,4,1,4,1,3"
    blunder = {"best": "1", "value": 0.0, "after": 1.0, "cost": 0.5, "mark": "blunder"}
    notes: dict[str, dict[str, object]] = {
        str(ply): {"ply": ply, "move": move, "cost": 0, "value": 0.0, "after": 0.0, "mark": None}
        for ply, move in enumerate(moves.split(","), 1)
    }
    notes["2"] |= blunder
    notes["6"] |= blunder
    user.resume("connect4", moves=moves, notes=notes)
    listed = user.page.locator("#moves > li:not(.side) > button")
    mistakes = user.page.locator(".review-item")
    marks = user.page.locator("#graph .mark")
    summary = user.page.locator("#graph .unseen")
    expect(mistakes).to_have_count(2)

    # A variation leaves the remarks on the game alone.
    user.click("back")
    user.wait_for_ply(5)
    user.cell(41).click()
    expect(user.page.locator("#variation")).to_be_visible()
    user.wait_for_turn("person")
    user.click("main-line")
    user.click("to-end")
    user.wait_for_ply(6)
    expect(mistakes).to_have_count(2)
    expect(listed.last).to_have_text(re.compile(r"3\?\?"))

    # So does the same move again.
    user.click("undo")
    user.wait_for_ply(5)
    user.cell(37).click()
    user.wait_for_ply(6)
    user.wait_for_turn("person")
    expect(mistakes).to_have_count(2)
    expect(summary).to_contain_text("7 of 7 positions")

    user.click("undo")
    user.wait_for_ply(5)
    user.cell(14).click()
    user.wait_for_ply(6)
    user.wait_for_turn("person")
    for _ in range(2):
        expect(mistakes).to_have_count(1)
        expect(marks).to_have_count(1)
        expect(listed.last).not_to_contain_text("?")
        expect(summary).to_contain_text("6 of 7 positions")
        user.page.reload()
        user.page.wait_for_selector("html[data-ready]")


@pytest.mark.long
def test_a_review_in_progress_ends_when_its_moves_are_taken_back(user: User) -> None:
    user.resume("go:size=9", moves=GO)
    user.click("review-run")
    for ply in (6, 5):
        user.click("undo")
        user.wait_for_ply(ply)
    user.at("E5").click()
    user.wait_for_ply(6)
    user.wait_for_turn("person")
    expect(user.page.locator("#review-run")).to_be_visible()
    expect(user.page.locator('[data-key="ply6"]')).to_have_count(0)


def test_a_review_marks_the_mistakes_and_jumps_to_them(user: User) -> None:
    # Yellow lets four in a column happen: move 6 had to be column 1.
    user.resume("connect4", moves="1,4,1,4,1,3,1")
    user.click("review-run")
    item = user.page.locator('[data-key="ply6"]')
    expect(item).to_be_visible()
    expect(user.page.locator("#review-run")).to_be_visible()
    item.click()
    user.wait_for_ply(5)  # before the mistake
    expect(user.page.locator("#moves button").nth(5)).to_contain_text("3?")
    user.page.keyboard.press("[")
    user.page.reload()
    user.page.wait_for_selector("html[data-ready]")
    expect(item).to_be_visible()
