"""Foreign pages, strangers and hostile programs get nothing from the server."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import shutil
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from honte.web import address, gate, server
from honte.web.requests import MOST_BODY, MOST_FRAME
from tests.web.live import TOKEN, WAIT, Client, LiveServer


def is_one_sentence(words: object) -> bool:
    return (
        isinstance(words, str)
        and 10 < len(words) < 500
        and "\n" not in words
        and "Traceback" not in words
        and "honte/" not in words
        and ".py" not in words
    )


# -- who is meant ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:1",
        "127.0.0.1:{port}.evil.example",
        "127.0.0.1.evil.example:{port}",
        "localhost.:{port}",
        "0.0.0.0:{port}",
        "user@127.0.0.1:{port}",
        "127.0.0.1:{port}, evil.example",
        "127.0.0.1:0{port}",
        "2130706433:{port}",
    ],
)
def test_a_host_that_is_not_ours_gets_nothing(served: LiveServer, host: str) -> None:
    name = host.format(port=served.port)
    for path in ("/", "/health", "/static/socket.js", "/socket"):
        status, _, body = served.fetch(path, host=name)
        assert status in (400, 421), path
        assert b"<" not in body
    with (
        pytest.raises((InvalidStatus, OSError)),
        served.connect(additional_headers={"Host": name}, origin=f"http://{name}"),
    ):
        pass  # two Host headers, or a wrong one


def test_our_own_names_are_let_in(served: LiveServer) -> None:
    for name in ("127.0.0.1", "localhost", "LocalHost", "[::1]"):
        assert served.fetch("/health", host=f"{name}:{served.port}")[0] == 200


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "http://localhost:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "http://127.0.0.1:{port}/",
    ],
)
def test_another_page_opens_no_socket_and_posts_nothing(
    served: LiveServer, origin: str | None
) -> None:
    name = origin.format(port=served.port) if origin is not None else None
    with pytest.raises(InvalidStatus) as refused, served.connect(origin=name):
        pass
    assert refused.value.response.status_code == 403
    headers = {} if name is None else {"origin": name}
    body = json.dumps({"text": "4455", "game": "connect4"}).encode()
    status, found, answer = served.fetch(
        "/load", "POST", body, content_type="application/json", **headers
    )
    assert status == 403
    assert "access-control-allow-origin" not in found
    assert is_one_sentence(json.loads(answer)["error"])


def test_the_same_request_from_our_own_page_is_answered(served: LiveServer) -> None:
    status, _, answer = served.post("/load", {"text": "4455", "game": "connect4"})
    assert status == 200
    assert json.loads(answer)["games"][0]["moves"] == ["4", "4", "5", "5"]


# -- the token -------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["", "?token=", "?token=wrong", "?tokens=" + TOKEN, "?token[]=x"])
def test_without_the_token_there_is_nothing(guarded: LiveServer, query: str) -> None:
    for path in ("/", "/watch", "/health", "/static/socket.js", "/nosuch"):
        status, headers, body = guarded.fetch(path + query)
        assert status == 403
        assert "set-cookie" not in headers
        assert TOKEN.encode() not in body
    assert guarded.post("/load" + query, {"text": "44", "game": "connect4"})[0] == 403
    with pytest.raises(InvalidStatus), guarded.connect(query):
        pass


def test_the_token_lets_one_in_and_the_cookie_goes_on(guarded: LiveServer) -> None:
    status, headers, _ = guarded.fetch(f"/?token={TOKEN}")
    assert status == 200
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    kept = cookie.split(";")[0]
    assert guarded.fetch("/health", cookie=kept)[0] == 200
    assert guarded.fetch("/health", cookie=kept[:-1])[0] == 403
    with guarded.connect(additional_headers={"Cookie": kept}) as client:
        assert client.ask("hello")["version"]
    with guarded.connect(f"?token={TOKEN}") as client:
        assert client.ask("hello")["version"]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("127.9.9.9", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.5", False),
        ("example.org", False),
    ],
)
def test_off_loopback_there_is_always_a_token(
    host: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert address.is_loopback(host) is expected
    made: list[Any] = []

    class Quiet:
        def __init__(self, app: Any) -> None: ...

        def run(self, sockets: Any) -> None:
            assert sockets == [listener]

    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setattr(address, "bind", lambda host, port: listener)
        monkeypatch.setattr(
            server, "make_app", lambda host, port, token, store, **more: made.append(token)
        )
        monkeypatch.setattr(server, "config", lambda app: app)
        monkeypatch.setattr("uvicorn.Server", Quiet)
        place = address.listen(host, None)
        shown = place.address()
        server.run(place)
    (token,) = made
    if expected:
        assert token is None
        assert "token" not in shown
    else:
        assert len(token) >= 20
        assert f"?token={token}" in shown


PROXY = "https://honte.example.org"


def test_behind_a_proxy_there_is_a_token_even_on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(address.TOKEN, raising=False)
    place = address.listen("127.0.0.1", 0, f"{PROXY}/")
    place.listener.close()
    assert place.token is not None
    assert place.address("/watch") == f"{PROXY}/watch?token={place.token}"
    monkeypatch.setenv(address.TOKEN, "k" * 16)
    assert address.own_token() == "k" * 16
    monkeypatch.setenv(address.TOKEN, "short; Path=/")
    with pytest.raises(ValueError, match="HONTE_TOKEN must be 16 to 128 letters"):
        address.own_token()


@pytest.mark.parametrize("public", ["honte.example.org", "ftp://a", "https://a/b", "https://", ""])
def test_a_public_address_is_an_origin(public: str) -> None:
    with pytest.raises(ValueError, match=r"is no address like https://honte\.example\.org$"):
        address.listen("127.0.0.1", 0, public)


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("honte.example.org", PROXY, None),
        ("honte.example.org", "http://honte.example.org", 403),
        ("honte.example.org", "https://evil.example", 403),
        ("honte.example.org", "http://127.0.0.1:8000", 403),
        ("127.0.0.1:8000", PROXY, 403),
        ("127.0.0.1:8000", "http://127.0.0.1:8000", None),
        ("evil.example", PROXY, 421),
    ],
)
def test_a_proxy_passes_on_its_own_name_and_origin_alone(
    host: str, origin: str, status: int | None
) -> None:
    async def nothing(*_: Any) -> None: ...

    door = gate.Gate(nothing, "0.0.0.0", 8000, TOKEN, PROXY)
    headers = [(b"host", host.encode()), (b"origin", origin.encode())]
    scope = {"type": "websocket", "headers": headers, "query_string": f"token={TOKEN}".encode()}
    refusal = door._refusal(scope)
    assert (refusal[0] if refusal else None) == status
    assert door._refusal({**scope, "query_string": b""}) is not None


# -- what can be fetched ---------------------------------------------------------------


def traversals() -> list[str]:
    """Two hundred ways to request a file that must not be served."""
    ups = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "..%c0%af", "..%252f", "....//"]
    ups += ["..;/", "%2e./", ".%2e/", "..//", "./../", "..%00/"]
    targets = ["etc/passwd", "server.py", "gate.py", "__init__.py", "pyproject.toml"]
    paths = [
        f"/static/{up * times}{target}"
        for up, times, target in itertools.product(ups, (1, 3), targets)
    ]
    paths += [f"/{up * 4}etc/passwd" for up in ups]
    paths += [f"/static//{target}" for target in ("etc/passwd", "/etc/passwd", "C:/x", "~root")]
    paths += [
        f"/static/{name}" for name in ("", ".", "..", "page", "../page/index.html", "app.js/")
    ]
    paths += ["/static/app.js%00.html", "/static/APP.JS", "/static/app.js~", "/static/.git/config"]
    paths += ["/server.py", "/page/index.html", "/static", "//static/app.js", "/STATIC/app.js"]
    paths += [f"/static/%{code:02x}" for code in range(0x20)]
    return paths


def test_no_path_leads_out_of_the_table(served: LiveServer) -> None:
    paths = traversals()
    assert len(set(paths)) >= 200
    for path in paths:
        status, _, body = served.fetch(path.replace(" ", "%20"))
        assert status in (400, 404), path
        assert b"root:" not in body
        assert b"import" not in body
        assert b"Traceback" not in body


def test_only_post_changes_and_only_load_takes_it(served: LiveServer) -> None:
    assert served.fetch("/load")[0] == 405
    assert served.fetch("/load?text=4455&game=connect4")[0] == 405
    for path in ("/", "/health", "/static/socket.js", "/nosuch"):
        for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"):
            status, headers, _ = served.fetch(path, method, b"", origin=served.origin)
            assert status == 405, (method, path)
            assert "access-control-allow-methods" not in headers


@pytest.mark.parametrize(
    "path", ["/", "/watch", "/health", "/nosuch", "/static/socket.js", "/load"]
)
def test_every_answer_has_the_strict_headers_and_none_for_other_pages(
    served: LiveServer, path: str
) -> None:
    for origin in ("", served.origin):
        headers = (served.fetch(path, origin=origin) if origin else served.fetch(path))[1]
        assert headers["content-security-policy"] == gate.POLICY
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert not [name for name in headers if name.startswith("access-control")]
        assert "server" not in headers


def test_the_page_is_small_and_comes_once(served: LiveServer) -> None:
    total = 0
    for path in server.read_files():
        if path.startswith("/static/") and path.count("/") == 2:
            status, headers, body = served.fetch(path, accept_encoding="gzip")
            assert (status, headers["content-encoding"]) == (200, "gzip")
            total += len(body)
            again = served.fetch(path, if_none_match=headers["etag"])
            assert (again[0], again[2]) == (304, b"")
    assert total <= 200_000


@pytest.mark.parametrize("path", ["/", "/watch"])
def test_a_file_is_fetched_once_and_again_when_any_has_changed(
    served: LiveServer, tmp_path: Path, path: str
) -> None:
    _, headers, page = served.fetch(path)
    assert headers["cache-control"] == "no-cache"
    files = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.decode())
    assert len(files) > 5
    for file in files:
        status, headers, body = served.fetch(file)
        assert status == 200
        assert "immutable" in headers["cache-control"]
        versioned, _, name = file.rpartition("/")
        _, headers, plain = served.fetch(f"/static/{name}")
        assert (headers["cache-control"], plain) == ("no-cache", body)
        assert served.fetch(f"{versioned[:-1]}x/{name}")[0] == 404
    shutil.copytree(server.PAGE, tmp_path / "page")
    (tmp_path / "page" / "numbers.js").write_text("// changed")
    assert not set(server.read_files(tmp_path / "page")) & set(files)


# -- bodies and frames -----------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "text/plain; charset=application/json",
        "application/jsonx",
        "",
    ],
)
def test_a_form_is_not_taken_for_json(served: LiveServer, kind: str) -> None:
    status, _, body = served.post("/load", {"text": "44", "game": "connect4"}, content_type=kind)
    assert status == 415
    assert is_one_sentence(json.loads(body)["error"])


def test_a_body_of_the_limit_is_read_and_one_beyond_is_not(served: LiveServer) -> None:
    small = json.dumps({"text": "44", "game": "connect4"}).encode()
    assert served.post("/load", small + b" " * (MOST_BODY - len(small)))[0] == 200
    status, _, body = served.post("/load", small + b" " * (MOST_BODY + 1 - len(small)))
    assert status == 413
    assert is_one_sentence(json.loads(body)["error"])


def test_a_body_without_a_length_is_cut_off_too(served: LiveServer) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=WAIT) as line:
        head = f"POST /load HTTP/1.1\r\nHost: {served.host}\r\nOrigin: {served.origin}\r\n"
        head += "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        line.sendall(head.encode())
        sent = 0
        with contextlib.suppress(OSError):  # it hangs up in the middle
            for _ in range(4096):
                line.sendall(b"1000\r\n" + b" " * 4096 + b"\r\n")
                sent += 4096
        with contextlib.suppress(OSError):
            assert b" 413 " in line.recv(100)
    assert sent < 4096 * 4096
    assert served.fetch("/health")[0] == 200


def test_a_frame_beyond_the_limit_ends_only_that_socket(served: LiveServer, client: Client) -> None:
    with served.connect() as other:
        other.line.send(json.dumps({"id": 1, "do": "load", "text": "x" * (MOST_FRAME - 40)}))
        assert "error" in other.receive()
        other.line.send(json.dumps({"id": 2, "do": "load", "text": "x" * MOST_FRAME}))
        with pytest.raises(ConnectionClosed) as closed:
            other.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    assert client.ask("hello")["version"]


def test_bytes_that_are_no_text_end_only_that_socket(served: LiveServer, client: Client) -> None:
    with served.connect() as other:
        other.line.send(b"\xff\xfe{", text=True)
        with pytest.raises(ConnectionClosed):
            other.receive()
    with served.connect() as other:
        other.line.send(b'{"id": 1, "do": "hello"}')  # a binary frame
        assert is_one_sentence(other.receive()["error"])
        assert other.ask("hello")["version"]
    assert served.post("/load", b'{"text": "\xff\xfe"}')[0] == 400
    assert served.post("/load", b'{"text": "\\ud800", "game": "connect4"}')[0] == 400
    assert client.ask("hello")["version"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"[" * 60_000,
        b'{"text":' * 8_000,
        b'{"text": 1e999}',
        b'{"text": 1}',
        b'{"text": "44", "game": 7}',
        b'{"text": "44", "game": "chess"}',
        b'{"text": "99", "game": "connect4"}',
        b'{"text": "(;GM[1"}',
        b'{"text": "(;GM[1]SZ[99999999999999999999])"}',
        b'{"text": "(;GM[Othello]B[zz];)"}',
        b'{"text": "what is this?"}',
        b'{"text": ""}',
    ],
    ids=lambda body: repr(body[:30]),
)
def test_a_malformed_body_gets_one_sentence(served: LiveServer, body: bytes) -> None:
    status, _, answer = served.post("/load", body)
    assert status == 400
    assert is_one_sentence(json.loads(answer)["error"])


# -- slow and many ---------------------------------------------------------------------


def test_malformed_http_is_refused_without_flooding_the_log(
    served: LiveServer, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=WAIT) as line:
        line.sendall(b"GET /" + b"4" * 32_000 + b" HTTP/1.1\r\n\r\n")
        assert b" 400 " in line.recv(100)
    assert served.fetch("/health")[0] == 200
    assert not caplog.records


def test_two_hundred_slow_connections_keep_nobody_out(served: LiveServer) -> None:
    with contextlib.ExitStack() as lines:
        slow = []
        for number in range(200):
            line = lines.enter_context(
                socket.create_connection(("127.0.0.1", served.port), timeout=WAIT)
            )
            with contextlib.suppress(OSError):
                line.sendall(b"GET / HTTP/1.1\r\nHost: " + b"x" * (number % 7))
            slow.append(line)
        assert served.fetch("/health")[0] == 200
        with served.connect() as client:
            assert client.ask("position", game="connect4", moves=["4"])["state"]["ply"] == 1
        deadline = time.monotonic() + WAIT
        while slow and time.monotonic() < deadline:  # until they are disconnected
            with contextlib.suppress(OSError):
                slow[0].settimeout(max(0.1, deadline - time.monotonic()))
                assert slow[0].recv(1000) == b""
            slow.pop(0)
        assert not slow
        assert time.monotonic() < deadline


def test_the_fifty_first_visitor_is_told_so(served: LiveServer) -> None:
    with contextlib.ExitStack() as lines:
        visits = [lines.enter_context(served.connect()) for _ in range(50)]
        with served.connect() as one_more:
            assert is_one_sentence(one_more.receive()["error"])
            with pytest.raises(ConnectionClosed):
                one_more.receive()
        assert visits[0].ask("hello")["version"]
        assert visits[-1].ask("hello")["version"]


def test_a_visitor_who_asks_without_end_is_slowed_down(served: LiveServer, client: Client) -> None:
    began = time.monotonic()
    for _ in range(200):
        client.send("course", seed=1)
    for _ in range(200):
        client.receive()
    assert time.monotonic() - began > 1.0  # a burst of 120, then 60 a second


# -- markup ----------------------------------------------------------------------------


def test_names_and_comments_are_text_and_stay_it(served: LiveServer, client: Client) -> None:
    evil = "<img src=x onerror=alert(1)>"
    text = f"(;GM[1]SZ[9]PB[{evil}]PW[\x1b\\]0;x]RE[{evil}];B[aa]C[{evil}\x1b\\[31m])"
    for found in (
        client.ask("load", text=text),
        json.loads(served.post("/load", {"text": text})[2]),
    ):
        (game,) = found["games"]
        assert game["players"][0] == evil
        assert game["comments"]["1"].startswith(evil)
        assert "\x1b" not in json.dumps(game, ensure_ascii=False)
    status, headers, _ = served.post("/load", {"text": text})
    assert status == 200
    assert headers["content-type"] == "application/json"
    error = client.ask("position", game=evil)["error"]
    assert is_one_sentence(error)
