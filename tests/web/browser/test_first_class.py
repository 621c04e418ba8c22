"""A teacher's first class, as docs/class.md tells it: every command, every button, in its order."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.user import Visit

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "class.md").read_text(encoding="utf-8").partition("## Rounds")[0]
COMMANDS = re.findall(r"^```sh\n(.*?)\n```$", GUIDE, re.M)
STUDENT, TEACHER = (
    re.findall(r"\*\*(.+?)\*\*", part)
    for part in GUIDE.partition("A student\n")[2].split("You sign in", 1)
)
FIRST = "def choose(state, limit):\n    return state.legal_moves()[0]\n"
LAST = "def choose(state, limit):\n    return state.legal_moves()[-1]\n"


class Served:
    """The server of the guide."""

    def __init__(self, address: str, code: str, own: str) -> None:
        self.address, self.code, self.own = address, code, own
        self.alive = True


def honte(command: str) -> list[str]:
    words = command.split()
    assert words[0] == "honte"
    return [sys.executable, "-m", *words]


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    tmp_path.chmod(0o755)
    monkeypatch.setenv("HONTE_CLASSES", str(tmp_path / "classes"))
    create, serve, _ = COMMANDS
    made = subprocess.run(honte(create), capture_output=True, text=True, check=True).stdout
    join, own = re.findall(r"\b\w{4}(?:-\w{4})+\b", made)
    with subprocess.Popen(honte(serve), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = process.stdout.readline()
        assert join in told
        address = re.search(r"(http://[^/]+/)class", told)
        assert address is not None
        yield Served(address[1], join, own)
        process.send_signal(signal.SIGINT)
        process.stdout.close()
        process.wait(30)


def press(page: Page, name: str) -> None:
    found = page.get_by_role("button", name=name, exact=True)
    found.or_(page.get_by_role("link", name=name, exact=True)).click()


def enter(page: Page, served: Served, code: str, name: str) -> None:
    page.goto(f"{served.address}class")
    page.get_by_label("Code", exact=True).fill(code)
    page.get_by_label("Your name", exact=True).fill(name)
    press(page, STUDENT[0])


@pytest.mark.long
def test_the_guide_leads_from_nothing_to_the_exported_table(
    served: Served, visit: Visit, tmp_path: Path
) -> None:
    page = visit(served).page
    assert STUDENT == ["Enter", "Your bot", "Choose files"]
    for name, text in (("Anna", FIRST), ("Ben", LAST)):
        enter(page, served, served.code, name)
        press(page, STUDENT[1])
        (tmp_path / "bot.py").write_text(text)
        with page.expect_file_chooser() as chooser:
            press(page, STUDENT[2])
        chooser.value.set_files(str(tmp_path / "bot.py"))
        expect(page.locator("#steps li").nth(1)).to_have_class("good")
        page.goto(f"{served.address}class")
        press(page, "Sign out")
        expect(page.locator("#sign-in")).to_be_visible()
    enter(page, served, served.own, "")
    round, table, projector, *exports = TEACHER
    page.get_by_label("Games per bot").fill("2")
    press(page, round)
    expect(page.locator("#round-state")).to_contain_text("ended: all games played")
    expect(page.get_by_role("heading", name=table)).to_be_visible()
    expect(page.locator("#table tbody tr")).to_have_count(2)
    for name in exports:
        with page.expect_download() as told:
            page.locator(".links").get_by_role("link", name=name, exact=True).click()
        assert told.value.path().stat().st_size > 100
    press(page, projector)
    expect(page.locator("#why")).to_contain_text("against")
    done = subprocess.run(
        honte(COMMANDS[2]), cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "wrote table.csv\n"
    lines = (tmp_path / "table.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(lines) == 3
    assert {line.split(",")[1] for line in lines[1:]} == {"Anna", "Ben"}
