"""A class on the server: sign-in, permissions, rounds, and recovery after a killed server."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from honte.arena.game import Played
from honte.arena.schedule import Plan, match
from honte.arena.store import Store
from honte.classroom import classroom
from honte.classroom.classroom import GAMES, Classroom, Upload
from honte.sandbox.names import UPLOADS
from honte.sandbox.programs import DEFAULT_LEVEL
from honte.submissions.versions import write
from honte.web.class_games import ClassGames
from honte.web.classes import ClassServer, Desk
from honte.web.uploads import BUSY
from tests.needs import needs_bubblewrap
from tests.submissions.matches import WON, add_two, fill_store
from tests.web.live import Client, LiveServer, until

GAME = "connect4:rows=4,cols=4"
BOT = "def choose(state, limit):\n    return state.legal_moves()[{which}]\n"
BROKEN = "def choose(state, limit):\n    raise RuntimeError('no idea')\n"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Classroom:
    tmp_path.chmod(0o755)
    monkeypatch.setenv("HONTE_CLASSES", str(tmp_path))
    made = classroom.create("demo", GAME, 5.0)
    monkeypatch.setenv(UPLOADS, str(made.folder))
    monkeypatch.setenv(DEFAULT_LEVEL, "untrusted")
    return made


@pytest.fixture
def no_ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploads are only checked."""

    async def done(desk: Desk, upload: Upload) -> None:
        desk._server.classroom.tried(upload.id)

    monkeypatch.setattr(Desk, "_climb", done)


