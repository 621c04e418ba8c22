"""``honte play --player SPEC``: the page plays against any player that the command line names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.cli.command import honte
from tests.web.browser.user import ServerProcess, User

BOT = """
def choose(state, limit):
    return state.legal_moves()[-1]
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    path = tmp_path / "last.py"
    path.write_text(BOT)
    server = ServerProcess(0, "connect4", "--player", f"py:{path}:choose")
    yield server
    server.close()


@pytest.mark.long
def test_the_bot_of_the_command_line_answers_on_the_page(user: User) -> None:
    user.open("#game=connect4&players=person,last.py-choose")
    user.wait_for_turn("person")
    user.cell(38).click()
    user.wait_for_ply(2)
    expect(user.page.locator("#player-1")).to_contain_text("last.py", use_inner_text=True)
    assert user.page.locator('[data-cell="41"]').get_attribute("aria-label") is not None


def test_a_bot_that_is_not_there_is_told_before_the_page_opens() -> None:
    done = honte("play", "connect4", "--player", "getpoint:./nothere.so", "--no-browser")
    assert done.code == 2
    assert re.fullmatch(r"honte: .*nothere\.so.*\n", done.errors)
