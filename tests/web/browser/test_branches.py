"""Variations are a tree: shown, entered, promoted, deleted, commented, marked, kept."""

from __future__ import annotations

import re
import time
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, expect

import honte
from honte.core import variations
from honte.web.exchange import node_json
from tests.games.records.test_sgf_tree import grown
from tests.web.browser.user import WAIT, User

SGF = (
    "(;GM[1]SZ[9]KM[6.5]PB[Ann]PW[Bob]RE[B+R]DT[2020-01-02]C[Hello];B[ee]"
    "(;W[cc]CR[ee]LB[cc:A];B[dd]TR[dd])"
    "(;W[gg]C[or here \\] so];B[cg](;W[gc])(;W[cc]MA[aa])))"
)


LIST = """() => {
    const word = (button) => [...button.childNodes].find((node) => node.nodeType === 3).textContent;
    const text = (list) => [...list.children].map((item) =>
        item.matches("li.side") ? `(${[...item.children].map(text).join(" ")})`
            : item.querySelector("button") ? word(item.querySelector("button")) : item.textContent
    ).join(" ");
    return text(document.querySelector("#moves"));
}"""


def expect_moves(user: User, line: str) -> None:
    """Wait until the list of moves reads so, variations in parentheses."""
    deadline = time.monotonic() + WAIT / 1000
    while user.page.evaluate(LIST) != line and time.monotonic() < deadline:
        user.page.wait_for_timeout(20)
    assert user.page.evaluate(LIST) == line


def go_to(user: User, *words: str) -> None:
    """Click a move in the list: the last button that reads so."""
    for word in words:
        user.page.locator("#moves button").filter(has_text=word).last.click()


def opened(user: User, text: str) -> User:
    user.open()
    user.click("open")
    user.page.locator("#load-text").fill(text)
    user.click("load-go")
    expect(user.page.locator("dialog")).to_have_count(0)
    return user


def test_an_opened_tree_is_shown_beside_the_game(user: User) -> None:
    opened(user, SGF)
    expect_moves(user, "E5 C7 (G3 C3 G7 (C7)) D6")
    expect(user.page.locator("#comment")).to_have_text("Hello")
    go_to(user, "G3")
    user.wait_for_ply(2)
    expect(user.page.locator("#variation")).to_contain_text("from move 2")
    expect(user.page.locator("#comment")).to_have_text("or here ] so")
    expect(user.page.locator("#ply-text")).to_have_text("2 / 4")
    user.click("forth")
    user.wait_for_ply(3)
    user.page.keyboard.press(".")
    user.wait_for_ply(4)
    user.page.keyboard.press("ArrowDown")  # the other variation of this move
    expect(user.page.locator("#moves [aria-current]")).to_contain_text("C7")
    expect(user.page.locator(".layer-shapes .shape")).to_have_count(1)
    user.click("main-line")
    user.wait_for_ply(1)
    expect(user.page.locator("#variation")).to_be_hidden()


@pytest.mark.long
def test_a_variation_stays_when_the_game_is_on_the_board_again(user: User) -> None:
    user.resume("connect4", moves="4,4,5,5")
    user.page.locator("#moves button").nth(1).click()
    user.cell(0).click()
    user.wait_for_ply(3)
    user.wait_for_turn("person")
    user.cell(1).click()
    user.wait_for_ply(4)
    user.wait_for_turn("person")
    user.click("main-line")
    user.wait_for_ply(2)
    expect_moves(user, "4 4 5 (1 2) 5")
    # A move that is in the tree is entered, not added again.
    user.cell(0).click()
    user.wait_for_ply(3)
    expect(user.page.locator("#ply-text")).to_have_text("3 / 4")
    expect_moves(user, "4 4 5 (1 2) 5")


def test_a_variation_is_promoted_and_deleted_and_brought_back(user: User) -> None:
    opened(user, "% game connect4\n4 4 5 (1 2 (3 3) 2) 5")
    expect_moves(user, "4 4 5 (1 2 (3 3) 2) 5")
    user.page.locator("#moves button").filter(has_text="3").nth(2).click()
    user.wait_for_ply(4)
    user.click("promote")
    expect_moves(user, "4 4 5 (1 3 (2 2) 3) 5")
    user.click("delete-line")
    expect_moves(user, "4 4 5 (1 2 2) 5")
    user.page.locator("#banner button").click()
    expect_moves(user, "4 4 5 (1 3 (2 2) 3) 5")
    user.click("promote")  # at its first move, the variation becomes the game
    expect_moves(user, "4 4 1 (5 5) 3 (2 2) 3")
    expect(user.page.locator("#variation")).to_be_hidden()


