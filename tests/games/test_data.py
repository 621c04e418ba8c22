"""Every data file that ships says how it was made: data/MANIFEST.json of its game."""

from __future__ import annotations

import hashlib
import json
import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import honte
from honte.cli.builder import builder_of
from honte.games import BUILTIN

KEYS = ["what", "command", "rebuild", "seed", "version", "sha256", "inputs", "scored", "note"]


def folder(game: str) -> Path:
    found = honte.game(game).descriptor.data
    assert found is not None
    return found


def manifest(game: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((folder(game) / "MANIFEST.json").read_text())
    return found


FILES = [(game, name) for game in BUILTIN for name in manifest(game)]


@pytest.mark.parametrize("game", BUILTIN)
def test_every_file_is_listed(game: str) -> None:
    there = {path.name for path in folder(game).iterdir()} - {"MANIFEST.json"}
    assert there == set(manifest(game))


@pytest.mark.parametrize(("game", "name"), FILES)
def test_a_file_is_the_one_that_the_manifest_describes(game: str, name: str) -> None:
    entry = manifest(game)[name]
    assert list(entry) == KEYS
    assert entry["sha256"] == hashlib.sha256((folder(game) / name).read_bytes()).hexdigest(), (
        f"{name} has changed: write its sha256, command and score into MANIFEST.json"
    )


@pytest.mark.parametrize(("game", "name"), FILES)
def test_inputs_have_a_checksum_or_say_why_not(game: str, name: str) -> None:
    for given in manifest(game)[name]["inputs"]:
        assert given["name"]
        assert given["sha256"] or given["note"]


@pytest.mark.parametrize(("game", "name"), FILES)
def test_a_file_was_made_from_the_others_as_they_ship(game: str, name: str) -> None:
    files = manifest(game)
    for given in files[name]["inputs"]:
        if given["name"] in files and not given["note"]:
            assert given["sha256"] == files[given["name"]]["sha256"], (
                f"{given['name']} has changed: make {name} again, or say why not"
            )


@pytest.mark.parametrize(("game", "name"), FILES)
def test_a_file_is_rebuilt_by_one_command_that_honte_knows(game: str, name: str) -> None:
    words = shlex.split(manifest(game)[name]["rebuild"])
    if words[:2] == ["python", "-m"]:  # from a checkpoint that is kept
        assert find_spec(words[2])
        assert (Path(__file__).parents[2] / words[3]).is_file()
        assert words[4:] == [name]
        return
    program, command, asked, *options = words
    assert (program, asked) == ("honte", game)
    if command in ("calibrate", "openings"):
        return
    builder = builder_of(honte.game(game), command)
    assert builder.file == name
    names = [word[2:].replace("-", "_") for word in options[::2]]
    builder.options.read("honte", dict(zip(names, options[1::2], strict=True)))


@pytest.mark.parametrize(("game", "name"), FILES)
def test_the_documentation_has_the_command(game: str, name: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
    assert manifest(game)[name]["rebuild"] in text
