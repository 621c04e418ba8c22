"""Everybody can use the page: axe finds nothing serious, in light and in dark."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import LONG
from tests.web.browser.table import House, Table

GAMES = {"connect4": "4,4,5", "othello": "f5,d6", "go:size=9": "D4,F6"}


@pytest.fixture(params=["light", "dark"])
def inspected(request: pytest.FixtureRequest, browser: Browser, house: House) -> Iterator[Table]:
    # The inspector is a script of others, which our content policy would not let in.
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, color_scheme=request.param, bypass_csp=True
    )
    table = Table(context, house)
    yield table
    context.close()
    assert table.troubles == []


def findings(table: Table) -> list[str]:
    """What axe calls serious or critical."""
    if not table.page.evaluate("'axe' in window"):
        script = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        table.page.evaluate(script)
    found: dict[str, Any] = table.page.evaluate("axe.run()")
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


def rest(table: Table) -> None:
    """Wait for candidates, then let the engine rest: axe has work enough."""
    expect(table.page.locator("#candidates tbody tr").first).to_be_visible()
    table.page.evaluate(
        """() => {
            Object.defineProperty(document, "hidden", { value: true, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
            delete document.hidden;
        }"""
    )


@pytest.mark.parametrize("spec", GAMES if LONG else ["connect4"])
def test_the_page_has_no_serious_fault(inspected: Table, spec: str) -> None:
    table = inspected.open(f"#game={spec}&moves={GAMES[spec]}")
    table.click("analysis")
    rest(table)
    assert findings(table) == []


@pytest.mark.parametrize("button", ["new", "tree", "open", "share", "help"] if LONG else ["new"])
def test_the_dialogs_have_no_serious_fault(inspected: Table, button: str) -> None:
    table = inspected.open("#game=connect4&moves=4,4")
    if button == "tree":
        table.click("analysis")
        rest(table)
    table.click(button)
    expect(table.page.locator("dialog h2")).to_be_visible()
    if button == "tree":
        expect(table.page.locator(".tree-node").nth(2)).to_be_visible()
    assert findings(table) == []


@pytest.mark.parametrize("width", [390, 360])
@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_a_phone_need_not_scroll_sideways(table: Table, width: int, tongue: str) -> None:
    table.page.set_viewport_size({"width": width, "height": 780})
    table.page.add_init_script(f"localStorage.setItem('honte.language', '\"{tongue}\"')")
    table.open("#game=othello&moves=f5,d6&players=person,level:40")
    table.page.evaluate("document.getElementById('watch').hidden = false")  # as with a store
    assert table.page.evaluate("document.documentElement.lang").startswith(tongue)
    assert table.page.evaluate("document.documentElement.scrollWidth") <= width
    for button in ("new", "open", "share"):
        table.click(button)
        box = table.page.locator("dialog")
        expect(box).to_be_visible()
        assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0, button
        table.page.keyboard.press("Escape")


def test_moves_are_announced(table: Table) -> None:
    table.sit_down("othello")
    table.at("f5").click()
    expect(table.page.locator("#live")).to_have_text("Black plays f5. 1 turned. White to move")


def test_whoever_wants_less_motion_gets_none(table: Table) -> None:
    table.page.emulate_media(reduced_motion="reduce")
    table.sit_down("connect4")
    table.cell(3).click()
    assert table.page.evaluate("document.getAnimations().length") == 0
    table.page.emulate_media(reduced_motion="no-preference")
    table.wait_for_turn("person")
    table.cell(3).click()
    assert table.page.evaluate("document.getAnimations().length") > 0
