"""Games are set up on the page: boards, levels, language, light."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.user import User


def test_a_cell_is_blocked_by_a_click_and_pieces_rest_on_it(user: User) -> None:
    user.open()
    user.click("new")
    user.page.locator("#setup-rows").fill("5")
    user.page.locator("#setup-rows").press("Tab")
    expect(user.page.locator(".block-editor button")).to_have_count(35)
    user.click("blocked-4-3")
    user.page.locator("label:has(#setup-who-both)").click()
    user.click("setup-start")
    expect(user.page.locator(".board .blocked")).to_have_count(1)
    user.wait_for_address("blocked=4/3")
    user.page.keyboard.press("4")
    expect(user.at("4/4")).to_have_attribute("aria-label", "4/4, Red, last move")


@pytest.mark.long
def test_a_course_board_is_drawn(user: User) -> None:
    user.open()
    user.click("new")
    user.page.locator("[data-spec^='connect4:course']").click()
    expect(user.page.locator(".block-editor [aria-pressed=true]")).to_have_count(1)
    rows = int(user.page.locator("#setup-rows").input_value())
    cols = int(user.page.locator("#setup-cols").input_value())
    assert 9 <= rows <= 12
    assert 9 <= cols <= 12
    expect(user.page.locator(".block-editor button")).to_have_count(rows * cols)
    user.click("setup-start")
    expect(user.page.locator(".board .blocked")).to_have_count(1)


def test_another_game_and_size_are_chosen(user: User) -> None:
    user.open()
    for game, size, cells in (("othello", "6", 36), ("go", "5", 25)):
        user.click("new")
        user.page.locator(f"label:has(#setup-game-{game})").click()
        user.page.locator(f"label:has(#setup-size-{size})").click()
        user.page.locator("label:has(#setup-who-both)").click()
        user.click("setup-start")
        expect(user.page.locator("[role=gridcell]")).to_have_count(cells)
        user.wait_for_address(f"size={size}")


def test_the_level_is_chosen_and_its_meaning_is_told(user: User) -> None:
    user.open()
    user.click("new")
    slider = user.page.locator("#setup-level-0")
    words = user.page.locator("#setup-level-words-0")
    slider.fill("1")
    first = words.inner_text()
    slider.fill("90")
    assert "Elo" in first
    assert words.inner_text() != first
    user.click("setup-start")
    expect(user.page.locator("#player-1 .name")).to_have_text("Level 90 · Yellow")
    user.wait_for_address("level:90")


def test_a_level_is_told_as_it_is_on_the_chosen_board(user: User) -> None:
    user.open()
    user.click("new")
    user.page.locator("#setup-level-0").fill("100")
    words = user.page.locator("#setup-level-words-0")
    by_network = words.inner_text()
    user.page.locator("#setup-inarow").fill("5")  # the network knows four
    user.page.locator("#setup-inarow").blur()
    expect(words).not_to_have_text(by_network)
    user.page.locator("#setup-preset-0").click()
    expect(words).to_have_text(by_network)


def test_a_level_may_be_lenient_and_the_link_says_so(user: User) -> None:
    user.open()
    user.click("new")
    user.page.locator("#setup-lenient-0").check()
    user.click("setup-start")
    name = user.page.locator("#player-1 .name")
    expect(name).to_have_text("Level 30, lenient · Yellow")
    user.wait_for_address("lenient")
    user.page.evaluate("localStorage.clear()")
    user.page.reload()
    user.page.wait_for_selector("html[data-ready]")
    expect(name).to_have_text("Level 30, lenient · Yellow")
    user.cell(3).click()
    expect(user.page.locator(".stone")).to_have_count(2)


@pytest.mark.long
def test_a_level_of_go_is_told_in_kyu_and_dan(user: User) -> None:
    user.open()
    user.click("new")
    user.page.locator("label:has(#setup-game-go)").click()
    user.page.locator("#setup-level-0").fill("1")
    words = user.page.locator("#setup-level-words-0")
    expect(words).to_contain_text("like 30 kyu")
    user.page.locator("#setup-level-0").fill("100")
    expect(words).to_contain_text(re.compile(r"like \d (kyu|dan)"))


def test_the_page_speaks_chinese_and_remembers_it(user: User) -> None:
    user.resume("connect4")
    user.click("language")
    expect(user.page.locator("#new")).to_have_text("新对局")
    expect(user.page.locator("#status")).to_have_text("轮到红方")
    assert user.page.locator("html").get_attribute("lang") == "zh-Hans"
    expect(user.cell(0)).to_have_attribute("aria-label", "1/1，空")
    user.page.reload()
    user.page.wait_for_selector("html[data-ready]")
    expect(user.page.locator("#new")).to_have_text("新对局")
    user.click("language")
    expect(user.page.locator("#new")).to_have_text("New game")


def test_every_phrase_stands_in_both_languages(user: User) -> None:
    user.open()
    missing = user.run(
        """async () => {
            const { tables } = await import("/static/words.js");
            const keys = (tongue) => Object.keys(tables[tongue]);
            const left = (a, b) => keys(a).filter((key) => !(key in tables[b]));
            return [...left("en", "zh"), ...left("zh", "en")];
        }"""
    )
    assert missing == []


def test_light_and_dark_follow_the_system_until_somebody_chooses(user: User) -> None:
    user.open()
    ground = "getComputedStyle(document.body).backgroundColor"
    light = user.page.evaluate(ground)
    user.page.emulate_media(color_scheme="dark")
    dark = user.page.evaluate(ground)
    assert light != dark
    user.click("theme")
    assert user.page.evaluate(ground) == light
    user.page.reload()
    user.page.wait_for_selector("html[data-ready]")
    assert user.page.evaluate(ground) == light


@pytest.mark.parametrize(
    "spec",
    [
        "connect4:rows=12,cols=16",
        *(pytest.param(spec, marks=pytest.mark.long) for spec in ("othello", "go:size=19")),
    ],
)
def test_a_telephone_shows_the_board_without_sideways_scrolling(user: User, spec: str) -> None:
    user.page.set_viewport_size({"width": 390, "height": 844})
    user.resume(spec)
    assert user.page.evaluate("document.documentElement.scrollWidth") <= 390
    box = user.page.locator(".board").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] + box["height"] <= 844
    assert box["width"] > 330
