"""A server that asks for a token, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.web.live import TOKEN, LiveServer


@pytest.mark.parametrize(("path", "sign"), [("/", "html[data-ready]"), ("/watch", "#none")])
def test_the_address_bar_does_not_keep_the_token(
    browser: Browser, guarded: LiveServer, path: str, sign: str
) -> None:
    page = browser.new_page()
    page.goto(f"{guarded.origin}{path}?token={TOKEN}")
    page.wait_for_selector(sign)
    assert page.url.partition("#")[0] == guarded.origin + path
    page.reload()
    page.wait_for_selector(sign)
    page.close()


def test_a_stranger_sees_nothing(browser: Browser, guarded: LiveServer) -> None:
    page = browser.new_page()
    assert (answer := page.goto(guarded.origin)) is not None
    assert answer.status == 403
    expect(page.locator("body")).to_contain_text("token is missing", use_inner_text=True)
    page.close()
