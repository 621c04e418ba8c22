"""The main line of one SGF game, turned into a Record."""

from __future__ import annotations

import re
from typing import Any

from honte.games import registry
from honte.games.contract import quote
from honte.games.records import Record

_SIZE = re.compile(r"([0-9]{1,2})(?::([0-9]{1,2}))?")
_KOMI = re.compile(r"[+-]?[0-9]{1,4}(?:\.[0-9]{0,4})?")
_VALUE = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{0,20})?")
_MARGIN = re.compile(r"([BW])\+([0-9]{1,3}(?:\.[0-9]{0,2})?)", re.IGNORECASE)
_EXACT_RULES = re.compile(r"ko(simple|positional|situational).{0,40}?sui([01])")  # as KataGo writes
_MAX_SETUP = 4 * 361

# Rules by name: the ko rule, and whether suicide is allowed.
_RULES = {
    "aga": ("situational", False),
    "nz": ("situational", True),
    "new zealand": ("situational", True),
    "tromp-taylor": ("positional", True),
    "tromp taylor": ("positional", True),
    "goe": ("simple", True),
    "ing": ("simple", True),
}
# Properties of the root that a Record keeps in its `meta`, as text.
FACTS = frozenset(
    {"AN", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "HA", "ON", "OT", "PC", "RO", "RU", "SO"}
    | {"TM", "US", "WR", "WT"}
)


def read_main_line(game: bytes) -> Record:
    """Read the main line of one game, in UTF-8."""
    return _MainLine(game).record()


