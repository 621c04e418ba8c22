"""Programs that speak a protocol, each with one defect: ``programs.py PROTOCOL DISEASE``."""

from __future__ import annotations

import json
import struct
import sys
import time
from typing import Any

OUT: Any = sys.stdout.buffer


def saiblo(defect: str) -> None:
    """The first open column, over Saiblo's protocol."""
    words = iter(lambda: sys.stdin.readline().split(), [])
    rows, cols, *_ = map(int, next(words))
    for _last in words:
        top = list(map(int, next(words)))
        for _ in range(rows):
            next(words)
        col = next(col for col in range(cols) if top[col])
        answer = f"{top[col] - 1} {col}".encode()
        order = "<I" if defect == "little" else ">I"
        head = b"" if defect in ("text", "bare") else struct.pack(order, len(answer))
        end = b"\n" if defect == "text" else b""
        OUT.write(head + answer + end)
        if defect != "buffered":
            OUT.flush()
        if defect == "once":
            return


def gtp(defect: str) -> None:
    """The first legal move of Go, over GTP."""
    import honte

    game = honte.game("go:size=5")
    state = game.start()
    for line in sys.stdin:
        number, command, *words = line.split()
        answer = ""
        if command == "list_commands":
            answer = "boardsize\nclear_board\nkomi\nplay\ngenmove\nname"
        elif command == "name":
            answer = "First"
        elif command == "boardsize":
            game = honte.game("go", size=int(words[0]))
        elif command == "clear_board":
            state = game.start()
        elif command == "play":
            if defect == "pass" and words[1] == "pass":
                raise ValueError("no such point: pass")
            state = state.play(game.parse(words[1]))
        elif command == "genmove":
            move = state.legal_moves()[0]
            answer = game.format(move)
            state = state.play(move)
        number = "" if defect == "number" else number
        OUT.write(f"={number} {answer}\n".encode() + (b"" if defect == "blank" else b"\n"))
        if defect != "buffered":
            OUT.flush()


def botzone(defect: str) -> None:
    """The first legal move of Othello, over Botzone's protocol; ends after each."""
    import honte

    given = json.loads(sys.stdin.readline())
    game: Any = honte.game("othello")
    state = game.start()
    for request, response in zip(given["requests"], [*given["responses"], None], strict=True):
        for point in (request, response):
            if point is None or (state == game.start() and point["x"] < 0):
                continue
            state = state.play(64 if point["x"] < 0 else 8 * point["y"] + point["x"])
    move = state.legal_moves()[0]
    y, x = divmod(move, 8) if move < 64 else (-1, -1)
    if defect == "pass" and move == 64:
        x, y = 0, 0
    if defect == "swapped":
        x, y = y, x
    if defect == "text":
        print(x, y)
    else:
        print(json.dumps({"response": {"x": x, "y": y}}))


if __name__ == "__main__":
    if sys.argv[2] == "slow":
        time.sleep(1000)
    if sys.argv[2] == "buffered":
        OUT = open(1, "wb", buffering=1 << 16, closefd=False)  # noqa: SIM115
    {"saiblo": saiblo, "gtp": gtp, "botzone": botzone}[sys.argv[1]](sys.argv[2])
