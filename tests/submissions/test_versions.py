"""Submissions are unpacked safely, and every version is kept."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from honte.submissions.compiler import Build, Diagnostic
from honte.submissions.sources import Source, files_in_zip, files_of, take_in, write_upload
from honte.submissions.versions import Versions

BOT = b"def choose(state, limit):\n    return state.legal_moves()[0]\n"


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


# -- sources -----------------------------------------------------------------------------


def test_a_cpp_file_brings_its_neighbours(tmp_path: Path) -> None:
    for name in ("Strategy.cpp", "Judge.cpp", "Point.h", "notes.txt", "bot.so"):
        (tmp_path / name).write_text("x")
    (tmp_path / ".hidden.h").write_text("x")
    names = [name for name, _ in files_of(tmp_path / "Strategy.cpp")]
    assert names == ["Judge.cpp", "Point.h", "Strategy.cpp"]
    names = [name for name, _ in files_of(tmp_path)]
    assert names == ["Judge.cpp", "Point.h", "Strategy.cpp"]
    assert take_in(files_of(tmp_path), tmp_path / "in") == Source("cpp", "Strategy.cpp")


def test_a_zip_is_read_and_nothing_in_it_leads_out(tmp_path: Path) -> None:
    good = {"bot/Strategy.cpp": b"x", "bot/Point.h": b"y", "__MACOSX/a.h": b"z", "a.exe": b"MZ"}
    names = [name for name, _ in files_in_zip(zipped(good), "a.zip")]
    assert names == ["bot/Strategy.cpp", "bot/Point.h"]
    for evil in ("../evil.cpp", "/etc/evil.cpp", "a/../../evil.cpp", "..\\evil.cpp"):
        with pytest.raises(ValueError, match="leads out of it"):
            take_in(files_in_zip(zipped({evil: b"x"}), "a.zip"), tmp_path / "in")
    packed = zipped({"Strategy.cpp": b"int x;" * 100}, zipfile.ZIP_DEFLATED)
    damaged = packed[:42] + b"\xff" + packed[43:]  # a block of no type: zlib.error
    for broken in (b"", b"PK\x03\x04 nothing", zipped(good)[:-30], damaged):
        with pytest.raises(ValueError, match="cannot be unpacked"):
            list(files_in_zip(broken, "a.zip"))


@pytest.mark.parametrize("names", [("a.h", "a.h/b.h"), ("a.h/b.h", "a.h"), ("x" * 300 + ".h",)])
def test_names_that_no_disk_takes_are_refused(names: tuple[str, ...], tmp_path: Path) -> None:
    files = [(name, b"x") for name in names]
    with pytest.raises(ValueError, match="cannot be kept"):
        take_in(iter(files), tmp_path / "in")
    with pytest.raises(ValueError, match="cannot be kept"):
        write_upload(files, tmp_path)


def test_links_are_not_followed_out(tmp_path: Path) -> None:
    (tmp_path / "secret.h").write_text("secret")
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "Strategy.cpp").write_text("x")
    os.symlink("../secret.h", tmp_path / "bot" / "secret.h")
    assert [name for name, _ in files_of(tmp_path / "bot")] == ["Strategy.cpp"]
    entry = zipfile.ZipInfo("link.h")
    entry.external_attr = 0o120777 << 16
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    assert list(files_in_zip(data.getvalue(), "a.zip")) == []


def test_too_much_is_refused(tmp_path: Path) -> None:
    many = {f"{n}.h": b"" for n in range(301)}
    with pytest.raises(ValueError, match="more than 300 files"):
        list(files_in_zip(zipped(many), "a.zip"))
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.h", b"\0" * (21 << 20))
    assert len(data.getvalue()) < 100_000
    with pytest.raises(ValueError, match="20 MiB"):
        list(files_in_zip(data.getvalue(), "a.zip"))
    with pytest.raises(ValueError, match="20 MiB"):
        take_in(iter([("a.cpp", b"\0" * (21 << 20))]), tmp_path / "in")
    assert not (tmp_path / "in").exists()


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"bot.py": BOT}, Source("py", "bot.py", "choose")),
        ({"a.py": b"x = 1", "main.py": b"def go(s, l): ..."}, Source("py", "main.py", "go")),
        ({"m.py": b"def a(): ...\ndef agent(o, c): ...\ndef z(): ..."},
         Source("py", "m.py", "agent")),
        ({"helper.cpp": b"", "strategy.cpp": b""}, Source("cpp", "strategy.cpp")),
    ],
)  # fmt: skip
def test_what_it_is(files: dict[str, bytes], expected: Source, tmp_path: Path) -> None:
    assert take_in(iter(files.items()), tmp_path / "in") == expected


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, r"no \.cpp and no \.py"),
        ({"a.h": b""}, r"no \.cpp and no \.py"),
        ({"bot.py": b"def f(:\n"}, "line 1: this is not Python"),
        ({"bot.py": b"x = 1\n"}, "has no function"),
        ({"bot.py": b"\0"}, "not Python"),
    ],
)
def test_what_is_no_bot_is_one_sentence(
    files: dict[str, bytes], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=sentence):
        take_in(iter(files.items()), tmp_path / "in")


# -- versions ----------------------------------------------------------------------------


def test_versions_are_kept_and_the_same_files_are_one(tmp_path: Path) -> None:
    versions = Versions(tmp_path / "kept")
    assert versions.all() == []
    first, _ = versions.add([("bot.py", BOT)])
    again, _ = versions.add([("bot.py", BOT)])
    second, _ = versions.add([("bot.py", BOT + b"# better\n")])
    back, _ = versions.add([("bot.py", BOT)])
    assert [first.number, again.number, second.number, back.number] == [1, 1, 2, 3]
    assert versions.all() == [first, second, back]
    assert second.spec == f"py:{tmp_path}/kept/v002/source/bot.py:choose"
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["v001", "v002", "v003"]


def test_what_does_not_compile_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [Build(b"", [Diagnostic("a.cpp", 1, 1, "error", "bad")]), Build(b"\x7fELF")]
    monkeypatch.setattr("honte.submissions.compiler.compile_bot", lambda folder: answers.pop(0))
    versions = Versions(tmp_path / "kept")
    _, build = versions.add([("a.cpp", b"bad")])
    assert not build.ok
    assert versions.all() == []
    version, build = versions.add([("a.cpp", b"good")])
    assert version.number == 1
    assert (version.folder / "bot.so").read_bytes() == b"\x7fELF"
    assert version.spec == f"getpoint:{tmp_path}/kept/v001/bot.so"


def test_what_a_crash_left_behind_is_no_version(tmp_path: Path) -> None:
    versions = Versions(tmp_path)
    version, _ = versions.add([("bot.py", BOT)])
    (tmp_path / "v002").mkdir()
    (tmp_path / ".new-x").mkdir()
    assert versions.all() == [version]
    (tmp_path / "v001" / "about.json").write_text("{")
    with pytest.raises(ValueError, match="is damaged"):
        versions.all()
    shutil.rmtree(tmp_path / "v001")
    assert versions.all() == []
