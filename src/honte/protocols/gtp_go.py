"""GTP for Go alone: komi, handicaps, records, rules, and which stones are dead."""

from __future__ import annotations

import os
from typing import Any

import honte
from honte.core.contract import Game
from honte.core.report import Report
from honte.games.go import ownership as status
from honte.games.go.game import handicap_points
from honte.games.go.handicap import free_points, most_fixed
from honte.protocols.engine_board import Board
from honte.protocols.gtp_engine import (
    GtpEngine,
    GtpError,
    colour,
    first,
    integer,
    real,
    written_score,
)

RULES = {
    "japanese": ("simple", False),
    "chinese": ("positional", False),
    "aga": ("situational", False),
    "new_zealand": ("situational", True),
}
"""Ko and suicide rules by KGS's names. Scoring is always by area."""


class GoEngine(GtpEngine):
    """A player of Go."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.commands |= {
            "fixed_handicap": self.fixed_handicap,
            "place_free_handicap": self.place_free_handicap,
            "set_free_handicap": self.set_free_handicap,
            "loadsgf": self.loadsgf,
            "printsgf": self.printsgf,
            "kgs-rules": self.kgs_rules,
            "final_status_list": self.final_status_list,
            "kgs-genmove_cleanup": self.genmove_cleanup,
        }

    def settings_of(self, game: Any) -> dict[str, object]:
        # Not the handicap: over GTP those stones are put on the board by commands.
        return {"size": game.size, "komi": game.komi, "ko": game.ko, "suicide": game.suicide}

    def komi(self, words: list[str]) -> str:
        komi = real(first(words), "komi not a float")
        self._change(komi=komi)
        return ""

    def kgs_rules(self, words: list[str]) -> str:
        name = first(words).lower()
        if name not in RULES:
            raise GtpError("unknown rules")
        ko, suicide = RULES[name]
        self._change(ko=ko, suicide=suicide)
        return ""

    def _change(self, **settings: object) -> None:
        """Change settings of the game on the board."""
        try:
            board = self.board.under(self.game_with(**settings))
            self.session.player(board.game)
        except ValueError:
            raise GtpError("not possible with this game") from None
        self.settings = self.settings_of(board.game)
        self.board = board

    # -- handicaps ---------------------------------------------------------------------

    def fixed_handicap(self, words: list[str]) -> str:
        stones = integer(first(words), "invalid number of stones")
        if not 2 <= stones <= most_fixed(self.board.game.size):
            raise GtpError("invalid number of stones")
        return self._handicap(handicap_points(self.board.game.size, stones))

    def place_free_handicap(self, words: list[str]) -> str:
        stones = integer(first(words), "invalid number of stones")
        size = self.board.game.size
        if stones < 2:
            raise GtpError("invalid number of stones")
        return self._handicap(free_points(size, min(stones, size * size // 2)))

    def set_free_handicap(self, words: list[str]) -> str:
        try:
            points = [self.board.game.parse(word) for word in words]
        except ValueError:
            raise GtpError("bad vertex list") from None
        off = self.board.game.pass_move
        if len(points) < 2 or off in points or len(set(points)) < len(points):
            raise GtpError("bad vertex list")
        self._handicap(points)
        return ""

    def _handicap(self, points: list[int]) -> str:
        if not self.board.is_empty or self.board.moves:
            raise GtpError("board not empty")
        game = self.board.game
        cells = ["X" if point in points else "." for point in range(game.pass_move)]
        rows = ("".join(cells[at : at + game.size]) for at in range(0, len(cells), game.size))
        try:
            start = game.from_text("/".join(rows) + " O")
        except ValueError:  # some stones have no liberty
            raise GtpError("bad vertex list") from None
        self.board = Board(game, start)
        return " ".join(map(game.format, points))

    # -- records -----------------------------------------------------------------------

    def loadsgf(self, words: list[str]) -> str:
        """Put a recorded game on the board, up to the position before the given move number."""
        first(words)
        number = None
        if len(words) > 1 and words[-1].isdecimal():
            number = integer(words.pop(), "syntax error")
        try:
            record = read_record(" ".join(words))
            self.start(self._replayed(record, number))
        except (ValueError, OSError, ImportError):
            raise GtpError("cannot load file") from None
        return ""

    def _replayed(self, record: Any, number: int | None) -> Board:
        theirs: Any = honte.game(record.game_spec)
        ours = self.game_with(size=theirs.size, komi=theirs.komi)
        try:
            return replay(record, theirs, ours, number)
        except ValueError:  # the record has a repetition that its rules allow and ours forbid
            return replay(record, theirs, self.game_with(**self.settings_of(theirs)), number)

    def printsgf(self, words: list[str]) -> str:
        from honte.core.record import Record
        from honte.games.go import sgf

        board = self.board
        moves, side = [], board.states[0].to_move
        for player, move in board.moves:
            if player != side:
                moves.append(board.game.pass_move)
            moves.append(move)
            side = 1 - player
        start = None if board.states[0] == board.game.start() else board.states[0].to_text()
        return sgf.dumps(Record(board.game.spec, start=start, moves=moves)).strip()

    # -- the end -----------------------------------------------------------------------

    def ownership(self, state: Any, report: Report) -> str:
        sign = 1 if state.to_move == 0 else -1  # for the side to move, from the top left
        owners = report.ownership or status.ownership(state)
        points = (f"{sign * owned:.3f}" for owned in owners)
        return " ownership " + " ".join(points)

    def expected(self, side: int, state: Any) -> float:
        """The score by the ownership of each point in playouts."""
        black: float = sum(status.ownership(state)) - state.game.komi
        return black if side == 0 else -black

    def genmove_cleanup(self, words: list[str]) -> str:
        """Generate a move; pass only if none of the opponent's dead stones is left."""
        side = colour(words)
        state = self.board.turn(side)
        reports: list[Report] = []
        text = self.genmove(side, keep=False, on_report=reports.append)
        if text == "pass" and reports:
            cells = state.cells()
            dead = [group for group in status.dead_groups(state) if cells[group[0]] == 2 - side]
            near = {liberty for group in dead for liberty in state.group(group[0])[1]}
            for candidate in reports[0].candidates:
                if candidate.move in near and state.is_legal(candidate.move):
                    text = str(state.game.format(candidate.move))
                    break
        self.board.play(side, state.game.parse(text))
        return text

    def final_score(self) -> str:
        state = self.board.state
        dead = [point for group in status.dead_groups(state) for point in group]
        return written_score(self.board.game.score(state, dead))

    def final_status_list(self, words: list[str]) -> str:
        wanted = first(words).lower()
        state, game = self.board.state, self.board.game
        dead = status.dead_groups(state)
        if wanted in ("dead", "alive", "seki"):
            gone = {point for group in dead for point in group}
            seki = status.seki_groups(state, dead)
            shared = {point for group in seki for point in group}
            groups = {"dead": dead, "seki": seki}.get(wanted)
            if groups is None:
                groups = status.groups(state, without=gone | shared)
            return "\n".join(" ".join(map(game.format, group)) for group in groups)
        if wanted in ("black_territory", "white_territory"):
            side = 0 if wanted[0] == "b" else 1
            points = status.territory(state, dead)[side]
            return " ".join(map(game.format, points))
        raise GtpError("invalid status")


def engine_for(game: Game) -> type[GtpEngine]:
    """The engine class with the commands of a game."""
    return GoEngine if game.name == "go" else GtpEngine


def read_record(name: str) -> Any:
    """The first game of a file."""
    from pathlib import Path

    from honte.core.record import read_file
    from honte.games.go import sgf

    path = Path(os.path.expanduser(name))
    if not path.is_file():  # a pipe or a device could block
        raise ValueError("there is no such file")
    record = sgf.loads(read_file(path))[0]
    if rest := record.rest_words():  # the board of this protocol knows moves only
        raise ValueError(rest)
    return record


def replay(record: Any, theirs: Any, game: Any, number: int | None) -> Board:
    start = theirs.start() if record.start is None else theirs.from_text(record.start)
    board = Board(game, game.from_text(start.to_text()))
    moves = record.moves if number is None else record.moves[: max(0, number - 1)]
    for ply, move in enumerate(moves):
        board.play((start.to_move + ply) % 2, move)
    return board
