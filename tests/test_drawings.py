"""The drawings in docs/images of what searches see are what they see today."""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


def tool() -> ModuleType:
    loader = SourceFileLoader("pictures_tool", str(ROOT / "tools" / "pictures"))
    spec = spec_from_loader("pictures_tool", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


TOOL = tool()


@pytest.mark.parametrize("name", TOOL.DRAWINGS)
def test_a_drawing_is_up_to_date(name: str) -> None:
    made = (ROOT / "docs" / "images" / f"{name}.svg").read_text(encoding="utf-8")
    assert made.strip() == TOOL.DRAWINGS[name]().strip(), f"run tools/pictures {name}"
