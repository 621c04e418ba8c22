"""What people expect of a board and its side panels."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

import honte
from tests.web.browser.user import ServerProcess, User


@pytest.fixture(scope="module")
def touched(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(has_touch=True, locale="en-GB")
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(touched: Page, server: ServerProcess) -> Iterator[User]:
    touched.set_viewport_size({"width": 390, "height": 844})
    user = User(touched.context, server, touched)
    yield user
    user.forget()
    assert user.troubles == []


def random_game(spec: str, seed: int = 3) -> list[str]:
    game, choose = honte.game(spec), random.Random(seed)
    state, moves = game.start(), list[str]()
    while not state.is_over:
        move = choose.choice(state.legal_moves())
        moves.append(game.format(move))
        state = state.play(move)
    return moves


def in_view(user: User, selector: str, inside: str) -> bool:
    """Whether all of an element's height can be seen in the box that it is scrolled in."""
    script = """([selector, inside]) => {
        const place = (name) => document.querySelector(name).getBoundingClientRect();
        const [one, box] = [place(selector), place(inside)];
        return one.top >= box.top - 1 && one.bottom <= box.bottom + 1;
    }"""
    found: bool = user.page.evaluate(script, [selector, inside])
    return found


def test_the_list_of_moves_follows_the_game_and_the_page_stays(user: User) -> None:
    moves = random_game("othello")
    user.resume("othello", moves=",".join(moves))
    assert user.ply == len(moves)
    assert in_view(user, "#moves [aria-current]", "#moves")
    for key, ply in (("to-start", 0), ("forth", 1)):
        user.click(key)
        user.wait_for_ply(ply)
    assert in_view(user, "#moves [aria-current]", "#moves")
    user.click("to-end")
    user.wait_for_ply(len(moves))
    assert in_view(user, "#moves [aria-current]", "#moves")
    assert user.page.evaluate("scrollY") == 0
    assert user.page.locator(".panel").evaluate("panel => panel.scrollTop") == 0


def test_arrows_after_a_click_step_through_the_game_and_not_over_the_board(user: User) -> None:
    user.resume("othello", moves="f5,d6")
    user.at("c3").click()
    user.wait_for_ply(3)
    user.wait_for_turn("person")
    keys = user.page.keyboard
    keys.press("ArrowLeft")
    user.wait_for_ply(2)
    keys.press("ArrowLeft")
    user.wait_for_ply(1)
    keys.press("ArrowRight")
    user.wait_for_ply(2)
    expect(user.at("c3")).to_be_focused()


def test_arrows_move_the_cursor_once_it_was_asked_for(user: User) -> None:
    user.resume("othello", moves="f5,d6")
    user.at("c3").click()
    user.wait_for_ply(3)
    user.wait_for_turn("person")
    keys = user.page.keyboard
    keys.press("Shift+ArrowRight")
    expect(user.at("d3")).to_be_focused()
    keys.press("ArrowRight")
    expect(user.at("e3")).to_be_focused()
    assert user.ply == 3
    keys.press("Escape")
    keys.press("ArrowLeft")
    user.wait_for_ply(2)
    keys.press("b")
    keys.press("ArrowDown")
    expect(user.at("e4")).to_be_focused()
    assert user.ply == 2


@pytest.mark.long
def test_a_wide_screen_is_used(user: User) -> None:
    user.page.set_viewport_size({"width": 1920, "height": 1080})
    for spec in ("connect4", "othello", "go:size=19"):
        user.open(f"#game={spec}")
        board = user.page.locator(".board").bounding_box()
        panel = user.page.locator(".panel").bounding_box()
        assert board is not None
        assert panel is not None
        assert board["x"] < 120
        assert panel["x"] - board["x"] - board["width"] < 120
        assert panel["x"] + panel["width"] > 1860
        assert user.page.evaluate("document.documentElement.scrollWidth") <= 1920


