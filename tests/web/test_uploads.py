"""Bots that are uploaded: received whole, tried in their own process, and cancelled with it."""

from __future__ import annotations

import base64
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from honte.games import MEASURED
from honte.web import peer, uploads
from tests.loops import run
from tests.submissions.matches import WON, fill_store, two_versions
from tests.web.live import LiveServer

BOT = b"def choose(state, limit):\n    return state.legal_moves()[0]\n"
WAIT = 60.0


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HONTE_UPLOADS", str(tmp_path / "kept"))
    tmp_path.chmod(0o755)
    return tmp_path / "kept"


@pytest.fixture
def server(kept: Path) -> Iterator[LiveServer]:
    server = LiveServer()
    yield server
    server.close()


def upload(server: LiveServer, files: dict[str, bytes], **more: Any) -> tuple[int, dict[str, Any]]:
    coded = [{"name": n, "data": base64.b64encode(d).decode()} for n, d in files.items()]
    status, _, answer = server.post("/upload", {"files": coded, **more})
    return status, json.loads(answer)


def wait_for(server: LiveServer, happened: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The view, once a condition holds."""
    with server.connect() as visitor:
        began = time.monotonic()
        while time.monotonic() - began < WAIT:
            visitor.line.send(json.dumps({"id": 1, "do": "bots"}))
            view = visitor.receive()
            if happened(view):
                return view
            time.sleep(0.1)
    raise AssertionError(view)


def ended(view: dict[str, Any]) -> bool:
    return bool(view["number"]) and not view["running"]


def test_a_bot_that_is_uploaded_becomes_a_version_with_a_name(
    server: LiveServer, kept: Path
) -> None:
    assert upload(server, {"mine/bot.py": BOT}) == (200, {"number": 1})
    view = wait_for(server, lambda view: any(e["event"] == "build" for e in view["events"]))
    assert [version["name"] for version in view["versions"]] == ["bot-v1"]
    assert (kept / "bots.toml").read_text().startswith('[bots."bot-v1"]')
    with server.connect() as visitor:  # and is a player of the page
        visitor.line.send(json.dumps({"id": 2, "do": "hello"}))
        assert "bot-v1" in visitor.receive()["players"]


def test_a_new_upload_calls_the_old_one_off(server: LiveServer) -> None:
    upload(server, {"bot.py": BOT})
    wait_for(server, lambda view: bool(view["events"]))
    assert upload(server, {"bot.py": b"def f(:"}) == (200, {"number": 2})
    view = wait_for(server, ended)
    assert [event["event"] for event in view["events"]] == ["refused", "end"]
    assert "this is not Python" in view["events"][0]["words"]
    upload(server, {"bot.py": b"def f(:"}, lang="zh")
    view = wait_for(server, lambda view: view["number"] == 3 and ended(view))
    assert "不是合法的 Python" in view["events"][0]["words"]


@pytest.mark.parametrize("name", ["../bot.py", "/etc/bot.py", "a/../../bot.py", "x\0.py"])
def test_a_name_that_leads_out_is_refused(server: LiveServer, name: str, tmp_path: Path) -> None:
    status, answer = upload(server, {name: BOT})
    assert status == 400
    assert "leads out" in answer["error"]
    assert not (tmp_path / "bot.py").exists()


def test_what_is_no_upload_is_one_sentence(server: LiveServer) -> None:
    assert server.fetch("/upload")[0] == 405
    wrong: list[Any] = [
        {},
        {"files": []},
        {"files": [{"name": "a.py"}]},
        {"files": [{"name": "", "data": ""}]},
        {"files": [{"name": "a.py", "data": "not base64 ☺"}]},
        {"files": [{"name": "a.py", "data": ""}] * 301},
        {"files": [{"name": "a.py", "data": ""}], "lang": "tlh"},
    ]
    for body in wrong:
        status, _, answer = server.post("/upload", body)
        assert status == 400, body
        assert json.loads(answer)["error"]


def test_too_large_an_upload_is_refused(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("honte.web.requests.MOST_UPLOAD", 1000)
    assert upload(server, {"bot.py": b"#" * 2000})[0] == 413


def test_a_trial_that_dies_is_told(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/true")
    upload(server, {"bot.py": BOT})
    view = wait_for(server, ended)
    assert view["events"] == [{"event": "refused", "words": uploads.BROKEN}]


def test_two_versions_are_compared_and_one_job_is_done_at_a_time(
    server: LiveServer, tmp_path: Path
) -> None:
    versions = two_versions(tmp_path)
    fill_store(versions, [WON] * 24, MEASURED)
    with server.connect() as visitor:
        assert "error" not in visitor.ask("compare", a=2, b=1)
        assert visitor.ask("compare", a=2, b=1)["error"] == uploads.BUSY
        view = wait_for(server, lambda view: not view["running"])
        standing, end = view["comparison"]  # of the standings the last alone
        assert (view["job"], view["events"], view["number"]) == ("compare", [], 0)
        assert (standing["games"], end["verdict"]) == (48, "better")
        assert "there is no version 3" in visitor.ask("compare", a=3, b=1)["error"]


def test_a_comparison_is_stopped_and_its_games_stay(server: LiveServer, tmp_path: Path) -> None:
    versions = two_versions(tmp_path)
    fill_store(versions, [(1, -1)], MEASURED)
    with server.connect() as visitor:
        assert "error" not in visitor.ask("compare_stop")  # nothing runs
        visitor.ask("compare", a=1, b=2)
        wait_for(server, lambda view: bool(view["comparison"]))
        assert "error" not in visitor.ask("compare_stop")
        view = wait_for(server, lambda view: not view["running"])
    assert [event["event"] for event in view["comparison"]] == ["standing"]
    upload(server, {"bot.py": b"def f(:"})
    view = wait_for(server, ended)
    assert view["job"] == "trial"


def test_a_command_line_is_tried_where_the_page_is_local(server: LiveServer) -> None:
    status, _, answer = server.post("/upload", {"command": "saiblo:./no-such-bot"})
    assert (status, json.loads(answer)) == (200, {"number": 1})
    view = wait_for(server, ended)
    assert view["commands"] is True
    assert "there is no program './no-such-bot'" in view["events"][0]["words"]


def test_a_command_line_of_another_user_is_refused(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        at = listening.getsockname()[1]
        with socket.create_connection(("127.0.0.1", at)) as line:
            assert peer.user_of(line.getsockname()[1], at) in (os.getuid(), None)
    assert peer.user_of(1, 1) is None
    monkeypatch.setattr("honte.web.peer.user_of", lambda client, server: 12345)
    status, _, answer = server.post("/upload", {"command": "saiblo:/bin/cat secret"})
    assert status == 403
    assert "only taken from the computer" in json.loads(answer)["error"]


def test_a_command_line_from_elsewhere_is_refused(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = uploads.Uploads(local=False)
    monkeypatch.setattr(elsewhere, "refusal", lambda: "")
    with pytest.raises(ValueError, match="only taken from the computer"):
        run(elsewhere.submit([], "en", "saiblo:./bot"))
    assert run(elsewhere.view())["commands"] is False


def test_where_others_can_reach_the_page_bots_need_the_sandbox(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("honte.sandbox.levels.active_level", lambda: "careful")
    assert "bots need the sandbox" in uploads.Uploads(local=False).refusal()
    assert uploads.Uploads(local=True).refusal() == ""


def test_uploads_are_kept_in_the_users_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HONTE_UPLOADS")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert uploads.folder() == tmp_path / "honte" / "bots"
    monkeypatch.setenv("HONTE_UPLOADS", "/nonexistent")
