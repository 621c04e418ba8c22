"""Everybody can use the page: axe finds nothing serious, in light and in dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import LONG
from tests.web.browser.axe import findings
from tests.web.browser.user import User
from tests.web.live import until

GAMES = {"connect4": "4,4,5", "othello": "f5,d6", "go:size=9": "D4,F6"}


def rest(user: User) -> None:
    """Wait for candidates, then let the engine rest: axe has work enough."""
    expect(user.page.locator("#candidates tbody tr").first).to_be_visible()
    user.page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { value: true, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
            delete document.hidden;
        }"""
    )


@pytest.mark.parametrize("spec", GAMES if LONG else ["connect4"])
def test_the_page_has_no_serious_fault(user: User, spec: str) -> None:
    first, second, *_ = GAMES[spec].split(",")
    tree = f"{{said}} {first} [circle 0/0] [label 1/1 A] {second} [cross 0/0] (* {{or}})"
    other = {"connect4": "5", "othello": "f4"}.get(spec, "F4")
    user.open(f"#game={spec}&moves={first},{second}&tree={tree.replace('*', other)}")
    user.click("comment-edit")
    user.click("analysis")
    rest(user)
    assert findings(user.page, media=True) == []


@pytest.mark.parametrize(
    "button",
    ["new", "tree", "open", "share", "help", "history", "edit"] if LONG else ["new"],
)
def test_the_dialogs_have_no_serious_fault(user: User, button: str) -> None:
    user.open("#game=connect4&moves=4,4")
    if button == "tree":
        user.click("analysis")
        rest(user)
    user.click(button)
    expect(user.page.locator("dialog[open] h2")).to_be_visible()
    if button == "tree":
        expect(user.page.locator(".tree-node").nth(2)).to_be_visible()
    assert findings(user.page, within="dialog", media=True) == []


@pytest.mark.parametrize("tongue", ["en", pytest.param("zh", marks=pytest.mark.long)])
def test_a_phone_need_not_scroll_sideways(user: User, tongue: str) -> None:
    widths = (390, 360)
    user.page.set_viewport_size({"width": widths[0], "height": 780})
    user.remember("language", tongue).open("#game=othello&moves=f5,d6&players=person,level:40")
    user.page.evaluate("document.getElementById('watch').hidden = false")  # as with a store
    assert user.page.evaluate("document.documentElement.lang").startswith(tongue)
    for width in widths:
        user.page.set_viewport_size({"width": width, "height": 780})
        fits = f"document.documentElement.scrollWidth <= {width}"
        until(lambda fits=fits: user.page.evaluate(fits))  # the board follows a frame later
    for button in ("new", "open", "share", "open-history", "open-editor"):
        if button.startswith("open-"):
            user.click("open")
        user.click(button)
        box = user.page.locator("dialog[open]")
        expect(box).to_be_visible()
        narrow = "box => box.scrollWidth === box.clientWidth"
        for width in widths:
            user.page.set_viewport_size({"width": width, "height": 780})
            until(lambda box=box, narrow=narrow: box.evaluate(narrow))
        user.page.keyboard.press("Escape")


def test_moves_are_announced(user: User) -> None:
    user.resume("othello")
    user.at("f5").click()
    expect(user.page.locator("#live")).to_have_text("Black at f5. 1 turned. White to move")


@pytest.mark.long
def test_whoever_wants_less_motion_gets_none(user: User) -> None:
    user.page.emulate_media(reduced_motion="reduce")
    user.resume("connect4")
    user.cell(3).click()
    assert user.page.evaluate("document.getAnimations().length") == 0
    user.page.emulate_media(reduced_motion="no-preference")
    user.wait_for_turn("person")
    user.cell(3).click()
    assert user.page.evaluate("document.getAnimations().length") > 0
