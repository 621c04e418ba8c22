"""The documentation site: its pages, links and references. `make docs` itself is a long test."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.slowness import slowness
from tools.site import check, pages, reference

ROOT = pages.ROOT
DOCUMENTS = pages.documents()
NAVIGATION = re.findall(
    r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text().partition("\nnav:")[2], re.M
)


def text_of(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def test_the_navigation_names_every_page_once() -> None:
    written = {pages.place(document) for document in DOCUMENTS if document.startswith("docs/")}
    made = {*reference.pages(), *(page for page in pages.DOCUMENTS.values() if "project/" in page)}
    assert len(NAVIGATION) == len(set(NAVIGATION))
    assert set(NAVIGATION) == written | made


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_and_anchors_lead_somewhere(document: str) -> None:
    for link, anchor in pages.links(text_of(document)):
        target = pages.target_of(link, document) if link else document
        assert (ROOT / target).exists(), f"{document}: {link}"
        if anchor:
            assert anchor in pages.anchors(text_of(target)), f"{document}: {link}#{anchor}"


def test_chinese_pages_link_to_chinese_pages_where_there_are_any() -> None:
    translated = {Path(document).name for document in DOCUMENTS if document.startswith("docs/zh/")}
    for document in [*(one for one in DOCUMENTS if one.startswith("docs/zh/")), "README.zh.md"]:
        for link, _ in pages.links(text_of(document)):
            target = pages.target_of(link, document) if link else document
            if Path(target).parent.as_posix() == "docs" and Path(target).name != "README.md":
                assert Path(target).name not in translated, f"{document}: {link}"


def test_links_out_of_the_documents_lead_to_copies() -> None:
    text = "[a](../native/core/game.hpp) [b](uct.md#tree) [c](../ARCHITECTURE.md) `[d](../e)`"
    assert pages.rewritten(text, "docs/go.md") == (
        "[a](source/native/core/game.hpp.md) [b](uct.md#tree) [c](project/architecture.md)"
        " `[d](../e)`"
    )
    assert pages.rewritten("[a](docs/uct.md)", "ARCHITECTURE.md") == "[a](../uct.md)"


def test_every_linked_source_has_a_page_with_its_code() -> None:
    sources = pages.sources()
    assert "``````cpp\n// " in sources["source/native/search/select.hpp.md"]
    assert "- [Strategy.cpp](Strategy.cpp.md)" in sources["source/examples/course_bot/index.md"]
    assert "getPoint" in sources["source/examples/course_bot/Strategy.cpp.md"]


def test_a_section_of_the_readme_is_found_by_its_heading() -> None:
    assert pages.section(text_of("README.md"), "Speed").startswith("## Speed\n")
    for home in ("docs/README.md", "docs/zh/README.md"):
        [heading] = re.findall(r"<!-- README: (.+?) -->", text_of(home))
        readme = "README.zh.md" if "/zh/" in home else "README.md"
        assert "| " in pages.section(text_of(readme), heading)


# --- the references ---


def test_the_reference_has_every_command_with_every_option() -> None:
    import typer

    from honte.cli.main import make_app

    group: Any = typer.main.get_command(make_app())
    text = reference.commands()
    for name, command in group.commands.items():
        found = re.search(rf"^## `honte {name}`\n(.*?)(?=^## |\Z)", text, re.S | re.M)
        assert found is not None, name
        for param in command.params:
            for option in param.opts:
                if option.startswith("--") and option != "--help" and not param.hidden:
                    assert option in found[1], f"{name} {option}"


def test_the_reference_has_every_setting() -> None:
    import honte
    from honte.core.games import names

    text = reference.settings()
    for game in names():
        assert f"### `{game}`" in text
        for option in honte.game(game).descriptor.options.shown():
            assert f"| `{option.name}` |" in text
    for player in ("uct", "best", "alphabeta"):
        for option in honte.player(player, honte.game("othello")).options.shown(True):
            assert f"| `{option.name}` |" in text, f"{player}: {option.name}"


def test_what_the_api_pages_show_has_docstrings() -> None:
    assert reference.undocumented() == []


def test_the_site_has_a_page_for_each_part_of_the_api() -> None:
    found = reference.pages()
    for name in reference.API:
        assert f"reference/api/{name}.md" in found
    assert "[`honte.game`][honte.core.games.game]" in found["reference/api/index.md"]


def test_the_examples_in_docstrings_are_true() -> None:
    for module in (pages, reference):
        assert doctest.testmod(module).failed == 0


# --- the check of the built site ---


def test_the_check_finds_what_is_broken(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<p id="x"></p><a href="b.html#y">b</a><a href="#z">z</a>')
    (tmp_path / "b.html").write_text('<p id="y"></p><a href="c.html">c</a><img src="//h/i.png">')
    assert list(check.troubles(tmp_path)) == [
        "a.html: a.html has no anchor #z",
        "b.html: there is no c.html",
        "b.html loads //h/i.png from another host",
    ]


def test_the_moving_picture_is_small() -> None:
    assert (ROOT / "docs" / "images" / "thinking.webp").stat().st_size <= 1_500_000


def test_the_lock_of_the_site_adds_to_that_of_the_tests() -> None:
    """So `make docs` changes nothing that the tests were run with."""

    def names(file: str) -> set[str]:
        return {line.partition("==")[0].lower() for line in text_of(file).splitlines()[1:]}

    assert not names("requirements-docs.lock") & names("requirements-dev.lock")
    assert {"mkdocs-material", "mkdocstrings-python", "jieba"} <= names("requirements-docs.lock")


@pytest.mark.long
def test_make_docs_builds_the_site() -> None:
    """Without a warning, in a minute of CPU time once its packages are there."""
    subprocess.run(["tools/setup", "--docs"], check=True, cwd=ROOT, capture_output=True)
    began = os.times()
    run = subprocess.run(["make", "docs"], cwd=ROOT, capture_output=True, text=True)
    ended = os.times()
    assert run.returncode == 0, run.stderr
    assert "WARNING" not in run.stderr
    took = sum(ended[2:4]) - sum(began[2:4])
    assert took < 60 * slowness(), f"{took:.0f} s"
    site = ROOT / "build" / "site"
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"]: entry["text"] for entry in index["docs"]}
    assert "uct.html" in found
    assert "难度" in found["zh/ladder.html#难度"]
    assert "\u200b" in found["zh/ladder.html#难度"]  # between the words, for the search
