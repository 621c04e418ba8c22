"""Converts one SGF game to a Record: its main line, and the tree of its variations."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from honte.core import games as registry
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.record import Record
from honte.core.variations import Node
from honte.games import sgf_text
from honte.games.go.sgf_setup import cells_at, text_of
from honte.games.sgf_text import Properties

_SIZE = re.compile(r"([0-9]{1,2})(?::([0-9]{1,2}))?")
_KOMI = re.compile(r"[+-]?[0-9]{1,4}(?:\.[0-9]{0,4})?")
_VALUE = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{0,20})?")
_EXACT_RULES = re.compile(r"ko(simple|positional|situational).{0,40}?sui([01])")  # as KataGo writes
_MAX_SETUP = 4 * 361
MAX_LATER_SETUPS = 500  # each replays its line

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
FACTS = sgf_text.FACTS | {"HA", "RU"}
_SETUP = {"AB": 1, "AW": 2, "AE": 0}
# Read elsewhere, or root properties that every writer of SGF writes anew.
_OWN = frozenset({"B", "W", "PL", *_SETUP})
_OWN_OF_ROOT = FACTS | sgf_text.ROOT | {"KM"}

_MOVE = frozenset("BW")


def read_game(game: bytes) -> Record:
    """Read one game, in UTF-8."""
    return _Reader(game).record()


@dataclass
class _Branch:
    """The state of the walk through the tree."""

    place: int  # index of the next node's parent
    side: int  # to move
    is_main: bool  # on the main line, played without a break from the start
    seen: int = 0  # nodes of the main line so far
    moves: int = 0  # of the main line so far
    board: list[int] | None = None  # stones before the first move, if not the start's


class _Reader:
    """Reads one game: first the beginning of its main line, then the whole tree."""

    def __init__(self, game: bytes) -> None:
        from sgfmill import sgf_grammar, sgf_properties

        self._point_of = sgf_properties.interpret_go_point
        self._tree = sgf_grammar.parse_sgf_game(game)
        self._main: list[Properties] = list(sgf_grammar.main_sequence_iter(self._tree))
        self._root = self._main[0]
        self._size = self._read_size()
        self._presenter = sgf_properties.Presenter(self._size, "UTF-8")
        self._board = [0] * self._size**2
        self._early: list[list[int]] = []  # the board after each node before the first move
        self._setups = 0
        self._side: int | None = None  # the side to move according to PL
        self._played: list[tuple[int, int]] = []  # player and move, of the main line
        self._nodes: list[Node] = [Node()]
        self._depths = [0]
        self._later = 0  # set-ups after the start

    def record(self) -> Record:
        if (kind := self._fact("GM")) not in ("", "1"):
            raise ValueError(
                Message("GM[{kind}] is another game; only Go, GM[1], is read", kind=kind[:8])
            )
        for node in self._main:
            if self._played and sets_stones(node):
                break  # the main line ends here, and the tree goes on
            self._begin(node)
        has_setup = self._setups > 0
        handicap = self._handicap()
        skipped = 0 if 2 in self._board else self._place_leading_stones()
        played = self._played[skipped:]
        side = played[0][0] if played else self._side
        if side is None:
            side = 1 if skipped or (has_setup and handicap) else 0
        fixed = handicap if handicap and not has_setup and not skipped and side == 1 else 0
        plain = not has_setup and not skipped and side == (1 if fixed else 0)
        ko, suicide = read_rules(self._fact("RU"))
        settings: dict[str, object] = {
            "size": self._size,
            "komi": self._komi(),
            "ko": ko,
            "suicide": suicide,
        }
        if fixed:
            settings["handicap"] = fixed
        self._rules: Any = registry.game("go", **settings)
        start = None if plain else text_of(self._board, self._size, side)
        self._start = start
        self._walk(side, skipped)
        nodes = tuple(self._nodes)
        return sgf_text.record_of(self._rules.spec, start, nodes, self._evals, self._root, FACTS)

    # -- the start, from the main line ---------------------------------------------------

    def _begin(self, node: Properties) -> None:
        """Read a main-line node's part of the start position, and its move."""
        self._set_up(node, self._board)
        if not self._played and (side := self._turn(node)) is not None:
            self._side = side
        if move := self._move_of(node, len(self._played) + 1):
            self._played.append(move)
        if not self._played:
            self._early.append(list(self._board))

    def _turn(self, node: Properties) -> int | None:
        """The side to move according to PL."""
        if "PL" not in node:
            return None
        side = node["PL"][0].strip().lower()[:1]
        if side not in (b"b", b"w"):
            raise ValueError(
                Message("PL[{quote}] is not a side; write B or W", quote=self._quote(node["PL"][0]))
            )
        return 0 if side == b"b" else 1

    def _move_of(self, node: Properties, number: int) -> tuple[int, int] | None:
        if "B" in node and "W" in node:
            raise ValueError(
                Message("move {number} is of both colours; give each a node", number=number)
            )
        for player, key in enumerate("BW"):
            if key in node:
                return player, self._move(key, node[key][0], number)
        return None

    # -- the tree ------------------------------------------------------------------------

    def _walk(self, side: int, skipped: int) -> None:
        """Build the nodes; the first `skipped` main-line moves are stones of the start."""
        self._skipped = skipped
        self._evals: dict[int, float] = {}
        todo = [(self._tree, _Branch(0, side, is_main=True))]
        while todo:
            tree, at = todo.pop()
            for properties in tree.sequence:
                self._visit(properties, at)
            below = [
                (child, replace(at, is_main=at.is_main and not i))
                for i, child in enumerate(tree.children)
            ]
            for _, branch in below[1:]:
                if at.is_main:
                    branch.board = self._unfinished(at)
            todo += reversed(below)

    def _unfinished(self, at: _Branch) -> list[int] | None:
        """The board where a variation leaves the main line before the start is complete."""
        if at.moves < self._skipped and at.seen >= len(self._early):
            board = list(self._early[-1]) if self._early else [0] * self._size**2
            for _, move in self._played[: at.moves]:
                board[move] = 1
            return board
        early = self._early[at.seen - 1] if at.seen <= len(self._early) else self._board
        return list(early) if early != self._board else None

    def _visit(self, node: Properties, at: _Branch) -> None:
        if at.is_main and at.moves and sets_stones(node):
            at.is_main = False
        at.seen += at.is_main
        if not at.is_main:
            self._set_up_later(node, at)
        move = self._move_of(node, self._depths[at.place] + 1)
        if move is not None:
            at.moves += at.is_main
            if not at.is_main or at.moves > self._skipped:
                self._play(*move, at)
        self._annotate(node, at)

    def _add(self, node: Node, at: _Branch) -> None:
        self._nodes.append(node)
        self._depths.append(self._depths[node.parent] + 1)
        at.place = len(self._nodes) - 1

    def _play(self, player: int, move: int, at: _Branch) -> None:
        if at.board is not None:
            self._add(Node(at.place, setup=text_of(at.board, self._size, player)), at)
            at.board, at.side = None, player
        if player != at.side:  # a side moves twice: insert a pass
            self._add(Node(at.place, move=self._size**2), at)
        self._add(Node(at.place, move=move), at)
        at.side = 1 - player

    def _set_up_later(self, node: Properties, at: _Branch) -> None:
        """Add a node for stones or a turn set in a variation or after the first move."""
        turn = self._turn(node)
        if not sets_stones(node) and (turn is None or "B" in node or "W" in node):
            return
        self._later += 1
        if self._later > MAX_LATER_SETUPS:
            raise ValueError(
                Message(
                    "over {max_later_setups} nodes set stones; cut some",
                    max_later_setups=MAX_LATER_SETUPS,
                )
            )
        board = at.board or cells_at(self._nodes, at.place, self._rules, self._start)
        self._set_up(node, board)
        at.board, at.side = None, at.side if turn is None else turn
        self._add(Node(at.place, setup=text_of(board, self._size, at.side)), at)

    def _annotate(self, node: Properties, at: _Branch) -> None:
        """Attach a node's annotations to the position that it leads to."""
        if node.keys() <= _MOVE:
            return
        if "V" in node and at.is_main and at.place:
            self._evals[self._depths[at.place]] = self._value(node["V"][0], at)
        is_root = node is self._root
        turn = at.place > 0 and ("B" in node or "W" in node or at.is_main)

        def is_kept(key: str) -> bool:
            if key == "V":
                return not (at.is_main and at.place)
            if key == "PL":
                return turn
            return key not in _OWN and not (is_root and key in _OWN_OF_ROOT)

        here = self._nodes[at.place]
        self._nodes[at.place] = sgf_text.annotated(here, node, is_kept, self._read_mark)

    def _read_mark(self, key: str, value: bytes) -> dict[int, str]:
        found = self._presenter.interpret(key, [value])
        if key == "LB":
            return {self._cell(point): text for point, text in found}
        return {self._cell(point): sgf_text.MARKS[key] for point in found}

    def _cell(self, point: tuple[int, int]) -> int:
        return (self._size - 1 - point[0]) * self._size + point[1]

    def _value(self, raw: bytes, at: _Branch) -> float:
        text = raw[:32].decode("utf-8", "replace").strip()
        if not _VALUE.fullmatch(text):
            number = self._depths[at.place]
            raise ValueError(
                Message(
                    "V[{given}] after move {number} is not a value; write a number",
                    given=quote(text),
                    number=number,
                )
            )
        return -float(text) if at.side == 0 else float(text)  # for the side that just moved

    def _set_up(self, node: Properties, board: list[int]) -> None:
        for key, stone in _SETUP.items():
            if key not in node:
                continue
            self._setups += len(node[key])
            if len(node[key]) > _MAX_SETUP:
                raise ValueError(
                    Message(
                        "more than {max_setup} points are set up; name each point once",
                        max_setup=_MAX_SETUP,
                    )
                )
            try:
                points = self._presenter.interpret(key, node[key])
            except ValueError:
                raise ValueError(
                    Message(
                        "{key} names a point off the {size}x{size} board; write two letters "
                        "from the "
                        "top left, such as dd",
                        key=key,
                        size=self._size,
                    )
                ) from None
            for point in points:
                board[self._cell(point)] = stone

    def _move(self, key: str, raw: bytes, number: int) -> int:
        try:
            point = self._point_of(raw.strip(), self._size)
        except ValueError:
            raise ValueError(
                Message(
                    "move {number}, {key}[{quote}], is off the {size}x{size} board; write two "
                    "letters from the top left",
                    number=number,
                    key=key,
                    quote=self._quote(raw),
                    size=self._size,
                )
            ) from None
        if point is None:
            return self._size**2
        row, col = point
        return int((self._size - 1 - row) * self._size + col)

    def _place_leading_stones(self) -> int:
        """Turn two or more consecutive black moves at the start into set-up stones.

        Some programs write a free handicap this way. None of these stones can capture.
        """
        leading = 0
        for player, move in self._played:
            if player != 0 or move == self._size**2:
                break
            leading += 1
        if leading < 2:
            return 0
        for number, (_, move) in enumerate(self._played[:leading], start=1):
            if self._board[move]:
                raise ValueError(
                    Message(
                        "move {number} is on a stone; every stone takes an empty point",
                        number=number,
                    )
                )
            self._board[move] = 1
        return leading

    def _fact(self, key: str) -> str:
        return sgf_text.line_of(self._root.get(key))

    @staticmethod
    def _quote(raw: bytes) -> str:
        return raw[:12].decode("ascii", "replace")

    def _read_size(self) -> int:
        text = self._fact("SZ")
        size = _SIZE.fullmatch(text or "19")
        if size is None:
            raise ValueError(
                Message("SZ[{given}] is not a size; write a number from 2 to 19", given=text[:12])
            )
        if size[2] is not None and int(size[2]) != int(size[1]):
            raise ValueError(
                Message("SZ[{given}] is not square; only square boards are played", given=text)
            )
        if not 2 <= int(size[1]) <= 19:
            raise ValueError(
                Message("SZ[{given}] is out of range; boards of 2 to 19 are played", given=text)
            )
        return int(size[1])

    def _komi(self) -> str:
        text = self._fact("KM").replace(",", ".") or "0"
        if not _KOMI.fullmatch(text):
            raise ValueError(
                Message("KM[{given}] is not a komi; write a number such as 6.5", given=text[:12])
            )
        return f"{float(text):g}"

    def _handicap(self) -> int:
        text = self._fact("HA") or "0"
        if not (text.isascii() and text.isdigit() and len(text) <= 3):
            raise ValueError(
                Message("HA[{given}] is not a handicap; write a number of stones", given=text[:12])
            )
        return int(text) if int(text) >= 2 else 0


def sets_stones(node: Properties) -> bool:
    return any(key in node for key in _SETUP)


def read_rules(text: str) -> tuple[str, bool]:
    """The ko rule, and whether suicide is allowed, for the rules named in RU."""
    text = text.strip()[:64].lower()
    if exact := _EXACT_RULES.match(text):
        return exact[1], exact[2] == "1"
    return _RULES.get(text, ("simple", False))
