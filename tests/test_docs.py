"""Code and commands in the documents run as shown."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import honte
from honte.cli.bench import choose
from tests.cli.command import Done
from tests.cli.command import honte as run_command
from tests.desk import compile_bots, lay

ROOT = Path(__file__).parents[1]
READMES = [ROOT / "README.md", ROOT / "README.zh.md"]
DOCUMENTS = [*READMES, *sorted((ROOT / "docs").rglob("*.md"))]
NEEDS_JAX = ("honte.nets.", "honte.games.connect4.jax_rules", "honte.games.go.jax_rules")
HAS_JAX = find_spec("jax") is not None and find_spec("mctx") is not None
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(honte.__path__, "honte.")
    if not module.name.endswith(("__main__", ".libhonte_getpoint"))  # a command; no module
    and (HAS_JAX or not module.name.startswith(NEEDS_JAX))
)


def blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", document.read_text(), re.S)


@pytest.mark.parametrize("name", ["honte", *MODULES])
def test_the_examples_in_docstrings_are_true(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def name_of(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


def twins() -> list[tuple[Path, Path]]:
    """The documents that exist in both languages."""
    folder = ROOT / "docs"
    chinese = sorted((folder / "zh").rglob("*.md"))
    return [(READMES[0], READMES[1]), *((folder / one.name, one) for one in chinese)]


TRANSLATED = [chinese for _, chinese in twins()]
WITH_PYTHON = [one for one in DOCUMENTS if one not in TRANSLATED and blocks(one, "python")]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay(tmp_path_factory.mktemp("desk"))


@pytest.mark.parametrize("document", WITH_PYTHON, ids=name_of)
def test_the_python_in_a_document_runs(document: Path, desk: Path) -> None:
    """Every block on its own, in one process: starting Python takes longer than most of them."""
    program = "import sys\nfor block in sys.argv[1:]:\n    exec(block, {'__name__': '__main__'})"
    run = subprocess.run(
        [sys.executable, "-c", program, *blocks(document, "python")],
        cwd=desk,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr


def test_studies_and_lists_of_bots_in_documents_are_valid() -> None:
    from honte.tune.study import parse

    found = [block for document in DOCUMENTS for block in blocks(document, "toml")]
    studies = [block for block in found if "[objective]" in block]
    assert len(found) > len(studies) > 1
    for block in found:
        tomllib.loads(block)
    for block in studies:
        parse(block)


@pytest.mark.parametrize(("english", "chinese"), twins(), ids=name_of)
def test_both_languages_show_the_same_code(english: Path, chinese: Path) -> None:
    """The English code is run; in the Chinese one only comments may differ."""

    def code(document: Path) -> list[str]:
        found = re.findall(r"```(?:sh|python|toml)\n(.*?)```", document.read_text(), re.S)
        return [line.split("#")[0].rstrip() for block in found for line in block.splitlines()]

    assert code(chinese) == code(english)


@pytest.mark.parametrize(("english", "chinese"), twins(), ids=name_of)
def test_both_languages_give_the_same_figures(english: Path, chinese: Path) -> None:
    def figures(document: Path) -> list[str]:
        return re.findall(r"\d[\d.,]* ± \d[\d.,]*", document.read_text())

    assert figures(chinese) == figures(english)


@pytest.mark.parametrize(("english", "chinese"), twins(), ids=name_of)
def test_both_languages_have_the_same_parts(english: Path, chinese: Path) -> None:
    """A forgotten translation shows as a missing section, row or picture."""
    if english.name == "README.md":  # the first pages name what there is in their language
        return

    def parts(document: Path) -> list[str]:
        return re.findall(r"^(#+ |\| |!\[|- )", document.read_text(), re.M)

    assert parts(chinese) == parts(english)


# --- commands ---

HONTE = re.compile(r"(?:\.venv/bin/)?honte(?= |$)")
QUICK = ["README.md", "docs/README.md", "docs/start.md", "docs/play.md"]
"""Documents whose commands are run by every `make test`."""
SERVERS = ("play", "serve", "tui", "gtp", "nboard")
"""Commands that wait for a person or a program; they have tests of their own."""


def commands(document: Path) -> list[list[str]]:
    """The words of every `honte` command in the shell blocks of a document."""
    text = "\n".join(blocks(document, "sh")).replace("\\\n", " ")
    lines = [line.split(" #")[0].strip() for line in text.splitlines()]
    return [shlex.split(line)[1:] for line in lines if HONTE.match(line)]


def waits(words: list[str]) -> bool:
    return bool(words) and words[0] in SERVERS and "--terminal" not in words


def ran(words: list[str], folder: Path) -> Done:
    if words[:1] == ["bench"]:  # a rate takes seconds: the first of them
        words = ["bench", choose([word for word in words[1:] if word[0] != "-"])[0]]
    return run_command(*words, given="quit\n", timeout=600, cwd=folder)


def test_the_commands_of_the_first_pages_run(tmp_path: Path) -> None:
    found = [words for name in QUICK for words in commands(ROOT / name) if not waits(words)]
    assert len(found) > 15
    lay(tmp_path)
    seen = []
    for words in found:
        if words not in seen:
            seen.append(words)
            run = ran(words, tmp_path)
            assert run.code == 0, f"{words}: {run.errors}"
            assert run.output, words


LONG = [name_of(one) for one in DOCUMENTS if one not in TRANSLATED and name_of(one) not in QUICK]
SHORTER = {
    "--games": "2", "--rounds": "1", "--seconds": "0.05", "--iterations": "30", "--count": "2",
    "--self-play": "2", "--positions": "2", "--corners": "1", "--lines": "1", "--plies": "1",
    "--workers": "1", "--depth": "4",
}  # fmt: skip
"""Options that make a command short enough to be tried."""
NOT_HERE = (
    "ray", "WTHOR", "gnugo", "$GNUGO", "saiblo:./bot", "calibrate", "learn net", "net7x6", "go.net",
    "--data games.db", "connect4.book", "book --check", "my.policy", "my.book", "othello.book",
    "alphazero.py:learned",
)  # fmt: skip
"""What needs a cluster, hours, or programs and files of other people."""
GIVEN = {"TEXT": f"{'O' * 27}{'X' * 27}{'-' * 10} X", "f5d6...": "f5d6"}


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in LONG if commands(ROOT / name)])
def test_the_commands_of_a_document_run_shortened(name: str, tmp_path: Path) -> None:
    lay(tmp_path)
    compile_bots(tmp_path)
    for store in ("games.db", "results.db", "study.db"):
        task = ["match", "uct", "random", "--game", "connect4", "--games", "2"]
        run_command(*task, "--iterations", "20", "--store", store, cwd=tmp_path)
    for words in commands(ROOT / name):
        if waits(words) or any(part in " ".join(words) for part in NOT_HERE):
            continue
        run = ran(shortened(words, tmp_path), tmp_path)
        assert run.code == 0, f"{words}: {run.errors}"


def shortened(words: list[str], folder: Path) -> list[str]:
    """A command with small numbers in place of large ones, and an id that exists."""
    found = list(words)
    for place, word in enumerate(words):
        if place and words[place - 1] in SHORTER and words[0] not in ("ladder", "check"):
            found[place] = SHORTER[words[place - 1]]
        elif word in ("3f9c", "3f2a", "ID"):
            listed = run_command("show", "--store", "games.db", cwd=folder).output
            found[place] = re.findall(r"\b[0-9a-f]{16}\b", listed)[0]
        elif word in GIVEN:
            found[place] = GIVEN[word]
    if words[0] == "ladder":
        found += ["--seconds", "0.05", *(["--quick"] if "--quick" not in words else [])]
    if words[0] == "match":
        found += [] if "--games" in words else ["--games", "2"]
        found += [] if {"--seconds", "--iterations"} & set(words) else ["--iterations", "30"]
    if words[0] == "tournament":
        found += ["--rounds", "1"] if "--rounds" not in words else []
        found += ["--iterations", "30"]
    if words[:2] == ["solve", "othello"]:
        found += ["--seconds", "1"]
    if words[:2] == ["solve", "connect4"] and "--file" not in words:
        found[2:] = ["--moves", "4444443322", *(word for word in words[2:] if word == "--wld")]
    return found


def lines_of_code(document: Path) -> list[str]:
    """What a document shows in code: lines of blocks, and words between backticks."""
    text = document.read_text()
    found = [
        line for block in re.findall(r"```.*?\n(.*?)```", text, re.S) for line in block.split("\n")
    ]
    found += re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.S))
    return [line.strip().removeprefix("$ ").removeprefix(".venv/bin/") for line in found]


@pytest.fixture(scope="module")
def command_line() -> Any:
    """Every command with its options; to put them together takes longer than to look one up."""
    import typer

    from honte.cli.main import make_app

    return typer.main.get_command(make_app())


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_command_shown_exists_with_its_options(document: Path, command_line: Any) -> None:
    from honte.cli.builder import as_flags, builder_options
    from honte.cli.main import BUILDERS

    for line in lines_of_code(document):
        words = line.split("#")[0].split()
        if len(words) < 2 or words[0] != "honte" or not re.fullmatch(r"[a-z]+", words[1]):
            continue
        two = " ".join(words[1:3])
        command = command_line.commands.get(two) or command_line.commands.get(words[1])
        assert command is not None, f"{document.name}: {line}"
        options = list(command.params)
        if words[1] in BUILDERS and two not in command_line.commands:
            for option in builder_options(words[1], words[2:]):
                options += as_flags(option)[:1]
        known = {"--help", "-h"} | {
            name for option in options for name in [*option.opts, *option.secondary_opts]
        }
        shown = " ".join(words[2:])
        shown = re.sub(r"\"[^\"]*\"", "", shown)  # a bot's own command line has options of its own
        for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", shown):
            assert option in known, f"{document.name}: {line}"


def test_lines_of_documents_are_shorter_than_a_hundred_columns() -> None:
    for document in [ROOT / "ARCHITECTURE.md", *(ROOT / "docs").rglob("*.md")]:
        for number, line in enumerate(document.read_text().splitlines(), 1):
            assert len(line) < 100, f"{document.name}, line {number}"


def test_every_folder_says_what_it_is_for() -> None:
    package = Path(honte.__file__).parent
    for folder in [path for path in package.rglob("*") if path.is_dir() and path.name[0] != "_"]:
        if any(folder.glob("*.py")):
            first = (folder / "__init__.py").read_text()
            assert first.startswith('"""'), folder.name
            assert 1 <= len(first.split('"""')[1].strip().splitlines()) <= 8, folder.name
