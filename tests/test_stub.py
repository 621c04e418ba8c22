"""The stub of the native module says what is there: every name, no more, with its arguments."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import honte._native
from honte.games import connect4, go, othello  # noqa: F401  (they equip the native states)

STUB = Path(honte._native.__file__ or "").parent / "_native.pyi"
if not STUB.exists():  # the module is built elsewhere than the sources lie
    STUB = Path(__file__).parents[1] / "src" / "honte" / "_native.pyi"
TREE = ast.parse(STUB.read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in TREE.body if isinstance(node, ast.ClassDef)}


def functions_of(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    """The members of a class in the stub, with those of its private bases."""
    found: dict[str, ast.FunctionDef] = {}
    for base in node.bases:
        name = base.value if isinstance(base, ast.Subscript) else base  # _Uct[GoState] is a _Uct
        if isinstance(name, ast.Name) and name.id in CLASSES:
            found |= functions_of(CLASSES[name.id])
    return found | {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}


def public(owner: type | ModuleType) -> set[str]:
    """The names that somebody may use; _repr_svg_ is what notebooks look for."""
    spoken = ("_repr_svg_", "__call__", "__len__")
    return {name for name in vars(owner) if not name.startswith("_") or name in spoken}


def argument_names(function: Any) -> list[str]:
    """The arguments of a native or an attached function, without self; a bare * has no name."""
    if hasattr(function, "__nb_signature__"):
        signature = function.__nb_signature__[0][0]
        inside = re.sub(
            r"\\\d+", "...", signature[signature.index("(") + 1 : signature.rindex(")")]
        )
        named = ast.parse(f"def f({inside}): ...").body[0]
        assert isinstance(named, ast.FunctionDef)
        return stub_arguments(named)
    parameters = list(inspect.signature(function).parameters.values())
    return [p.name for p in parameters if p.kind is not p.VAR_KEYWORD][1:]


def stub_arguments(node: ast.FunctionDef) -> list[str]:
    arguments = node.args
    names = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
    return names[1:] if names[:1] == ["self"] else names


def test_the_stub_names_what_the_module_has() -> None:
    functions = {node.name for node in TREE.body if isinstance(node, ast.FunctionDef)}
    constants = {
        node.target.id
        for node in TREE.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    shown = functions | constants | {name for name in CLASSES if not name.startswith("_")}
    assert shown == public(honte._native)


@pytest.mark.parametrize("name", [name for name in CLASSES if not name.startswith("_")])
def test_the_stub_names_what_a_class_has(name: str) -> None:
    stub = functions_of(CLASSES[name])
    assert set(stub) - {"__init__"} == public(getattr(honte._native, name))


@pytest.mark.parametrize("name", [name for name in CLASSES if not name.startswith("_")])
def test_the_stub_names_the_arguments(name: str) -> None:
    native = getattr(honte._native, name)
    for member, node in functions_of(CLASSES[name]).items():
        decorated = [item.id for item in node.decorator_list if isinstance(item, ast.Name)]
        attribute = getattr(native, member)
        if "property" in decorated:
            assert not callable(attribute), f"{name}.{member} is no property"
        elif node.args.posonlyargs:  # given by position, so their names do not matter
            pass
        elif member not in ("to_text", "_repr_svg_"):  # attached, with options of each game
            assert argument_names(attribute) == stub_arguments(node), f"{name}.{member}"
