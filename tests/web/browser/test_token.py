"""A server that asks for a token, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.user import Visit
from tests.web.live import TOKEN, LiveServer


@pytest.mark.parametrize(
    ("path", "sign"),
    [
        ("/", "html[data-ready]"),
        pytest.param("/watch", "#none", marks=pytest.mark.long),
    ],
)
def test_the_address_bar_does_not_keep_the_token(
    visit: Visit, guarded: LiveServer, path: str, sign: str
) -> None:
    page = visit(guarded).page
    page.goto(f"{guarded.origin}{path}?token={TOKEN}")
    page.wait_for_selector(sign)
    assert page.url.partition("#")[0] == guarded.origin + path
    page.reload()
    page.wait_for_selector(sign)


def test_a_stranger_sees_nothing(tab: Page, guarded: LiveServer) -> None:
    page = tab
    assert (answer := page.goto(guarded.origin)) is not None
    assert answer.status == 403
    expect(page.locator("body")).to_contain_text("token is missing", use_inner_text=True)
