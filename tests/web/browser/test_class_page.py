"""A class in the browser: a student joins and hands in, the teacher starts a round, all see it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from honte.classroom import classroom
from honte.classroom.classroom import Classroom
from honte.submissions.versions import write
from tests.web.browser.axe import findings
from tests.web.browser.user import ServerProcess, Visit

BOT = "def choose(state, limit):\n    return state.legal_moves()[{which}]\n"
GAME = "connect4:rows=4,cols=4"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    """A class with one student who has handed in."""
    place = tmp_path_factory.mktemp("classes")
    place.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HONTE_CLASSES", str(place))
        made = classroom.create("Games 101", GAME, 5.0)
    ben, _ = made.join("Ben")
    version, _ = made.versions(ben.id).add([("bot.py", BOT.format(which=-1).encode())])
    write(replace(version, checked=True), version.folder)
    made.write_names()
    return made


@pytest.fixture(scope="module")
def class_server(room: Classroom) -> Iterator[ServerProcess]:
    server = ServerProcess(0, "--class", str(room.folder), command="serve")
    yield server
    server.close()


def test_a_student_joins_hands_in_and_is_ranked(
    visit: Visit, class_server: ServerProcess, room: Classroom, tmp_path: Path
) -> None:
    user = visit(class_server)
    page = user.page
    user.open("bots")
    expect(page).to_have_url(re.compile("/class$"))
    page.locator("#code").fill(room.join_code.lower())
    page.locator("#name").fill("Anna")
    page.locator("#sign-in-form button").click()
    expect(page.locator("#own-code strong")).to_have_text(re.compile(r"^\w{4}-\w{4}-\w{4}$"))
    code = page.locator("#own-code strong").inner_text()
    expect(page.locator("#round-state")).to_contain_text("No round has been played yet")
    assert findings(page) == []
    page.locator("#to-bots").click()
    (tmp_path / "bot.py").write_text(BOT.format(which=0))
    with page.expect_file_chooser() as asked:
        page.locator("#choose").click()  # which waits until the page listens
    asked.value.set_files(tmp_path / "bot.py")
    expect(page.locator("#steps li").nth(1)).to_have_class("good")
    expect(page.locator("#versions tbody th")).to_have_text("Anna-v1")

    page.goto(f"{class_server.address}class")
    page.locator("#sign-out").click()
    expect(page.locator("#sign-in")).to_be_visible()
    page.locator("#code").fill(room.teacher_code)
    page.locator("#sign-in-form button").click()
    expect(page.locator("#joining strong")).to_have_text(room.join_code)
    expect(page.locator("#students tbody tr")).to_have_count(2)
    page.locator("#games").fill("4")
    page.locator("#start").click()
    expect(page.locator("#round-state")).to_contain_text("ended: all games played")
    expect(page.locator("#table tbody tr")).to_have_count(2)
    with page.expect_download() as told:
        page.locator('a[href="/class/export.csv"]').click()
    assert "Anna" in Path(told.value.path()).read_text(encoding="utf-8-sig")
    assert findings(page) == []

    page.locator("#to-projector").click()
    expect(page.locator("#table tbody tr")).to_have_count(2)
    expect(page.locator("#why")).to_contain_text("against")
    expect(page.locator("#replay .layer-stones .stone").first).to_be_visible()
    assert findings(page) == []

    page.goto(f"{class_server.address}class")
    page.locator("#sign-out").click()
    expect(page.locator("#sign-in")).to_be_visible()
    page.goto(f"{class_server.address}class#code={code}")
    page.reload()
    expect(page.locator("#table tr.you")).to_contain_text("Anna")
    assert "code" not in page.url
    page.locator("#games-list .result").first.click()
    expect(page.locator("#replay .replay-players")).to_contain_text("Anna-v1")
    page.locator("#language").click()
    expect(page.locator("#table-title")).to_have_text("排名")
    page.locator("#language").click()
