"""Programs that are handed in: executables, sources with a main(), command lines."""

from __future__ import annotations

import io
import zipfile
from functools import partial
from pathlib import Path

import pytest

from honte.check import Check
from honte.games import MEASURED
from honte.submissions import asked
from honte.submissions.sources import Source, files_in_zip, files_of, take_in
from honte.submissions.trial import trial
from honte.submissions.versions import Versions, read

BOARD = "connect4:rows=10,cols=12,blocked=6/3"
SAIBLO = b"""// The first open column, over Saiblo's protocol. It has no getPoint.
#include <cstdio>
#include <cstring>
int main() {
    int rows, cols, x, y, top[12], cell;
    if (scanf("%d %d %d %d", &rows, &cols, &x, &y) != 4) return 1;
    while (scanf("%d %d", &x, &y) == 2) {
        for (int i = 0; i < cols; i++) if (scanf("%d", &top[i]) != 1) return 1;
        for (int i = 0; i < rows * cols; i++) if (scanf("%d", &cell) != 1) return 1;
        int col = 0;
        while (top[col] == 0) col++;
        char text[20];
        int length = snprintf(text, sizeof text, "%d %d", top[col] - 1, col);
        char head[4] = {0, 0, 0, (char)length};
        fwrite(head, 1, 4, stdout), fwrite(text, 1, strlen(text), stdout), fflush(stdout);
    }
}
"""
BOTZONE = b"""import json, sys

def landing(taken, col, rows):
    return next(row for row in reversed(range(rows)) if (row, col) not in taken)

given = json.loads(input())
first = given["requests"][0]
rows = first["rows"]
taken = {tuple(cell) for cell in first["blocked"]}
for point in given["requests"] + given["responses"]:
    if point["x"] >= 0:
        taken.add((point["x"], point["y"]))
col = next(col for col in range(first["cols"]) if (0, col) not in taken and col != 3)
print(json.dumps({"response": {"x": landing(taken, col, rows), "y": col}}))
"""
GTP = b"""#!/bin/sh
while read number command rest; do
    case $command in
        list_commands) printf '=%s boardsize\nclear_board\nplay\ngenmove\n\n' "$number" ;;
        genmove) printf '=%s pass\n\n' "$number" ;;
        *) printf '=%s \n\n' "$number" ;;
    esac
done
"""


@pytest.fixture
def kept(tmp_path: Path) -> Versions:
    tmp_path.chmod(0o755)
    return Versions(tmp_path / "kept")


# -- what it is --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"main.cpp": SAIBLO, "a.h": b""}, Source("cpp_program", "main.cpp")),
        ({"main.cpp": SAIBLO, "Strategy.cpp": b"getPoint("}, Source("cpp", "Strategy.cpp")),
        ({"Strategy.cpp": b"// int main()\ngetPoint("}, Source("cpp", "Strategy.cpp")),
        ({"bot.py": BOTZONE}, Source("program", "bot.py")),
        ({"bot.py": b"import sys\nfor x in sys.stdin: print(x)"}, Source("program", "bot.py")),
        ({"bot.py": b"def choose(s, l): return input()"}, Source("py", "bot.py", "choose")),
        ({"bot": b"\x7fELF..."}, Source("program", "bot")),
        ({"lib.so": b"\x7fELF..."}, Source("library", "lib.so")),
        ({"run.sh": GTP}, Source("program", "run.sh")),
    ],
)  # fmt: skip
def test_what_it_is(files: dict[str, bytes], expected: Source, tmp_path: Path) -> None:
    assert take_in(iter(files.items()), tmp_path / "in") == expected
    if expected.kind == "program" and not expected.main.endswith(".py"):
        assert (tmp_path / "in" / expected.main).stat().st_mode & 0o111


