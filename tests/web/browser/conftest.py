"""One browser and one tab for these tests, one server for most; a user of its own for each.

A new tab costs a second of CPU time; clearing and reusing the same one costs a tenth of that.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.browser.user import CHROMIUM, Server, ServerProcess, User, Visit

# Software rendering is cheaper without the detour over a software GPU.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-gpu-rasterization"]
ARGUMENTS += ["--disable-gpu-compositing"]
# The browser's own hidden pages cost half a second each. The rest is what Playwright disables too,
# as this list replaces its own.
FEATURES = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,AimEnabled,LensOverlay"
FEATURES += ",AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades"
FEATURES += ",HttpsFirstBalancedModeAutoEnable,MediaRouter,PaintHolding,OptimizationHints"
FEATURES += ",ThirdPartyStoragePartitioning,NetworkTimeServiceQuerying,PreconnectToSearch"
ARGUMENTS += [f"--disable-features={FEATURES}"]


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
def visit(tab: Page) -> Iterator[Visit]:
    """A new visitor at a server; any console output fails the test."""
    users: list[User] = []

    def come(server: Server) -> User:
        users.append(User(tab.context, server, tab))
        return users[-1]

    yield come
    for user in users:
        user.forget()
        assert user.troubles == [], "the console has errors"


@pytest.fixture
def user(visit: Visit, server: ServerProcess) -> User:
    return visit(server)
