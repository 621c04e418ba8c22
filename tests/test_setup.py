"""The set-up names what is missing, in one sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder for PATH with the plainest tools, and a copy of the set-up beside it."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sh", "dirname", "cmp", "cp"):
        found = shutil.which(name)
        assert found
        (programs / name).symlink_to(found)
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "setup", tmp_path / "tools" / "setup")
    return tmp_path


def program(machine: Path, name: str, script: str) -> None:
    path = machine / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def complaint(machine: Path) -> str:
    environment = {"PATH": str(machine / "bin")}
    run = subprocess.run(
        [machine / "tools" / "setup"], capture_output=True, text=True, env=environment
    )
    assert run.returncode == 1
    assert not (machine / ".venv").exists()
    sentences = run.stderr.strip().splitlines()
    assert len(sentences) == 1
    return sentences[0]


def test_no_python(machine: Path) -> None:
    assert "Python 3.11 or newer is needed" in complaint(machine)


def test_a_python_that_is_too_old(machine: Path) -> None:
    program(machine, "python3", 'case "$2" in *version_info*) exit 1;; esac')
    assert "Python 3.11 or newer is needed" in complaint(machine)


def test_no_venv(machine: Path) -> None:
    program(machine, "python3", 'case "$2" in *ensurepip*) exit 1;; esac')
    assert "apt install python3-venv" in complaint(machine)


def test_no_headers(machine: Path) -> None:
    program(machine, "python3", 'case "$2" in *Python.h*) exit 1;; esac')
    assert "apt install python3-dev" in complaint(machine)


def test_no_compiler(machine: Path) -> None:
    program(machine, "python3", "exit 0")
    assert "a C++ compiler is needed" in complaint(machine)


def test_a_compiler_that_is_too_old(machine: Path) -> None:
    program(machine, "python3", "exit 0")
    program(machine, "c++", "exit 1")
    assert "does not know C++20" in complaint(machine)


def test_an_environment_of_another_python_is_made_again(machine: Path) -> None:
    """Its python runs, but finds no packages."""
    environment = machine / ".venv" / "bin" / "python"
    environment.parent.mkdir(parents=True)
    environment.write_text("#!/bin/sh\nexit 1\n")
    environment.chmod(0o755)
    (machine / "requirements.lock").touch()
    program(machine, "c++", "exit 0")
    venv = 'echo "$*" >>calls; echo "#!/bin/sh" >.venv/bin/python'
    program(machine, "python3", f'case "$*" in "-m venv "*) {venv};; esac')
    for _ in range(2):
        run = subprocess.run(
            [machine / "tools" / "setup"],
            capture_output=True,
            text=True,
            env={"PATH": str(machine / "bin")},
        )
        assert run.returncode == 0, run.stderr
    assert (machine / "calls").read_text() == "-m venv --clear .venv\n"


def test_the_set_up_is_executable() -> None:
    for name in ("tools/setup", "tools/lock", "tools/native-tests", ".ci/run"):
        assert os.access(ROOT / name, os.X_OK)
