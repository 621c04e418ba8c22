"""A round of a class on a Ray cluster that was started elsewhere, over ray://.

Ray is not a development dependency (240 MB): this test runs where `pip install honte[cluster]` has
installed it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from honte.arena.store import Store
from honte.classroom import classroom
from honte.classroom.classroom import GAMES, Classroom
from honte.classroom.round import play
from honte.submissions.sources import Source
from honte.submissions.versions import SOURCE, Version, write

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        find_spec("ray") is None,
        reason="Ray is not installed; `pip install honte[cluster]` brings it",
    ),
]
CLASS_BOT = """
def choose(state, limit):
    try:
        open({secret!r}).close()
    except OSError:
        moves = state.legal_moves()
        return moves[{preferred} % len(moves)]
    raise RuntimeError("it is not confined")
"""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """A head node independent of this process: none of our settings, another folder."""
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    environment = {name: word for name, word in os.environ.items() if not name.startswith("HONTE_")}
    port = free_port()
    words = ["--head", "--block", "--node-ip-address=127.0.0.1", f"--port={free_port()}"]
    words += [f"--ray-client-server-port={port}", "--min-worker-port=0", "--max-worker-port=0"]
    words += ["--num-cpus=2", "--include-dashboard=false", "--object-store-memory=80000000"]
    with subprocess.Popen(
        [sys.executable, "-m", "ray.scripts.scripts", "start", *words],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as head:
        while not listens(port):
            assert head.poll() is None
            time.sleep(0.1)
        yield f"ray://127.0.0.1:{port}"
        head.terminate()


def room_with_bots(folder: Path, secret: Path) -> Classroom:
    room = classroom.create(str(folder), "connect4:rows=4,cols=4", 1.0)
    for preferred, name in enumerate(("Anna", "Ben", "Eve")):
        versions = room.versions(room.join(name)[0].id)
        version = versions.folder / "v001"
        (version / SOURCE).mkdir(parents=True)
        text = CLASS_BOT.format(secret=str(secret), preferred=preferred)
        (version / SOURCE / "bot.py").write_text(text)
        source = Source("py", "bot.py", "choose")
        write(Version(version, 1, name, source, 0.0, checked=True), version)
    return room


@pytest.mark.timeout(300)
def test_a_round_on_a_cluster_plays_the_games_of_a_round_here(address: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    secret = tmp_path / "secret"
    secret.write_text("nothing of a bot's")
    rooms = {}
    for on in ("local", address):
        rooms[on] = room_with_bots(tmp_path / on[:3], secret)
        assert play(rooms[on], rooms[on].begin_round(8), 2, on) == "all games played"
    played = {}
    for on, room in rooms.items():
        with Store(room.folder / GAMES, write=False) as store:
            played[on] = sorted(
                (game.task.players, game.moves, game.reason, game.sandbox) for game in store.games()
            )
    assert len(played[address]) == 12
    assert played[address] == played["local"]
    assert {game[2] for game in played[address]} <= {"played out", "draw"}
    assert all(level.startswith("untrusted") for game in played[address] for level in game[3])
