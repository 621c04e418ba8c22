"""A user-defined game, one file outside the tree, is played through the page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.cli.command import ROOT
from tests.web.browser.user import ServerProcess, User, Visit


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    file = tmp_path_factory.mktemp("own") / "gomoku.py"
    shutil.copy(ROOT / "examples" / "gomoku.py", file)
    server = ServerProcess(0, f"{file}:Gomoku")
    yield server
    server.close()


@pytest.fixture
def own(visit: Visit, served: ServerProcess) -> User:
    return visit(served)


def start(user: User, who: str = "first") -> None:
    """Begin a game of Gomoku on a small board, from the form."""
    user.open()
    user.click("new")
    user.page.locator("label:has(#setup-game-gomoku)").click()
    user.page.locator("#setup-size").fill("7")
    user.page.locator("#setup-size").press("Tab")
    user.page.locator(f"label:has(#setup-who-{who})").click()
    user.page.locator("#setup-seconds").select_option("0.5") if who != "both" else None
    user.click("setup-start")
    expect(user.page.locator("[role=gridcell]")).to_have_count(49)


@pytest.mark.long
def test_a_game_is_begun_from_the_form_and_the_engine_answers(
    own: User, served: ServerProcess
) -> None:
    start(own)
    own.wait_for_address("game=gomoku:size=7")
    assert str(Path(served.arguments[0]).parent) not in own.page.content()
    expect(own.page.locator("#player-1 .name")).to_have_text("Strongest engine · White")
    own.at("D4").click()
    own.wait_for_ply(2)
    assert own.wait_for_turn("person") == "person"
    expect(own.page.locator(".stone.black")).to_have_count(1)
    expect(own.page.locator(".layer-stones .stone.white")).to_have_count(1)
    own.click("undo")
    own.wait_for_ply(0)


def test_a_whole_game_is_played_and_reviewed(own: User) -> None:
    start(own, "both")
    for ply, point in enumerate(("D4", "D5", "E4", "E5", "C4", "C5", "F4", "F5", "G4"), 1):
        own.at(point).click()
        own.wait_for_ply(ply)
        if ply < 9:
            own.wait_for_turn("person")
    own.wait_for_turn("over")
    assert own.status == "Black wins"
    expect(own.page.locator(".board path.line")).to_have_count(1)
    own.click("review-run")
    expect(own.page.locator(".review-summary")).to_be_visible()
    expect(own.page.locator("#review-run")).to_be_visible()
    own.click("share")
    expect(own.page.locator("#export-text")).to_have_value(
        "% game gomoku:size=7\nD4 D5 E4 E5 C4 C5 F4 F5 G4\n"
    )


@pytest.mark.long
def test_its_search_is_shown_with_its_tree(own: User) -> None:
    start(own, "both")
    own.click("analysis")
    own.page.wait_for_selector(".layer-thoughts .heat.best")
    expect(own.page.locator("#candidates tbody tr").first).to_be_visible()
    own.click("tree")
    expect(own.page.locator("dialog[open] .tree-node").nth(3)).to_be_visible()


def test_the_browser_cannot_name_a_file(own: User, served: ServerProcess) -> None:
    own.open(f"#game={served.arguments[0]}&moves=")
    expect(own.page.locator("#banner")).to_contain_text("there is no game")
