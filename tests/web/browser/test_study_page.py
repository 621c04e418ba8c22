"""A study on the tournament page: its rounds, its answer and its way, while it is played."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import axe
from tests.web.browser.axe import findings
from tests.web.browser.test_watch_page import PHONE, open_page
from tests.web.browser.user import Visit
from tests.web.live import LiveServer

ANNEALING = """
game = "othello"
engine = "alphabeta:depth=1"
[parameters.weights]
free = ["squares", "mobility"]
low = -300
high = 300
[objective]
against = ["start"]
games = 4
opening_plies = 6
[optimiser]
name = "annealing"
games = GAMES
[verify]
games = 20
"""
SWEEP = """
game = "connect4"
engine = "uct:iterations=20"
[parameters.c]
values = [0.2, 0.8, 1.4]
[objective]
against = ["random"]
games = 4
[optimiser]
name = "sweep"
games = 24
[verify]
games = 0
"""


def tune(folder: Path, text: str, wait: bool = True) -> tuple[Path, subprocess.Popen[bytes]]:
    file, store = folder / "study.toml", folder / "study.db"
    file.write_text(text)
    command = [sys.executable, "-m", "honte", "tune", str(file), "--store", str(store)]
    quiet = subprocess.DEVNULL
    running = subprocess.Popen([*command, "--workers", "1"], stdout=quiet, stderr=quiet)
    if wait:
        assert running.wait(120) == 0
    return store, running


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    store, _ = tune(tmp_path_factory.mktemp("study"), ANNEALING.replace("GAMES", "200"))
    server = LiveServer(store=store)
    yield server
    server.close()


@pytest.fixture
def page(visit: Visit, watched: LiveServer) -> Page:
    return open_page(visit, watched)


def test_a_study_shows_its_rounds_its_way_and_its_answer(page: Page) -> None:
    expect(page.locator("#study-rounds .line")).to_have_count(2)
    expect(page.locator("#study-rounds .chart .band")).to_have_count(1)
    expect(page.locator("#study-rounds")).to_contain_text("Last round: best", use_inner_text=True)
    expect(page.locator("#study-way .line")).to_have_count(11)
    expect(page.locator("#study-weights .square")).to_have_count(64)
    expect(page.locator("#study-heat .line")).to_have_count(1)
    answer = page.locator("#study-answer").inner_text()
    assert "annealing" in answer
    assert "20 of 20 games" in answer
    assert "±" in answer
    expect(page.locator("#run")).to_contain_text("Nothing is being played", use_inner_text=True)
    assert page.locator("#ratings-card").is_hidden()
    page.locator("#study-answer summary").click()
    rows = page.locator(".answer tbody tr")
    expect(rows).to_have_count(11)
    expect(rows.first).to_contain_text("a1", use_inner_text=True)
    page.locator(".games button").first.click()
    expect(page.locator(".replay .board-place svg")).to_be_visible()


@pytest.mark.long
def test_a_study_speaks_chinese_and_fits_on_a_phone(visit: Visit, watched: LiveServer) -> None:
    page = open_page(visit, watched, PHONE)
    page.emulate_media(color_scheme="dark")
    page.locator("#language").click()
    expect(page.locator("#study-rounds-title")).to_have_text("各轮适应度")
    expect(page.locator("#study-rounds")).to_contain_text("上一轮：最好", use_inner_text=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = page.locator("#study svg").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert max(wide) <= 390


@pytest.mark.long
def test_no_serious_fault_for_those_who_cannot_see(page: Page) -> None:
    expect(page.locator("#study-rounds .line")).to_have_count(2)
    page.locator("#study-answer summary").click()
    assert findings(page, axe.ALL[1:]) == []


@pytest.mark.long
def test_a_sweep_is_a_curve_with_a_band(visit: Visit, tmp_path: Path) -> None:
    store, _ = tune(tmp_path, SWEEP)
    server = LiveServer(store=store)
    try:
        page = open_page(visit, server)
        expect(page.locator("#study-sweep .dot")).to_have_count(3)
        expect(page.locator("#study-sweep .chart .band")).to_have_count(1)
        expect(page.locator("#study-sweep")).to_contain_text("of 8 games", use_inner_text=True)
        expect(page.locator("#study-answer")).to_contain_text("Best so far:", use_inner_text=True)
    finally:
        server.close()


@pytest.mark.long
def test_a_study_grows_while_it_is_played(visit: Visit, tmp_path: Path) -> None:
    store, running = tune(tmp_path, ANNEALING.replace("GAMES", "1000000"), wait=False)
    try:
        while not store.is_file() or not store.stat().st_size:
            assert running.poll() is None
        server = LiveServer(store=store)
        try:
            page = open_page(visit, server)
            expect(page.locator("#run")).to_contain_text("Live")
            expect(page.locator("#study-rounds .line")).to_have_count(2)
            before = page.locator("#study-rounds .line").first.get_attribute("d")
            expect(page.locator("#study-rounds .line").first).not_to_have_attribute(
                "d", before or ""
            )
            assert "1 000 020 games" in page.locator("#run").inner_text().replace("\u202f", " ")
        finally:
            server.close()
    finally:
        running.kill()
        running.wait(30)
