"""People play whole games on the page, by mouse and by keys."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.browser.table import Table


def test_a_game_of_connect_four_is_played_to_its_end_against_the_engine(table: Table) -> None:
    table.sit_down("connect4:rows=4,cols=4", "person", "level:1")
    assert table.page.locator("#player-1 .name").text_content() == "Level 1 · Yellow"
    moves = 0
    while table.wait_for_turn("person", "over") == "person":
        ply = table.ply
        table.cell(table.legal()[0]).click()
        table.wait_beyond(ply)
        moves += 1
        assert moves <= 8
    assert table.status in ("Red wins", "Yellow wins", "A draw")
    assert table.stones() == table.ply
    assert table.page.locator("#moves button").count() == table.ply


def test_a_game_of_othello_is_played_to_its_end_against_the_engine(table: Table) -> None:
    table.sit_down("othello:size=4", "person", "best")
    for _ in range(12):
        if table.wait_for_turn("person", "over") == "over":
            break
        ply = table.ply
        if legal := table.legal():
            table.cell(legal[0]).click()
        else:
            assert "must pass" in table.status
            table.click("pass")
        table.wait_beyond(ply)
    table.wait_for_turn("over")
    assert "wins by" in table.status or table.status == "A draw"
    counts = [int(text) for text in table.page.locator(".player .count").all_inner_texts()]
    for colour, count in zip(("black", "white"), counts, strict=True):
        expect(table.page.locator(f".layer-stones .stone.{colour}")).to_have_count(count)


def test_a_game_of_go_is_played_to_its_end_with_a_capture_and_two_passes(table: Table) -> None:
    table.sit_down("go:size=5,komi=0.5")
    for ply, point in enumerate(("A4", "A5", "C3"), 1):
        table.at(point).click()
        table.wait_for_ply(ply)
    table.click("pass")
    table.wait_for_ply(4)
    table.at("B5").click()
    table.wait_for_turn("person")
    expect(table.at("A5")).to_have_attribute("aria-label", "A5, empty")
    expect(table.page.locator("#live")).to_contain_text("1 captured.")
    for ply in (6, 7):
        table.click("pass")
        table.wait_for_ply(ply)
    table.wait_for_turn("over")
    assert table.status == "Black wins by 24.5"


def test_the_engine_answers_on_the_go_board(table: Table) -> None:
    table.sit_down("go:size=5", "person", "best")
    table.at("C3").click()
    table.wait_for_ply(2)
    table.wait_for_turn("person")


def test_two_engines_play_a_game_by_themselves_and_can_be_paused(table: Table) -> None:
    table.sit_down("connect4:rows=4,cols=4", "best", "best", moves="1,2,1,2,2,1,2,1")
    table.wait_beyond(8)
    table.click("pause")
    expect(table.page.locator("#pause")).to_have_text("Go on")
    table.click("pause")
    table.wait_for_turn("over")
    assert table.status == "A draw" or "wins" in table.status


def test_a_game_is_played_with_the_keyboard_alone(table: Table) -> None:
    table.open()
    keys = table.page.keyboard
    keys.press("n")
    expect(table.page.locator("#setup-game-connect4")).to_be_focused()
    table.page.locator("#setup-who-first").focus()
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    expect(table.page.locator("#setup-who-both")).to_be_checked()
    keys.press("Enter")
    table.page.wait_for_selector("dialog", state="detached")
    expect(table.page.locator("#moves button")).to_have_count(0)
    expect(table.page.locator("[role=gridcell]:focus")).to_have_count(1)
    for ply, key in enumerate("121212", 1):
        keys.press(key)
        table.wait_for_ply(ply)
        table.wait_for_turn("person")
    keys.press("u")
    table.wait_for_ply(5)
    keys.press("r")
    table.wait_for_ply(6)
    keys.press("b")
    keys.press("Home")
    keys.press("ArrowDown")
    expect(table.page.locator("[role=gridcell]:focus")).to_have_attribute(
        "aria-label", "1/2, empty"
    )
    keys.press("Enter")
    table.wait_for_turn("over")
    assert table.status == "Red wins"
    assert table.page.locator(".board path.line").count() == 1


def test_undo_takes_back_the_answer_too_and_redo_brings_both_again(table: Table) -> None:
    table.sit_down("connect4", "person", "best")
    table.cell(38).click()
    table.wait_for_ply(2)
    table.wait_for_turn("person")
    moves = table.page.locator("#moves").inner_text()
    table.click("undo")
    table.wait_for_ply(0)
    expect(table.page.locator(".layer-stones .stone")).to_have_count(0)
    table.click("redo")
    table.wait_for_ply(2)
    assert table.page.locator("#moves").inner_text() == moves


def test_undo_while_the_engine_thinks_takes_back_the_own_move(table: Table) -> None:
    table.sit_down("connect4:rows=9,cols=9", "person", "best", seconds=20)
    table.cell(76).click()
    table.wait_for_turn("engine")
    expect(table.page.locator("#status")).to_contain_text("thinking")
    table.click("undo")
    table.wait_for_ply(0)
    assert table.wait_for_turn("person") == "person"


def test_an_engine_that_is_told_to_move_now_does(table: Table) -> None:
    for player in ("best", "level:100"):
        # Longer than the patience of this test.
        table.sit_down("connect4:rows=16,cols=16", "person", player, seconds=60)
        table.at("8/16").click()
        table.wait_for_turn("engine", "person")
        if table.ply == 1:  # a level may have been quicker
            expect(table.page.locator("#move-now")).to_be_enabled()
            table.click("move-now")
        table.wait_for_ply(2)
        table.page.evaluate("sessionStorage.clear()")


def test_undo_gives_the_time_of_the_move_back(table: Table) -> None:
    clock = {"minutes": 1, "increment": 30, "left": [60_000, 60_000]}
    table.sit_down("othello", clock=clock)
    table.at("f5").click()
    table.wait_for_ply(1)
    expect(table.page.locator("#player-0 .clock")).to_have_text("1:30")
    table.click("undo")
    table.wait_for_ply(0)
    expect(table.page.locator("#player-0 .clock")).to_have_text("1:00")


def test_a_reload_goes_on_with_the_same_game(table: Table) -> None:
    table.sit_down("connect4:rows=5,cols=6,blocked=4/2", "person", "best", moves="3,3,4")
    table.wait_for_ply(4)
    moves = table.page.locator("#moves").inner_text()
    table.page.reload()
    table.page.wait_for_selector("html[data-ready]")
    assert table.ply == 4
    assert table.page.locator("#moves").inner_text() == moves
    assert "Strongest engine" in table.page.locator("#player-1").inner_text()
    assert table.page.locator(".blocked").count() == 1


def test_a_link_shows_somebody_else_the_same_game(table: Table) -> None:
    table.sit_down("othello:size=6", moves="c2,b2")
    table.click("share")
    link = table.page.locator("#share-link").input_value()
    expect(table.page.locator("#export-text")).not_to_have_value("")
    other = Table(table.context.browser.new_context(), table.house)  # type: ignore[union-attr]
    other.page.goto(link)
    other.page.wait_for_selector("html[data-ready]")
    assert other.ply == 2
    assert other.stones() == table.stones() == 6
    assert other.troubles == []
    other.context.close()


def test_a_side_can_resign(table: Table) -> None:
    table.sit_down("go:size=5", "person", "best")
    table.click("resign")
    table.click("resign-sure")
    expect(table.page.locator("#status")).to_have_text("White wins; Black resigned")


def test_a_side_whose_clock_runs_out_has_lost(table: Table) -> None:
    clock = {"minutes": 1, "increment": 0, "left": [60_000, 400]}
    table.sit_down("othello", moves="f5", clock=clock)
    expect(table.page.locator("#status")).to_have_text("Black wins on time")
    expect(table.page.locator("#player-1 .clock")).to_have_text("0:00.0")


def test_a_move_where_none_is_legal_is_told_and_changes_nothing(table: Table) -> None:
    table.sit_down("othello")
    table.at("a1").click()
    expect(table.page.locator("#live")).to_have_text("You cannot play there.")
    assert table.ply == 0


def test_a_game_that_cannot_be_read_is_told_in_a_sentence(table: Table) -> None:
    table.open("#game=connect4:rows=99&moves=4")
    expect(table.page.locator("#banner")).to_contain_text("This game could not be read")
    assert table.ply == 0
