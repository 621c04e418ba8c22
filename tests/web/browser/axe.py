"""What axe, the accessibility inspector, finds on a page."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

ALL = ("minor", "moderate", "serious", "critical")
SERIOUS = ("serious", "critical")
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that another theme can break; all others see the same page in each."""


def findings(
    page: Page, impacts: tuple[str, ...] = SERIOUS, within: str = "html", media: bool = False
) -> list[str]:
    """The faults of these impacts in light and in dark.

    `media`: the theme is the one that the system prefers, not one that the user chose.
    """
    if not page.evaluate("'axe' in window"):
        script = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        page.evaluate(script)
    found = []
    for theme in ("light", "dark"):
        if media:
            page.emulate_media(color_scheme="light" if theme == "light" else "dark")
        else:
            page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        options: dict[str, Any] = {"resultTypes": ["violations"]}
        if theme == "dark":
            options["runOnly"] = COLOURS
        run = "([within, options]) => axe.run(within, options)"
        violations = page.evaluate(run, [within, options])["violations"]
        found += [
            f"{theme}: {one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
            for one in violations
            if one["impact"] in impacts
            for node in one["nodes"][:3]
        ]
    return found