class _MainLine:
    """Reads the main line of one game, node by node."""

    def __init__(self, game: bytes) -> None:
        from sgfmill import sgf_grammar, sgf_properties

        self._text_of = sgf_grammar.text_value
        self._line_of = sgf_grammar.simpletext_value
        self._point_of = sgf_properties.interpret_go_point
        tree = sgf_grammar.parse_sgf_game(game)
        self._nodes: list[dict[str, list[bytes]]] = list(sgf_grammar.main_sequence_iter(tree))
        self._root = self._nodes[0]
        self._size = self._read_size()
        self._presenter = sgf_properties.Presenter(self._size, "UTF-8")
        self._board = ["."] * self._size**2
        self._setups = 0
        self._side: int | None = None  # whose turn PL says it is
        self._played: list[tuple[int, int]] = []  # player and move, as the nodes have them
        self._comments: dict[int, list[str]] = {}
        self._values: dict[int, float] = {}

    def record(self) -> Record:
        if (kind := self._fact("GM")) not in ("", "1"):
            raise ValueError(f"GM[{kind[:8]}] is another game; only Go, GM[1], is read")
        for node in self._nodes:
            self._read(node)
        has_setup = self._setups > 0
        handicap = self._handicap()
        skipped = 0 if "O" in self._board else self._place_leading_stones()
        played = self._played[skipped:]
        side = played[0][0] if played else self._side
        if side is None:
            side = 1 if skipped or (has_setup and handicap) else 0
        fixed = handicap if handicap and not has_setup and not skipped and side == 1 else 0
        plain = not has_setup and not skipped and side == (1 if fixed else 0)
        moves, numbers = self._alternate(played, side)
        ko, suicide = read_rules(self._fact("RU"))
        result = self._fact("RE")
        settings: dict[str, object] = {
            "size": self._size,
            "komi": self._komi(),
            "ko": ko,
            "suicide": suicide,
        }
        if fixed:
            settings["handicap"] = fixed
        return Record(
            game_spec=registry.game("go", **settings).spec,
            players=(self._fact("PB"), self._fact("PW")),
            start=None if plain else self._start(side),
            moves=moves,
            result=result,
            score=_score(result),
            meta={key: self._fact(key) for key in sorted(FACTS & self._root.keys())}
            | self._notes(skipped, numbers),
        )

    def _read(self, node: dict[str, list[bytes]]) -> None:
        self._set_up(node)
        if "PL" in node and not self._played:
            side = node["PL"][0].strip().lower()[:1]
            if side not in (b"b", b"w"):
                raise ValueError(f"PL[{self._quote(node['PL'][0])}] is no side; write B or W")
            self._side = 0 if side == b"b" else 1
        if "B" in node and "W" in node:
            raise ValueError(f"move {len(self._played) + 1} is of both colours; give each a node")
        for player, key in enumerate("BW"):
            if key in node:
                self._played.append((player, self._move(key, node[key][0])))
        number = len(self._played)
        if "C" in node:
            text = self._text_of(node["C"][0]).decode("utf-8", "replace")
            self._comments.setdefault(number, []).append(text)
        if "V" in node and number:
            raw = node["V"][0][:32].decode("utf-8", "replace").strip()
            if not _VALUE.fullmatch(raw):
                raise ValueError(f"V[{quote(raw)}] after move {number} is no value; write a number")
            self._values[number] = -float(raw) if self._played[-1][0] else float(raw)

    def _set_up(self, node: dict[str, list[bytes]]) -> None:
        for key, letter in (("AB", "X"), ("AW", "O"), ("AE", ".")):
            if key not in node:
                continue
            if self._played:
                raise ValueError(
                    f"{key} sets stones after move {len(self._played)}; "
                    "only a set-up before the first move can be replayed"
                )
            self._setups += len(node[key])
            if self._setups > _MAX_SETUP:
                raise ValueError(f"more than {_MAX_SETUP} points are set up; name each point once")
            try:
                points = self._presenter.interpret(key, node[key])
            except ValueError:
                raise ValueError(
                    f"{key} names a point off the {self._size}x{self._size} board; "
                    "write two letters from the top left, such as dd"
                ) from None
            for row, col in points:
                self._board[(self._size - 1 - row) * self._size + col] = letter

    def _move(self, key: str, raw: bytes) -> int:
        try:
            point = self._point_of(raw.strip(), self._size)
        except ValueError:
            raise ValueError(
                f"move {len(self._played) + 1}, {key}[{self._quote(raw)}], is off the "
                f"{self._size}x{self._size} board; write two letters from the top left"
            ) from None
        if point is None:
            return self._size**2
        row, col = point
        return int((self._size - 1 - row) * self._size + col)

    def _place_leading_stones(self) -> int:
        """Turn black's first moves, if white lets black play several, into stones set up.

        That is how some programs write a free handicap. No stone of black's can capture yet.
        """
        leading = 0
        for player, move in self._played:
            if player != 0 or move == self._size**2:
                break
            leading += 1
        if leading < 2:
            return 0
        for number, (_, move) in enumerate(self._played[:leading], start=1):
            if self._board[move] != ".":
                raise ValueError(f"move {number} is on a stone; every stone takes an empty point")
            self._board[move] = "X"
        return leading

    def _alternate(self, played: list[tuple[int, int]], side: int) -> tuple[list[int], list[int]]:
        """The moves with a pass wherever a side moves twice, and the number that each move got."""
        moves: list[int] = []
        numbers: list[int] = []
        for player, move in played:
            if player != side:
                moves.append(self._size**2)
            moves.append(move)
            numbers.append(len(moves))
            side = 1 - player
        return moves, numbers

    def _notes(self, skipped: int, numbers: list[int]) -> dict[str, Any]:
        """Comments and values, under the numbers that their moves have in the record."""
        comments: dict[int, list[str]] = {}
        for number, texts in self._comments.items():
            # A comment on a stone that became part of the start is one on the start.
            at = numbers[number - skipped - 1] if number > skipped else 0
            comments.setdefault(at, []).extend(texts)
        evals = {
            numbers[number - skipped - 1]: value
            for number, value in self._values.items()
            if number > skipped
        }
        notes = {
            "comments": {at: "\n\n".join(texts) for at, texts in comments.items()},
            "evals": evals,
        }
        return {name: known for name, known in notes.items() if known}

    def _start(self, side: int) -> str:
        size = self._size
        rows = ["".join(self._board[row * size : (row + 1) * size]) for row in range(size)]
        return f"{'/'.join(rows)} {'XO'[side]}"

    def _fact(self, key: str) -> str:
        values = self._root.get(key)
        return self._line_of(values[0]).decode("utf-8", "replace").strip() if values else ""

    @staticmethod
    def _quote(raw: bytes) -> str:
        return raw[:12].decode("ascii", "replace")

    def _read_size(self) -> int:
        text = self._fact("SZ")
        size = _SIZE.fullmatch(text or "19")
        if size is None:
            raise ValueError(f"SZ[{text[:12]}] is no size; write a number from 2 to 19")
        if size[2] is not None and int(size[2]) != int(size[1]):
            raise ValueError(f"SZ[{text}] is not square; only square boards are played")
        if not 2 <= int(size[1]) <= 19:
            raise ValueError(f"SZ[{text}] is out of range; boards of 2 to 19 are played")
        return int(size[1])

    def _komi(self) -> str:
        text = self._fact("KM").replace(",", ".") or "0"
        if not _KOMI.fullmatch(text):
            raise ValueError(f"KM[{text[:12]}] is no komi; write a number such as 6.5")
        return f"{float(text):g}"

    def _handicap(self) -> int:
        text = self._fact("HA") or "0"
        if not (text.isascii() and text.isdigit() and len(text) <= 3):
            raise ValueError(f"HA[{text[:12]}] is no handicap; write a number of stones")
        return int(text) if int(text) >= 2 else 0


def read_rules(text: str) -> tuple[str, bool]:
    """The ko rule, and whether suicide is allowed, under rules that a game names."""
    text = text.strip()[:64].lower()
    if exact := _EXACT_RULES.match(text):
        return exact[1], exact[2] == "1"
    return _RULES.get(text, ("simple", False))


def _score(result: str) -> float | None:
    if result.lower() in ("0", "draw", "jigo"):
        return 0.0
    margin = _MARGIN.fullmatch(result)
    if margin is None:
        return None
    return float(margin[2]) if margin[1].upper() == "B" else -float(margin[2])
