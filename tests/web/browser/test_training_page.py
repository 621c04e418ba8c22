"""The training page: curves that grow while a network learns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.test_watch_page import PHONE
from tests.web.browser.user import Server, ServerProcess, Visit
from tests.web.live import LiveServer
from tests.web.test_training import LEARNED, generation, write_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("training") / "net7x6", 4)


@pytest.fixture(scope="module")
def trained(folder: Path) -> Iterator[LiveServer]:
    server = LiveServer(training=folder)
    yield server
    server.close()


def open_page(visit: Visit, server: Server) -> Page:
    user = visit(server)
    user.page.goto(f"{server.address}training")
    return user.page


def test_curves_and_table_grow_with_the_run(
    visit: Visit, trained: LiveServer, folder: Path
) -> None:
    page = open_page(visit, trained)
    expect(page.locator("#run")).to_contain_text("generation 3", use_inner_text=True)
    expect(page.locator("#run")).to_contain_text("net7x6 · connect4 · b2c16", use_inner_text=True)
    expect(page.locator("#marks .line")).to_have_count(2)  # nothing was searched
    expect(page.locator("#loss .line")).to_have_count(2)
    expect(page.locator("#elo .legend")).to_contain_text("+10", use_inner_text=True)
    expect(page.locator("#table tbody tr")).to_have_count(4)
    log = folder / "log.jsonl"
    whole = log.read_text().rpartition("\n")[0]
    log.write_text(f"{whole}\n" + generation(4, right=0.5, **LEARNED | {"elo": 61.0}))
    expect(page.locator("#run")).to_contain_text("generation 4", use_inner_text=True)
    expect(page.locator("#elo .legend")).to_contain_text("+61", use_inner_text=True)
    expect(page.locator("#table tbody tr").first).to_contain_text("50.0 %", use_inner_text=True)


@pytest.mark.long
def test_the_training_page_speaks_chinese_and_fits_on_a_phone(
    visit: Visit, trained: LiveServer
) -> None:
    page = open_page(visit, trained)
    page.set_viewport_size(PHONE)
    page.locator("#language").click()
    expect(page.locator("#marks h2")).to_have_text("正确着法与一致率")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_a_run_the_page_says_how_to_start_one(visit: Visit, server: ServerProcess) -> None:
    page = open_page(visit, server)
    expect(page.locator("#none pre")).to_contain_text("honte serve --training my-net")
    assert page.locator("#banner").is_hidden()
