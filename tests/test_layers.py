"""Data flows one way: a folder may import those above it in this list, never those below.

Only cli may import everything, and nothing imports cli. The same for the native code: searches know
no game, no game knows another, and only bindings/ includes nanobind.
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
    "core",
    "drawing",
    "search",
    "games",
    "players",
    "protocols",
    "sandbox",
    "check",
    "arena",
    "analysis",
    "submissions",
    "classroom",
    "tune",
    "nets",
    "adapters",
    "web",
    "terminal",
    "cli",
)
# `import honte` itself loads what __init__.py exports, so it ranks right below games. Players and
# bots are named there too, but only as strings: they are imported on first use.
FACADE = ("core", "drawing", "search", "games")
FACADE_BY_STRING = ("players", "sandbox", "arena")
# What core names by a string and does not import: the drawing of a report, a group of entry points.
NAMED = ("honte.drawing.picture:html", "honte.games")
# The registries name classes by strings, to import them when they are needed.
BY_STRING = re.compile(r"honte(\.\w+)+(:\w+)?")
# The native modules stand above all; _native.py asks core which of them to load.
EXTENSIONS = ("honte._native", "honte._processor")
NATIVE_ORDER = (
    "windows",  # headers of POSIX that Windows lacks
    "core",
    "nets",
    "search",
    "connect4",
    "othello",
    "go",
    "signature",
    "course",
    "sites",
    "bindings",
    "tests",
)
GAMES = ("connect4", "othello", "go")


def imported_names(tree: ast.Module, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """The modules that a file imports, with line numbers: plainly, relatively, or by a string."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
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
            if module.startswith("honte.core.") and node.value in NAMED:
                continue
            module_name, _, attribute = str(node.value).partition(":")
            yield node.lineno, f"{module_name}:{attribute}"


def layer(name: str) -> str:
    """The folder that a module of ours lies in; "" for honte itself."""
    parts = name.partition(":")[0].split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ORDER else ""


def wrong_arrows(module: str, source: str, is_package: bool = False) -> list[str]:
    """The forbidden imports of one file, as messages."""
    wrong = []
    here, tree = layer(module), ast.parse(source)
    typed = {
        line
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    for line, name in imported_names(tree, module, is_package):
        if name.split(".")[0] != "honte" or name.startswith(EXTENSIONS):
            continue
        there = layer(name)
        if here == "cli" or (module == "honte.__main__" and there in ("core", "cli")):
            continue
        if module == "honte._native":
            fine = there == "core"
        elif module == "honte":
            late = ":" in name or line in typed
            fine = there in FACADE or (late and there in FACADE_BY_STRING)
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


def test_imports_point_upwards() -> None:
    wrong, files = list[str](), python_files()
    for path in files:
        source, is_package = path.read_text(encoding="utf-8"), path.name == "__init__.py"
        wrong += wrong_arrows(module_of(path), source, is_package)
    assert not wrong, "\n".join(wrong)
    assert len(files) > 200


def test_every_folder_has_its_place_in_the_order() -> None:
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert folders <= {*ORDER, "locale"}
    modules = {path.stem for path in SOURCE.glob("*.py")}
    assert modules == {"__init__", "__main__", "_native"}, "code lives in one of the folders"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("honte.core.spec", "import honte.search.uct"),
        ("honte.core.spec", "from honte.search import uct"),
        ("honte.core.spec", "from honte import search"),
        ("honte.core.spec", "from ..search import uct"),
        ("honte.games.go.game", "from ... import players"),
        ("honte.games.go.game", "import honte"),
        ("honte.games.go.game", "def late():\n    import honte.players"),
        ("honte.games.go.game", "if TYPE_CHECKING:\n    from honte.arena.store import Store"),
        ("honte.core.games", "x = {'uct': 'honte.players.uct:UctPlayer'}"),
        ("honte.core.request", "from honte import Limit"),
        ("honte.players.random", "from honte.arena.match import Match"),
        ("honte.terminal.play", "from honte.cli import main"),
        ("honte.web.server", "from honte.terminal import play"),
        ("honte", "from honte.sandbox import process"),
        ("honte", "from honte.cli import main"),
        ("honte", "x = 'honte.web.server:serve'"),
    ],
)
def test_a_wrong_arrow_is_found(module: str, source: str) -> None:
    assert len(wrong_arrows(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        (
            "honte.games.go.game",
            "import re\nfrom honte._native import GoRules\nimport honte._native",
        ),
        (
            "honte.games.go.game",
            "from honte.games import svg\nfrom . import text\nfrom .text import x",
        ),
        ("honte.players.random", "from honte.core.request import Limit"),
        ("honte.sandbox.process", "import honte\nfrom honte import Limit"),
        ("honte.cli.main", "import honte\nfrom honte.web import server\nfrom honte.cli import x"),
        ("honte.__main__", "from honte.cli.main import run"),
        ("honte", "from honte.core.players import player"),
        ("honte", "x = 'honte.sandbox.programs:gtp'"),
        ("honte", "x = 'honte.arena'\nif TYPE_CHECKING:\n    from honte.arena import play"),
        ("honte.games.go.game", '"""Not honte.players.x, only words about it."""'),
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
            fine = fine and not (folder in GAMES and first in GAMES and first != folder)
        if not fine:
            wrong.append(f"{folder}/ may not include {name}")
    return wrong


def native_files() -> list[Path]:
    return sorted(path for path in NATIVE.rglob("*") if path.suffix in (".hpp", ".cpp", ".h"))


def test_includes_point_upwards() -> None:
    wrong, files = list[str](), native_files()
    for path in files:
        name = path.relative_to(NATIVE)
        found = wrong_includes(name.parts[0], path.read_text(encoding="utf-8"))
        wrong += [f"{name}: {words}" for words in found]
    assert not wrong, "\n".join(wrong)
    assert len(files) > 80


@pytest.mark.parametrize(
    ("folder", "source"),
    [
        ("core", '#include "search/uct.hpp"'),
        ("go", '#include "bindings/state.hpp"'),
        ("go", "#include <nanobind/nanobind.h>"),
        ("go", "#include <Python.h>"),
        ("go", '#include "../search/uct.hpp"'),
        ("search", ' # include "bindings/state.hpp"'),
        ("search", '#include "go/game.hpp"'),
        ("othello", '#include "connect4/board.hpp"'),
        ("search", "#include <nanobind/stl/vector.h>"),
        ("tests", '#include "bindings/state.hpp"'),
    ],
)
def test_a_wrong_include_is_found(folder: str, source: str) -> None:
    assert len(wrong_includes(folder, source)) == 1


def test_a_right_include_is_let_through() -> None:
    assert wrong_includes("go", '#include <vector>\n#include "core/game.hpp"') == []
    assert wrong_includes("search", '#include "core/game.hpp"\n#include "search/x.hpp"') == []
    assert (
        wrong_includes("bindings", '#include <nanobind/nanobind.h>\n#include "go/game.hpp"') == []
    )