def test_comments_and_marks_are_made_and_kept(user: User, browser: Browser) -> None:
    user.resume("othello", moves="f5,d6")
    user.page.keyboard.press("c")
    user.page.locator("#comment-text").fill("solid } and \\ so")
    user.click("comment-edit")
    expect(user.page.locator("#comment")).to_have_text("solid } and \\ so")
    for mark, place in (("circle", "f5"), ("square", "a1"), ("triangle", "b1"), ("cross", "c1")):
        user.click(f"mark-{mark}")
        user.at(place).click()
        expect(user.at(place)).to_have_attribute("aria-label", f"{place}, {what(place)}, {mark}")
    user.click("mark-label")
    user.at("d1").click()
    user.at("e1").click()
    user.at("e1").click()  # again: away
    expect(user.at("d1")).to_have_attribute("aria-label", "d1, empty, letter A")
    user.page.keyboard.press("Escape")
    assert user.ply == 2
    expect(user.page.locator(".layer-shapes .shape")).to_have_count(5)
    user.page.reload()
    user.page.wait_for_selector("html[data-ready]")
    expect(user.page.locator(".layer-shapes .shape")).to_have_count(5)
    # A link shows somebody else the same.
    other = User(browser.new_context(locale="en-GB"), user.server)
    other.page.goto(user.page.url)
    other.page.wait_for_selector("html[data-ready]")
    expect(other.page.locator("#comment")).to_have_text("solid } and \\ so")
    expect(other.page.locator(".layer-shapes .shape")).to_have_count(5)
    assert other.troubles == []
    other.context.close()


def what(place: str) -> str:
    return "Black" if place == "f5" else "empty"


def test_sgf_goes_in_and_comes_out_whole(user: User) -> None:
    opened(user, SGF)
    go_to(user, "G7")
    user.wait_for_ply(4)
    user.click("share")
    text = user.page.locator("#export-text")
    for part in ("PB[Ann]", "RE[B+R]", "DT[2020-01-02]", "CR[ee]", "LB[cc:A]", "TR[dd]", "MA[aa]"):
        expect(text).to_have_value(contains(part))
    expect(text).to_have_value(contains(r"C[or here \] so]"))
    user.page.keyboard.press("Escape")
    address = unquote(user.page.url)
    variation = "(G3 {or here ] so} C3 G7 (C7 [cross 0/0]))"
    assert f"tree={{Hello}} E5 C7 [circle 4/4] [label 2/2 A] {variation} D6" in address


@pytest.mark.long
def test_sgf_of_othello_goes_in_and_comes_out_whole(user: User) -> None:
    opened(user, "(;GM[2]SZ[8];B[f5]C[usual](;W[d6];B[c3])(;W[f6]CR[f6]))")
    expect_moves(user, "f5 d6 (f6) c3")
    user.click("share")
    text = user.page.locator("#export-text")
    for part in ("GM[2]", "B[f5]", "C[usual]", "W[f6]", "CR[f6]"):
        expect(text).to_have_value(contains(part))
    user.page.keyboard.press("Escape")


def contains(part: str) -> re.Pattern[str]:
    return re.compile(re.escape(part))


def test_page_and_server_write_the_same_text(user: User) -> None:
    user.open()
    script = """async (trees) => {
        const tree = await import("/static/game_tree.js");
        return trees.map((nodes) => {
            const text = tree.write(tree.fromNodes(nodes));
            return [text, tree.toNodes(tree.read(text))];
        });
    }"""
    records = [grown(seed) for seed in range(60)]
    games = [honte.game(record.game_spec) for record in records]
    wire = [
        [node_json(node, game) for node in record.nodes()]
        for record, game in zip(records, games, strict=True)
    ]
    told = user.run(script, wire)
    for record, game, nodes, (text, again) in zip(records, games, wire, told, strict=True):
        assert text == variations.write(record.nodes(), game)
        assert again == nodes


