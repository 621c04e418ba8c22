"""Bots that keep to their protocols and play the first legal move: ``friendly.py PROTOCOL``."""

from __future__ import annotations

import json
import re
import sys

import honte


def botzone(keep: bool) -> None:
    """Connect Four over Botzone."""
    state = None
    while line := sys.stdin.readline():
        given = json.loads(line)
        if "requests" in given:
            first = given["requests"][0]
            blocked = "+".join(f"{row}/{col}" for row, col in first["blocked"])
            rows, cols = first["rows"], first["cols"]
            state = honte.game("connect4", rows=rows, cols=cols, blocked=blocked).start()
            mine = [*given["responses"], None]
            for request, response in zip(given["requests"], mine, strict=True):
                for point in (request, response):
                    if point is not None and point["x"] >= 0:
                        state = state.play(point["y"])
        else:
            assert state is not None
            state = state.play(given["y"])
        move = state.legal_moves()[0]
        row = state.landing_row(move)  # type: ignore[attr-defined]
        print(json.dumps({"response": {"x": row, "y": move}}))
        if not keep:
            return
        print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<", flush=True)
        state = state.play(move)


def nboard() -> None:
    """Othello over NBoard."""
    game = honte.game("othello")
    state = game.start()
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "ping":
            print(f"pong {rest}", flush=True)
        elif command == "set" and rest.startswith("game "):
            state = game.start()
            for move in re.findall(r"[BW]\[(..)\]", rest):
                state = state.play(game.parse(move))
        elif command == "go":
            move = game.format(state.legal_moves()[0]).replace("pass", "PA")
            print(f"status thinking\n=== {move}/0.00/0.0", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "nboard":
        nboard()
    else:
        botzone(sys.argv[1] == "keep")
