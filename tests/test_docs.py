"""What the documents show runs as it stands there."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import honte

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "docs" / "add-a-game.md"]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(honte.__path__, "honte.")
    if not module.name.endswith("__main__")
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


def commands() -> list[str]:
    lines = "\n".join(blocks(ROOT / "README.md", "sh")).splitlines()
    return [line.split("#")[0].strip() for line in lines if line.startswith(".venv/bin/honte")]


@pytest.mark.parametrize("command", commands())
def test_the_commands_of_the_readme_run(command: str) -> None:
    words = command.replace(".venv/bin/honte", f"{sys.executable} -m honte")
    run = subprocess.run(
        words,
        shell=True,
        cwd=ROOT,
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout


def test_links_between_documents_lead_somewhere() -> None:
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
            if "://" not in link:
                assert (document.parent / link).exists(), f"{document.name}: {link}"
