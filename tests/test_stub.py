"""The stub of the native module is up to date with tools/stubs, and names what exists."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

import honte
from honte import _native

ROOT = Path(__file__).parents[1]
STUB = ROOT / "src" / "honte" / "_native.pyi"


def test_the_stub_is_up_to_date(tmp_path: Path) -> None:
    made = tmp_path / "_native.pyi"
    subprocess.run([str(ROOT / "tools" / "stubs"), str(made)], check=True, timeout=120)
    assert made.read_text() == STUB.read_text(encoding="utf-8"), "run tools/stubs"


@pytest.mark.parametrize("name", ["connect4", "othello", "go"])
def test_what_python_attaches_to_the_states_is_there(name: str) -> None:
    state = type(honte.game(name).start())
    classes = {
        node.name: node
        for node in ast.parse(STUB.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    }
    members = {
        item.name for item in classes[state.__name__].body if isinstance(item, ast.FunctionDef)
    }
    assert {"to_text", "svg", "_repr_svg_"} <= members
    assert all(member in vars(state) for member in members)


def test_the_stub_names_every_class() -> None:
    public = {name for name in vars(_native) if not name.startswith("_")}
    text = STUB.read_text(encoding="utf-8")
    assert all(name in text for name in public)
