"""The container of `honte serve`: checks that need no container runtime."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import honte as command
from tests.web.live import LiveServer

ROOT = Path(__file__).parents[2]


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, each on one line."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def rest_of(wanted: str) -> list[str]:
    return [rest for word, rest in instructions() if word == wanted]


def test_only_known_instructions_are_used() -> None:
    known = {"FROM", "RUN", "WORKDIR", "COPY", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"}
    assert {word for word, _ in instructions()} == known


def test_what_is_copied_is_there_and_all_that_the_build_needs() -> None:
    copied = [words.split()[:-1] for words in rest_of("COPY") if not words.startswith("--from")]
    sources = {source for words in copied for source in words}
    assert all((ROOT / source).exists() for source in sources)
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    needed = set(re.findall(r"\b(native|tools|src)/", cmake)) | {"pyproject.toml", "README.md"}
    assert needed <= sources


def test_images_have_a_version() -> None:
    assert all(re.search(r":[\w.-]*\d", image) for image in rest_of("FROM"))


def test_the_server_is_not_root() -> None:
    words = [word for word, _ in instructions()]
    (user,) = rest_of("USER")
    assert user.isdecimal()
    assert int(user) > 0
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert words.index("USER") > max(at for at, word in enumerate(words) if word == "RUN")


def test_the_command_exists_with_its_options() -> None:
    (entry,) = rest_of("ENTRYPOINT")
    program, *words = json.loads(entry)
    assert program == "honte"
    assert command(*words, "--public", "no address").errors.startswith("honte: ")
    assert command(*words, "--help").code == 0


@pytest.mark.parametrize("alive", [True, False])
def test_the_health_check_sees_whether_the_server_answers(guarded: LiveServer, alive: bool) -> None:
    (check,) = rest_of("HEALTHCHECK")
    words = json.loads(check[check.index("[") :])
    code = words[-1].replace("8000", str(guarded.port if alive else 9))
    done = subprocess.run([sys.executable, *words[1:-1], code], check=False, capture_output=True)
    assert (done.returncode == 0) is alive
