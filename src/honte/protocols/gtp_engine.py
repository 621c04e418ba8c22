"""GTP version 2 as an engine, for Go and Othello: ``honte gtp --game go:size=19``.

What both games share is here; `gtp_go` adds handicaps, records, rules and the status of stones.
A command that fails answers ``?`` and changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import honte
from honte.core.contract import IllegalMove
from honte.core.fault import Fault
from honte.core.language import Message
from honte.core.report import Report
from honte.core.request import Limit
from honte.protocols.engine_board import Board
from honte.protocols.engine_clock import Clock
from honte.protocols.engine_session import EngineSession
from honte.protocols.gtp_analysis import (
    COLOURS,
    MAX_LINES,
    AnalyzeCommand,
    count,
    info_line,
    parse_analyze,
    shown_candidates,
)
from honte.protocols.gtp_diagram import diagram
from honte.protocols.transport import MAX_LINE, Transport

_WORDS = re.compile(r"(?:([0-9]{1,20})(?:\s+|$))?(\S*)\s*(.*)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{0,6})?")
_CONTROL = bytes(set(range(32)) - {9}) + b"\x7f"
GAMES = {"go": ("go",), "othello": ("othello", "reversi")}
"""Games that controllers play over GTP, and what they call them."""
RESIGN_AFTER = 3
"""Consecutive hopeless moves before resigning, where resigning is allowed."""


class GtpError(Exception):
    """A failed command; the text follows the ``?`` of the reply."""


class Command(NamedTuple):
    """A parsed line of GTP."""

    number: str
    name: str
    words: list[str]


def read_command(line: bytes) -> Command | None:
    """Parse a line, preprocessed as the standard says; None if nothing is left.

    >>> read_command(b"7 play\\tb D4 # the star point\\r\\n")
    Command(number='7', name='play', words=['b', 'D4'])
    """
    text = line.translate(None, _CONTROL).decode("utf-8", "surrogateescape")
    text = text.partition("#")[0].strip()
    parts = _WORDS.fullmatch(text)
    if not text or parts is None:
        return None
    return Command(parts[1] or "", parts[2], parts[3].split())


class GtpEngine:
    """One of our players as a GTP engine, with its board."""

    max_bytes = MAX_LINE

    def __init__(
        self,
        game: Any,
        player: str,
        transport: Transport,
        seconds: float | None = None,
        resign: float | None = None,
    ) -> None:
        """`resign` is the value below which a position is hopeless; None: never resign."""
        if game.name not in GAMES:
            raise ValueError(
                Message(
                    "{name} is spoken for {games}, not for {game}",
                    name="gtp",
                    games=", ".join(GAMES),
                    game=game.name,
                )
            )
        self.name: str = game.name
        self.settings = self.settings_of(game)
        self.board = Board(self.game_with())
        self.session = EngineSession(player, self.board.game)
        self.transport = transport
        self.clock = Clock()
        self._seconds = seconds
        self._resign = resign
        self._hopeless = [0, 0]
        self._head = ""
        self._streaming = False
        self.commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda words: "2",
            "name": lambda words: "Honte",
            "version": lambda words: f"{honte.__version__} {self.session.spec}",
            "known_command": lambda words: str(first(words) in self.commands).lower(),
            "list_commands": lambda words: "\n".join(self.commands),
            "quit": lambda words: "",
            "set_game": self.set_game,
            "list_games": lambda words: self.board.game.name.capitalize(),
            "boardsize": self.boardsize,
            "clear_board": self.clear_board,
            "komi": self.komi,
            "play": self.play,
            "genmove": lambda words: self.genmove(colour(words)),
            "reg_genmove": lambda words: self.genmove(colour(words), keep=False),
            "undo": self.undo,
            "showboard": lambda words: "\n" + diagram(self.board.state),
            "final_score": lambda words: self.final_score(),
            "time_settings": self.time_settings,
            "time_left": self.time_left,
            "kgs-time_settings": self.kgs_time_settings,
            "lz-analyze": self.analyse,
            "lz-genmove_analyze": self.genmove_analyse,
            "kata-analyze": lambda words: self.analyse(words, kata=True),
            "kata-genmove_analyze": lambda words: self.genmove_analyse(words, kata=True),
        }

    # -- commands and replies --------------------------------------------------------------

    def handle(self, data: bytes, late: float = 0.0) -> bool:
        """Answer one line; False after ``quit``."""
        command = read_command(data[: self.max_bytes])
        if command is None:
            return True
        self._head, self._streaming = command.number, False
        try:
            if len(data) > self.max_bytes:
                raise GtpError("line too long")
            if command.name not in self.commands:
                raise GtpError("unknown command")
            mark, text = "=", self.commands[command.name](command.words)
        except GtpError as error:
            mark, text = "?", str(error)
        except Fault as fault:  # the player is an external program
            mark, text = "?", f"the player failed: {fault}"
        except Exception as error:  # a GUI in the middle of a game must not see a traceback
            mark, text = "?", f"internal error: {type(error).__name__}: {error}"
        text = re.sub(r"\n\s*\n", "\n", text)
        if self._streaming:
            self._send(text + "\n\n" if text else "\n")
        else:
            self._send(f"{mark}{command.number} {text}".rstrip() + "\n\n")
        return command.name != "quit"

    def stream(self, text: str) -> None:
        """Send a part of a reply before it is complete."""
        if not self._streaming:
            self._send(f"={self._head}\n")
            self._streaming = True
        if text:
            self._send(text + "\n")

    def _send(self, text: str) -> None:
        self.transport.send(text.encode("ascii", "replace"))

    def close(self) -> None:
        self.session.close()

    # -- the board ---------------------------------------------------------------------

    def settings_of(self, game: Any) -> dict[str, object]:
        return {"size": game.size}

    def game_with(self, **changes: object) -> Any:
        """The game with its current settings and these changes; raises ValueError."""
        return honte.game(self.name, **{**self.settings, **changes})

    def start(self, board: Board) -> None:
        """Put another game on the board."""
        self.session.player(board.game)  # raises before anything has changed
        self.settings = self.settings_of(board.game)
        self.board = board
        self._hopeless = [0, 0]
        self.session.new_game()
        self.clock.restart()

    def set_game(self, words: list[str]) -> str:
        if first(words).lower() not in GAMES[self.name]:
            raise GtpError("unsupported game")
        return ""

    def boardsize(self, words: list[str]) -> str:
        size = integer(first(words), "boardsize not an integer")
        try:
            self.start(Board(self.game_with(size=size)))
        except ValueError:
            raise GtpError("unacceptable size") from None
        return ""

    def clear_board(self, words: list[str]) -> str:
        self.start(Board(self.game_with()))
        return ""

    def komi(self, words: list[str]) -> str:
        real(first(words), "komi not a float")  # only checked: Othello has no komi
        return ""

    def play(self, words: list[str]) -> str:
        if len(words) < 2:
            raise GtpError("invalid color or coordinate")
        side = colour(words, "invalid color or coordinate")
        try:
            move = self.board.game.parse(words[1])
        except ValueError:
            raise GtpError("invalid color or coordinate") from None
        try:
            self.board.play(side, move)
        except IllegalMove:
            raise GtpError("illegal move") from None
        return ""

    def undo(self, words: list[str]) -> str:
        try:
            self.board.undo()
        except IllegalMove:
            raise GtpError("cannot undo") from None
        return ""

    def final_score(self) -> str:
        return written_score(self.board.state.score)

    # -- time --------------------------------------------------------------------------

    def time_settings(self, words: list[str]) -> str:
        if len(words) < 3:
            raise GtpError("not three integers")
        main, byo_time = (real(word, "not three integers") for word in words[:2])
        stones = integer(words[2], "not three integers")
        if main < 0 or byo_time < 0:
            raise GtpError("not three integers")
        self.clock.set(main, byo_time, stones)
        return ""

    def time_left(self, words: list[str]) -> str:
        side = colour(words)
        if len(words) < 2:
            raise GtpError("syntax error")
        seconds = max(0.0, real(words[1], "syntax error"))
        self.clock.left(side, seconds, integer(words[2], "syntax error") if words[2:] else 0)
        return ""

    def kgs_time_settings(self, words: list[str]) -> str:
        kind, numbers = first(words).lower(), [real(word, "syntax error") for word in words[1:4]]
        needs = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}
        if len(numbers) != needs.get(kind) or any(number < 0 for number in numbers):
            raise GtpError("syntax error")
        main, byo_time, stones = (*numbers, 0.0, 0.0, 0.0)[:3]
        self.clock.set(main, byo_time, 1 if kind == "byoyomi" else int(stones))
        return ""

    def limit(self, side: int) -> tuple[Limit, bool]:
        """The limit of a search, and whether exceeding it would lose the game."""
        if self.clock.runs:
            moves = self.board.moves_left()
            return Limit(seconds=self.clock.allowance(side, moves)), True
        if self._seconds is None:
            return Limit(seconds=1), False
        return Limit(seconds=self._seconds), True

    # -- moves -------------------------------------------------------------------------

    def genmove(
        self,
        side: int,
        keep: bool = True,
        on_progress: Callable[[Report], None] | None = None,
        on_report: Callable[[Report], None] | None = None,
        ownership: bool = False,
    ) -> str:
        state = self.board.turn(side)
        if state.is_over:  # in Othello, if neither side can move
            move = self.board.game.parse("pass")
        else:
            limit, strict = self.limit(side)
            report = self._choose(state, limit, strict, on_progress, ownership)
            move = report.move
            if on_report is not None:
                on_report(report)
            if keep:
                self.clock.spent(side, report.seconds)
                if self._resigns(side, state, report):
                    return "resign"
            if not state.is_legal(move):
                move = state.legal_moves()[0]
        if keep:
            self.board.play(side, move)
        return str(self.board.game.format(move))

    def _resigns(self, side: int, state: Any, report: Report) -> bool:
        if self._resign is None:
            return False
        hopeless = report.value <= self._resign and report.proven != "win"
        self._hopeless[side] = self._hopeless[side] + 1 if hopeless else 0
        return self._hopeless[side] >= RESIGN_AFTER and self.expected(side, state) < 0

    def expected(self, side: int, state: Any) -> float:
        """A static estimate of the result for a side, without a search."""
        return -1.0

    def _choose(
        self,
        state: Any,
        limit: Limit,
        strict: bool,
        on_progress: Callable[[Report], None] | None,
        ownership: bool,
    ) -> Report:
        try:
            return self.session.choose(
                state,
                limit,
                strict=strict,
                history=self._history(state),
                lines=1 if on_progress is None else MAX_LINES,
                ownership=ownership,
                on_progress=on_progress,
                transport=self.transport,
            )
        except ValueError as error:
            raise GtpError(f"the player cannot move: {error}") from None

    def _history(self, state: Any) -> tuple[int, ...] | None:
        return self.board.history if state is self.board.state else None

    # -- analysis ----------------------------------------------------------------------

    def analyse(self, words: list[str], kata: bool = False) -> str:
        """Report until the next command arrives, which ends the reply."""
        command = self._analyze(words)
        side = self.board.state.to_move if command.side is None else command.side
        state = self.board.turn(side)
        self.stream("")
        if not state.is_over:
            report, history = self._reporter(command, state, kata), self._history(state)
            self.session.analyse(
                state, command.every, report, self.transport, history, lines=MAX_LINES
            )
        return ""

    def genmove_analyse(self, words: list[str], kata: bool = False) -> str:
        command = self._analyze(words)
        side = self.board.state.to_move if command.side is None else command.side
        tell = self._reporter(command, self.board.turn(side), kata)
        told = 0.0
        self.stream("")

        def progress(report: Report) -> None:
            nonlocal told
            if report.seconds - told >= command.every:
                told = report.seconds
                tell(report)

        try:
            asked = kata and command.ownership
            move = self.genmove(side, on_progress=progress, on_report=tell, ownership=asked)
            return f"play {move}"
        except (GtpError, Fault) as error:
            return f"error {error}"  # the equals sign has been sent already

    def _analyze(self, words: list[str]) -> AnalyzeCommand:
        try:
            return parse_analyze(words, self.board.game.parse)
        except ValueError:
            raise GtpError("syntax error") from None

    def ownership(self, state: Any, report: Report) -> str:
        """The ownership of each point, as KataGo writes it; Go only."""
        return ""

    def _reporter(
        self, command: AnalyzeCommand, state: Any, kata: bool
    ) -> Callable[[Report], None]:
        owned: str | None = None if kata and command.ownership else ""

        def tell(report: Report) -> None:
            nonlocal owned
            if owned is None:
                owned = self.ownership(state, report)
            shown = shown_candidates(command, state, report)
            line = info_line(self.board.game, report, shown, kata)
            if line:
                self.stream(line + owned)

        return tell


def first(words: list[str]) -> str:
    if not words:
        raise GtpError("syntax error")
    return words[0]


def colour(words: list[str], complaint: str = "invalid color") -> int:
    word = words[0].lower() if words else ""
    if word not in COLOURS:
        raise GtpError(complaint)
    return COLOURS[word]


def integer(word: str, complaint: str) -> int:
    try:
        return count(word)
    except ValueError:
        raise GtpError(complaint) from None


def real(word: str, complaint: str) -> float:
    if not _NUMBER.fullmatch(word):
        raise GtpError(complaint)
    return float(word)


def written_score(score: float) -> str:
    """A result as GTP writes it.

    >>> written_score(3.5), written_score(-12), written_score(0)
    ('B+3.5', 'W+12', '0')
    """
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"
