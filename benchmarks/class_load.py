"""Load test of a class of sixty on one machine: ten hostile bots, everybody on the page.

    python benchmarks/class_load.py [--students 60] [--hostile 10] [--games 4] [--kills 20]

Starts `honte serve --class` on loopback. Every student signs in and uploads a bot over HTTP; then
the teacher starts a round while all students keep a page open that polls the table, a position and
a file. --kills N kills the server with SIGKILL N times, half during the uploads and half during the
round, and restarts it. At the end it prints the latency of each kind of request during the round,
and whether anything was lost or played twice.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

from honte.classroom import classroom
from honte.classroom.classroom import GAMES, Classroom
from honte.classroom.round import standings

BOARD = "connect4:rows=9,cols=9,blocked=4/4"
HONEST = """import random
draw = random.Random({seed})
def choose(state, limit):
    moves = state.legal_moves()
    if draw.random() < {skill}:
        for move in moves:
            if state.play(move).is_over:
                return move
    return draw.choice(moves)
"""
HOSTILE = (
    "def choose(state, limit):\n    while True: pass\n",
    "import os\ndef choose(state, limit):\n    os._exit(3)\n",
    "def choose(state, limit):\n    return 10**9\n",
    "def choose(state, limit):\n    x = bytearray(8 << 30)\n    return 0\n",
    "import os\ndef choose(state, limit):\n    while True: os.fork()\n",
    "import ctypes\ndef choose(state, limit):\n    ctypes.string_at(0)\n",
    "import sys\ndef choose(state, limit):\n    while True: sys.stderr.write('x' * 65536)\n",
    "import time\ndef choose(state, limit):\n    time.sleep(3600)\n",
    "import glob\ndef choose(state, limit):\n"
    "    found = glob.glob('/**/class.db', recursive=True) + glob.glob('/**/source/bot.py',"
    " recursive=True)\n    open(found[1]).read()\n    return state.legal_moves()[0]\n",
    "import os, signal\ndef choose(state, limit):\n    os.kill(-1, signal.SIGKILL)\n"
    "    os.kill(os.getppid(), signal.SIGKILL)\n    return 'x'\n",
)


class Server:
    """The server of the class, killed and started again at the same port."""

    def __init__(self, room: Classroom) -> None:
        self.room = room
        self.port = 0
        self.start()

    def start(self) -> None:
        words = ["-m", "honte", "serve", "--class", str(self.room.folder), "--no-browser"]
        self.process = subprocess.Popen(
            [sys.executable, *words, "--port", str(self.port)], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        found = re.search(r":(\d+)/class", self.process.stdout.readline())
        assert found is not None
        self.port = int(found[1])
        self.origin = f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.start()

    def close(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)

    def post(self, path: str, fields: dict[str, Any], cookie: str = "") -> tuple[Any, str]:
        """Post, retrying while the server starts; the answer and the cookie."""
        headers = {"content-type": "application/json", "origin": self.origin, "cookie": cookie}
        for _ in range(600):
            asked = urllib.request.Request(
                self.origin + path, json.dumps(fields).encode(), headers, method="POST"
            )
            try:
                with urllib.request.urlopen(asked, timeout=60) as answer:
                    given = answer.headers.get("set-cookie", "").partition(";")[0]
                    return json.loads(answer.read()), given
            except urllib.error.HTTPError as error:
                raise SystemExit(f"{path}: {error.read().decode()}") from None
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the server did not come back")


async def visit(
    server: Server, cookie: str, number: int, done: asyncio.Event, took: dict[str, list[float]]
) -> None:
    """A page that is open all the time."""
    draw = random.Random(number)
    id = 0
    while not done.is_set():
        try:
            async with connect(
                f"ws://127.0.0.1:{server.port}/socket",
                origin=server.origin,  # type: ignore[arg-type]
                additional_headers={"Cookie": cookie},
                open_timeout=30,
            ) as line:
                while not done.is_set():
                    do = draw.choice(("class", "class", "bots", "position"))
                    fields = {"game": BOARD, "moves": ["5"]} if do == "position" else {}
                    id += 1
                    began = time.perf_counter()
                    await line.send(json.dumps({"id": id, "do": do, **fields}))
                    while json.loads(await line.recv())["id"] != id:
                        pass
                    took.setdefault(do, []).append(time.perf_counter() - began)
                    await asyncio.sleep(draw.uniform(1, 3))  # as the page does
        except Exception:
            await asyncio.sleep(0.2)  # it was killed; a page connects again by itself


def share(times: list[float], part: float) -> float:
    return 1000 * sorted(times)[min(len(times) - 1, int(part * len(times)))]


async def afternoon(options: argparse.Namespace, room: Classroom) -> None:
    server = Server(room)
    began = time.monotonic()
    draw = random.Random(options.seed)
    instants = options.kills
    people = []
    for number in range(options.students):
        told, cookie = server.post(
            "/class/sign-in", {"code": room.join_code, "name": f"Student {number + 1}"}
        )
        people.append((told["name"], cookie))

    async def kill_now_and_then(share_of: int) -> None:
        for _ in range(share_of):
            await asyncio.sleep(draw.uniform(2, options.pause))
            await asyncio.to_thread(server.kill)
            print(f"killed, {time.monotonic() - began:.0f} s", flush=True)

    killing = asyncio.create_task(kill_now_and_then(instants // 2))
    for number, (_, cookie) in enumerate(people):
        text = HONEST.format(seed=number, skill=number / options.students)
        if number < options.hostile:
            text = HOSTILE[number % len(HOSTILE)]
        files = [{"name": "bot.py", "data": base64.b64encode(text.encode()).decode()}]
        await asyncio.to_thread(server.post, "/upload", {"files": files}, cookie)
    print(f"uploaded after {time.monotonic() - began:.0f} s", flush=True)
    while len(checked := room.entries()) < options.students:
        await asyncio.sleep(1)
        print(f"\r{len(checked)} checked, {time.monotonic() - began:.0f} s ", end="", flush=True)
    await killing
    print(f"\nall checked after {time.monotonic() - began:.0f} s", flush=True)
    round = room.begin_round(options.games, options.seconds)
    await asyncio.to_thread(server.kill)  # it finds the round when it starts
    killing = asyncio.create_task(kill_now_and_then(instants - instants // 2))
    done = asyncio.Event()
    took: dict[str, list[float]] = {}
    pages = [
        asyncio.create_task(visit(server, cookie, number, done, took))
        for number, (_, cookie) in enumerate(people)
    ]
    while room.current is not None:
        await asyncio.sleep(1)
        table = standings(room) or {"done": 0, "total": 0}
        seconds = time.monotonic() - began
        print(f"\r{table['done']}/{table['total']} games, {seconds:.0f} s ", end="", flush=True)
    done.set()
    killing.cancel()
    await asyncio.gather(*pages)
    print(f"\nround {round.id}: {room.rounds()[-1].words}", flush=True)
    for do, times in sorted(took.items()):
        print(
            f"{do:<9} {len(times):>6} requests  median {share(times, 0.5):6.1f} ms"
            f"  99 % {share(times, 0.99):6.1f}  most {1000 * max(times):6.1f}"
        )
    everything = [one for times in took.values() for one in times]
    print(f"{'all':<9} {len(everything):>6} requests  99 % {share(everything, 0.99):6.1f} ms")
    tell_what_is_there(room, options.students)
    server.close()


def tell_what_is_there(room: Classroom, students: int) -> None:
    table = standings(room)
    assert table is not None
    db = sqlite3.connect(room.folder / GAMES)
    rows = db.execute(
        "SELECT game, seed, one.spec, two.spec, reason FROM games"
        " JOIN players AS one ON one.id = first JOIN players AS two ON two.id = second"
    ).fetchall()
    twice = [row for row, count in Counter(row[:4] for row in rows).items() if count > 1]
    uploads = [len(room.versions(student.id).all()) for student in room.students()]
    waiting = len(room.waiting())
    print(f"{len(rows)} games in the store, {table['done']} in the table, {len(twice)} twice")
    print(f"{sum(uploads)} versions of {students} students, most of one {max(uploads)}; ", end="")
    print(f"{waiting} wait for their ladder")
    print("reasons:", dict(Counter(row[4] for row in rows)))
    for row in table["players"][-12:]:
        print(
            f"  {row['name']:<12} {row['elo']:>6.0f} ± {row['elo_error']:<5.0f} {row['last_fault']}"
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--hostile", type=int, default=10)
    parser.add_argument("--games", type=int, default=4, help="of each bot")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--pause", type=float, default=20.0, help="most seconds between kills")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        os.environ["HONTE_CLASSES"] = folder
        asyncio.run(afternoon(options, classroom.create("load", BOARD, 1.0)))


if __name__ == "__main__":
    main()
