"""People play whole games on the page, by mouse and by keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.user import User

PRESS_4 = """document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key: "4", bubbles: true })
);"""


def test_a_game_of_connect_four_is_played_to_its_end_against_the_engine(user: User) -> None:
    user.resume("connect4:rows=4,cols=4", "person", "level:1")
    expect(user.page.locator("#player-1 .name")).to_have_text("Level 1 · Yellow")
    moves = 0
    while user.wait_for_turn("person", "over") == "person":
        ply = user.ply
        user.cell(user.legal()[0]).click()
        user.wait_beyond(ply)
        moves += 1
        assert moves <= 8
    expect(user.page.locator("#status")).to_have_text(re.compile(r"^(You won|You lost|A draw)$"))
    expect(user.stones).to_have_count(user.ply)
    expect(user.page.locator("#moves button")).to_have_count(user.ply)


def test_a_game_of_othello_is_played_to_its_end_against_the_engine(user: User) -> None:
    user.resume("othello:size=4", "person", "best")
    for _ in range(12):
        if user.wait_for_turn("person", "over") == "over":
            break
        ply = user.ply
        if legal := user.legal():
            user.cell(legal[0]).click()
        else:
            expect(user.page.locator("#status")).to_contain_text("must pass")
            user.click("pass")
        user.wait_beyond(ply)
    user.wait_for_turn("over")
    counts = [int(text) for text in user.page.locator(".player .count").all_inner_texts()]
    for colour, count in zip(("black", "white"), counts, strict=True):
        expect(user.page.locator(f".layer-stones .stone.{colour}")).to_have_count(count)
    result = "won" if counts[0] > counts[1] else "lost"
    words = rf"You {result} by \d+ discs?" if counts[0] != counts[1] else "A draw"
    expect(user.page.locator("#status")).to_have_text(re.compile(f"^{words}$"))


def test_a_game_of_go_is_played_to_its_end_with_a_capture_and_two_passes(user: User) -> None:
    user.resume("go:size=5,komi=0.5")
    for ply, point in enumerate(("A4", "A5", "C3"), 1):
        user.at(point).click()
        user.wait_for_ply(ply)  # the page's own guess; the turn is the server's word
        user.wait_for_turn("person")
    user.click("pass")
    user.wait_for_ply(4)
    user.wait_for_turn("person")
    user.at("B5").click()
    user.wait_for_ply(5)
    user.wait_for_turn("person")
    expect(user.at("A5")).to_have_attribute("aria-label", "A5, empty")
    expect(user.page.locator("#live")).to_contain_text("1 captured.")
    for ply in (6, 7):
        user.click("pass")
        user.wait_for_ply(ply)
        user.wait_for_turn("person", "over")
    user.wait_for_turn("over")
    expect(user.page.locator("#status")).to_have_text("Proposed count: Black wins by 24.5 points")


def test_the_engine_answers_on_the_go_board(user: User) -> None:
    user.resume("go:size=5", "person", "best")
    user.at("C3").click()
    user.wait_for_ply(2)
    user.wait_for_turn("person")


@pytest.mark.long
def test_two_engines_play_a_game_by_themselves_and_can_be_paused(user: User) -> None:
    user.resume("connect4:rows=4,cols=4", "best", "best", moves="1,2,1,2,2,1,2,1")
    user.wait_beyond(8)
    user.click("pause")
    expect(user.page.locator("#pause")).to_have_text("Go on")
    user.click("pause")
    user.wait_for_turn("over")
    expect(user.page.locator("#status")).to_have_text(re.compile(r"^A draw$|wins"))


def test_a_game_is_played_with_the_keyboard_alone(user: User) -> None:
    user.open()
    keys = user.page.keyboard
    keys.press("n")
    expect(user.page.locator("#setup-game-connect4")).to_be_focused()
    user.page.locator("#setup-who-first").focus()
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    expect(user.page.locator("#setup-who-both")).to_be_checked()
    keys.press("Enter")
    user.page.wait_for_selector("dialog", state="detached")
    expect(user.page.locator("#moves button")).to_have_count(0)
    expect(user.page.locator("[role=gridcell]:focus")).to_have_count(1)
    for ply, key in enumerate("121212", 1):
        keys.press(key)
        user.wait_for_ply(ply)
        user.wait_for_turn("person")
    keys.press("u")
    user.wait_for_ply(5)
    keys.press("r")
    user.wait_for_ply(6)
    keys.press("b")
    keys.press("Home")
    keys.press("ArrowDown")
    expect(user.page.locator("[role=gridcell]:focus")).to_have_attribute("aria-label", "1/2, empty")
    keys.press("Enter")
    user.wait_for_turn("over")
    expect(user.page.locator("#status")).to_have_text("Red wins")
    expect(user.page.locator(".board path.line")).to_have_count(1)


def test_keys_are_heard_as_soon_as_a_dialog_is_closed(user: User) -> None:
    user.resume("connect4")
    user.page.keyboard.press("?")
    expect(user.page.locator("dialog[open]")).to_be_visible()
    # In one task, before the event that takes the dialog off the page.
    user.page.evaluate(
        f"""() => {{
            document.querySelector("dialog").close();
            {PRESS_4}
        }}"""
    )
    user.wait_for_ply(1)


@pytest.mark.long
def test_keys_wait_for_a_dialog_that_is_still_loading(user: User) -> None:
    user.resume("connect4")
    user.page.keyboard.press("4")
    user.wait_for_ply(1)
    user.page.evaluate(
        f"""() => new Promise((done) => {{
            const seen = new MutationObserver(() => {{
                if (!document.querySelector("dialog")) return;
                seen.disconnect();
                {PRESS_4}
                done();
            }});
            seen.observe(document.body, {{ childList: true }});
            document.getElementById("edit").click();
        }})"""
    )
    expect(user.page.locator("dialog[open] .edit")).to_be_visible()
    assert user.ply == 1


def test_undo_takes_back_the_answer_too_and_redo_brings_both_again(user: User) -> None:
    user.resume("connect4", "person", "best")
    user.cell(38).click()
    user.wait_for_ply(2)
    user.wait_for_turn("person")
    moves = user.page.locator("#moves").inner_text()
    user.click("undo")
    user.wait_for_ply(0)
    expect(user.page.locator(".layer-stones .stone")).to_have_count(0)
    user.click("redo")
    user.wait_for_ply(2)
    expect(user.page.locator("#moves")).to_have_text(moves, use_inner_text=True)


def test_undo_while_the_engine_thinks_takes_back_the_own_move(user: User) -> None:
    user.resume("connect4:rows=9,cols=9", "person", "best", seconds=20)
    user.cell(76).click()
    user.wait_for_turn("engine")
    expect(user.page.locator("#status")).to_contain_text("thinking")
    user.click("undo")
    user.wait_for_ply(0)
    assert user.wait_for_turn("person") == "person"


@pytest.mark.long
def test_an_engine_that_is_told_to_move_now_does(user: User) -> None:
    for player in ("best", "level:100"):
        # Longer than the patience of this test.
        user.resume("connect4:rows=16,cols=16", "person", player, seconds=60)
        user.at("8/16").click()
        user.wait_for_turn("engine", "person")
        if user.ply == 1:  # a level may have been quicker
            expect(user.page.locator("#move-now")).to_be_enabled()
            user.click("move-now")
        user.wait_for_ply(2)
        user.page.evaluate("sessionStorage.clear()")


@pytest.mark.long
def test_undo_gives_the_time_of_the_move_back(user: User) -> None:
    clock = {"minutes": 1, "increment": 30, "left": [60_000, 60_000]}
    user.resume("othello", clock=clock)
    user.at("f5").click()
    user.wait_for_ply(1)
    expect(user.page.locator("#player-0 .clock")).to_have_text("1:30")
    user.click("undo")
    user.wait_for_ply(0)
    expect(user.page.locator("#player-0 .clock")).to_have_text("1:00")


def test_a_reload_goes_on_with_the_same_game(user: User) -> None:
    user.resume("connect4:rows=5,cols=6,blocked=4/2", "person", "best", moves="3,3,4")
    user.wait_for_ply(4)
    moves = user.page.locator("#moves").inner_text()
    user.page.reload()
    user.page.wait_for_selector("html[data-ready]")
    user.wait_for_ply(4)
    expect(user.page.locator("#moves")).to_have_text(moves, use_inner_text=True)
    expect(user.page.locator("#player-1")).to_contain_text("Strongest engine", use_inner_text=True)
    expect(user.page.locator(".blocked")).to_have_count(1)


@pytest.mark.long
def test_a_link_shows_somebody_else_the_same_game(user: User) -> None:
    user.resume("othello:size=6", moves="c2,b2")
    user.click("share")
    link = user.page.locator("#share-link").input_value()
    expect(user.page.locator("#export-text")).not_to_have_value("")
    other = User(user.context.browser.new_context(), user.server)  # type: ignore[union-attr]
    other.page.goto(link)
    other.page.wait_for_selector("html[data-ready]")
    other.wait_for_ply(2)
    expect(other.stones).to_have_count(6)
    expect(user.stones).to_have_count(6)
    assert other.troubles == []
    other.context.close()


def test_a_side_can_resign(user: User) -> None:
    user.resume("go:size=5", "person", "best")
    user.click("resign")
    user.click("resign-sure")
    expect(user.page.locator("#status")).to_have_text("You resigned; White wins")


def test_a_side_whose_clock_runs_out_has_lost(user: User) -> None:
    clock = {"minutes": 1, "increment": 0, "left": [60_000, 400]}
    user.resume("othello", moves="f5", clock=clock)
    expect(user.page.locator("#status")).to_have_text("Black wins on time")
    expect(user.page.locator("#player-1 .clock")).to_have_text("0:00.0")


def test_a_move_where_none_is_legal_is_told_and_changes_nothing(user: User) -> None:
    user.resume("othello")
    user.at("a1").click()
    expect(user.page.locator("#live")).to_have_text("You cannot play there.")
    assert user.ply == 0


@pytest.mark.long
def test_a_game_that_cannot_be_read_is_told_in_a_sentence(user: User) -> None:
    user.open("#game=connect4:rows=99&moves=4")
    expect(user.page.locator("#banner")).to_contain_text("This game could not be read")
    assert user.ply == 0
