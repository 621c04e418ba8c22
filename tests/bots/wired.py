"""Engines of ours at the end of wires that a test holds: text in, text out."""

from __future__ import annotations

import re

import honte
from honte.bots.serve.gtp import GtpEngine
from honte.bots.serve.gtp_go import GoEngine


class Tape:
    """Wires that keep what is said; the next command comes after so many looks."""

    def __init__(self, patience: int = 0) -> None:
        self.said = b""
        self.patience = patience
        self.looks = 0

    def say(self, text: bytes) -> None:
        self.said += text

    def wait(self, seconds: float) -> bool:
        self.looks += 1
        return self.looks > self.patience

    def taken(self) -> str:
        """What has been said since the last time."""
        said, self.said, self.looks = self.said.decode("ascii"), b"", 0
        return said


class Gtp:
    """A GTP engine and a controller who checks the form of every answer."""

    def __init__(self, game: str = "go:size=9", player: str = "random:seed=1", **options: object):
        self.tape = Tape()
        rules = honte.game(game)
        kind = GoEngine if rules.name == "go" else GtpEngine
        self.engine = kind(rules, player, self.tape, **options)  # type: ignore[arg-type]

    def ask(self, line: str | bytes) -> str:
        """The answer to a command that must have one, without its blank line."""
        given = line if isinstance(line, bytes) else line.encode()
        self.engine.take(given + b"\n")
        said = self.tape.taken()
        assert re.fullmatch(r"[=?][^\n]*(\n[^\n]+)*\n\n", said), repr(said)
        assert "internal error" not in said, said
        return said[:-2]

    def tell(self, *lines: str) -> None:
        """Commands that must succeed."""
        for line in lines:
            assert self.ask(line).startswith("="), line

    def position(self) -> str:
        board = self.engine.board
        return f"{board.game.spec} {board.state.to_text()} {len(board.moves)}"
