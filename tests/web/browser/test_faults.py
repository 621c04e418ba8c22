"""The page under faults, and its speed without them."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from honte.web import session
from tests.slowness import slowness
from tests.web.browser.user import ServerProcess, User, Visit
from tests.web.live import LiveServer


@pytest.fixture
def fragile(visit: Visit) -> Iterator[tuple[User, ServerProcess]]:
    server = ServerProcess()
    user = visit(server)
    user.may_drop = True
    yield user, server
    server.close()


@pytest.mark.long
def test_a_server_killed_while_the_engine_thinks_costs_nothing(
    fragile: tuple[User, ServerProcess],
) -> None:
    user, server = fragile
    user.resume("connect4:rows=9,cols=9", "person", "best", seconds=1.5)
    user.cell(38).click()
    user.wait_for_turn("engine")
    expect(user.page.locator("#status")).to_contain_text("thinking")
    server.kill()
    expect(user.page.locator("#banner")).to_contain_text("connection was lost")
    again = ServerProcess(server.port)
    try:
        expect(user.page.locator("#banner")).to_contain_text("Connected again")
        user.wait_for_ply(2)
        assert user.wait_for_turn("person") == "person"
        user.cell(0).click()
        user.wait_for_ply(4)
        expect(user.page.locator("#banner")).to_be_hidden()
    finally:
        again.close()


def test_a_move_made_while_the_line_is_down_is_played_when_it_is_back(
    fragile: tuple[User, ServerProcess],
) -> None:
    user, server = fragile
    user.resume("othello")
    server.kill()
    expect(user.page.locator("#banner")).to_contain_text("connection was lost")
    user.at("f5").click()
    expect(user.page.locator(".layer-stones .stone")).to_have_count(5)
    again = ServerProcess(server.port)
    try:
        user.wait_for_turn("person")
        expect(user.page.locator(".layer-stones .stone.black")).to_have_count(4)
        expect(user.page.locator("#status")).to_have_text("White to move")
    finally:
        again.close()


def test_a_link_that_cannot_be_read_leaves_the_game_as_it_was(user: User) -> None:
    user.resume("connect4:rows=9,cols=9", "person", "best", seconds=60)
    user.cell(76).click()
    expect(user.page.locator("#status")).to_contain_text("thinking")
    user.page.evaluate("location.hash = '#game=connect4:rows=99&moves=4'")
    banner = user.page.locator("#banner")
    expect(banner).to_contain_text("could not be read")
    expect(user.page.locator("#status")).to_contain_text("thinking")
    user.click("move-now")
    user.wait_for_ply(2)
    assert user.wait_for_turn("person") == "person"
    expect(banner).to_contain_text("could not be read")  # until it has been seen


def test_a_full_server_says_so_and_is_asked_less_and_less_often(
    visit: Visit, served: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "MOST_SESSIONS", 0)
    user = visit(served)
    banner = user.page.locator("#banner")
    for page, words in (("", "the server is full"), ("watch", "The server is full")):
        user.page.goto(served.address + page)
        expect(banner).to_contain_text(words)
    refused = user.run(
        """async () => {
            const { Socket } = await import("/static/socket.js");
            const states = [];
            return new Promise((done) => {
                const socket = new Socket((up, why) => {
                    states.push([up, why]);
                    setTimeout(() => states.length === 3 && done([states, socket.wait]));
                });
            });
        }"""
    )
    assert refused == [[[False, "the server is full; try again later"]] * 3, 1600]
    monkeypatch.undo()
    user.page.goto(served.address)
    user.page.wait_for_selector("html[data-ready]")
    expect(banner).to_be_hidden()


@pytest.mark.long
def test_an_engine_that_crashes_is_told_and_asked_again(
    fragile: tuple[User, ServerProcess],
) -> None:
    user, server = fragile
    user.resume("connect4:rows=9,cols=9", "person", "best", seconds=3)
    user.cell(76).click()
    expect(user.page.locator("#status")).to_contain_text("thinking")
    time.sleep(0.5)
    server.crash_workers()
    expect(user.page.locator("#banner")).to_contain_text("The engine gave no answer")
    user.wait_for_ply(2)
    assert user.wait_for_turn("person") == "person"
    expect(user.page.locator("#banner")).to_be_hidden()


@pytest.mark.timing
def test_the_own_piece_is_drawn_within_50_milliseconds_of_the_click(user: User) -> None:
    user.resume("connect4", moves="4,4")
    user.click("analysis")
    user.page.wait_for_selector(".layer-thoughts .chip")
    user.page.evaluate(
        """() => {
            window.clicked = [];
            const stones = document.querySelector(".layer-stones");
            addEventListener("pointerdown", () => { window.began = performance.now(); }, true);
            new MutationObserver(() => {
                if (!window.began) return;
                const began = window.began;
                window.began = 0;
                requestAnimationFrame(() => clicked.push(performance.now() - began));
            }).observe(stones, { childList: true });
        }"""
    )
    for ply in range(3, 10):
        user.wait_for_turn("person")
        user.cell(ply % 3).click()
        user.wait_for_ply(ply)
    # The last click's frame may not have been drawn yet.
    times = user.page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(clicked))))"
    )
    assert len(times) == 7
    assert sorted(times)[3] <= 50 * slowness(), times


def test_the_whole_page_is_at_most_150_kilobytes(browser: Browser, server: ServerProcess) -> None:
    user = User(browser.new_context(), server).open()  # who has nothing of it yet
    sizes = user.page.evaluate(
        """() => [...performance.getEntriesByType("navigation"),
            ...performance.getEntriesByType("resource")]
            .map((entry) => [entry.name, entry.transferSize])"""
    )
    total = sum(size for _, size in sizes)
    user.context.close()
    assert 20_000 < total < 150_000, sizes
