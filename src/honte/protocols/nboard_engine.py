"""NBoard version 2 as an engine, for Othello: ``honte nboard``.

Unknown lines are ignored, as the protocol asks; a game or a move that cannot be parsed leaves the
board unchanged, and a ``status`` says why. ``go`` does not move: the controller sends ``move``
when it has accepted the answer. Values are in discs for the side to move: exact if the search
knows the score, else its value times 64.
"""

from __future__ import annotations

import re
from typing import Any

import honte
from honte.core.fault import Fault
from honte.core.language import Message
from honte.core.report import Candidate, Report
from honte.core.request import Limit
from honte.games.othello import ggf
from honte.games.othello.descriptor import PASS
from honte.protocols.engine_board import Board
from honte.protocols.engine_session import EngineSession, variation
from honte.protocols.transport import MAX_LINE, Transport

DISCS = 64
HURRIED_SECONDS = 0.01
_WORDS = re.compile(r"([a-z]+)(?:\s+(.*))?", re.DOTALL)


class NBoardEngine:
    """One of our players as an NBoard engine; games arrive as GGF."""

    max_bytes = MAX_LINE

    def __init__(
        self, game: Any, player: str, transport: Transport, seconds: float | None = None
    ) -> None:
        if game.name != "othello":
            raise ValueError(
                Message(
                    "{name} is spoken for {games}, not for {game}",
                    name="nboard",
                    games="othello",
                    game=game.name,
                )
            )
        self.board = Board(game)
        self.session = EngineSession(player, game)
        self.transport = transport
        self._seconds = seconds
        self._depth: int | None = None

    def handle(self, data: bytes, late: float = 0.0) -> bool:
        """Answer one line; False after ``quit``."""
        words = _WORDS.fullmatch(data.decode("utf-8", "replace").strip())
        if words is None or len(data) > self.max_bytes:
            return True
        command, rest = words[1], words[2] or ""
        if command == "quit":
            return False
        answer = {
            "nboard": self._hello,
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": self._go,
            "ping": self._ping,
            "learn": self._learn,
            "analyze": self._analyse,
        }.get(command)
        if answer is not None:
            try:
                answer(rest)
            except (ValueError, Fault) as error:
                self._send(f"status {error}")
        return True

    def close(self) -> None:
        self.session.close()

    def _send(self, text: str) -> None:
        line = " ".join(text.split())
        self.transport.send(line.encode("ascii", "replace") + b"\n")

    # -- commands --------------------------------------------------------------

    def _hello(self, rest: str) -> None:
        self._send(f"set myname Honte {honte.__version__}")
        self._send("status")

    def _ping(self, rest: str) -> None:
        # Everything before it has been answered: commands are handled in order.
        number = rest.strip()
        if number.isascii() and number.isdecimal() and len(number) < 20:
            self._send(f"pong {number}")

    def _set(self, rest: str) -> None:
        what, _, value = rest.partition(" ")
        if what == "depth" and value.strip().isdecimal() and len(value) < 5:
            self._depth = max(1, min(60, int(value)))
        elif what == "game":
            self._set_game(value)

    def _set_game(self, text: str) -> None:
        games = ggf.loads(text)
        if len(games) != 1:
            raise ValueError(f"set game takes one game, not {len(games)}")
        states = list(games[0].states())
        game: Any = states[0].game
        self.session.player(game)
        board = Board(game, states[0])
        for state, move in zip(states, games[0].moves, strict=False):
            board.play(state.to_move, move)
        if board.states[0] != self.board.states[0] or board.moves[:2] != self.board.moves[:2]:
            self.session.new_game()
        self.board = board

    def _move(self, rest: str) -> None:
        word = rest.split("/")[0].strip()
        state = self.board.state
        move = state.game.parse(word)
        if move != PASS and state.legal_moves() == [PASS]:
            self.board.play(state.to_move, PASS)  # left out by the controller
        self.board.play(self.board.state.to_move, move)

    def _learn(self, rest: str) -> None:
        self._send("learned")  # we keep no book that could grow

    # -- searches -----------------------------------------------------------------

    def _limit(self) -> Limit:
        return Limit(seconds=self._seconds or 1.0, depth=self._depth)

    def _think(self, state: Any, lines: int = 1, hurried: bool = False) -> Report:
        history = self.board.history if state is self.board.state else None
        if hurried:  # the next command has arrived
            limit = Limit(seconds=HURRIED_SECONDS)
            return self.session.choose(state, limit, strict=True, history=history)
        strict = self._seconds is not None
        limit = self._limit()
        return self.session.choose(
            state,
            limit,
            strict=strict,
            history=history,
            lines=lines,
            all_moves=lines > 1,  # a move that is merely refuted has no value to report
            transport=self.transport,
        )

    def _go(self, rest: str) -> None:
        state = self.board.state
        if state.is_over:
            self._send("=== PA")
            return
        self._send("status thinking")
        report = self._think(state)
        self._send(f"nodestats {max(report.nodes, report.iterations)} {report.seconds:.2f}")
        move = report.move if state.is_legal(report.move) else state.legal_moves()[0]
        discs = best_in_discs(report)
        self._send(f"=== {square(state.game, move)}/{discs:.2f}/{report.seconds:.2f}")
        self._send("status")

    def _hint(self, rest: str) -> None:
        count = int(rest) if rest.strip().isdecimal() and len(rest) < 5 else 1
        state = self.board.state
        if state.is_over or count < 1:
            return
        self._send("status thinking")
        report = self._think(state, lines=count)
        for one in report.candidates[:count]:
            line = "".join(square(state.game, move) for move in variation(report, one))
            self._send(f"search {line} {value_in_discs(one):.2f} 0 {max(report.depth, 1)}")
        self._send(f"nodestats {max(report.nodes, report.iterations)} {report.seconds:.2f}")
        self._send("status")

    def _analyse(self, rest: str) -> None:
        """Evaluate every position, from the last one back: moves made, and the value for Black."""
        for made in range(len(self.board.states) - 1, -1, -1):
            state = self.board.states[made]
            if state.is_over:
                discs = float(state.score)
            else:
                discs = best_in_discs(self._think(state, hurried=self.transport.wait_for_input(0)))
                discs = -discs if state.to_move else discs
            self._send(f"analysis {made} {discs:.2f}")
        self._send("status")


def square(game: Any, move: int) -> str:
    return "PA" if move == PASS else str(game.format(move)).upper()


def best_in_discs(report: Report) -> float:
    """Value of a position in discs for the side to move; 0 for bots, which report none."""
    return value_in_discs(report.candidates[0]) if report.candidates else 0.0


def value_in_discs(one: Candidate) -> float:
    """Value of a move in discs for the side that makes it."""
    return one.score if one.score is not None else DISCS * one.value
