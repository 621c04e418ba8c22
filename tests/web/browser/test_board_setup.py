"""Games are set up on the page: boards, levels, language, light."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.browser.table import Table


def test_a_cell_is_blocked_by_a_click_and_pieces_rest_on_it(table: Table) -> None:
    table.open()
    table.click("new")
    table.page.locator("#setup-rows").fill("5")
    table.page.locator("#setup-rows").press("Tab")
    expect(table.page.locator(".block-editor button")).to_have_count(35)
    table.click("block-4-3")
    table.page.locator("label:has(#setup-who-both)").click()
    table.click("setup-start")
    expect(table.page.locator(".board .blocked")).to_have_count(1)
    assert "blocked=4/3" in table.page.url
    table.page.keyboard.press("4")
    expect(table.at("4/4")).to_have_attribute("aria-label", "4/4, Red, last move")


def test_a_course_board_is_drawn(table: Table) -> None:
    table.open()
    table.click("new")
    table.click("setup-course")
    expect(table.page.locator(".block-editor [aria-pressed=true]")).to_have_count(1)
    rows = int(table.page.locator("#setup-rows").input_value())
    cols = int(table.page.locator("#setup-cols").input_value())
    assert 9 <= rows <= 12
    assert 9 <= cols <= 12
    expect(table.page.locator(".block-editor button")).to_have_count(rows * cols)
    table.click("setup-start")
    expect(table.page.locator(".board .blocked")).to_have_count(1)


def test_another_game_and_size_are_chosen(table: Table) -> None:
    table.open()
    for game, size, cells in (("othello", "6", 36), ("go", "5", 25)):
        table.click("new")
        table.page.locator(f"label:has(#setup-game-{game})").click()
        table.page.locator(f"label:has(#setup-{game}-{size})").click()
        table.page.locator("label:has(#setup-who-both)").click()
        table.click("setup-start")
        expect(table.page.locator("[role=gridcell]")).to_have_count(cells)
        assert f"size={size}" in table.page.url


def test_the_level_is_chosen_and_its_meaning_is_told(table: Table) -> None:
    table.open()
    table.click("new")
    slider = table.page.locator("#setup-level-0")
    words = table.page.locator("#setup-level-words-0")
    slider.fill("1")
    first = words.inner_text()
    slider.fill("90")
    assert "Elo" in first
    assert words.inner_text() != first
    table.click("setup-start")
    expect(table.page.locator("#player-1 .name")).to_have_text("Level 90 · Yellow")
    assert "level:90" in table.page.url


def test_a_level_of_go_is_told_in_kyu_and_dan(table: Table) -> None:
    table.open()
    table.click("new")
    table.page.locator("label:has(#setup-game-go)").click()
    table.page.locator("#setup-level-0").fill("1")
    words = table.page.locator("#setup-level-words-0")
    expect(words).to_contain_text("like 30 kyu")
    table.page.locator("#setup-level-0").fill("100")
    expect(words).to_contain_text(re.compile(r"like \d (kyu|dan)"))


def test_the_page_speaks_chinese_and_remembers_it(table: Table) -> None:
    table.sit_down("connect4")
    table.click("language")
    expect(table.page.locator("#new")).to_have_text("新对局")
    expect(table.page.locator("#status")).to_have_text("轮到红方")
    assert table.page.locator("html").get_attribute("lang") == "zh-Hans"
    expect(table.cell(0)).to_have_attribute("aria-label", "1/1，空")
    table.page.reload()
    table.page.wait_for_selector("html[data-ready]")
    expect(table.page.locator("#new")).to_have_text("新对局")
    table.click("language")
    expect(table.page.locator("#new")).to_have_text("New game")


def test_every_phrase_stands_in_both_languages(table: Table) -> None:
    table.open()
    missing = table.page.evaluate(
        """async () => {
            const { tables } = await import("/static/words.js");
            const keys = (tongue) => Object.keys(tables[tongue]);
            const left = (a, b) => keys(a).filter((key) => !(key in tables[b]));
            return [...left("en", "zh"), ...left("zh", "en")];
        }"""
    )
    assert missing == []


def test_light_and_dark_follow_the_system_until_somebody_chooses(table: Table) -> None:
    table.open()
    ground = "getComputedStyle(document.body).backgroundColor"
    light = table.page.evaluate(ground)
    table.page.emulate_media(color_scheme="dark")
    dark = table.page.evaluate(ground)
    assert light != dark
    table.click("theme")
    assert table.page.evaluate(ground) == light
    table.page.reload()
    table.page.wait_for_selector("html[data-ready]")
    assert table.page.evaluate(ground) == light


@pytest.mark.parametrize("spec", ["connect4:rows=12,cols=16", "othello", "go:size=19"])
def test_a_telephone_shows_the_board_without_sideways_scrolling(table: Table, spec: str) -> None:
    table.page.set_viewport_size({"width": 390, "height": 844})
    table.sit_down(spec)
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 390
    box = table.page.locator(".board").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert box["y"] + box["height"] <= 844
    assert box["width"] > 330