class Visitor:
    """Somebody at the page of a class, with a cookie once they have signed in."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        self.cookie = ""

    def sign_in(self, code: str, name: str = "") -> tuple[int, dict[str, Any]]:
        status, headers, body = self.server.post("/class/sign-in", {"code": code, "name": name})
        if status == 200:
            self.cookie = headers["set-cookie"].partition(";")[0]
        return status, json.loads(body)

    def fetch(self, path: str) -> tuple[int, dict[str, str], bytes]:
        return self.server.fetch(path, cookie=self.cookie)

    def upload(self, text: str, name: str = "bot.py") -> int:
        files = [{"name": name, "data": base64.b64encode(text.encode()).decode()}]
        return self.server.post("/upload", {"files": files}, cookie=self.cookie)[0]

    @contextmanager
    def socket(self) -> Iterator[Client]:
        with self.server.connect(additional_headers={"Cookie": self.cookie}) as client:
            yield client

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        with self.socket() as client:
            return client.ask(do, **fields)


@contextmanager
def serving(room: Classroom) -> Iterator[LiveServer]:
    Store(room.folder / GAMES).close()
    server = LiveServer(store=room.folder / GAMES, classes=ClassServer(room))
    try:
        yield server
    finally:
        server.close()


def joined(server: LiveServer, room: Classroom, name: str) -> Visitor:
    visitor = Visitor(server)
    status, told = visitor.sign_in(room.join_code, name)
    assert (status, told["name"], told["teaches"]) == (200, name, False)
    return visitor


def teacher(server: LiveServer, room: Classroom) -> Visitor:
    visitor = Visitor(server)
    assert visitor.sign_in(room.teacher_code)[1]["teaches"]
    return visitor


def hand_in(room: Classroom, student: int, text: str) -> None:
    """A version that has passed its check."""
    version, _ = room.versions(student).add([("bot.py", text.encode())])
    write(replace(version, checked=True), version.folder)
    room.write_names()


def test_whoever_has_not_signed_in_sees_the_page_to_sign_in_and_nothing_else(
    room: Classroom,
) -> None:
    with serving(room) as server:
        assert server.fetch("/class")[0] == 200
        for page in ("/", "/bots", "/watch", "/projector"):
            status, headers, _ = server.fetch(page)
            assert (status, headers["location"]) == (303, "/class")
        assert server.fetch("/class/export.csv")[0] == 403
        assert Visitor(server).upload(BOT.format(which=0)) == 403
        with pytest.raises(Exception, match="403"), server.connect():
            pass
        status, told = Visitor(server).sign_in("WRONG-CODE", "Eve")
        assert (status, told["error"]) == (403, "the code is wrong; ask your teacher for it")
        assert Visitor(server).sign_in(room.join_code, " \t")[0] == 403
        anna = joined(server, room, "Anna")
        status, told = Visitor(server).sign_in(room.join_code, "ANNA")
        assert status == 403
        assert "there is a 'ANNA' already" in told["error"]
        assert (
            "HttpOnly; SameSite=Strict"
            in server.post("/class/sign-in", {"code": room.teacher_code})[1]["set-cookie"]
        )
        assert anna.fetch("/")[0] == 200
        for form in ("csv", "html", "zip"):
            assert anna.fetch(f"/class/export.{form}")[0] == 403
        for act in ("round", "freeze", "code", "remove"):
            assert "only the teacher" in anna.ask("class_act", action=act)["error"]
        assert "only the teacher" in anna.ask("store")["error"]
        room.is_open = False
        assert "nobody can join" in Visitor(server).sign_in(room.join_code, "Eve")[1]["error"]


@needs_bubblewrap
def test_a_class_from_upload_to_the_exported_table(room: Classroom, no_ladder: None) -> None:
    with serving(room) as server:
        anna, ben = joined(server, room, "Anna Müller"), joined(server, room, "Ben")
        eve, boss = joined(server, room, "Eve"), teacher(server, room)
        told = boss.ask("class_act", action="round")
        assert "needs two bots" in told["error"]
        for student, which in ((1, 0), (2, -1)):
            hand_in(room, student, BOT.format(which=which))
        assert eve.upload(BROKEN) == 200
        until(lambda: len(room.entries()) == 3)
        events = eve.ask("bots")["events"]
        assert any("no idea" in event.get("seen", "") for event in events), events
        assert anna.ask("bots")["versions"][0]["name"] == "Anna-Müller-v1"
        assert boss.ask("class_act", action="freeze") == {"id": 1}
        assert boss.ask("class_act", action="round", games=4, seconds=5) == {"id": 1}
        until(lambda: room.current is None and not boss.ask("class")["playing"])
        seen = boss.ask("class")
        assert [row["name"] for row in seen["rows"]][-1] == "Eve"
        assert seen["rows"][-1]["faults"] == {"crash": 4}
        assert "no idea" in seen["rows"][-1]["last_fault"]
        assert seen["progress"] == {"done": 6, "total": 6, "before": 0}
        assert {one["name"] for one in seen["students"]} == {"Anna Müller", "Ben", "Eve"}

        # Students see the table, their own games, and nothing of what others' bots said.
        mine = anna.ask("class")
        assert "students" not in mine
        assert "join" not in mine
        assert all("last_fault" not in row for row in mine["rows"] if not row["you"])
        assert {game["bot"] for game in mine["games"]} == {"Anna-Müller-v1"}
        assert all(game["detail"] == "" for game in mine["games"])
        assert "no idea" in eve.ask("class")["games"][0]["detail"]
        others = next(
            game["id"] for game in ben.ask("class")["games"] if game["opponent"] == "Eve-v1"
        )
        assert "have not played this game" in anna.ask("stored", game_id=others)["error"]
        assert ben.ask("stored", game_id=others)["detail"] == ""
        assert "no idea" not in str(ben.ask("stored", game_id=others))
        assert "no idea" in eve.ask("stored", game_id=others)["detail"]
        assert "no idea" in boss.ask("stored", game_id=others)["detail"]
        assert anna.ask("hello")["players"] == ["best", "Anna-Müller-v1"]
        told = anna.ask("choose", game=GAME, player="Ben-v1")
        assert "there is no player 'Ben-v1' here" in told["error"]

        status, headers, table = boss.fetch("/class/export.csv")
        assert (status, headers["content-type"]) == (200, "text/csv; charset=utf-8")
        lines = table.decode("utf-8-sig").splitlines()
        assert len(lines) == 4
        assert lines[-1].startswith("3,Eve,1,")
        assert b"Anna M\xc3\xbcller" in boss.fetch("/class/export.html")[2]
        packed = zipfile.ZipFile(BytesIO(boss.fetch("/class/export.zip")[2]))
        assert len(packed.read("games.csv").splitlines()) == 7

        told = boss.ask("class_act", action="code", student=1)
        assert anna.fetch("/")[0] == 303, "the old code has stopped working"
        assert anna.sign_in(told["code"].lower())[0] == 200
        boss.ask("class_act", action="remove", student=3)
        assert [student.name for student in room.students()] == ["Anna Müller", "Ben"]


@needs_bubblewrap
def test_a_round_that_broke_off_can_be_stopped_and_started_again(room: Classroom) -> None:
    for name, which in (("Anna", 0), ("Ben", -1)):
        hand_in(room, room.join(name)[0].id, BOT.format(which=which))
    with serving(room) as server:
        boss = teacher(server, room)
        for action in ("stop", "round"):
            room.begin_round(2)
            assert not boss.ask("class")["playing"]  # as after the process of the round died
            assert "error" not in boss.ask("class_act", action=action)
            until(lambda: room.current is None)
        words = [one.words for one in room.rounds()]
        assert words == ["stopped by the teacher", "all games played"]
        assert boss.ask("class")["progress"]["done"] == 2


HOLD = """
import sys
from pathlib import Path
from honte.arena.store import Store

