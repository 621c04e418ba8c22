"""GTP version 2: ``gtp:gnugo --mode gtp`` for Go, ``gtp:gtp-rhino`` for Othello.

Each command carries an id which its reply repeats, so a reply out of turn is noticed. The moves
since the last turn and the request for the next one are sent together. Points of Go are written
as usual (no I, row 1 at the bottom), squares of Othello with row 1 at the top, as in GRhino and
Edax: both are our games' own notation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from honte.core.contract import Game, State
from honte.core.fault import Fault
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.request import Limit
from honte.protocols.protocol import LINE, Exchange, Protocol, illegal, plain, shown

COLOURS = ("black", "white")
MAX_LINES = 2000


@dataclass(frozen=True)
class Convention:
    """The GTP conventions of engines for one game."""

    set_game: str = ""
    """The game's name, for engines that play several; "" for Go, the default of GTP."""
    komi: bool = False
    handicap: bool = False
    """Handicap stones are placed one by one, which every engine understands."""
    sees_passes: bool = False
    """A pass is forced, so an engine may reject being sent one (GRhino does)."""


CONVENTIONS = {
    "go": Convention(komi=True, handicap=True),
    "othello": Convention(set_game="Othello", sees_passes=True),
}


class Gtp(Protocol):
    """One engine and the moves on its board."""

    name = "gtp"
    games = tuple(CONVENTIONS)
    default_game = "go:size=9"
    handshake = True
    needs_history = True
    goodbye = b"quit\n"
    silent_between_turns = False  # other lines may come at any time
    advice: ClassVar = {
        "framing": Message(
            "answer every command with `=`, the number that came before the command, a "
            "blank and the result, and end each reply with an EMPTY line (two line ends), "
            "also where there is no result"
        ),
        "not ready": Message(
            "read commands from standard input from the start, and load large files "
            "faster; is it started in GTP mode (gnugo --mode gtp)?"
        ),
    }

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._convention = CONVENTIONS[game.name]
        self._number = 0
        self._known: set[str] = set()
        self._told: list[int] | None = None
        """The moves on the engine's board; None before there is a board."""
        self._seconds = 0

    def hello(self) -> Exchange[None]:
        self._told, self._seconds = None, 0
        self._known = set((yield from self._ask("list_commands")).split())
        words = []
        for command in ("name", "version"):
            if command in self._known:
                words.append((yield from self._ask(command)).strip())
        self.version = " ".join(words)[:100]
        if self._convention.set_game and "set_game" in self._known:
            yield from self._ask(f"set_game {self._convention.set_game}")

    def new_game(self) -> Exchange[None]:
        yield from self._clear()

    def _clear(self) -> Exchange[None]:
        yield from self._ask(f"boardsize {self.game.size}")
        yield from self._ask("clear_board")
        if self._convention.komi:
            yield from self._ask(f"komi {self.game.komi:g}")
        if self._convention.handicap:
            for point, cell in enumerate(self.game.start().cells()):
                if cell:
                    yield from self._ask(f"play black {self.game.format(point)}")
        self._told = []

    def turn(self, moves: list[int], state: State, limit: Limit) -> Exchange[int]:
        if self._told is None or moves[: len(self._told)] != self._told:
            yield from self._clear()
        assert self._told is not None
        commands = []
        seconds = int(limit.seconds or 0)
        if seconds and seconds != self._seconds and "time_settings" in self._known:
            commands.append(f"time_settings 0 {seconds} 1")
            self._seconds = seconds
        colour = (state.to_move + len(moves)) % 2  # of the first move: White's with a handicap
        for ply in range(len(self._told), len(moves)):
            side = COLOURS[(colour + ply) % 2]
            commands.append(f"play {side} {self.game.format(moves[ply])}")
        commands.append(f"genmove {COLOURS[state.to_move]}")
        self._told = None  # until all commands have succeeded
        numbers = range(self._number + 1, self._number + 1 + len(commands))
        self._number += len(commands)
        yield b"".join(f"{n} {c}\n".encode() for n, c in zip(numbers, commands, strict=True))
        answer = ""
        for number, command in zip(numbers, commands, strict=True):
            answer = yield from self._answer(number, command)
        word = answer.strip()
        if word.lower() == "resign":
            raise Fault("resign", Message("it resigned"))
        try:
            move: int = self.game.parse(word)
        except ValueError:
            raise illegal(word, state) from None
        self._told = [*moves, move]
        return move

    def is_complete(self, output: bytes) -> bool:
        return not output or output.endswith(b"\n\n")

    def diagnose(self, output: bytes) -> str:
        if output.lstrip()[:1] == b"=" and not output.endswith(b"\n\n"):
            return Message(
                "it said {output} without the empty line that ends a reply", output=shown(output)
            )
        return ""

    def _ask(self, command: str) -> Exchange[str]:
        self._number += 1
        yield f"{self._number} {command}\n".encode()
        return (yield from self._answer(self._number, command))

    def _answer(self, number: int, command: str) -> Exchange[str]:
        """The reply to one command; lines before it that are not a reply are skipped."""
        for _ in range(MAX_LINES):
            line = (yield LINE).removeprefix(b"\xef\xbb\xbf")
            if line[:1] in (b"=", b"?"):
                break
        else:
            raise Fault(
                "protocol",
                Message(
                    "{count} lines without a reply to {command}",
                    count=MAX_LINES,
                    command=quote(command),
                ),
            )
        first = plain(line)
        head, _, text = first[1:].partition(" ")
        if head != str(number):
            if head.isdigit():
                raise Fault("illegal", Message("a reply out of turn: {line}", line=shown(line)))
            raise Fault(
                "protocol",
                Message(
                    "malformed reply, without the id {number}: {line}",
                    number=number,
                    line=shown(line),
                ),
            )
        lines = [text]
        while line := (yield LINE):
            lines.append(plain(line))
        told_a_pass = self._convention.sees_passes and command.endswith("pass")
        if first[0] == "?" and not told_a_pass:
            said = quote(" ".join(lines))
            raise Fault(
                "protocol",
                Message("it refuses {command} with {said}", command=quote(command), said=said),
            )
        return "\n".join(lines)
