"""A user's bot on the page: dropped, compiled, checked, rated on the ladder, played."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from honte.games import MEASURED
from honte.submissions.versions import Versions
from tests.submissions.matches import SHARED, WON, fill_store, two_versions
from tests.web.browser.axe import findings
from tests.web.browser.user import ServerProcess, User, Visit

EXAMPLE = Path(__file__).parents[3] / "examples" / "course_bot"
FILES = [str(EXAMPLE / name) for name in ("Strategy.cpp", "Strategy.h", "Point.h")]


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    kept = tmp_path_factory.mktemp("uploads")
    kept.chmod(0o755)
    server = ServerProcess(environment={"HONTE_UPLOADS": str(kept)})
    yield server
    server.close()


@pytest.fixture
def visitor(visit: Visit, own_server: ServerProcess) -> User:
    user = visit(own_server)
    user.open("bots")
    return user


def test_a_strategy_is_compiled_checked_laddered_and_played(visitor: User) -> None:
    page = visitor.page
    page.locator("#files").set_input_files(FILES)
    expect(page.locator("#steps li").nth(0)).to_have_class("good")
    expect(page.locator("#steps li").nth(1)).to_have_class("good")
    expect(page.locator("#ladder tbody tr").first).to_contain_text(re.compile("won|lost|drawn"))
    expect(page.locator("#rating")).to_contain_text("Elo")
    expect(page.locator("#versions tbody th")).to_have_text("Strategy-v1")
    lost = page.locator('#ladder a[href*="&review="]').first
    expect(lost).to_have_text("lost")
    lost.click()
    expect(page.locator("#banner")).to_contain_text("turning point")
    page.go_back()
    page.locator("#play-it").click()
    expect(page.locator("#board")).to_be_visible()
    page.wait_for_selector("html[data-ready]")
    page.keyboard.press("5")
    expect(page.locator("#moves li")).to_have_count(2)


def test_an_error_is_shown_at_its_line_in_both_languages(visitor: User, tmp_path: Path) -> None:
    page = visitor.page
    (tmp_path / "Strategy.cpp").write_text("\n#include <windows.h>\n")
    page.locator("#files").set_input_files(str(tmp_path / "Strategy.cpp"))
    expect(page.locator("#errors")).to_contain_text("Strategy.cpp:2")
    expect(page.locator("#errors .fix")).to_contain_text("this header is Windows' own")
    page.locator("#language").click()
    page.locator("#files").set_input_files(str(tmp_path / "Strategy.cpp"))
    expect(page.locator("#errors .fix")).to_contain_text("Windows 专用")
    page.locator("#language").click()


def test_what_is_no_bot_is_told(visitor: User, tmp_path: Path) -> None:
    page = visitor.page
    (tmp_path / "notes.txt").write_text("x")
    page.locator("#files").set_input_files(str(tmp_path / "notes.txt"))
    expect(page.locator("#errors")).to_contain_text("there is no .cpp")
    (tmp_path / "bot.py").write_text("def f(:")
    page.locator("#files").set_input_files(str(tmp_path / "bot.py"))
    expect(page.locator("#errors")).to_contain_text("this is not Python")
    page.get_by_label("Or a command line").fill("saiblo:./no-such-bot --fast")
    page.keyboard.press("Enter")
    expect(page.locator("#errors")).to_contain_text("there is no program './no-such-bot'")


def test_a_dropped_folder_is_searched_for_sources_past_everything_else(visitor: User) -> None:
    page = visitor.page
    page.route("**/upload", lambda route: route.fulfill(json={}))
    with page.expect_request("**/upload") as sent:
        page.evaluate(DROP)
    sent.value.response()  # the route has handled it
    page.unroute("**/upload")
    assert sent.value.post_data is not None
    files = json.loads(sent.value.post_data)["files"]
    assert [one["name"] for one in files] == ["bot/Strategy.cpp"]


DROP = """() => {
    const file = (name) => ({ isFile: true, name, file: (take) => take(new File(["x"], name)) });
    const folder = (name, entries) => ({
        isDirectory: true, name,
        createReader: () => ({ readEntries: (take) => take(entries.splice(0, 100)) }),
    });
    const many = (kind) => Array.from({ length: 400 }, (_, n) => file(`${n}.${kind}`));
    const bot = folder("bot", [
        folder(".git", many("h")), folder("__MACOSX", many("cpp")), folder("build", many("o")),
        file("Strategy.cpp"),
    ]);
    const event = new Event("drop", { cancelable: true });
    event.dataTransfer = { items: [{ webkitGetAsEntry: () => bot }] };
    document.getElementById("drop").dispatchEvent(event);
}"""
"""Drop a folder whose sources come last, as a browser lists it."""


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Versions:
    """Two versions, of which the second won nearly every game."""
    versions = two_versions(tmp_path_factory.mktemp("compared"))
    fill_store(versions, [WON, WON, SHARED] * 8, MEASURED)
    return versions


@pytest.fixture(scope="module")
def comparing_server(versions: Versions) -> Iterator[ServerProcess]:
    server = ServerProcess(environment={"HONTE_UPLOADS": str(versions.folder)})
    yield server
    server.close()


def test_a_button_says_whether_a_version_is_better(
    visit: Visit, comparing_server: ServerProcess
) -> None:
    user = visit(comparing_server).open("bots")
    page = user.page
    button = page.get_by_role("button", name="Better than v1?")
    button.focus()
    page.keyboard.press("Enter")
    verdict = page.locator("#comparison-verdict")
    expect(verdict).to_have_text("v2 is better than v1: +40 −8 =0, sure to 95 %.")
    expect(page.locator("#comparison-title")).to_have_text("Is v2 better than v1?")
    expect(page.locator("#comparison-score")).to_contain_text("48 games")
    expect(page.locator("#comparison-score")).to_contain_text(re.compile(r"score 83\s% ± \d+\s%"))
    expect(page.locator("#comparison-sprt")).to_contain_text("H1 accepted")
    expect(page.locator("#comparison-stop")).to_be_hidden()
    assert findings(page) == []
    user.click("language")
    expect(verdict).to_have_text("v2 比 v1 强：+40 −8 =0，把握 95 %。")


@pytest.mark.long
def test_a_comparison_is_stopped(
    visit: Visit, comparing_server: ServerProcess, versions: Versions
) -> None:
    versions.add([("bot.py", b"def choose(state, limit):\n    while True: ...\n")])
    page = visit(comparing_server).open("bots").page
    page.locator('[data-key="compare"]').click()  # version 3 against version 1
    expect(page.locator("#comparison-title")).to_have_text("Is v3 better than v1?")
    expect(page.locator("#comparison-stop")).to_be_focused()
    expect(page.get_by_role("button", name="Better than v1?")).to_be_disabled()
    page.keyboard.press("Enter")
    expect(page.locator("#comparison-verdict")).to_contain_text("Stopped after 0 games")
    expect(page.get_by_role("button", name="Better than v1?")).to_be_enabled()
