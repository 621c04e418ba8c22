"""The end by agreement: passes are seen, dead stones are marked, the count follows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.pictures import SETTLED, rows
from tests.web.browser.user import User

START = "/".join(rows(SETTLED))


def end(user: User, *players: str) -> User:
    """A settled game, after the person's pass and the engine's."""
    user.resume("go:size=9", *(players or ("person", "best")), start=f"{START} X")
    user.click("pass")
    user.wait_for_turn("over")
    expect(user.page.locator("#count-table tr")).to_have_count(6)
    return user


def test_the_engine_passes_too_and_its_pass_is_seen_on_the_board(user: User) -> None:
    end(user)
    assert user.ply == 2
    expect(user.page.locator("#passed")).to_have_text("White passed")
    user.click("back")
    expect(user.page.locator("#passed")).to_have_text("Black passed")
    user.click("to-start")
    expect(user.page.locator("#passed")).to_be_hidden()


def test_dead_stones_are_marked_and_every_part_of_the_count_is_listed(user: User) -> None:
    end(user)
    expect(user.page.locator("#status")).to_have_text("Proposed count: You lost by 8.5 points")
    expect(user.page.locator(".stone.dead")).to_have_count(2)
    expect(user.at("E7")).to_have_attribute("aria-label", "E7, White, dead")
    assert user.page.locator("#count-table").inner_text().split("\n")[1:] == [
        "Stones\t17\t14",
        "Territory\t23\t27",
        "Komi\t0\t7.5",
        "Total\t40\t48.5",
        "Prisoners (not counted)\t2\t0",
    ]
    expect(user.page.locator("#rules-score")).to_contain_text("You lost by 33.5 points")
    expect(user.page.locator("#live")).to_contain_text("2 dead pieces are marked.")


def test_a_click_corrects_a_group_and_agreement_fixes_the_result(user: User) -> None:
    end(user)
    user.at("F7").click()
    expect(user.page.locator(".stone.dead")).to_have_count(0)
    expect(user.page.locator("#status")).to_have_text("Proposed count: You lost by 33.5 points")
    user.at("E7").click()
    expect(user.page.locator(".stone.dead")).to_have_count(2)
    user.at("B4").click()  # with its chain: all White's below
    expect(user.page.locator(".stone.dead")).to_have_count(10)
    user.click("agree")
    words = user.status
    assert words.startswith("You won by ")
    assert words.endswith(" points, as agreed")
    user.at("E7").click()
    expect(user.page.locator("#agree")).to_be_hidden()
    user.page.reload()
    expect(user.page.locator("#status")).to_have_text(words)


def test_the_agreed_result_stands_in_the_list_of_games_and_in_files(user: User) -> None:
    end(user)
    user.at("B4").click()  # White's below are dead as well
    expect(user.page.locator(".stone.dead")).to_have_count(10)
    user.click("agree")
    words = user.status
    assert words.startswith("You won by ")  # by the rules, White wins by 33.5
    end(user)
    user.click("agree")
    expect(user.page.locator("#status")).to_have_text("You lost by 8.5 points, as agreed")
    user.click("history")
    result = user.page.locator(".history tbody td:nth-child(4)")
    expect(result).to_have_text(["White wins", "Black wins"])
    user.page.locator(".history .open").last.click()
    expect(user.page.locator("#status")).to_have_text(words)
    user.click("share")
    user.page.locator("#export-as").select_option("sgf")
    margin = words.split()[3]
    expect(user.page.locator("#export-text")).to_have_value(
        re.compile(re.escape(f"RE[B+{margin}]"))
    )


@pytest.mark.long
def test_a_group_is_corrected_by_keys(user: User) -> None:
    end(user)
    user.at("F7").focus()
    user.page.keyboard.press("b")
    user.page.keyboard.press("Enter")
    expect(user.page.locator(".stone.dead")).to_have_count(0)


@pytest.mark.long
def test_who_disagrees_plays_on(user: User) -> None:
    end(user)
    user.click("resume")
    user.wait_for_ply(0)
    user.wait_for_turn("person")
    expect(user.page.locator("#count")).to_be_hidden()
    expect(user.page.locator(".stone.dead")).to_have_count(0)
    user.at("E6").click()
    user.wait_beyond(0)


@pytest.mark.long
def test_two_people_agree_as_well(user: User) -> None:
    user.resume("go:size=9", start=f"{START} X", moves="pass,pass")
    expect(user.page.locator("#status")).to_have_text("Proposed count: White wins by 8.5 points")
    user.click("agree")
    expect(user.page.locator("#status")).to_have_text("White wins by 8.5 points, as agreed")


def test_a_handicap_and_the_ko_rule_are_chosen_in_the_form(user: User) -> None:
    user.open()
    user.click("new")
    user.page.locator("label:has(#setup-game-go)").click()
    user.page.locator("label:has(#setup-size-5)").click()
    user.page.locator("#setup-handicap").select_option("4")
    user.page.locator("label:has(#setup-ko-simple)").click()
    user.page.locator("label:has(#setup-who-both)").click()
    user.click("setup-start")
    expect(user.page.locator("dialog[open] .trouble")).to_contain_text("handicap=4 does not")
    user.page.locator("label:has(#setup-size-9)").click()
    user.click("setup-start")
    expect(user.page.locator(".layer-stones .stone.black")).to_have_count(4)
    expect(user.page.locator("#status")).to_have_text("White to move")
    user.wait_for_address("ko=simple")


def test_the_lead_in_points_is_shown_with_the_analysis(user: User) -> None:
    user.resume("go:size=9", start=f"{START} X")
    user.click("analysis")
    expect(user.page.locator("#verdict")).to_contain_text("White leads by about")
    expect(user.page.locator("#verdict")).to_contain_text("points")
