"""One browser, one tab and one server for most of these tests; a user of its own for each.

A new tab costs a second of processor time; the same one, cleared, a fifth of that.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.browser.user import CHROMIUM, ServerProcess, User

# Drawing in software costs less without the detour over a software GPU.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-gpu-rasterization"]
ARGUMENTS += ["--disable-gpu-compositing"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("the system has no Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    server = ServerProcess()
    yield server
    server.close()


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Page:
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce"
    )
    return context.new_page()


@pytest.fixture
def user(tab: Page, server: ServerProcess) -> Iterator[User]:
    user = User(tab.context, server, tab)
    yield user
    user.forget()
    assert user.troubles == [], "the console has errors"