def test_programs_are_found_where_there_is_no_source(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in {"x/bot": GTP, "x/notes.txt": b"no", ".x/bot": GTP}.items():
            archive.writestr(name, content)
    assert [name for name, _ in files_in_zip(data.getvalue(), "a.zip")] == ["x/bot"]
    (tmp_path / "bot").write_bytes(GTP)
    (tmp_path / "notes.txt").write_bytes(b"no")
    assert [name for name, _ in files_of(tmp_path)] == ["bot"]
    (tmp_path / "bot.py").write_bytes(BOTZONE)
    assert [name for name, _ in files_of(tmp_path)] == ["bot.py"]


def test_a_program_for_windows_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a program for Windows"):
        take_in(iter([("bot.exe", b"MZ\0\0")]), tmp_path / "in")


# -- what it speaks ----------------------------------------------------------------------


def test_a_cpp_program_is_compiled_asked_and_checked(
    kept: Versions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("honte.submissions.watched.Check", partial(Check, games=2))
    monkeypatch.setattr("honte.games.connect4.check.COURSE_BOARDS", ())
    (tmp_path / "main.cpp").write_bytes(SAIBLO)
    events = list(trial(kept, tmp_path / "main.cpp", BOARD, ladder=False))
    [version] = kept.all()
    assert version.source == Source("cpp_program", "main.cpp", protocol="saiblo")
    assert version.spec == f"saiblo:{tmp_path}/kept/v001/bot"
    assert events[0]["protocol"] == "saiblo"
    assert events[-1] == {"event": "end", "ok": True, "elo": None, "error": None, "games": 0}
    # The same as an executable, with nothing known of its source:
    program, build = kept.add([("mybot", (version.folder / "bot").read_bytes())], BOARD)
    assert build.ok
    assert program.source == Source("program", "mybot", protocol="saiblo")
    assert read(program.folder) == program


def test_a_python_program_for_botzone_is_asked(kept: Versions) -> None:
    version, _ = kept.add([("bot.py", BOTZONE)], BOARD)
    assert version.source == Source("program", "bot.py", protocol="botzone")
    assert version.spec.startswith("botzone:")


def test_a_script_that_speaks_gtp_plays_what_gtp_is_used_for(kept: Versions) -> None:
    version, _ = kept.add([("run.sh", GTP)])
    assert version.source == Source("program", "run.sh", protocol="gtp", game="go:size=9")


def test_what_answers_in_no_protocol_is_one_sentence(kept: Versions) -> None:
    with pytest.raises(ValueError, match=r"'hello\.sh' answers in none of the protocols"):
        kept.add([("hello.sh", b"#!/bin/sh\necho hello\n")])
    assert kept.all() == []


def test_an_author_who_tries_is_checked_for_what_is_wrong(kept: Versions) -> None:
    """Saiblo's words are in it, but it sends text: the check will say what is missing."""
    version, _ = kept.add([("bot.py", b"import struct\nline = input()  # '>I'\nprint('9 0')\n")])
    assert version.source.protocol == "saiblo"


# -- command lines -----------------------------------------------------------------------


def test_a_command_line_is_a_version(
    kept: Versions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_bytes(GTP)
    (tmp_path / "run.sh").chmod(0o755)
    version, _ = kept.add_command("gtp:./run.sh --fast")
    assert version.spec == "gtp:./run.sh --fast"
    assert version.source.game == "go:size=9"
    again, _ = kept.add_command("gtp:./run.sh --fast")
    assert again == version
    asked_for, _ = kept.add_command("./run.sh")
    assert asked_for.spec == "gtp:./run.sh"
    kept.write_names()
    assert f'folder = "{tmp_path}"' in (kept.folder / "bots.toml").read_text()
    with pytest.raises(ValueError, match="no program"):
        kept.add_command("gtp:./nothing")


def test_every_protocol_of_programs_is_tried() -> None:
    assert list(asked.games_of("gtp", None)) == ["go:size=9", "othello"]
    assert list(asked.games_of("saiblo", None)) == [MEASURED]
    assert list(asked.games_of("botzone", None)) == [MEASURED, "othello", "go"]
    assert asked.usual("py", BOARD) == asked.Spoken("py", "")


def test_where_a_game_is_given_it_is_the_only_one(kept: Versions) -> None:
    assert list(asked.games_of("botzone", BOARD)) == [BOARD]
    assert list(asked.games_of("gtp", BOARD)) == []
    with pytest.raises(ValueError, match="none of the protocols"):
        kept.add([("run.sh", GTP)], BOARD)
    with pytest.raises(ValueError, match="bots play go and othello with us"):
        kept.add_command("gtp:/bin/cat", BOARD)
