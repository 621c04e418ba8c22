"""The drawings in docs/images of what searches see are what they see today."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools import load_tool

IMAGES = Path(__file__).parents[1] / "docs" / "images"
DRAWINGS = load_tool("pictures").DRAWINGS


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_up_to_date(name: str) -> None:
    made = (IMAGES / f"{name}.svg").read_text(encoding="utf-8")
    assert made.strip() == DRAWINGS[name]().strip(), f"run tools/pictures {name}"
