"""Look at the built site: every link and anchor leads somewhere, and nothing is loaded from
other hosts.

    .venv/bin/python -m tools.site.check build/site
"""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("source", "srcset"), ("link", "href")}
"""Attributes whose address a browser loads by itself; the others it follows on a click."""


class Addresses(HTMLParser):
    """The anchors of a page, and the addresses that it loads or links to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.found: list[tuple[str, bool]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif value and (name in ("href", "src", "srcset")):
                self.found.append((value, (tag, name) in LOADED))


def troubles(site: Path) -> Iterator[str]:
    """The problems of a site, one sentence each."""
    pages = {
        path.relative_to(site).as_posix(): Addresses(path.read_text(encoding="utf-8"))
        for path in sorted(site.rglob("*.html"))
    }
    if not pages:
        yield f"{site} has no pages"
    for page, here in pages.items():
        if page == "404.html":  # its addresses begin at the root of a server
            continue
        for address, loaded in here.found:
            parts = urlsplit(address)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if loaded:
                    yield f"{page} loads {address} from another host"
                continue
            path = posixpath.join(posixpath.dirname(page), unquote(parts.path))
            target = posixpath.normpath(path) if parts.path else page
            if (site / target).is_dir():
                target = posixpath.normpath(posixpath.join(target, "index.html"))
            anchor = unquote(parts.fragment)
            if not (site / target).is_file():
                yield f"{page}: there is no {address}"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield f"{page}: {target} has no anchor #{anchor}"


def main() -> None:
    site = Path(sys.argv[1])
    found = list(troubles(site))
    for trouble in found:
        print(trouble, file=sys.stderr)
    if found:
        sys.exit(1)
    count = sum(1 for _ in site.rglob("*.html"))
    print(f"{count} pages in {site}, no broken links; open {site}/index.html")


if __name__ == "__main__":
    main()