@pytest.mark.long
def test_a_file_that_cannot_hold_variations_says_so(user: User) -> None:
    opened(user, "% game othello\nf5 d6 (f4) c3")
    user.click("share")
    user.page.locator("#export-as").select_option("ggf")
    expect(user.page.locator("#export-lost")).to_contain_text(
        "GGF holds the moves of the game alone"
    )
    user.page.locator("#export-as").select_option("text")
    expect(user.page.locator("#export-text")).to_have_value("% game othello\nf5 d6 (f4) c3\n")


def test_moves_taken_back_come_again_with_what_was_said_of_them(user: User) -> None:
    user.resume("connect4", moves="4,4,5,5")
    user.page.keyboard.press("c")
    user.page.locator("#comment-text").fill("mine")
    user.click("comment-edit")
    user.click("undo")
    user.wait_for_ply(3)
    user.page.reload()
    user.page.wait_for_selector("html[data-ready]")
    user.click("redo")
    user.wait_for_ply(4)
    expect(user.page.locator("#comment")).to_have_text("mine")
    user.click("undo")
    user.wait_for_ply(3)
    user.cell(0).click()
    user.wait_for_ply(4)
    user.wait_for_turn("person")
    expect_moves(user, "4 4 5 1 (5)")


def test_a_variation_that_breaks_the_rules_is_told(user: User) -> None:
    opened(user, "(;GM[1]SZ[9];B[ee](;W[cc])(;W[ee]))")
    expect(user.page.locator("#banner")).to_contain_text("left out")
    expect_moves(user, "E5 C7")


@pytest.mark.long
def test_a_position_set_in_a_variation_is_played_on(user: User) -> None:
    opened(user, "(;GM[1]SZ[5];B[cc](;W[bb])(;AW[aa]PL[B];B[dd];W[ee]))")
    go_to(user, "position")
    user.wait_for_ply(2)
    expect(user.stones).to_have_count(2)
    user.click("to-end")
    user.wait_for_ply(4)
    expect(user.stones).to_have_count(4)


def test_a_position_set_in_the_main_line_is_shown_and_written_back(user: User) -> None:
    opened(user, "(;GM[1]SZ[5];B[cc];W[bb];AW[aa]AE[bb]PL[B];B[dd];W[ee])")
    expect(user.page.locator("#banner")).to_contain_text("set up after move 2")
    expect_moves(user, "C3 B4 (position D2 E1)")
    go_to(user, "E1")
    user.wait_for_ply(5)
    expect(user.stones).to_have_count(4)
    user.click("share")
    text = user.page.locator("#export-text")
    expect(text).to_have_value(re.compile(r";W\[bb\]\s*;AE\[bb\]\s*AW\[aa\]\s*PL\[B\]\s*;B\[dd\]"))
    user.page.keyboard.press("Escape")
    user.click("language")
    user.page.reload()
    expect(user.stones).to_have_count(4)


@pytest.mark.long
def test_the_list_of_moves_follows_the_game(user: User) -> None:
    user.resume("go:size=9", moves=",".join(f"{c}{r}" for r in range(1, 7) for c in "ABCDEFGHJ"))
    list_ = user.page.locator("#moves")
    here = list_.locator("[aria-current]")
    expect(here).to_be_in_viewport()
    box, inside = list_.bounding_box(), here.bounding_box()
    assert box is not None
    assert inside is not None
    assert box["y"] <= inside["y"] <= box["y"] + box["height"] - inside["height"] + 1


def test_a_deep_tree_is_opened_quickly(user: User) -> None:
    # Every move of a long game has a variation.
    line = ["4", "4", "5", "5", "4", "4", "5", "5", "4", "4"]
    body = " ".join(f"{move} (1 2)" for move in line)
    opened(user, f"% game connect4\n{body}")
    expect(user.page.locator("#moves button")).to_have_count(3 * len(line))


def test_a_game_that_an_older_page_stored_is_still_there(user: User) -> None:
    user.resume("connect4", moves="4,4", main={"moves": ["4", "4", "5"], "from": 1}, redo=["6"])
    assert user.ply == 3
    user.click("redo")
    user.wait_for_ply(4)


@pytest.mark.parametrize("tree", ["4 4 (", "4 ) 4", "[star 0/0] 4"])
def test_a_broken_link_is_told(user: User, tree: str) -> None:
    user.open(f"#game=connect4&moves=4&tree={tree}")
    expect(user.page.locator("#banner")).to_contain_text("could not be read")
