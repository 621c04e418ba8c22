"""Where a file of the repository is on the site, and the links and headings of a Markdown text.

The pages of docs/ are read on code hosts too, so a link always names a file of the repository.
On the site, a link out of docs/ leads to a copy: documents under project/, code under source/.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = {
    "README.md": "README.md",
    "README.zh.md": "zh/README.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
}
"""Documents at the root of the repository, and their pages on the site."""
LANGUAGES = {
    ".py": "python", ".hpp": "cpp", ".cpp": "cpp", ".h": "cpp", ".toml": "toml", ".json": "json",
    ".js": "js", ".css": "css", ".html": "html",
}  # fmt: skip
CODE = re.compile(r"^(?P<fence>`{3,})[^\n]*\n.*?^(?P=fence)[^\n]*$|`[^`\n]+`", re.S | re.M)
LINK = re.compile(r"(?<=\]\()(?P<target>[^)\s#]*)(?P<anchor>#[^)\s]*)?(?=\))")
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.M)
CHINESE = "\u3000-\u303f\u3400-\u9fff\uff00-\uffef“”‘’…"


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """A Markdown text with everything outside code changed."""
    done, parts = 0, []
    for code in CODE.finditer(text):
        parts += [change(text[done : code.start()]), code[0]]
        done = code.end()
    return "".join([*parts, change(text[done:])])


def links(text: str) -> Iterator[tuple[str, str]]:
    """The relative links of a Markdown text: the file, empty for this one, and the anchor.

    >>> list(links("[a](b.md#c) `[d](e.md)` ![f](g.png) [h](https://example.org)"))
    [('b.md', 'c'), ('g.png', '')]
    """
    for link in LINK.finditer(CODE.sub("", text)):
        if "://" not in link["target"] and not link["target"].startswith("mailto:"):
            yield link["target"], (link["anchor"] or "").removeprefix("#")


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a Markdown text, as code hosts and the site make them.

    >>> sorted(anchors("# `honte check`: 检查\\n## A, B\\n## [C](d.md)"))
    ['a-b', 'c', 'honte-check-检查']
    """
    fences = re.compile(r"^(`{3,}).*?^\1", re.S | re.M)
    return {slug(heading) for heading in HEADING.findall(fences.sub("", text))}


def slug(heading: str) -> str:
    """The anchor of a heading."""
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-")


def place(path: str) -> str:
    """The page of a file of the repository, as a path under the site's own docs.

    >>> place("docs/uct.md"), place("ARCHITECTURE.md"), place("native/core/game.hpp")
    ('uct.md', 'project/architecture.md', 'source/native/core/game.hpp.md')
    """
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return DOCUMENTS.get(path) or f"source/{path}{'/index' if (ROOT / path).is_dir() else ''}.md"


def origin(page: str) -> str:
    """The file behind a page that is a document: the inverse of `place`."""
    for path, known in DOCUMENTS.items():
        if known == page and page.startswith("project/"):
            return path
    return f"docs/{page}"


def target_of(link: str, document: str) -> str:
    """The file of the repository that a link in a document names."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(document), link))


def rewritten(text: str, document: str) -> str:
    """A document with its links out of docs/ turned to the site's own copies."""
    page = place(document)

    def turned(link: re.Match[str]) -> str:
        target, anchor = link["target"], link["anchor"] or ""
        if not target or "://" in target or target.startswith("mailto:"):
            return link[0]
        found = place(target_of(target, document))
        return posixpath.relpath(found, posixpath.dirname(page) or ".") + anchor

    return outside_code(text, lambda part: LINK.sub(turned, part))


def joined(text: str) -> str:
    """A Chinese text without the line breaks between its words, which HTML shows as blanks.

    >>> joined("第一行，\\n第二行\\n\\nHonte\\n是")
    '第一行，第二行\\n\\nHonte\\n是'
    """
    between = re.compile(rf"(?<=[{CHINESE}])\n *(?=[{CHINESE}])")
    return outside_code(text, lambda part: between.sub("", part))


def section(text: str, heading: str) -> str:
    """A section of a document, its heading included.

    >>> section("# A\\n## B\\nb\\n## C\\nc", "B")
    '## B\\nb'
    """
    found = re.search(rf"^## {re.escape(heading)}\n.*?(?=^## |\Z)", text, re.S | re.M)
    if found is None:
        raise ValueError(f"there is no section {heading!r}")
    return found[0].rstrip()


def documents() -> list[str]:
    """Every document of the repository that is part of the site."""
    found = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
    return [*found, *(path for path in DOCUMENTS if (ROOT / path).exists())]


def sources() -> dict[str, str]:
    """The pages of everything outside docs/ that documents link to, folders with their files."""
    wanted = {
        target_of(link, document)
        for document in documents()
        for link, _ in links((ROOT / document).read_text(encoding="utf-8"))
        if link
    }
    pages: dict[str, str] = {}
    for path in sorted(wanted):
        if not path.startswith("docs/") and path not in DOCUMENTS:
            _add_source(path, pages)
    return pages


def _add_source(path: str, pages: dict[str, str]) -> None:
    """Add the page of a file, or of a folder with the pages of its files."""
    found = ROOT / path
    head = "---\nsearch:\n  exclude: true\n---\n\n" + f"# `{path}`\n\n"
    if found.is_dir():
        inside = sorted(p for p in found.iterdir() if p.suffix in LANGUAGES or p.name == "Makefile")
        pages[place(path)] = head + "".join(f"- [{p.name}]({p.name}.md)\n" for p in inside)
        for one in inside:
            _add_source(one.relative_to(ROOT).as_posix(), pages)
    elif found.suffix == ".ipynb":
        pages[place(path)] = head + notebook(found.read_text(encoding="utf-8"))
    else:
        language = LANGUAGES.get(found.suffix, "make" if found.name == "Makefile" else "text")
        code = found.read_text(encoding="utf-8").rstrip()
        pages[place(path)] = f"{head}``````{language}\n{code}\n``````\n"


def notebook(text: str) -> str:
    """The cells of a notebook as Markdown."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        parts.append(f"```python\n{source}\n```" if cell["cell_type"] == "code" else source)
    return "\n\n".join(parts)
