"""Opening anything, the history of the user's games, the position editor."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.web.browser.user import User

CROSS = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27


def paste(user: User, text: str) -> None:
    user.click("open")
    user.page.locator("#load-text").fill(text)
    user.click("load-go")


ANYTHING = [  # text, stones of the position that is shown, plies; neighbours differ
    ("4455", 0, 4),
    ("f5d6c3", 4, 3),
    ("/".join(["." * 7] * 5 + ["XXO.O.."]) + " X", 4, 0),
    ("4455", 0, 4),
    (f"{CROSS} X", 4, 0),
    ("4455", 0, 4),
    (f"{CROSS} X; F5:+0;", 4, 0),
    ("(;GM[Othello]PB[a]PW[b]TY[8]BO[8 " + CROSS.replace("X", "*") + " *]B[F5];)", 4, 1),
    ("(;GM[1]SZ[5];B[cc])", 0, 1),
    ("#game=go:size=5&moves=C3,B2", 2, 2),
]


def test_anything_that_is_a_game_is_opened(user: User) -> None:
    user.open("#game=connect4&moves=")
    for text, stones, plies in ANYTHING:
        paste(user, text)
        at = plies if "#" in text else 0
        expect(user.page.locator("#ply-text")).to_have_text(f"{at} / {plies}")
        expect(user.page.locator(".layer-stones .stone")).to_have_count(stones)


def test_an_address_of_the_page_is_opened(user: User) -> None:
    user.open("#game=connect4&moves=")
    paste(user, f"{user.server.address}#game=othello&moves=f5&tree=f5%20(d3)")
    expect(user.page.locator("#moves button")).to_have_count(2)


@pytest.mark.long
def test_an_old_error_does_not_stay_over_a_game_that_opens(user: User) -> None:
    user.open("#game=connect4:rows=99&moves=4")
    expect(user.page.locator("#banner")).to_contain_text("could not be read")
    paste(user, "f5d6c3")
    expect(user.page.locator("#ply-text")).to_have_text("0 / 3")
    expect(user.page.locator("#banner")).to_be_hidden()


@pytest.mark.long
def test_a_new_game_leaves_the_old_one_in_the_list(user: User) -> None:
    user.resume("connect4:rows=4,cols=4", moves="1,2")
    user.cell(0).click()
    user.wait_for_ply(3)
    user.wait_for_turn("person")
    user.click("new")
    user.page.locator("#setup-who-both").check(force=True)
    user.click("setup-start")
    user.wait_for_ply(0)
    user.click("history")
    row = user.page.locator(".history tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("not finished")
    row.locator(".open").click()
    user.wait_for_ply(3)
    # Finished, it says how it ended.
    user.cell(1).click()
    user.wait_for_ply(4)
    user.wait_for_turn("person")
    user.cell(0).click()
    user.wait_for_turn("person")
    user.cell(1).click()
    user.wait_for_turn("person")
    user.cell(0).click()
    user.wait_for_turn("over")
    user.click("history")
    expect(row).to_contain_text("Red wins")
    row.locator(".forget").click()
    expect(user.page.locator(".history tbody tr")).to_have_count(0)


def test_a_game_that_was_opened_and_annotated_is_not_lost(user: User) -> None:
    user.open("#game=go&moves=")
    paste(user, "(;GM[1]SZ[9]PB[Ann]PW[Bob]RE[B+R];B[ee];W[cc])")
    expect(user.page.locator("#ply-text")).to_have_text("0 / 2")
    user.page.keyboard.press("c")
    user.page.locator("#comment-text").fill("mine")
    paste(user, "4455")
    expect(user.page.locator("#ply-text")).to_have_text("0 / 4")
    user.click("history")
    row = user.page.locator(".history tbody tr")
    expect(row).to_contain_text("Ann – Bob")
    expect(row).to_contain_text("B+R")
    row.locator(".open").click()
    expect(user.page.locator("#comment-text")).to_have_value("mine")


@pytest.mark.long
def test_a_rematch_changes_sides(user: User) -> None:
    user.resume("connect4:rows=4,cols=4", "person", "level:1", moves="1,2,1,2,1,2")
    user.cell(0).click()
    user.wait_for_turn("over")
    user.click("rematch")
    user.wait_beyond(7)
    expect(user.page.locator("#player-1 .name")).to_contain_text("You")
    expect(user.page.locator("#player-0 .name")).to_contain_text("Level 1")
    user.wait_for_ply(1)


def test_a_game_left_in_the_middle_is_offered_again(user: User) -> None:
    user.resume("connect4", moves="4,4")
    user.cell(0).click()
    user.wait_for_ply(3)
    user.wait_for_turn("person")
    user.page.goto(user.server.address + "watch")
    user.open("#game=othello&moves=")
    expect(user.page.locator("#banner")).to_contain_text("A game is not finished: Connect Four")
    user.page.locator("#banner button").click()
    user.wait_for_ply(3)


@pytest.mark.long
def test_the_list_is_bounded(user: User) -> None:
    entry = {
        "when": 0,
        "began": 0,
        "spec": "connect4",
        "names": ["a", "b"],
        "moves": 1,
        "ended": None,
        "game": {"title": "Connect Four", "words": {}, "sides": []},
    }
    many = [entry | {"id": str(n)} for n in range(200)]
    user.open()
    user.page.evaluate("(text) => localStorage.setItem('honte.history', text)", json.dumps(many))
    user.open("#game=connect4&moves=4")
    user.cell(0).click()
    user.wait_for_ply(2)
    user.wait_for_turn("person")
    user.click("history")
    expect(user.page.locator(".history tbody tr")).to_have_count(200)


# -- the editor ------------------------------------------------------------------------


def cell(user: User, number: int) -> None:
    user.page.locator(f'dialog [data-cell="{number}"]').click()


@pytest.mark.long
def test_pieces_fall_in_the_editor_and_a_position_is_played_from(user: User) -> None:
    user.resume("connect4")
    user.click("edit")
    stones = user.page.locator("dialog[open] .layer-stones .stone")
    cell(user, 3)
    expect(user.page.locator('dialog [data-piece="38"]')).to_be_visible()
    # One red piece: it is yellow's turn.
    expect(user.page.locator("#edit-side-1")).to_be_checked()
    cell(user, 3)
    expect(stones).to_have_count(2)
    expect(user.page.locator("dialog[open] .trouble")).not_to_be_empty()
    expect(user.page.locator("#edit-play")).to_be_disabled()
    user.page.locator("label:has(#edit-piece-O)").click()
    cell(user, 31)  # red there becomes yellow
    expect(user.page.locator("dialog[open] .trouble")).to_be_empty()
    user.page.locator("label:has(#edit-piece-none)").click()
    cell(user, 38)  # the piece above falls
    expect(stones).to_have_count(1)
    user.page.locator("label:has(#edit-piece-X)").click()
    cell(user, 0)
    expect(user.page.locator("#edit-side-0")).to_be_checked()
    user.page.locator("label:has(#setup-who-both)").click()
    user.click("edit-play")
    expect(user.page.locator("dialog")).to_have_count(0)
    expect(user.stones).to_have_count(2)
    user.cell(6).click()
    user.wait_for_ply(1)
    user.wait_for_address("start=")


@pytest.mark.long
def test_cells_are_blocked_on_the_board_of_the_editor(user: User) -> None:
    user.resume("connect4", moves="4,4")
    user.click("edit")
    user.page.locator("label:has(#edit-piece-blocked)").click()
    cell(user, 38)
    # The pieces that stood there rest on the blocked cell.
    expect(user.page.locator('dialog [data-piece="31"]')).to_be_visible()
    expect(user.page.locator('dialog [data-piece="24"]')).to_be_visible()
    expect(user.page.locator("dialog[open] .blocked")).to_have_count(1)
    user.click("edit-analyse")
    expect(user.page.locator("dialog")).to_have_count(0)
    user.wait_for_address("blocked=5/3")
    expect(user.stones).to_have_count(2)


def test_the_editor_changes_the_board_and_analyses(user: User) -> None:
    user.resume("othello")
    user.click("edit")
    expect(user.page.locator("dialog[open] .layer-stones .stone")).to_have_count(4)
    user.page.locator("label:has(#setup-size-4)").click()
    expect(user.page.locator("dialog[open] [data-cell]")).to_have_count(16)
    cell(user, 0)
    user.page.locator("label:has(#edit-side-1)").click()
    user.click("edit-analyse")
    expect(user.page.locator("#candidates tbody tr").first).to_be_visible()
    expect(user.stones).to_have_count(5)
    expect(user.page.locator("#status")).to_contain_text("White to move")


@pytest.mark.long
def test_the_editor_works_by_keys(user: User) -> None:
    user.resume("go:size=5")
    user.click("edit")
    keys = user.page.keyboard
    expect(user.page.locator("dialog[open] [role=gridcell]:focus")).to_have_count(1)
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(user.page.locator("dialog[open] [role=gridcell]:focus")).to_have_attribute(
        "aria-label", "B5, Black"
    )
    keys.press("Escape")  # leaves the cursor
    keys.press("Escape")
    expect(user.page.locator("dialog")).to_have_count(0)
    expect(user.stones).to_have_count(0)
