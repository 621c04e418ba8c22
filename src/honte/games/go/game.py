"""Go: ``go:size=9,komi=7.5,ko=positional,suicide=no``.

A move is row·size + column, counted from 0 at the top left; size² is the pass. People
write ``D4``: columns skip I, row 1 is at the bottom. Area scoring; a finished game is
one in which both players have passed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from honte._native import GoRules, GoState
from honte.core.contract import IllegalMove, State
from honte.core.language import Message
from honte.core.messages import quote, split_moves
from honte.core.spec import join
from honte.games.go.descriptor import COLUMNS, DESCRIPTOR, OPTIONS
from honte.games.native import NativeGame, equip

if TYPE_CHECKING:
    from honte.games.symmetry import Symmetry

POINTS = {".": 0, "X": 1, "x": 1, "O": 2, "o": 2}
_WORD = re.compile(r"pass|[a-z]\d{1,2}", re.IGNORECASE)
MAX_HISTORY = 20_000


class Go(NativeGame):
    """Go with area scoring.

    >>> import honte
    >>> game = honte.game("go:size=9")
    >>> state = game.start().play(game.parse("E5"))
    >>> state.score    # the whole board is Black's, less komi
    73.5
    """

    name = "go"
    descriptor = DESCRIPTOR
    _rules: GoRules

    def __init__(self, /, **settings: object) -> None:  # `/`: a spec may say self=1
        values = OPTIONS.read(self.name, settings)
        self.size: int = values["size"]
        self.handicap: int = values["handicap"]
        usual = 0.5 if self.handicap else 7.5
        self.komi: float = usual if values["komi"] is None else values["komi"]
        self.ko: str = values["ko"]
        self.suicide: bool = values["suicide"]
        stones = handicap_points(self.size, self.handicap)
        self._rules = GoRules(self.size, self.komi, self.ko, self.suicide, stones)
        shown = {
            "size": (self.size, 9),
            "komi": (_shortest(self.komi), _shortest(usual)),
            "ko": (self.ko, "positional"),
            "suicide": ("yes" if self.suicide else "no", "no"),
            "handicap": (self.handicap, 0),
        }
        self.spec = join(
            self.name, {key: now for key, (now, default) in shown.items() if now != default}
        )

    @property
    def pass_move(self) -> int:
        return self.size * self.size

    def start(self) -> GoState:
        return self._rules.start(self)

    # -- symmetries ------------------------------------------------------------------

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The eight reflections and rotations of the board."""
        from honte.games.symmetry import turns

        return turns(self.size, self.size, self.pass_move + 1)

    def image(self, state: GoState, symmetry: Symmetry) -> GoState:
        """The position under a symmetry, with the points that ko forbids now.

        An image has no history, like a position read from text, so what superko forbids later on
        may differ.
        """
        from honte.games.symmetry import moved

        if symmetry is self.symmetries()[0]:
            return state

        def image_of(move: int | None) -> int | None:
            return None if move is None else int(symmetry.actions[move])

        forbidden = [int(symmetry.actions[move]) for move in state.forbidden()]
        cells = moved(state.cells(), symmetry)
        image = self._rules.setup(self, cells, state.to_move, state.passes, forbidden, [])
        image = image.with_last_move(image_of(state.last_move))
        return image.with_second_last_move(image_of(state.second_last_move))

    def score(self, state: GoState, dead: Iterable[int] = ()) -> float:
        """Black's points minus White's and komi, with the groups at these points dead."""
        stones: set[int] = set()
        for point in dead:
            stones.update(state.group(point)[0])
        return state.area(sorted(stones)) - self.komi

    # -- moves -----------------------------------------------------------------------

    def parse(self, text: str) -> int:
        word = text.strip().upper() if len(text) < 40 else ""
        if word == "PASS":
            return self.pass_move
        if 2 <= len(word) <= 3 and word.isascii() and word[0] in COLUMNS and word[1:].isdigit():
            col, row = COLUMNS.index(word[0]), self.size - int(word[1:])
            if col < self.size and 0 <= row < self.size:
                return row * self.size + col
        last = COLUMNS[self.size - 1]
        raise ValueError(
            Message(
                "{given} is not a point; write A1 to {last}{size} (no I), or pass",
                given=quote(text),
                last=last,
                size=self.size,
            )
        )

    def format(self, move: int) -> str:
        if move == self.pass_move:
            return "pass"
        if not 0 <= move < self.pass_move:
            raise ValueError(
                Message(
                    "{move} is not a point of a board of size {size}",
                    move=quote(move),
                    size=self.size,
                )
            )
        row, col = divmod(move, self.size)
        return f"{COLUMNS[col]}{self.size - row}"

    def read_moves(self, text: str, state: State | None = None) -> list[int]:
        position = self.start() if state is None else state
        moves: list[int] = []
        for word in split_moves(text):
            parts = _WORD.findall(word)
            if "".join(parts) != word:
                raise ValueError(
                    Message("{word} is not a list of points like D4Q16", word=quote(word))
                )
            for part in parts:
                moves.append(self.parse(part))
                position = position.play(moves[-1])
        return moves

    def illegal(self, state: State, move: object) -> IllegalMove:
        if state.is_over or not isinstance(move, int) or not 0 <= move < self.pass_move:
            return super().illegal(state, move)
        assert isinstance(state, GoState)
        name = self.format(move)
        if state.cells()[move]:
            return IllegalMove(Message("{name} is taken; choose an empty point or pass", name=name))
        if move in state.forbidden():
            return IllegalMove(
                Message(
                    "{name} would repeat an earlier position ({ko} ko); play elsewhere or pass",
                    name=name,
                    ko=self.ko,
                )
            )
        return IllegalMove(Message("{name} would be suicide; play elsewhere or pass", name=name))

    # -- positions -------------------------------------------------------------------

    def to_text(self, state: GoState, history: bool = False) -> str:
        """Rows from the top joined by ``/``, the side to move, and the state of the ko.

        ``ko=`` lists the points that the ko rule forbids now, so that the legal moves are
        restored; ``history`` adds every earlier position as a hash.
        """
        cells = state.cells()
        rows = (
            "".join(".XO"[cell] for cell in cells[start : start + self.size])
            for start in range(0, len(cells), self.size)
        )
        fields = ["/".join(rows), "O" if state.to_move else "X"]
        if state.passes:
            fields.append(f"passes={state.passes}")
        if history and state.history():
            fields.append("history=" + "+".join(f"{position:x}" for position in state.history()))
        elif forbidden := state.forbidden():
            fields.append("ko=" + "+".join(map(self.format, forbidden)))
        return " ".join(fields)

    def from_text(self, text: str) -> GoState:
        if len(text) > 20 * MAX_HISTORY:
            raise ValueError(
                Message(
                    "a position of {count:,} characters; a Go board has at most 361 points",
                    count=len(text),
                )
            )
        words = text.split()
        if len(words) < 2:
            raise ValueError(
                Message("a position is rows joined by /, a blank, and the side to move, X or O")
            )
        rows = words[0].split("/")
        if len(rows) != self.size:
            raise ValueError(
                Message(
                    "the position has {count} rows, the board {size}; join them with /",
                    count=len(rows),
                    size=self.size,
                )
            )
        cells = bytearray()
        for number_, row in enumerate(rows, 1):
            if len(row) != self.size:
                raise ValueError(
                    Message(
                        "row {number} has {count} points, the board {size}",
                        number=number_,
                        count=len(row),
                        size=self.size,
                    )
                )
            for column, symbol in enumerate(row, 1):
                if symbol not in POINTS:
                    raise ValueError(
                        Message(
                            "{symbol} in row {number}, column {column} is not X, O or .",
                            symbol=quote(symbol),
                            number=number_,
                            column=column,
                        )
                    )
                cells.append(POINTS[symbol])
        if words[1] not in ("X", "x", "O", "o"):
            raise ValueError(
                Message("the side to move is {words}; write X or O", words=quote(words[1]))
            )
        fields = self._read_fields(words[2:])
        to_move = int(words[1] in "Oo")
        return self._rules.setup(self, bytes(cells), to_move, *fields)

    def _read_fields(self, words: list[str]) -> tuple[int, list[int], list[int]]:
        passes, forbidden, history = 0, list[int](), list[int]()
        seen = set()
        for word in words:
            key, _, value = word.partition("=")
            if key in seen:
                raise ValueError(Message("{key}= is given twice; leave one out", key=key))
            seen.add(key)
            if key == "passes" and value in ("0", "1", "2"):
                passes = int(value)
            elif key == "ko" and value.count("+") < 400:
                forbidden = [self.parse(point) for point in value.split("+")]
            elif key == "history" and value.count("+") < MAX_HISTORY:
                for position in value.split("+"):
                    if not re.fullmatch(r"[0-9a-f]{1,16}", position):
                        raise ValueError(
                            Message(
                                "{position} in history= is not a hexadecimal number",
                                position=quote(position),
                            )
                        )
                    history.append(int(position, 16))
            else:
                raise ValueError(
                    Message("{word} is not ko=POINTS, passes=0 to 2 or history=…", word=quote(word))
                )
        if self.ko == "simple" and len(forbidden) > 1:
            raise ValueError(
                Message("simple ko forbids one point at a time; leave one point in ko=")
            )
        if self.ko == "simple" and history:
            raise ValueError(Message("simple ko needs no history; leave history= out"))
        if passes == 2 and forbidden:
            raise ValueError(Message("a finished game has no ko; leave ko= out"))
        return passes, forbidden, history

    def pickled(self, state: Any) -> tuple[object, ...]:
        return self.to_text(state, history=True), state.last_move, state.second_last_move

    def unpickled(
        self, text: str, last_move: int | None, second_last_move: int | None = None
    ) -> Any:
        state = super().unpickled(text, last_move)
        return state.with_second_last_move(second_last_move)


