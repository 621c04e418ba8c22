"""The tournament page in a browser: a store followed live, games replayed, problems reported."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from honte import __version__
from honte.arena.store import Store
from tests.web.browser import axe
from tests.web.browser.axe import findings
from tests.web.browser.user import Visit
from tests.web.live import LiveServer

PLAYERS = ("uct:c=0.8", "uct:c=3", "random")
MARKUP = "<img src=x onerror=alert(1)>"


def play(store: Path, rounds: int) -> None:
    """A short real tournament; with more rounds it resumes from the store."""
    command = [sys.executable, "-m", "honte", "tournament", *PLAYERS, "--store", str(store)]
    settings = ["--rounds", str(rounds), "--iterations", "40", "--seed", "3"]
    subprocess.run([*command, *settings], check=True, capture_output=True, timeout=120)


def hold(store: Path) -> subprocess.Popen[str]:
    """Hold the store, as a running tournament does."""
    script = "import fcntl, sys; file = open(sys.argv[1], 'a'); fcntl.lockf(file, fcntl.LOCK_EX)"
    holder = subprocess.Popen(
        [sys.executable, "-c", f"{script}; print('held', flush=True); input()", f"{store}-lock"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("watched") / "results.db"
    play(path, 1)
    return path


@pytest.fixture(scope="module")
def watched(store: Path) -> Iterator[LiveServer]:
    server = LiveServer(store=store)
    yield server
    server.close()


PHONE: ViewportSize = {"width": 390, "height": 844}


def open_page(visit: Visit, server: LiveServer, size: ViewportSize | None = None) -> Page:
    user = visit(server)
    user.may_drop = True
    if size is not None:
        user.page.set_viewport_size(size)
    user.page.goto(f"{server.origin}/watch")
    return user.page


@pytest.fixture
def page(visit: Visit, watched: LiveServer) -> Page:
    return open_page(visit, watched)


def test_the_tables_say_who_is_ahead(page: Page) -> None:
    expect(page.locator(".ratings tbody tr")).to_have_count(3)
    last = page.locator(".ratings tbody tr").last
    expect(last).to_contain_text("random", use_inner_text=True)
    expect(page.locator(".elo-bar .whisker")).to_have_count(3)
    cells = page.locator(".cross tbody td[aria-label]")
    expect(cells).to_have_count(6)
    assert "against" in (cells.first.get_attribute("aria-label") or "")
    expect(page.locator("#run")).to_contain_text("6 of 6 games", use_inner_text=True)


def test_new_games_appear_by_themselves_and_the_focus_stays(visit: Visit, tmp_path: Path) -> None:
    store = tmp_path / "growing.db"
    play(store, 1)
    server = LiveServer(store=store)
    try:
        page = open_page(visit, server)
        expect(page.locator(".games li")).to_have_count(6)
        page.locator(".games button").nth(2).focus()
        known = page.evaluate("document.activeElement.dataset.game")
        play(store, 2)
        expect(page.locator(".games li")).to_have_count(12)
        assert page.evaluate("document.activeElement.dataset.game") == known
        expect(page.locator("#run")).to_contain_text("12 of 12 games", use_inner_text=True)
        # The server goes: the page says so and keeps its figures.
        server.close()
        expect(page.locator("#banner")).to_contain_text("The server does not answer")
        expect(page.locator(".ratings tbody tr")).to_have_count(3)
    finally:
        server.close()


def test_games_can_be_filtered_by_player(page: Page) -> None:
    expect(page.locator(".games li")).to_have_count(6)
    page.locator("#filter").select_option("random")
    expect(page.locator(".games li")).to_have_count(4)
    for words in page.locator(".games li").all_inner_texts():
        assert "random" in words


def test_a_game_is_replayed_move_by_move(page: Page) -> None:
    page.locator(".games button").first.click()
    words = page.locator(".replay-words")
    expect(words).to_contain_text("value")
    slider = page.locator(".replay input[type=range]")
    last = int(slider.get_attribute("max") or 0)
    assert slider.input_value() == str(last)
    expect(words).to_contain_text(f"{last}. ", use_inner_text=True)
    for _ in range(40):  # what is still being drawn for the first time may come in between
        slider.focus()
        page.keyboard.press("Home")
        if words.inner_text() == "The start":
            break
        page.wait_for_timeout(250)
    expect(words).to_have_text("The start")
    slider.press("ArrowRight")
    expect(words).to_contain_text("1. ")
    expect(words).to_contain_text("opening", use_inner_text=True)  # the arena made the first moves
    page.get_by_role("button", name="To the end").click()
    expect(words).to_contain_text(f"{last}. ")
    assert "#game=" in page.url
    page.reload()
    expect(page.locator(".replay-words")).to_contain_text(f"{last}. ")
    address = page.get_by_role("link", name="Open on the board").get_attribute("href") or ""
    assert address.startswith("/#game=connect4")
    loss = page.get_by_role("link", name="To the turning point").get_attribute("href") or ""
    loser = "second" if "1–0" in page.locator(".replay-result").inner_text() else "first"
    assert loss == f"{address}&review={loser}"


def test_the_page_speaks_chinese_and_turns_dark(page: Page) -> None:
    expect(page.locator(".games li")).to_have_count(6)
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    page.locator("#language").click()
    expect(page.locator("#ratings-title")).to_have_text("等级分")
    expect(page.locator("#run")).to_contain_text("6 局", use_inner_text=True)
    expect(page.locator(".games li")).to_have_count(6)


@pytest.mark.long
def test_everything_fits_on_a_phone(visit: Visit, watched: LiveServer) -> None:
    page = open_page(visit, watched, PHONE)
    page.locator(".games button").first.click()
    expect(page.locator(".replay .board-place svg")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_no_serious_fault_for_those_who_cannot_see(page: Page) -> None:
    page.locator(".games button").first.click()
    expect(page.locator(".replay-words")).to_be_visible()
    assert findings(page, axe.ALL[1:]) == []


@pytest.mark.long
def test_a_match_shows_its_sequential_test(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "match.db"
    command = [sys.executable, "-m", "honte", "match", "uct:c=0.8", "random", "--games", "12"]
    settings = ["--iterations", "20", "--store", str(path)]
    subprocess.run([*command, *settings], check=True, capture_output=True, timeout=120)
    with Store(path) as kept:
        match: dict[str, object] = {"command": "match", "players": ["uct:c=0.8", "random"]}
        kept.begin_run(match | {"games": 40, "sprt": [0, 50]}, __version__)
    with sqlite3.connect(path) as db:  # names are text, whatever stands in them
        db.execute("UPDATE players SET spec = ? WHERE spec = 'random'", (MARKUP,))
        db.execute("UPDATE runs SET command = replace(command, 'random', ?)", (MARKUP,))
    db.execute("PRAGMA journal_mode = DELETE")  # all of it in the one file
    db.close()
    holder = hold(path)
    server = LiveServer(store=path)
    try:
        page = open_page(visit, server)
        expect(page.locator(".sprt .curve")).to_be_visible()
        expect(page.locator("#sprt")).to_contain_text("after 6 pairs", use_inner_text=True)
        expect(page.locator("#run")).to_contain_text("Live", use_inner_text=True)
        holder.kill()  # a run that is killed cannot say that it has ended
        expect(page.locator("#run")).to_contain_text("Nothing is being played")
        expect(page.locator(".ratings tbody")).to_contain_text(MARKUP, use_inner_text=True)
        expect(page.locator("img")).to_have_count(0)
        # Something else takes the place of the store: the page says so.
        path.write_bytes(b"not a store of games" * 4096)
        expect(page.locator("#banner")).to_contain_text("cannot be read")
        expect(page.locator("#banner")).to_contain_text("What you see is from", use_inner_text=True)
    finally:
        server.close()
        holder.kill()
        holder.communicate()


def test_without_a_store_the_page_says_what_to_do(visit: Visit, served: LiveServer) -> None:
    page = open_page(visit, served)
    expect(page.locator("#none")).to_be_visible()
    expect(page.locator("#none")).to_contain_text("honte serve --store results.db")
    expect(page.locator("#banner")).to_be_hidden()
