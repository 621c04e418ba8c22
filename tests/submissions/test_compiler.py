"""Sources are compiled inside the sandbox, and the usual errors explained."""

from __future__ import annotations

import ctypes
import shutil
from pathlib import Path

import pytest

from honte.sandbox.levels import active_level
from honte.submissions import compiler
from honte.submissions.compiler import Diagnostic, compile_bot, diagnostics

EXAMPLE = Path(__file__).parents[2] / "examples" / "course_bot"


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """One that bots may read."""
    tmp_path.chmod(0o755)
    return tmp_path


SAID = [
    ("S.cpp:1:10: fatal error: windows.h: No such file or directory", 1, "Windows' own"),
    ("S.cpp:1:10: fatal error: 'conio.h' file not found", 1, "Windows' own"),
    ("S.cpp:2:10: fatal error: Judge.h: No such file or directory", 2, "hand in this file too"),
    ("S.cpp:9:3: error: ‘Sleep’ was not declared in this scope", 9, "Windows' own"),
    ("S.cpp:9:3: error: use of undeclared identifier 'GetTickCount'", 9, "Windows' own"),
    ("S.cpp:7:5: error: 'strcpy_s' was not declared in this scope", 7, "only Microsoft's"),
    ("S.cpp:7:5: error: ‘INT_MAX’ was not declared in this scope", 7, "<climits>"),
    ("S.cpp:7:5: error: expected constructor before '__declspec'", 7, "is for Windows"),
    ("S.cpp:3:7: error: redefinition of 'class Point'", 3, "#pragma once"),
    ("/usr/bin/ld: /tmp/a.o: in function `f()':\nS.cpp:(.text+0x9): undefined reference to `g()'",
     0, "nowhere defined"),
    ("/usr/bin/ld: b.o: multiple definition of `x'; a.o: first defined here", 0, "defined twice"),
    ("S.cpp:5:1: warning: no return statement in function returning non-void [-Wreturn-type]", 5,
     "on every path"),
    ("S.cpp:4:9: fatal error: template instantiation depth exceeds maximum of 900", 4, "stops"),
    ("S.cpp:6:9: warning: comparison is always false due to limited range of data type", 6,
     "an unsigned char"),
    ("S.cpp:6:9: warning: array subscript has type ‘char’ [-Wchar-subscripts]", 6, "144 cells"),
    ("S.cpp:6:9: warning: array subscript 12 is above array bounds of ‘int [12]’", 6, "n - 1"),
    ("S.cpp:1:1: fatal error: error writing to /tmp/a.s: No space left on device", 1,
     "leave the initial values out"),
    ("S.cpp:4:9: error: expected ';' before '}' token", 4, ""),
]  # fmt: skip


@pytest.mark.parametrize(("log", "line", "advice"), SAID)
def test_an_error_is_found_and_explained(log: str, line: int, advice: str) -> None:
    [found] = diagnostics(log)
    assert found.line == line
    assert advice in found.advice
    assert bool(advice) == bool(found.advice)


def test_errors_come_first_and_once() -> None:
    log = "a.h:1:1: warning: odd\na.cpp:2:3: error: bad\na.h:1:1: warning: odd\nIn file included"
    assert diagnostics(log) == [
        Diagnostic("a.cpp", 2, 3, "error", "bad"),
        Diagnostic("a.h", 1, 1, "warning", "odd"),
    ]


def test_the_example_compiles_in_the_sandbox(tmp_path: Path) -> None:
    for file in EXAMPLE.glob("*.[ch]*"):
        shutil.copy(file, tmp_path)
    build = compile_bot(tmp_path)
    assert build.ok, build.log
    assert build.level == ("untrusted" if active_level() == "untrusted" else "trusted")
    library = tmp_path / "bot.so"
    library.write_bytes(build.library)
    assert ctypes.CDLL(str(library)).getPoint
    assert build.errors == []


def test_a_file_that_does_not_compile_says_why(tmp_path: Path) -> None:
    (tmp_path / "Strategy.cpp").write_text("#include <windows.h>\nint x = ;\n")
    build = compile_bot(tmp_path)
    assert not build.ok
    assert [error.line for error in build.errors][:1] == [1]
    assert "Windows' own" in build.errors[0].advice


def test_what_a_bot_should_not_use_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("#include <fstream>\n\nstd::ifstream book;\n")
    (tmp_path / "b.cpp").write_text("int go() { return system(0); }\n")
    names = (
        "   U _ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1Ev@GLIBCXX_3.4\n  U system@GLIBC_2.2\n"
    )
    files, programs = compiler.used(names + "   U malloc@GLIBC_2.2.5\n", tmp_path)
    assert (files.file, files.line) == ("a.h", 3)
    assert "opens files" in files.text
    assert (programs.file, programs.line) == ("b.cpp", 1)
    assert compiler.used("  w __cxa_finalize@GLIBC_2.2.5\n", tmp_path) == []


def test_an_array_that_fills_the_disk_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("char table[30 << 20] = {1};\n")
    build = compile_bot(tmp_path)
    assert not build.ok
    assert "leave the initial values out" in build.errors[0].advice


def test_a_compiler_that_does_not_end_is_stopped(tmp_path: Path) -> None:
    (tmp_path / "Strategy.cpp").write_text(
        "template<int N, int M> struct F"
        " { static const int v = F<N-1, M*2>::v + F<N-1, M*2+1>::v; };\n"
        "template<int M> struct F<0, M> { static const int v = M; };\nint x = F<40, 0>::v;\n"
    )
    build = compile_bot(tmp_path, seconds=2)
    assert not build.ok
    assert "not done after 2 seconds" in build.errors[0].text


@pytest.mark.skipif(active_level() != "untrusted", reason="the compiler is not confined here")
def test_the_compiler_reads_nothing_but_the_sources(tmp_path: Path) -> None:
    (tmp_path / "secret.h").write_text("#define SECRET 1\n")
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "Strategy.cpp").write_text('#include "../secret.h"\nint x = SECRET;\n')
    build = compile_bot(tmp_path / "bot")
    assert not build.ok
    assert "secret.h: No such file" in build.errors[0].text


def test_a_folder_without_sources_and_a_machine_without_compiler_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match=r"has no \.cpp file"):
        compile_bot(tmp_path)
    (tmp_path / "a.cpp").write_text("int x;")
    monkeypatch.setattr(compiler, "COMPILERS", ("no-such-compiler",))
    with pytest.raises(ValueError, match="install g"):
        compile_bot(tmp_path)


def test_a_library_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.cpp").write_text("int x;")
    monkeypatch.setattr(compiler, "LIBRARY_BYTES", 100)
    build = compile_bot(tmp_path)
    assert "100 is the most" in build.errors[0].text
