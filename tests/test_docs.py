"""What the documents show runs as it stands there."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import honte
from honte.cli.bench import choose
from tests.cli.command import honte as run_command

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "README.zh.md", ROOT / "docs" / "add-a-game.md"]
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


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_python_in_a_document_runs(document: Path) -> None:
    found = blocks(document, "python")
    assert found
    for block in found:
        subprocess.run([sys.executable, "-c", block], check=True, cwd=ROOT, capture_output=True)


READMES = [ROOT / "README.md", ROOT / "README.zh.md"]


def commands(document: Path) -> list[str]:
    lines = "\n".join(blocks(document, "sh")).splitlines()
    return [line.split("#")[0].strip() for line in lines if line.startswith(".venv/bin/honte")]


def test_the_commands_of_the_readme_run(tmp_path: Path) -> None:
    """Those of README.md; README.zh.md has the same, as the next test says."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    found = commands(ROOT / "README.md")
    assert len(found) > 8
    for command in found:
        _, *words = shlex.split(command)
        if words[:1] == ["bench"]:  # a rate takes seconds: the first of them
            words = ["bench", choose(words[1:])[0]]
        run = run_command(*words, given="quit\n", timeout=180, cwd=tmp_path)
        assert run.code == 0, f"{command}: {run.errors}"
        assert run.output, command


def test_the_two_readmes_show_the_same_commands() -> None:
    english, chinese = map(commands, READMES)
    assert english == chinese


def lines_of_code(document: Path) -> list[str]:
    """What a document shows in code: lines of blocks, and words between backticks."""
    text = document.read_text()
    found = [
        line for block in re.findall(r"```.*?\n(.*?)```", text, re.S) for line in block.split("\n")
    ]
    found += re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.S))
    return [line.strip().removeprefix("$ ").removeprefix(".venv/bin/") for line in found]


@pytest.mark.parametrize(
    "document", [*READMES, *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda path: path.name
)
def test_every_command_shown_exists_with_its_options(document: Path) -> None:
    import typer

    from honte.cli.builder import as_flags, builder_options
    from honte.cli.main import BUILDERS, make_app

    group: Any = typer.main.get_command(make_app())
    for line in lines_of_code(document):
        words = line.split("#")[0].split()
        if len(words) < 2 or words[0] != "honte" or not re.fullmatch(r"[a-z]+", words[1]):
            continue
        two = " ".join(words[1:3])
        command = group.commands.get(two) or group.commands.get(words[1])
        assert command is not None, f"{document.name}: {line}"
        options = list(command.params)
        if words[1] in BUILDERS and two not in group.commands:
            for option in builder_options(words[1], words[2:]):
                options += as_flags(option)[:1]
        known = {"--help", "-h"} | {
            name for option in options for name in [*option.opts, *option.secondary_opts]
        }
        shown = " ".join(words[2:])
        shown = re.sub(r"\"[^\"]*\"", "", shown)  # a bot's own command line has options of its own
        for option in re.findall(r"(?<!\S)--?[a-z][a-z-]*", shown):
            assert option in known, f"{document.name}: {line}"


def test_links_between_documents_lead_somewhere() -> None:
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for link in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
            if "://" not in link:
                assert (document.parent / link).exists(), f"{document.name}: {link}"


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
