"""What MkDocs calls while it builds: generated pages, links, and the two languages."""

from __future__ import annotations

import logging
import re
import sys
from pathlib import Path
from typing import Any

import jieba
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Link, Navigation, Section
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tools.site import pages, reference

jieba.setLogLevel(logging.WARNING)  # it finds the words of Chinese texts for the search

CHINESE = "zh/"
NAMES = {"en": "English", "zh": "中文"}
FIRST_IN_SEARCH = ("glossary.md", "start.md", "zh/start.md")
HOMES = {"en": "README.md", "zh": "zh/README.md"}


def on_config(config: MkDocsConfig) -> None:
    """Drop documents missing from this checkout from the navigation."""
    missing = {page for path, page in pages.DOCUMENTS.items() if not (pages.ROOT / path).exists()}
    config.nav = _without(config.nav, missing)


def _without(items: Any, missing: set[str]) -> Any:
    if isinstance(items, dict):
        return {key: _without(value, missing) for key, value in items.items()}
    if isinstance(items, list):
        return [
            _without(item, missing)
            for item in items
            if not (isinstance(item, dict) and missing & {str(value) for value in item.values()})
        ]
    return items


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not files in docs/."""
    made = {**reference.pages(), **pages.sources()}
    for path, page in pages.DOCUMENTS.items():
        if page.startswith("project/") and (pages.ROOT / path).exists():
            made[page] = (pages.ROOT / path).read_text(encoding="utf-8")
    for page, text in made.items():
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Include sections of the README, turn links to the site's pages, join Chinese lines."""
    place = page.file.src_uri
    if place.startswith(("source/", "reference/")):
        return markdown
    chinese = place.startswith(CHINESE)
    if place in HOMES.values():
        page.meta["hide"] = ["navigation"]
    if place in FIRST_IN_SEARCH:
        page.meta["search"] = {"boost": 3}

    def included(found: re.Match[str]) -> str:
        readme = "README.zh.md" if chinese else "README.md"
        text = (pages.ROOT / readme).read_text(encoding="utf-8")
        section = re.match(r".*^\|.*?$", pages.section(text, found[1]), re.S | re.M)
        assert section is not None  # it ends with a table; links to elsewhere may follow
        return pages.rewritten(section[0], readme)

    markdown = pages.rewritten(markdown, pages.origin(place))
    markdown = re.sub(r"<!-- README: (.+?) -->", included, markdown)
    return pages.joined(markdown) if chinese else markdown


def on_page_context(
    context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Navigation
) -> dict[str, Any]:
    """Show a page in its language: the words of the theme, the navigation, the switch."""
    language = "zh" if page.file.src_uri.startswith(CHINESE) else "en"
    config.theme["language"] = language
    context["nav"] = _navigation(nav, page, language)
    for side in ("previous_page", "next_page"):
        other = getattr(page, side)
        if other is not None and other.file.src_uri.startswith(CHINESE) != (language == "zh"):
            setattr(page, side, None)
    return context


def _navigation(nav: Navigation, page: Page, language: str) -> Navigation:
    """The navigation of one language, and last a link to the same page in the other.

    In mkdocs.yml the Chinese pages are the section 中文.
    """
    chinese = next(item for item in nav.items if item.title == NAMES["zh"])
    assert isinstance(chinese, Section)
    items = chinese.children if language == "zh" else [i for i in nav.items if i is not chinese]
    other = "en" if language == "zh" else "zh"
    shown = Navigation([*items, Link(NAMES[other], _twin(page, other, nav))], nav.pages)
    shown.homepage = next(one for one in nav.pages if one.file.src_uri == HOMES[language])
    return shown


def _twin(page: Page, language: str, nav: Navigation) -> str:
    """The address of a page in a language; of its first page where there is no translation."""
    plain = page.file.src_uri.removeprefix(CHINESE)
    wanted = f"{CHINESE}{plain}" if language == "zh" else plain
    found = {one.file.src_uri: one.url for one in nav.pages}
    return found.get(wanted) or found[HOMES[language]]