def _shortest(number: float) -> str:
    """The shortest text that reads back as this number: ``7.5``, ``0``."""
    return repr(number + 0.0).removesuffix(".0")  # + 0.0 turns -0.0 into 0.0


def handicap_points(size: int, stones: int) -> list[int]:
    """GTP's fixed handicap: corners, then sides, the centre last.

    >>> len(handicap_points(19, 9))
    9
    """
    if stones == 0:
        return []
    most = 0 if size < 7 else 4 if size == 7 or size % 2 == 0 else 9
    if stones == 1 or stones > most:
        allowed = f"0 or 2 to {most}" if most else "0"
        raise ValueError(
            Message(
                "go: handicap={stones} does not fit size {size}; use {allowed}",
                stones=stones,
                size=size,
                allowed=allowed,
            )
        )
    low = 2 if size < 13 else 3
    middle, high = size // 2, size - 1 - low
    # (row, column) from the top: lower left, upper right, lower right, upper left, …
    corners = [(high, low), (low, high), (high, high), (low, low)]
    sides = [(middle, low), (middle, high), (high, middle), (low, middle)]
    points = (corners + sides)[: stones - stones % 2 if stones > 4 else stones]
    if stones > 4 and stones % 2:
        points.append((middle, middle))
    return [row * size + col for row, col in points]


equip(GoState)
