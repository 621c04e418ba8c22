"""Our engines behind a transport that a test holds: text in, text out."""

from __future__ import annotations

import re
import time

import honte
from honte.protocols.gtp_go import engine_for


class Tape:
    """A transport that records messages; the next command comes after this many of them."""

    def __init__(self, patience: int = 0) -> None:
        self.said = b""
        self.patience = patience
        self.messages = 0

    def send(self, data: bytes) -> None:
        self.said += data
        self.messages += 1

    def wait_for_input(self, seconds: float) -> bool:
        if self.messages < self.patience:
            time.sleep(min(seconds, 0.005))
        return self.messages >= self.patience

    def wait_for_end(self, seconds: float) -> bool:
        time.sleep(min(seconds, 0.005))
        return False

    def taken(self) -> str:
        """The output since the last call."""
        said, self.said, self.messages = self.said.decode("ascii"), b"", 0
        return said


class Gtp:
    """A GTP engine and a controller who checks the form of every answer."""

    def __init__(self, game: str = "go:size=9", player: str = "random:seed=1", **options: object):
        self.tape = Tape()
        rules = honte.game(game)
        self.engine = engine_for(rules)(rules, player, self.tape, **options)  # type: ignore[arg-type]

    def ask(self, line: str | bytes) -> str:
        """The answer to a command that must have one, without its blank line."""
        given = line if isinstance(line, bytes) else line.encode()
        self.engine.handle(given + b"\n")
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
