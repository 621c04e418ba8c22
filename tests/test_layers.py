"""Data flows one way: a folder may import what stands above it in this list, never below.

Only cli may import everything, and nobody imports cli. The same for the native code: games know
no search, searches no bindings, and nanobind is included in bindings/ only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "honte"
NATIVE = ROOT / "native"

ORDER = (
    "games",
    "search",
    "players",
    "bots",
    "arena",
    "tune",
    "learn",
    "web",
    "terminal",
    "cli",
)
# `import honte` itself brings in what __init__.py offers, so it stands right below players.
# It names the bots' protocols too, but by strings only: they are imported when they are used.
FACADE = ("games", "search", "players")
FACADE_BY_STRING = ("bots",)
# The registries name classes by strings, to import them when they are needed.
BY_STRING = re.compile(r"honte(\.\w+)+(:\w+)?")
NATIVE_ORDER = ("games", "search", "course", "bindings", "tests")


def imported_names(source: str, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """The modules that a file imports, with line numbers: plainly, relatively, or by a string."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package[: len(package) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            for alias in node.names:  # `from honte import cli` imports a folder too
                yield node.lineno, f"{base}.{alias.name}"
        elif isinstance(node, ast.Constant) and BY_STRING.fullmatch(str(node.value)):
            yield node.lineno, str(node.value)


def layer(name: str) -> str:
    """The folder that a module of ours lies in; "" for honte itself."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ORDER else ""


def wrong_arrows(module: str, source: str, is_package: bool = False) -> list[str]:
    """What is wrong with the imports of one file, in words."""
    wrong = []
    here = layer(module)
    for line, name in imported_names(source, module, is_package):
        if name.split(".")[0] != "honte" or name.startswith("honte._native"):
            continue
        there = layer(name)
        if here == "cli" or (module == "honte.__main__" and there == "cli"):
            continue
        if module == "honte":
            fine = there in FACADE or (":" in name and there in FACADE_BY_STRING)
        elif there:
            fine = ORDER.index(there) <= ORDER.index(here)
        else:
            fine = ORDER.index(here) > ORDER.index(FACADE[-1])
        if there == "cli" or not fine:
            wrong.append(f"{module}, line {line}: {here or module} may not import {name}")
    return wrong


def python_files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", python_files(), ids=module_of)
def test_imports_point_upwards(path: Path) -> None:
    module, is_package = module_of(path), path.name == "__init__.py"
    assert wrong_arrows(module, path.read_text(encoding="utf-8"), is_package) == []


def test_every_folder_has_its_place_in_the_order() -> None:
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert folders <= set(ORDER)
    modules = {path.stem for path in SOURCE.glob("*.py")}
    assert modules == {"__init__", "__main__"}, "code lives in one of the folders"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("honte.games.go", "import honte.search.limit"),
        ("honte.games.go", "from honte.search import limit"),
        ("honte.games.go", "from honte import search"),
        ("honte.games.go", "from ..search import limit"),
        ("honte.games.go", "from .. import players"),
        ("honte.games.go", "import honte"),
        ("honte.games.go", "def late():\n    import honte.players"),
        ("honte.games.go", "if TYPE_CHECKING:\n    from honte.players.contract import Player"),
        ("honte.games.registry", "x = {'uct': 'honte.players.uct:UctPlayer'}"),
        ("honte.search.limit", "from honte import Limit"),
        ("honte.players.random", "from honte.arena.match import Match"),
        ("honte.terminal.play", "from honte.cli import main"),
        ("honte.web.server", "from honte.terminal import play"),
        ("honte", "from honte.bots import process"),
        ("honte", "from honte.cli import main"),
        ("honte", "x = 'honte.arena.match:play_game'"),
    ],
)
def test_a_wrong_arrow_is_found(module: str, source: str) -> None:
    assert len(wrong_arrows(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("honte.games.go", "import re\nfrom honte._native import GoRules\nimport honte._native"),
        ("honte.games.go", "from honte.games import svg\nfrom . import text\nfrom .text import x"),
        ("honte.players.random", "from honte.search.limit import Limit"),
        ("honte.bots.process", "import honte\nfrom honte import Limit"),
        ("honte.cli.main", "import honte\nfrom honte.web import server\nfrom honte.cli import x"),
        ("honte.__main__", "from honte.cli.main import run"),
        ("honte", "from honte.players.registry import player"),
        ("honte", "x = 'honte.bots.programs:gtp'"),
        ("honte.games.go", '"""Not honte.players.x, only words about it."""'),
    ],
)
def test_a_right_arrow_is_let_through(module: str, source: str) -> None:
    assert wrong_arrows(module, source) == []


# -- native ----------------------------------------------------------------------------


def wrong_includes(folder: str, source: str) -> list[str]:
    """What a native file in a folder includes and may not."""
    wrong = []
    for name in re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', source, re.MULTILINE):
        first = name.split("/")[0]
        above = NATIVE_ORDER.index(folder)
        if first in ("nanobind", "Python.h"):
            fine = folder == "bindings"
        elif name.startswith("."):
            fine = False  # paths start at native/, so that one can see where they lead
        else:
            fine = first not in NATIVE_ORDER or NATIVE_ORDER.index(first) <= above
            fine = fine and not (folder == "tests" and first == "bindings")
        if not fine:
            wrong.append(f"{folder}/ may not include {name}")
    return wrong


def native_files() -> list[Path]:
    return sorted(path for path in NATIVE.rglob("*") if path.suffix in (".hpp", ".cpp", ".h"))


@pytest.mark.parametrize("path", native_files(), ids=lambda path: str(path.relative_to(NATIVE)))
def test_includes_point_upwards(path: Path) -> None:
    folder = path.relative_to(NATIVE).parts[0]
    assert wrong_includes(folder, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("folder", "source"),
    [
        ("games", '#include "search/uct.hpp"'),
        ("games", '#include "bindings/state.hpp"'),
        ("games", "#include <nanobind/nanobind.h>"),
        ("games", "#include <Python.h>"),
        ("games", '#include "../search/uct.hpp"'),
        ("search", ' # include "bindings/state.hpp"'),
        ("search", "#include <nanobind/stl/vector.h>"),
        ("tests", '#include "bindings/state.hpp"'),
    ],
)
def test_a_wrong_include_is_found(folder: str, source: str) -> None:
    assert len(wrong_includes(folder, source)) == 1


def test_a_right_include_is_let_through() -> None:
    assert wrong_includes("games", '#include <vector>\n#include "games/game.hpp"') == []
    assert wrong_includes("search", '#include "games/game.hpp"\n#include "search/x.hpp"') == []
    assert wrong_includes("bindings", '#include <nanobind/nanobind.h>\n#include "games/x.h"') == []
