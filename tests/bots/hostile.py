"""Bots that do everything wrong, by name: ``python hostile.py NAME``.

They speak Saiblo where they speak at all: a length of four bytes, big-endian, and "x y".
Nothing of ours is imported here; a bot is somebody else's program.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable


def write(data: bytes) -> None:
    os.write(1, data)


def frame(text: bytes) -> bytes:
    return struct.pack(">I", len(text)) + text


class Game:
    """Reads the judge's text and plays the first column with room."""

    def __init__(self) -> None:
        self.words = (word for line in sys.stdin.buffer for word in line.split())
        self.rows, self.cols, *_ = [self.number() for _ in range(4)]

    def number(self) -> int:
        return int(next(self.words))

    def turn(self) -> bytes:
        """The next request; a legal answer to it."""
        numbers = [self.number() for _ in range(2 + self.cols + self.rows * self.cols)]
        tops = numbers[2 : 2 + self.cols]
        col = next(col for col, top in enumerate(tops) if top)
        return b"%d %d" % (tops[col] - 1, col)


def honest() -> None:
    game = Game()
    while True:
        write(frame(game.turn()))


def crash() -> None:
    Game().turn()
    print("something went wrong", file=sys.stderr)
    sys.exit(3)


def crash_at_once() -> None:
    sys.exit(1)


def die() -> None:
    Game().turn()
    os.kill(os.getpid(), signal.SIGSEGV)


def started() -> Game:
    """A game after one honest move, so that the fault is not mistaken for a slow start."""
    game = Game()
    write(frame(game.turn()))
    game.turn()
    return game


def hang() -> None:
    started()
    time.sleep(1000)


def ignore_sigterm() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1000)


def stop_itself() -> None:
    started()
    os.kill(os.getpid(), signal.SIGSTOP)


def drip() -> None:
    """Send a byte every 50 ms of an answer that never ends."""
    started()
    write(struct.pack(">I", 4000))
    while True:
        write(b"1")
        time.sleep(0.05)


def drip_line() -> None:
    while True:
        write(b"=")
        time.sleep(0.05)


def flood_lines() -> None:
    while True:
        write(b"x" * 1000 + b"\n")


def endless_line() -> None:
    while True:
        write(b"x" * 60000)


def flood_stderr() -> None:
    Game().turn()
    while True:
        os.write(2, b"nonsense\n" * 6000)


def never_read() -> None:
    time.sleep(1000)


def close_stdout() -> None:
    started()
    os.close(1)
    time.sleep(1000)


def slow_start() -> None:
    time.sleep(1000)


def daemon() -> None:
    """Leave an orphaned child in a new session that sleeps on and holds our pipes."""
    game = Game()
    answer = game.turn()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1000)
        os._exit(0)
    if os.fork() == 0:
        time.sleep(1000)
    write(frame(answer))
    game.turn()
    sys.exit(1)


def fork_bomb() -> None:
    """Start many processes, though not enough to hurt a test machine."""
    for _ in range(300):
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
    time.sleep(1000)


def eat_memory() -> None:
    eaten = []
    while True:
        eaten.append(b"x" * (8 << 20))
        time.sleep(0.001)


def answer_what(happened: bool) -> None:
    """Play legally where an attempt failed, crash loudly where it worked."""
    game = Game()
    write(frame(game.turn()))
    if happened:
        print("it worked", file=sys.stderr)
        os._exit(9)
    while True:
        write(frame(game.turn()))


def attempt(deed: Callable[[], object]) -> None:
    try:
        deed()
    except Exception as error:
        print(repr(error), file=sys.stderr)
        answer_what(False)
    answer_what(True)


def write_files() -> None:
    def deed() -> None:
        worked = 0
        here = os.path.dirname(os.path.abspath(__file__))
        places = ["/" + sys.argv[2], "/", "/var/tmp", here]
        if here.startswith("/tmp/"):
            places.pop()  # a bot may fill its private /tmp
        for folder in places:
            try:
                with open(os.path.join(folder, "hostile-was-here"), "wb") as file:
                    file.write(b"x")
                worked += 1
            except OSError:
                continue
        if not worked:
            raise PermissionError("nowhere to write")

    attempt(deed)


def fill_disk() -> None:
    def deed() -> None:
        with open("/tmp/hostile-was-here", "wb") as file:
            for _ in range(64):
                file.write(b"x" * (1 << 20))

    attempt(deed)


def open_network() -> None:
    attempt(lambda: socket.create_connection(("127.0.0.1", int(sys.argv[2])), timeout=2))


def read_files() -> None:
    def deed() -> None:
        with open(os.path.join("/", sys.argv[2], "store.db"), "rb") as file:
            file.read()

    attempt(deed)


def read_environment() -> None:
    def deed() -> None:
        if "HONTE_SECRET" not in os.environ:
            raise KeyError("HONTE_SECRET")

    attempt(deed)


