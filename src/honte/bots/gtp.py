"""GTP version 2: ``gtp:gnugo --mode gtp`` for Go, ``gtp:gtp-rhino`` for Othello.

Each command carries a number which its answer repeats, so an answer out of turn is seen.
The moves since the last turn and the request for the next one go out together. Points of
Go are written as people write them (no I, row 1 at the bottom), squares of Othello with
row 1 at the top, as GRhino and Edax have them; both are what our games themselves write.
"""

from __future__ import annotations

from honte.bots.faults import Fault
from honte.bots.protocol import LINE, Protocol, Talk, illegal, plain, shown
from honte.games.contract import State, quote
from honte.search.limit import Limit

COLOURS = ("black", "white")
MAX_LINES = 2000


class Gtp(Protocol):
    """One engine and what it has been told."""

    name = "gtp"
    games = ("go", "othello")
    greets = True
    needs_moves = True
    goodbye = b"quit\n"
    strict = False  # other lines may come at any time

    def __init__(self, game: object) -> None:
        super().__init__(game)  # type: ignore[arg-type]
        self._number = 0
        self._known: set[str] = set()
        self._told: list[int] | None = None
        """The moves on the engine's board; None before there is a board."""
        self._seconds = 0

    def hello(self) -> Talk[None]:
        self._told, self._seconds = None, 0
        self._known = set((yield from self._ask("list_commands")).split())
        words = []
        for command in ("name", "version"):
            if command in self._known:
                words.append((yield from self._ask(command)).strip())
        self.version = " ".join(words)[:100]
        if self.game.name == "othello" and "set_game" in self._known:
            yield from self._ask("set_game Othello")

    def new_game(self) -> Talk[None]:
        yield from self._clear()

    def _clear(self) -> Talk[None]:
        yield from self._ask(f"boardsize {self.game.size}")
        yield from self._ask("clear_board")
        if self.game.name == "go":
            yield from self._ask(f"komi {self.game.komi:g}")
            for point, cell in enumerate(self.game.start().cells()):
                if cell:  # a handicap; every engine understands plain stones
                    yield from self._ask(f"play black {self.game.format(point)}")
        self._told = []

    def turn(self, moves: list[int], state: State, limit: Limit) -> Talk[int]:
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
        self._told = None  # until all has gone well
        numbers = range(self._number + 1, self._number + 1 + len(commands))
        self._number += len(commands)
        yield b"".join(f"{n} {c}\n".encode() for n, c in zip(numbers, commands, strict=True))
        answer = ""
        for number, command in zip(numbers, commands, strict=True):
            answer = yield from self._answer(number, command)
        word = answer.strip()
        if word.lower() == "resign":
            raise Fault("resign", "it resigned")
        try:
            move: int = self.game.parse(word)
        except ValueError:
            raise illegal(word, state) from None
        self._told = [*moves, move]
        return move

    def _ask(self, command: str) -> Talk[str]:
        self._number += 1
        yield f"{self._number} {command}\n".encode()
        return (yield from self._answer(self._number, command))

    def _answer(self, number: int, command: str) -> Talk[str]:
        """The answer to one command; lines before it that are no answer are passed over."""
        for _ in range(MAX_LINES):
            line = (yield LINE).removeprefix(b"\xef\xbb\xbf")
            if line[:1] in (b"=", b"?"):
                break
        else:
            raise Fault("protocol", f"{MAX_LINES} lines, and no answer to {quote(command)}")
        first = plain(line)
        head, _, text = first[1:].partition(" ")
        if head != str(number):
            if head.isdigit():
                raise Fault("illegal", f"an answer out of turn: {shown(line)}")
            raise Fault("protocol", f"an answer without the number {number}: {shown(line)}")
        lines = [text]
        while line := (yield LINE):
            lines.append(plain(line))
        # A pass in Othello is forced, and GRhino sees it for itself and will not be told.
        if first[0] == "?" and not (self.game.name == "othello" and command.endswith("pass")):
            said = quote(" ".join(lines))
            raise Fault("protocol", f"it refuses {quote(command)} with {said}")
        return "\n".join(lines)
