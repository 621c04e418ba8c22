"""Generic code names no game: everything specific to one lives in its own folder.

Checked are the Python outside games/, the native core and searches, the shared bindings, and the
page. Examples in doctests may name a game.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "honte"

# Protocols that were made for one game, or give each game a number; and the front door, which says
# what there is to play.
MADE_FOR_A_GAME = {
    "src/honte/__init__.py",
    "src/honte/adapters/openspiel.py",
    "src/honte/cli/botzone.py",
    "src/honte/cli/gtp.py",
    "src/honte/cli/nboard.py",
    "src/honte/cli/saiblo.py",
    "src/honte/protocols/botzone.py",
    "src/honte/protocols/botzone_engine.py",
    "src/honte/protocols/course.py",
    "src/honte/protocols/getpoint.py",
    "src/honte/protocols/gtp.py",
    "src/honte/protocols/gtp_engine.py",
    "src/honte/protocols/gtp_go.py",
    "src/honte/protocols/kaggle.py",
    "src/honte/protocols/nboard.py",
    "src/honte/protocols/nboard_engine.py",
    "src/honte/protocols/saiblo.py",
    "src/honte/protocols/saiblo_engine.py",
}

NAME = re.compile(
    r"connect[ _]?4|connect[ _]?four|othello|reversi"
    r"|\bgo:|honte\.games\.go\b|[\"'`]go[\"'`]|\bgo_(?=game|state|rules|board|engine)",
    re.IGNORECASE,
)
GO = re.compile(r"\bGo[A-Z]\w*|\bGo\b(?! (on|to|back|through|forward|there|here|up|down|again)\b)")
"""The game, not the verb at the beginning of a sentence."""


def names_in(text: str) -> list[str]:
    """What in a text names a game.

    >>> names_in("Go on with Go, as in Othello"), names_in("let go; go_to(3)")
    (['Go', 'Othello'], [])
    """
    found = [*GO.finditer(text), *NAME.finditer(text)]
    return [match[0] for match in sorted(found, key=lambda match: match.start())]


def without_examples(docstring: str) -> str:
    """A docstring less its doctests: the lines from ``>>>`` to the next empty one."""
    return re.sub(r"^[ \t]*>>>.*?(?=^[ \t]*$|\Z)", "", docstring, flags=re.DOTALL | re.MULTILINE)


def docstrings(tree: ast.AST) -> set[int]:
    """The lines on which docstrings begin, those of attributes too."""
    return {
        node.value.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


def in_python(source: str) -> Iterator[tuple[int, str]]:
    """Names of games in code, strings, comments and docstrings, with their lines."""
    if not names_in(source) and not re.search(r"\bgo\b", source):
        return
    documented = docstrings(ast.parse(source))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = token.string
        if token.type == tokenize.STRING and token.start[0] in documented:
            text = without_examples(text)
        if token.type == tokenize.NAME and text == "go":
            yield token.start[0], text
        for name in names_in(text):
            yield token.start[0], name


def in_text(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), 1):
        for name in names_in(line):
            yield number, name


def generic_files() -> list[Path]:
    games = SOURCE / "games"
    python = [path for path in SOURCE.rglob("*.py") if games not in path.parents]
    page = [path for path in (SOURCE / "web" / "page").rglob("*") if path.suffix in PAGE]
    native = ROOT / "native"
    shared = [
        *(
            path
            for room in ("core", "nets", "search")
            for path in (native / room).rglob("*.[hc]pp")
        ),
        *(native / "bindings").glob("*.hpp"),
    ]
    return sorted([*python, *page, *shared])


PAGE = {".js", ".html", ".css"}


def test_generic_code_names_no_game() -> None:
    found, files = list[str](), generic_files()
    for path in files:
        name, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        if name not in MADE_FOR_A_GAME:
            names = (in_python if path.suffix == ".py" else in_text)(source)
            found += [f"{name}:{line}: {word}" for line, word in names]
    assert not found, "\n".join(found)
    assert len(files) > 200


def test_the_list_names_files_that_are_there() -> None:
    missing = [name for name in MADE_FOR_A_GAME if not (ROOT / name).is_file()]
    assert not missing


def test_the_reader_finds_names_in_code_and_leaves_doctests_alone() -> None:
    source = (
        '"""A game.\n\n>>> game("othello")\n\nLike Go.\n"""\nx = "go"  # Connect Four\ngo_to(1)\n'
    )
    assert [word for _, word in in_python(source)] == ["Go", '"go"', "Connect Four"]