@pytest.mark.long
def test_a_long_name_is_cut_at_its_end_and_told_whole_to_who_points_at_it(user: User) -> None:
    name = "Somebody with a name that is much too long for any panel"
    user.resume("othello", names=[name, "B"])
    place = user.page.locator("#player-0 .name")
    assert place.evaluate("node => getComputedStyle(node).textOverflow") == "ellipsis"
    assert place.evaluate("node => node.scrollLeft") == 0
    expect(place).to_have_text(f"{name} · Black")
    expect(user.page.locator("#player-0")).to_have_attribute("title", f"{name} · Black")


@pytest.mark.long
def test_a_tap_on_a_large_board_is_confirmed_by_a_second_one(phone: User) -> None:
    user = phone.resume("go:size=19")
    user.at("D16").tap()
    expect(user.page.locator("#confirm")).to_be_visible()
    expect(user.page.locator("#confirm-text")).to_have_text("D16")
    expect(user.page.locator(".preview .stone.black")).to_have_count(1)
    assert user.ply == 0
    user.at("Q4").tap()  # another point: it moves there
    expect(user.page.locator("#confirm-text")).to_have_text("Q4")
    assert user.ply == 0
    user.at("Q4").tap()
    user.wait_for_ply(1)
    user.wait_for_turn("person")
    expect(user.at("Q4")).to_have_attribute("aria-label", "Q4, Black, last move")
    expect(user.page.locator("#confirm")).to_be_hidden()


def test_a_previewed_point_is_played_or_dropped_by_a_button(phone: User) -> None:
    user = phone.resume("go:size=19")
    user.at("D16").tap()
    user.page.locator("#confirm-drop").tap()
    expect(user.page.locator("#confirm")).to_be_hidden()
    expect(user.page.locator(".preview")).to_have_count(0)
    user.at("D4").tap()
    user.page.locator("#confirm-play").tap()
    user.wait_for_ply(1)
    expect(user.page.locator(".layer-stones .stone")).to_have_count(1)


@pytest.mark.long
def test_a_tap_on_a_board_of_large_cells_plays_at_once(phone: User) -> None:
    user = phone.resume("othello")
    user.at("f5").tap()
    user.wait_for_ply(1)


@pytest.mark.long
def test_an_analysis_that_pauses_says_so_and_goes_on(tab: Page, server: ServerProcess) -> None:
    user = User(tab.context, server)  # a route cannot be taken back: a tab of its own
    asked: list[Any] = []

    def hurry(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def send(frame: str | bytes) -> None:
            message = json.loads(frame)
            if message["do"] == "analyse":
                asked.append(message["seconds"])
                message["seconds"] = 0.2 if len(asked) == 1 else 60
            server.send(json.dumps(message))

        line.on_message(send)

    user.page.route_web_socket("**/socket*", hurry)
    user.resume("go:size=9")
    user.click("analysis")
    expect(user.page.locator("#paused")).to_contain_text("Paused after 60 s.")
    assert asked == [60]
    user.click("go-on")
    expect(user.page.locator("#paused")).to_be_hidden()
    assert asked == [60, 60]
    assert user.troubles == []
    user.forget()
    user.page.close()


def test_an_exact_analysis_does_not_pause(user: User) -> None:
    user.resume("connect4:rows=4,cols=4", moves="1,2,1,2")
    user.click("analysis")
    expect(user.page.locator("#verdict")).to_contain_text("Proven: a draw")
    expect(user.page.locator("#paused")).to_be_hidden()


def test_the_form_asks_for_a_time_only_where_somebody_uses_it(user: User) -> None:
    user.open()
    user.click("new")
    seconds = user.page.locator("#setup-seconds")
    expect(user.page.locator("#setup-level-0")).to_be_visible()
    expect(seconds).to_have_count(0)
    user.page.locator("#setup-engine-0").select_option("best")
    expect(seconds).to_have_count(1)
    user.page.locator("label:has(#setup-who-none)").click()
    expect(seconds).to_have_count(1)
    user.page.locator("#setup-engine-0").select_option("level")
    expect(seconds).to_have_count(0)
