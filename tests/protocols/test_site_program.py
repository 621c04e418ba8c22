"""`honte export --as`: a single C++ file for a site, uploaded here as a bot."""

from __future__ import annotations

import random
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

import honte
from honte.core.embedded import embedded
from honte.core.request import Limit, Request
from honte.protocols.site_program import amalgamated, source_of, sources, write_package
from honte.submissions.sources import files_of
from honte.submissions.versions import Versions

PACKAGES = [
    ("best", "connect4:rows=10,cols=12,blocked=6/3", "saiblo"),
    ("uct:policy=learned", "connect4:rows=10,cols=12,blocked=6/3", "botzone"),
    ("best", "othello", "botzone"),
    ("uct:c=0.7", "othello", "botzone"),
    ("uct", "go:size=9", "botzone"),
    ("best", "go:size=9", "botzone"),
]


@pytest.mark.parametrize(("engine", "game", "site"), PACKAGES)
def test_a_program_is_one_file(engine: str, game: str, site: str) -> None:
    text = source_of(engine, honte.game(game), site, 1.5)
    assert not re.findall(r'^\s*#\s*include\s+"', text, re.M)
    assert "#pragma once" not in text
    assert text.count("int main() {") == 1
    assert re.search(rf"return sites::{site}\(.*1\.5, sites::\w*Thinker", text)
    assert text.count("namespace honte::search {") > 5
    assert len(text) < 4 << 20


def test_settings_are_those_of_the_spec() -> None:
    text = source_of("uct:c=0.7,memory_mb=32", honte.game("othello"), "botzone", 1)
    assert "settings.c = 0.7;" in text
    assert "settings.memory_mb = 32;" in text
    assert "settings.selection = search::Selection::kUcb1;" in text
    text = source_of("uct", honte.game("go:size=13,komi=5.5"), "botzone", 1)
    assert "sites::Go{13, 5.5, go::Ko::kPositional, false}" in text
    assert "std::make_shared<const go::PolicyWeights>(logs)" in text


def test_every_file_is_pasted_once(tmp_path: Path) -> None:
    (tmp_path / "a.hpp").write_text('#pragma once\n#include "b.hpp"\nint a;\n')
    (tmp_path / "b.hpp").write_text("#pragma once\n#include <vector>\nint b;\n")
    text = amalgamated(
        '#include "a.hpp"\n#include "b.hpp"\n#include "c"\n', tmp_path, {"c": "int c;"}
    )
    assert text.count("int b;") == text.count("int a;") == text.count("int c;") == 1
    assert "#include <vector>" in text


def test_binary_data_survives(tmp_path: Path) -> None:
    """Every byte, and a last group of every length."""
    draw = random.Random(5)
    pieces = [draw.randbytes(length) for length in (1, 2, 3, 4, 5, 6, 7, 8, 12_801, 20_000)]
    pieces += [bytes(range(256)), b"\xff" * 9, bytes(9)]
    lines = ['#include "core/embedded.hpp"', "#include <cstdio>"]
    lines += [embedded(f"piece{i}", piece) for i, piece in enumerate(pieces)]
    lines += ["int main() {"]
    lines += [
        f"for (int byte : honte::embedded(piece{i})) putchar(byte);" for i in range(len(pieces))
    ]
    (tmp_path / "main.cpp").write_text("\n".join([*lines, "}"]), encoding="utf-8")
    words = ["g++", "-std=c++20", "-Wall", "-Werror", f"-I{sources()}", "main.cpp", "-o", "main"]
    subprocess.run(words, cwd=tmp_path, check=True)
    shown = subprocess.run([tmp_path / "main"], capture_output=True, check=True).stdout
    assert shown == b"".join(pieces)


@pytest.mark.parametrize(
    ("engine", "game", "site", "sentence"),
    [
        ("best", "othello", "saiblo", "othello is not played on Saiblo"),
        ("best", "othello", "kaggle", "there is no site"),
        ("random", "othello", "botzone", "cannot export 'random'"),
        ("best:selectivity=3", "othello", "botzone", "leave out selectivity"),
        ("uct", "othello:size=6", "botzone", "8×8"),
        ("uct", "go:size=9,handicap=2", "botzone", "handicap"),
    ],
)
def test_what_cannot_be_exported_is_one_sentence(
    engine: str, game: str, site: str, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        source_of(engine, honte.game(game), site, 1)


def test_without_sources_there_is_nothing_to_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("honte.__file__", str(tmp_path / "a" / "b" / "c.py"))
    monkeypatch.setattr("honte._processor.__file__", str(tmp_path / "p.so"))
    with pytest.raises(ValueError, match="sources are not installed"):
        source_of("uct", honte.game("othello"), "botzone", 1)


@pytest.mark.long
@pytest.mark.parametrize(("engine", "game", "site"), PACKAGES)
def test_a_package_is_taken_in_and_plays(engine: str, game: str, site: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    rules = honte.game(game)
    package = tmp_path / "bot.zip"
    write_package(package, engine, rules, site, 0.3)
    assert zipfile.ZipFile(package).namelist() == ["main.cpp"]
    version, build = Versions(tmp_path / "kept").add(files_of(package), game, seconds=600)
    assert build.ok, build.log
    assert (version.source.kind, version.source.protocol) == ("cpp_program", site)
    player = honte.player(version.spec, rules)
    state, moves = rules.start(), list[int]()
    for _ in range(3):  # the second answer shows that it followed the game
        request = Request(state, history=tuple(moves), limit=Limit(seconds=0.3))
        moves.append(player.choose(request).move)
        moves.append(state.play(moves[-1]).legal_moves()[0])
        state = state.play(moves[-2]).play(moves[-1])
    player.close()
