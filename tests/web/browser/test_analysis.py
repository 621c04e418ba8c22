"""Seeing the engine think, and going through a game afterwards."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser.table import Table


@pytest.mark.parametrize(
    ("spec", "thoughts"),
    [("connect4", ".chip"), ("othello", ".heat.best text"), ("go:size=5", ".heat.best text")],
)
def test_candidates_are_drawn_on_the_board(table: Table, spec: str, thoughts: str) -> None:
    table.sit_down(spec)
    table.click("analysis")
    table.page.wait_for_selector(f".layer-thoughts {thoughts}")
    expect(table.page.locator("#candidates tbody tr").first).to_be_visible()
    expect(table.page.locator("#verdict")).to_contain_text("%")
    expect(table.page.locator("#bar")).to_be_visible()


def test_territory_is_shown_in_go_until_it_is_not_wanted(table: Table) -> None:
    """Black has the left side of a wall and White the right; a lost stone says whose it will be."""
    wall = "C5,D5,C4,D4,C3,D3,C2,D2,C1,D1,E3"
    table.sit_down("go:size=5", moves=wall)
    table.click("analysis")
    owners = table.page.locator(".layer-owners .owner")
    expect(table.page.locator(".owner.black")).not_to_have_count(0)
    expect(table.page.locator(".owner.white")).not_to_have_count(0)
    button = table.page.locator("#territory")
    button.click()
    expect(owners).to_have_count(0)
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(owners).not_to_have_count(0)


def test_analysis_is_hidden_without_being_lost(table: Table) -> None:
    table.sit_down("connect4", moves="4,4")
    table.click("analysis")
    table.page.wait_for_selector(".layer-thoughts .chip")
    table.click("analysis")
    expect(table.page.locator(".layer-thoughts .chip")).to_have_count(0)
    expect(table.page.locator("#analysis-body")).to_be_hidden()
    expect(table.page.locator("#graph .dot")).to_have_count(1)
    table.page.reload()
    table.page.wait_for_selector("html[data-ready]")
    expect(table.page.locator("#graph .dot")).to_have_count(1)


def test_what_the_opponent_thought_stands_in_the_graph_unasked(table: Table) -> None:
    table.sit_down("connect4", "person", "best", seconds=0.3)
    table.cell(38).click()
    table.wait_for_ply(2)
    table.click("back")
    table.wait_for_ply(1)
    expect(table.page.locator("#graph .dot")).to_have_count(1)


def test_a_candidate_under_the_pointer_shows_its_line(table: Table) -> None:
    table.sit_down("connect4", moves="4,4")
    table.click("analysis")
    row = table.page.locator("#candidates tbody tr").first
    row.hover()
    expect(table.page.locator(".ghost").first).to_be_visible()
    table.page.locator("h1").hover()
    expect(table.page.locator(".ghost")).to_have_count(0)
    table.cell(2).hover()
    expect(table.page.locator(".ghost text").first).to_have_text("1")


def test_a_proven_win_is_marked_as_such(table: Table) -> None:
    table.sit_down("connect4", moves="4,1,4,1,4,1")
    table.click("analysis")
    expect(table.page.locator(".chip.won .big").first).to_have_text("win")
    expect(table.page.locator("#verdict")).to_have_text("Proven: Red wins in 1")


def test_the_search_tree_is_opened_node_by_node(table: Table) -> None:
    table.sit_down("connect4", moves="4,4")
    table.click("analysis")
    table.page.wait_for_selector(".layer-thoughts .chip")
    table.click("tree")
    nodes = table.page.locator("dialog .tree-node")
    expect(nodes.nth(3)).to_be_visible()
    before = nodes.count()
    table.page.locator("dialog [role=treeitem][aria-expanded=false]").first.click()
    expect(nodes.nth(before)).to_be_visible()
    table.page.keyboard.press("Escape")
    expect(table.page.locator("dialog")).to_have_count(0)


def test_a_game_is_opened_and_stepped_through(table: Table) -> None:
    table.open()
    table.click("open")
    table.page.locator("#load-text").fill("f5d6c3d3c4f4")
    table.click("load-go")
    expect(table.page.locator("#ply-text")).to_have_text("0 / 6")
    table.page.keyboard.press(".")
    table.wait_for_ply(1)
    table.click("to-end")
    table.wait_for_ply(6)
    table.page.locator("#ply").fill("3")
    table.wait_for_ply(3)
    expect(table.page.locator("#moves [aria-current]")).to_contain_text("c3")


def test_markup_in_an_opened_game_is_text(table: Table) -> None:
    table.open()
    table.click("open")
    name = "<img src=x onerror=alert(1)>"
    table.page.locator("#load-text").fill(
        f"(;GM[1]FF[4]SZ[9]PB[{name}]PW[B];B[ee]C[<b>bold</b>];W[cc])"
    )
    table.click("load-go")
    expect(table.page.locator("#player-0 .name")).to_contain_text(name)
    table.click("forth")
    expect(table.page.locator("#comment")).to_have_text("<b>bold</b>")


def test_a_text_that_is_no_game_is_told(table: Table) -> None:
    table.open()
    table.click("open")
    table.page.locator("#load-text").fill("no game at all")
    table.click("load-go")
    expect(table.page.locator("dialog .trouble")).to_contain_text("Could not read it")


def test_a_variation_is_tried_and_the_game_is_still_there(table: Table) -> None:
    table.sit_down("connect4", moves="4,4,5,5")
    table.click("back")
    table.click("back")
    table.wait_for_ply(2)
    table.cell(0).click()
    expect(table.page.locator("#variation")).to_contain_text("from move 3")
    table.wait_for_turn("person")
    table.cell(1).click()
    expect(table.page.locator("#ply-text")).to_have_text("4 / 4")
    expect(table.page.locator("#moves")).to_contain_text("2")
    table.click("main-line")
    table.wait_for_ply(2)
    table.click("to-end")
    table.wait_for_ply(4)
    assert table.page.url.endswith("moves=4,4,5,5")
    expect(table.page.locator("#variation")).to_be_hidden()


def test_a_review_marks_the_mistakes_and_jumps_to_them(table: Table) -> None:
    # Yellow lets four in a column happen: move 6 had to be column 1.
    table.sit_down("connect4", moves="1,4,1,4,1,3,1")
    table.click("review-run")
    expect(table.page.locator(".review-item.blunder").last).to_be_visible()
    expect(table.page.locator("#review-run")).to_be_visible()
    table.page.locator(".review-item.blunder").last.click()
    table.wait_for_ply(6)
    expect(table.page.locator("#moves .blunder").last).to_contain_text("3??")
    table.page.keyboard.press("[")
    table.page.reload()
    table.page.wait_for_selector("html[data-ready]")
    expect(table.page.locator(".review-item.blunder").last).to_be_visible()