with Store(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_round_that_another_process_plays_is_left_to_it(room: Classroom) -> None:
    for name, which in (("Anna", 0), ("Ben", -1)):
        hand_in(room, room.join(name)[0].id, BOT.format(which=which))
    words = [sys.executable, "-c", HOLD, str(room.folder / GAMES)]
    with (
        serving(room) as server,
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other,
    ):
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        boss = teacher(server, room)
        room.begin_round(2)
        for action in ("stop", "round"):
            assert "another process" in boss.ask("class_act", action=action)["error"]
        assert room.current is not None
        other.stdin.close()


def test_a_game_is_listed_once_however_many_look(tmp_path: Path) -> None:
    tasks = match(Plan(GAME), "Anna-v1", "Ben-v1", 40)
    games = ClassGames(tmp_path / GAMES)
    with Store(tmp_path / GAMES) as store, ThreadPoolExecutor(8) as threads:
        for task in tasks:
            store.add(Played(task, (), 1, None, "played out"))
            list(threads.map(lambda _: games.read(), range(8)))
    assert len(games.of("Anna")) == len(games.of("Ben")) == 40
    assert len({game["id"] for game in games.of("Anna")}) == 40


@needs_bubblewrap
def test_a_student_compares_their_own_versions(room: Classroom) -> None:
    with serving(room) as server:
        anna, ben = joined(server, room, "Anna"), joined(server, room, "Ben")
        versions = add_two(room.versions(1))
        fill_store(versions, [WON] * 24, room.game, room.seconds)
        assert "error" not in anna.ask("compare", a=2, b=1)
        until(lambda: not anna.ask("bots")["running"])
        view = anna.ask("bots")
        assert view["job"] == "compare"
        assert [event.get("verdict") for event in view["comparison"]] == [None, "better"]
        assert "there is no version 2" in ben.ask("compare", a=2, b=1)["error"]
        assert ben.ask("bots")["comparison"] == []
        assert "sign in as one" in teacher(server, room).ask("compare", a=2, b=1)["error"]
        anna.ask("compare", a=1, b=2)  # not in the store: it goes on until it is stopped
        assert anna.ask("compare", a=2, b=1)["error"] == BUSY
        assert "error" not in anna.ask("compare_stop")
        assert not anna.ask("bots")["running"]


@pytest.mark.long
def test_a_late_upload_meets_everybody_else_unless_the_list_is_frozen(
    room: Classroom, monkeypatch: pytest.MonkeyPatch, no_ladder: None
) -> None:
    monkeypatch.setattr("honte.web.classes.SETTLE", 0.0)
    with serving(room) as server:
        students = [joined(server, room, name) for name in ("Anna", "Ben", "Eve")]
        boss = teacher(server, room)
        for which, visitor in zip((0, -1), students, strict=False):
            visitor.upload(BOT.format(which=which))
        until(lambda: len(room.entries()) == 2)
        boss.ask("class_act", action="round", games=2000)
        until(lambda: boss.ask("class")["progress"]["done"] > 2)
        students[2].upload(BOT.format(which=0) + "\n# mine\n")
        until(
            lambda: any(row["name"] == "Eve" and row["games"] for row in boss.ask("class")["rows"])
        )
        before = boss.ask("class")["progress"]["done"]
        assert before > 2, "the games of the others are kept"
        boss.ask("class_act", action="freeze")
        students[0].upload(BOT.format(which=-1) + "\n# another\n")
        until(lambda: len(room.versions(1).all()) == 2 and room.versions(1).all()[1].checked)
        assert [version.number for _, version in room.entries()] == [1, 1, 1]
        boss.ask("class_act", action="stop")
        assert room.current is None
        assert room.rounds()[-1].words == "stopped by the teacher"


@pytest.mark.long
def test_what_a_killed_server_left_goes_on(room: Classroom, no_ladder: None) -> None:
    people = [room.join(name)[0] for name in ("Anna", "Ben")]
    for which, person in zip((0, -1), people, strict=True):
        room.accept(person.id, [("bot.py", BOT.format(which=which).encode())], "en")
    with serving(room):
        until(lambda: len(room.entries()) == 2)
        until(lambda: room.waiting() == [])
        room.begin_round(4)
    with serving(room) as server:
        until(lambda: room.current is None)
        assert teacher(server, room).ask("class")["progress"]["done"] == 4
