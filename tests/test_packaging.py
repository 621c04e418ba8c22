"""What is shipped: one version, a changelog, workflows whose commands exist."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import honte

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_stands_in_one_place() -> None:
    file = project()
    assert "version" not in file["project"]
    assert file["tool"]["scikit-build"]["metadata"]["version"]["input"] == "src/honte/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+", honte.__version__)


def test_the_changelog_knows_the_version() -> None:
    titles = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert titles[0] == "Unreleased"
    assert honte.__version__ in titles


def test_wheels_are_built_for_the_oldest_python_and_the_stable_abi() -> None:
    file = project()
    stable = file["tool"]["scikit-build"]["wheel"]["py-api"]
    oldest = "cp" + file["project"]["requires-python"].removeprefix(">=").replace(".", "")
    assert file["tool"]["cibuildwheel"]["build"].split() == [f"{oldest}-*", f"{stable}-*"]


def test_tests_of_wheels_exist() -> None:
    commands = " ".join(project()["tool"]["cibuildwheel"]["test-command"])
    paths = re.findall(r"\{project\}/(\S+)", commands)
    assert paths
    assert all((ROOT / path).exists() for path in paths)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_calls_what_there_is(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert all(target in targets for target in re.findall(r"\bmake (\w+)", text))
    for tool in re.findall(r"\btools/[\w-]+", text):
        assert os.access(ROOT / tool, os.X_OK), tool


@pytest.mark.parametrize("tool", ["tools/test-wheel", "tools/cross-check"])
def test_tools_are_executable(tool: str) -> None:
    assert os.access(ROOT / tool, os.X_OK)
