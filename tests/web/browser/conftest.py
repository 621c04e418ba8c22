"""One browser and one server for all of these tests; a table of its own for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.browser.table import CHROMIUM, House, Table


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("the system has no Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    house = House()
    yield house
    house.close()


@pytest.fixture
def table(browser: Browser, house: House) -> Iterator[Table]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    table = Table(context, house)
    yield table
    context.close()
    assert table.troubles == [], "the console has errors"