def read_descriptors() -> None:
    def deed() -> None:
        for fd in range(3, 256):
            try:
                os.fstat(fd)
            except OSError:
                continue
            return
        raise OSError("none is open")

    attempt(deed)


def kill_arena() -> None:
    attempt(lambda: os.kill(int(sys.argv[2]), 0))


def trace_arena() -> None:
    def deed() -> None:
        with open(f"/proc/{sys.argv[2]}/mem", "rb"):
            pass

    attempt(deed)


def answers(*given: bytes) -> None:
    game = Game()
    game.turn()
    write(b"".join(given))
    time.sleep(1000)


ODD = {
    "invalid_utf8": frame(b"\xff\xfe 3"),
    "nul": frame(b"5\x00 3"),
    "bom": frame(b"\xef\xbb\xbf5 3"),
    "colour": frame(b"\x1b[31m5 3\x1b[0m"),
    "words": frame(b"my move"),
    "huge_number": frame(b"9" * 4000 + b" 3"),
    "huge_length": struct.pack(">I", 10_000_000) + b"9" * 60000,
    "negative": frame(b"-1 -1"),
    "no_frame": b"5 3\n",
    "deep_json": frame(b"[" * 4000),
    "json_huge": frame(b'{"X": ' + b"9" * 4000 + b"}"),
    "full_cell": frame(b"0 0"),
    "empty": frame(b""),
}


def crlf() -> None:
    game = Game()
    while True:
        write(frame(game.turn() + b"\r\n"))


def double_move() -> None:
    game = Game()
    while True:
        write(frame(game.turn()) * 2)


def late_move() -> None:
    game = Game()
    write(frame(game.turn()))
    answer = game.turn()
    time.sleep(1.5)
    write(frame(answer))
    time.sleep(1000)


def burn() -> None:
    """Think on the opponent's time."""
    game = Game()
    while True:
        write(frame(game.turn()))
        until = time.monotonic() + 0.2
        while time.monotonic() < until:
            pass


def think() -> None:
    """An honest bot that takes 20 ms, or as long as it is told."""
    milliseconds = int(sys.argv[2]) if sys.argv[2].isdigit() else 20
    game = Game()
    while True:
        answer = game.turn()
        time.sleep(milliseconds / 1000)
        write(frame(answer))


def wake_slowly() -> None:
    time.sleep(1.2)
    honest()


def burn_elsewhere() -> None:
    """The same, in a process with its own session, which a signal to the group misses."""
    game = Game()
    answer = game.turn()
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
    while True:
        write(frame(answer))
        answer = game.turn()


def spin(seconds: float) -> None:
    """Use this much processor time."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def crowd_core() -> None:
    """Think five times too long on a core that four helpers of its own keep busy."""
    game = Game()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for _ in range(4):
        if os.fork() == 0:
            while True:
                pass
    while True:
        answer = game.turn()
        until = time.monotonic() + 1.0
        while time.monotonic() < until:
            pass
        write(frame(answer))


def hide_children() -> None:
    """Use half a second on the opponent's time, in children that are never reaped."""
    game = Game()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        write(frame(game.turn()))
        for _ in range(25):
            read, theirs = os.pipe()
            if os.fork() == 0:
                spin(0.02)
                os._exit(0)
            os.close(theirs)
            os.read(read, 1)  # its end
            os.close(read)


def wait_for_children() -> None:
    """The same in children that it waits for, and in orphans."""
    game = Game()
    while True:
        write(frame(game.turn()))
        for number in range(10):
            if (child := os.fork()) == 0:
                if number % 2 and os.fork():
                    os._exit(0)
                spin(0.05)
                os._exit(0)
            os.waitpid(child, 0)


def start_late() -> None:
    """Botzone: 0.3 s of work before it reads, then an answer at once."""
    spin(0.3)
    botzone_answer()


def think_as_if_starting() -> None:
    """Botzone: read at once, and think five times too long, as if it were a slow start."""
    text = sys.stdin.readline()
    time.sleep(1)
    botzone_answer(text)


def botzone_answer(text: str = "") -> None:
    """The first column with room, which is the last one played or the one beside it."""
    given = json.loads(text or sys.stdin.readline())
    first = given["requests"][0]
    points = [*given["requests"], *given["responses"]]
    heights = [0] * first["cols"]
    for point in points:
        if point["x"] >= 0:
            heights[point["y"]] += 1
    col = next(col for col, height in enumerate(heights) if height < first["rows"])
    write(json.dumps({"response": {"x": first["rows"] - 1 - heights[col], "y": col}}).encode())
    write(b"\n")


def crash_library() -> None:
    Game().turn()
    ctypes.string_at(0)


if __name__ == "__main__":
    name = sys.argv[1]
    if name in ODD:
        answers(ODD[name])
    else:
        globals()[name]()
