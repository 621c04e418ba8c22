"""A class as a folder: people, limits, entries, rounds, files for the teacher."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from honte.arena.export import as_csv
from honte.arena.game import Played
from honte.arena.schedule import Plan, match
from honte.classroom import classroom, codes, export
from honte.classroom.classroom import Classroom, Person, bot_name
from honte.sandbox import names
from honte.submissions.sources import Source
from honte.submissions.versions import Version, write
from tests.cli.command import honte
from tests.needs import needs_bubblewrap

GAME = "connect4:rows=4,cols=4"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tmp_path.chmod(0o755)
    monkeypatch.setenv("HONTE_CLASSES", str(tmp_path))
    return tmp_path


@pytest.fixture
def room(home: Path) -> Classroom:
    return classroom.create("demo", GAME, 1.0)


def hand_in(
    room: Classroom, person: Person, *faults: str, checked: bool = True, file: str = "bot.py"
) -> Version:
    """A version as a trial leaves it."""
    versions = room.versions(person.id)
    number = len(versions.all()) + 1
    folder = versions.folder / f"v{number:03}"
    folder.mkdir(parents=True)
    source = Source("py", file, "choose")
    version = Version(folder, number, "0", source, 0.0, faults=faults, checked=checked)
    write(version, folder)
    return version


def test_a_code_is_taken_however_it_is_typed(room: Classroom) -> None:
    anna, code = room.sign_in(room.join_code.lower().replace("-", ""), "  Anna   Lee ")
    assert anna == Person("Anna Lee", 1)
    assert room.person_of(f" {code.lower()} ") == anna
    assert room.person_of(room.teacher_code) == Person("teacher")
    assert room.person_of(room.join_code) is None
    assert room.person_of("") is None
    assert code not in (room.folder / "class.db").read_bytes().decode("latin-1")
    assert len({codes.new(codes.OWN) for _ in range(100)}) == 100


@pytest.mark.parametrize("name", ["", "  ", "-", "x" * 41, "\x1b", "..."])
def test_an_invalid_name_is_refused(room: Classroom, name: str) -> None:
    with pytest.raises(ValueError, match="write your name"):
        room.join(name)


def test_two_names_that_look_alike_as_bots_are_one(room: Classroom) -> None:
    room.join("Anna Lee")
    for name in ("anna lee", "Anna-Lee", "ANNA  LEE"):
        with pytest.raises(ValueError, match="already"):
            room.join(name)


def test_the_secrets_of_a_class_are_its_owners(room: Classroom) -> None:
    for name in ("class.db", "waiting"):
        assert stat.S_IMODE((room.folder / name).stat().st_mode) & 0o077 == 0
    assert not stat.S_IMODE(room.folder.stat().st_mode) & 0o006, "others cannot list it"


def test_the_newest_without_a_fault_plays_or_else_the_newest(room: Classroom) -> None:
    anna, ben, eve = (room.join(name)[0] for name in ("Anna", "Ben", "Eve"))
    hand_in(room, anna)
    hand_in(room, anna, "crash")
    hand_in(room, ben, "crash")
    hand_in(room, eve, checked=False)
    assert [bot_name(*pair) for pair in room.entries()] == ["Anna-v1", "Ben-v1"]
    room.freeze()
    hand_in(room, anna)
    hand_in(room, eve)
    assert [bot_name(*pair) for pair in room.entries()] == ["Anna-v1", "Ben-v1"]
    room.unfreeze()
    assert [bot_name(*pair) for pair in room.entries()] == ["Anna-v3", "Ben-v1", "Eve-v2"]
    room.remove(ben.id)
    assert [bot_name(*pair) for pair in room.entries()] == ["Anna-v3", "Eve-v2"]
    assert not room.versions(ben.id).folder.exists()


def test_limits_are_told(room: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, _ = room.join("Anna")
    monkeypatch.setattr(classroom, "UPLOADS_PER_HOUR", 2)
    for _ in range(2):
        room.accept(anna.id, [("bot.py", b"x")], "en")
    with pytest.raises(ValueError, match="2 uploads in an hour is the most"):
        room.accept(anna.id, [("bot.py", b"x")], "en")
    ben, _ = room.join("Ben")
    room.accept(ben.id, [("bot.py", b"x")], "en")  # others are not concerned
    monkeypatch.setattr(classroom, "DISK", 10)
    hand_in(room, ben)
    with pytest.raises(ValueError, match="your versions take 0 MB, and 0 MB is the most"):
        room.accept(ben.id, [("bot.py", b"x")], "en")
    monkeypatch.setattr(classroom, "MOST_STUDENTS", 2)
    with pytest.raises(ValueError, match="the class is full"):
        room.join("Eve")


@pytest.mark.parametrize("name", ["../x.py", "/x.py", "a/../../x.py"])
def test_an_upload_does_not_leave_its_folder(room: Classroom, name: str) -> None:
    anna, _ = room.join("Anna")
    with pytest.raises(ValueError, match="leads out of its folder"):
        room.accept(anna.id, [(name, b"x")], "en")
    assert room.waiting() == []


def test_uploads_wait_until_they_are_tried(room: Classroom) -> None:
    anna, _ = room.join("Anna")
    one = room.accept(anna.id, [("bot.py", b"1")], "en")
    two = room.accept(anna.id, [("bot.zip", b"2")], "zh")
    again = Classroom(room.folder)
    assert [(up.id, up.path.name, up.lang) for up in again.waiting()] == [
        (one.id, "bot", "en"),
        (two.id, "bot.zip", "zh"),
    ]
    again.tried(one.id)
    assert [up.id for up in room.waiting()] == [two.id]
    assert not one.path.exists()


def test_uploads_at_the_same_time_do_not_mix(room: Classroom) -> None:
    people = [room.join(name)[0] for name in ("Anna", "Ben", "Carl", "Dora")]
    text = {person.id: person.name.encode() * 50_000 for person in people}

    def upload(person: Person) -> None:
        for _ in range(5):
            room.accept(person.id, [("bot.py", text[person.id])], "en")

    with ThreadPoolExecutor(len(people)) as threads:
        list(threads.map(upload, people))
    waiting = room.waiting()
    assert len({one.id for one in waiting}) == len(waiting) == 20
    for one in waiting:
        assert (one.path / "bot.py").read_bytes() == text[one.student]


def test_the_id_of_a_removed_student_is_not_used_again(room: Classroom) -> None:
    ids = [room.join(name)[0].id for name in ("Anna", "Ben")]
    for name in ("Carl", "Dora"):
        room.remove(ids[-1])
        ids.append(room.join(name)[0].id)
    assert ids == [1, 2, 3, 4]


def test_no_file_name_breaks_the_list_of_bots(
    room: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, file in (("Anna", 'b\x7f"ot.py'), ("Ben", "\N{GRINNING FACE}.py")):
        hand_in(room, room.join(name)[0], file=file)
    room.write_names()
    monkeypatch.setenv(names.VARIABLE, str(room.folder / names.FILE))
    assert sorted(names.bots()) == ["Anna-v1", "Ben-v1"]
    assert 'b\x7f"ot.py' in names.bots()["Anna-v1"]["spec"]


def test_one_round_at_a_time(room: Classroom) -> None:
    with pytest.raises(ValueError, match="needs two bots"):
        room.begin_round(4)
    for name in ("Anna", "Ben"):
        hand_in(room, room.join(name)[0])
    first = room.begin_round(4, 0.5)
    assert (first.games, first.seconds, room.current) == (4, 0.5, first)
    with pytest.raises(ValueError, match="a round is being played"):
        room.begin_round(4)
    room.end_round(first.id, "all games played")
    room.end_round(first.id, "again")
    assert room.current is None
    assert room.rounds()[0].words == "all games played"


def test_a_table_is_no_program(room: Classroom) -> None:
    room.join("=HYPERLINK(1)")
    room.join("<script>")
    assert b"'=HYPERLINK(1)" in export.write(room, "csv")
    page = export.write(room, "html")
    assert b"&lt;script&gt;" in page
    (task,) = match(Plan(GAME), "Anna-v1", "Ben-v1", 1)
    assert ",'=1+1," in as_csv([Played(task, (), -1, 0, "crash", "=1+1")])
    assert b"<script>" not in page


@needs_bubblewrap
def test_the_commands_of_a_class(tmp_path: Path) -> None:
    demo = str(tmp_path / "demo")
    made = honte("class", "create", demo, "--game", GAME)
    assert made.code == 0, made.errors
    assert f"honte serve --class {demo} --host 0.0.0.0" in made.output
    assert "already" in honte("class", "create", demo).errors
    assert honte("class").output.startswith("There is no class yet")
    room = classroom.find(demo)
    room.join("Anna")
    shown = honte("class", "show", demo).output
    assert room.join_code in shown
    assert "Anna" in shown
    assert "0 uploads, not ranked" in shown
    code = honte("class", "code", demo, "anna").output.strip()
    assert room.person_of(code) == Person("Anna", 1)
    assert "no student 'Bob'" in honte("class", "code", demo, "Bob").errors
    assert honte("class", "freeze", demo).output == "The list is frozen: 0 bots.\n"
    assert honte("class", "freeze", demo, "--off").output == "New uploads enter again.\n"
    assert "needs two bots" in honte("class", "round", demo).errors
    assert "the formats are .csv, .html, .zip" in honte("class", "export", demo, "-o", "x").errors
    assert honte("class", "export", demo, "-o", str(tmp_path / "t.csv")).code == 0
    assert "Anna" in (tmp_path / "t.csv").read_text()
    assert "make it with `honte class create" in honte("class", "show", "other").errors
    assert "cannot name a class" in honte("class", "create", "..").errors
    assert honte("class", "create", "x", "--game", "chess").code == 2


SPY = """
import os
def choose(state, limit):
    seen = []
    for place in {places!r}:
        try:
            seen.append(repr(os.listdir(place) if os.path.isdir(place) else open(place).read()))
        except OSError as error:
            seen.append(type(error).__name__)
    raise RuntimeError(" ".join(seen))
"""


@needs_bubblewrap
def test_a_bot_reads_nothing_of_the_class(room: Classroom) -> None:
    anna, ben = room.join("Anna")[0], room.join("Ben")[0]
    secret = room.versions(ben.id).folder / "v001" / "source" / "bot.py"
    secret.parent.mkdir(parents=True)
    secret.write_text("def choose(state, limit): ...  # a secret of Ben's\n")
    places = [room.folder / "class.db", secret, secret.parents[2], room.folder / "waiting"]
    places += [Path(f"/proc/{os.getpid()}/environ"), room.folder, room.folder / "students"]
    spy = SPY.format(places=[str(place) for place in places])
    upload = room.accept(anna.id, [("bot.py", spy.encode())], "en")
    words = [sys.executable, "-m", "honte.submissions.trial"]
    words += [str(room.versions(anna.id).folder), str(upload.path), GAME, "1", "check"]
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"HONTE_SANDBOX": "untrusted"},
    ) as process:
        assert process.stdout is not None
        told = process.stdout.read().decode()
    assert "RuntimeError: " in told
    # Of the class there is the way to its own file alone.
    assert "FileNotFoundError " * 5 + "['students'] ['1']" in told, told
    assert "secret" not in told
