"""SGF: Othello games, GM[2], read and written through sgfmill.

    (;GM[2]FF[4]SZ[8]PB[ann]PW[bob]AB[e4][d5]AW[d4][e5];B[f5];W[d6](;B[c3])(;B[c5]C[or here]))

Squares are written in Othello notation, column and row (`f5`); two letters, as in Go's SGF (`fe`),
are read too. A pass is an empty value; a missing pass is inserted. Without AB and AW the game
begins from the usual position.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from honte.core import games as registry
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.record import Record
from honte.core.variations import Node, main_line
from honte.games import sgf_text
from honte.games.sgf_text import Properties

PASS = 64
SIZES = ("4", "6", "8")
MAX_SETUPS = 500  # each replays its line
_SETUP = {"AB": 1, "AW": 2, "AE": 0}
_OWN = frozenset({"B", "W", "PL", *_SETUP})
_PASSES = ("", "pass", "pa", "--")
_VALUE = re.compile(r"[+-]?[0-9]{1,9}(?:\.[0-9]{0,20})?")


def loads(data: str | bytes) -> list[Record]:
    """Read every game of a collection."""
    return sgf_text.read_games(data, lambda game: _Reader(game).record())


def dumps(games: Record | Iterable[Record]) -> str:
    """Write games with their variations, comments, marks and evaluations."""
    records = [games] if isinstance(games, Record) else games
    return "".join(_write(record) for record in records)


# -- reading --------------------------------------------------------------------------------


@dataclass
class _Branch:
    """The state of the walk through the tree."""

    place: int  # index of the next node's parent
    side: int  # to move
    is_main: bool  # on the main line, played without a break from the start


class _Reader:
    def __init__(self, game: bytes) -> None:
        from sgfmill import sgf_grammar

        self._compose = sgf_grammar.parse_compose
        self._tree = sgf_grammar.parse_sgf_game(game)
        self._root: Properties = self._tree.sequence[0]
        self._nodes = [Node()]
        self._depths = [0]
        self._evals: dict[int, float] = {}
        self._setups = 0

    def record(self) -> Record:
        kind = self._fact("GM")
        if kind.lower() not in ("2", "othello", "reversi"):
            raise ValueError(
                Message(
                    "GM[{kind}] is another game; only Othello, GM[2], is read here", kind=kind[:8]
                )
            )
        size = self._fact("SZ") or "8"
        if size not in SIZES:
            raise ValueError(
                Message(
                    "SZ[{size}] is no board of Othello; boards of 4, 6 and 8 are", size=size[:12]
                )
            )
        self._rules: Any = registry.game("othello", size=size)
        self._size = int(size)
        self._start, side = self._read_start()
        self._walk(side)
        nodes = tuple(self._nodes)
        return sgf_text.record_of(self._rules.spec, self._start, nodes, self._evals, self._root)

    def _fact(self, key: str) -> str:
        return sgf_text.line_of(self._root.get(key))

    def _read_start(self) -> tuple[str | None, int]:
        """The position before the first move, None for the usual one; and who moves first."""
        usual = self._rules.start()
        early: list[Properties] = []
        self._early = 0  # nodes of the first sequence whose set-up belongs to the start
        side: int | None = None
        for node in self._tree.sequence:
            if "B" in node or "W" in node:
                side = 0 if "B" in node else 1
                break
            early.append(node)
            turn = self._turn(node)
            side = turn if turn is not None else side
        self._early = len(early)
        has_discs = any("AB" in node or "AW" in node for node in early)
        board = [0] * self._size**2 if has_discs else list(usual.cells())
        for node in early:
            self._set_up(node, board)
        side = 0 if side is None else side
        text = text_of(board, side)
        return (
            (None, 0) if text == usual.to_text() else (self._rules.from_text(text).to_text(), side)
        )

    def _walk(self, side: int) -> None:
        todo = [(self._tree, _Branch(0, side, is_main=True))]
        early = self._early
        while todo:
            tree, at = todo.pop()
            for node in tree.sequence:
                if early:
                    early -= 1
                else:
                    self._step(node, at)
                self._annotate(node, at)
            below = [
                (child, replace(at, is_main=at.is_main and not i))
                for i, child in enumerate(tree.children)
            ]
            todo += reversed(below)

    def _step(self, node: Properties, at: _Branch) -> None:
        """Add a move, or a set-up, which ends the main line and continues in the tree."""
        number = self._depths[at.place] + 1
        if "B" in node and "W" in node:
            raise ValueError(
                Message("move {number} is of both colours; give each a node", number=number)
            )
        key = next((key for key in "BW" if key in node), None)
        turn = self._turn(node)
        if sets_discs(node) or (turn is not None and key is None and not at.is_main):
            self._setups += 1
            if self._setups > MAX_SETUPS:
                raise ValueError(
                    Message("over {max_setups} nodes set discs; cut some", max_setups=MAX_SETUPS)
                )
            at.is_main = False
            at.side = at.side if turn is None else turn
            board = cells_at(self._nodes, at.place, self._rules, self._start)
            self._set_up(node, board)
            self._add(Node(at.place, setup=text_of(board, at.side)), at)
        if key is None:
            return
        move = self._move(key, node[key][0], number)
        if "BW"[at.side] != key:  # some programs leave passes out
            self._add(Node(at.place, move=PASS), at)
            at.side = 1 - at.side
        self._add(Node(at.place, move=move), at)
        at.side = 1 - at.side

    def _add(self, node: Node, at: _Branch) -> None:
        self._nodes.append(node)
        self._depths.append(self._depths[node.parent] + 1)
        at.place = len(self._nodes) - 1

    def _annotate(self, node: Properties, at: _Branch) -> None:
        if node.keys() <= {"B", "W"}:
            return
        is_root, valued = node is self._root, False
        if "V" in node and at.is_main and at.place:
            text = node["V"][0][:32].decode("utf-8", "replace").strip()
            if valued := _VALUE.fullmatch(text) is not None:
                self._evals[self._depths[at.place]] = -float(text) if at.side == 0 else float(text)
        turn = at.place > 0 and ("B" in node or "W" in node or at.is_main)

        def is_kept(key: str) -> bool:
            if key in ("V", "PL"):
                return not valued if key == "V" else turn
            return key not in _OWN and not (is_root and key in sgf_text.FACTS | sgf_text.ROOT)

        here = self._nodes[at.place]
        self._nodes[at.place] = sgf_text.annotated(here, node, is_kept, self._read_mark)

    def _read_mark(self, key: str, value: bytes) -> dict[int, str]:
        if key == "LB":
            square, label = self._compose(value)
            if square is None:
                raise ValueError(Message("a label lacks its square"))
            return {self._cell(square): sgf_text.text_of(label)}
        return {self._cell(value): sgf_text.MARKS[key]}

    def _turn(self, node: Properties) -> int | None:
        if "PL" not in node:
            return None
        side = node["PL"][0].strip().lower()[:1]
        if side not in (b"b", b"w"):
            raise ValueError(
                Message("PL[{quote}] is not a side; write B or W", quote=_quote(node["PL"][0]))
            )
        return 0 if side == b"b" else 1

    def _set_up(self, node: Properties, board: list[int]) -> None:
        for key, disc in _SETUP.items():
            for value in node.get(key, ()):
                try:
                    board[self._cell(value)] = disc
                except ValueError as error:
                    raise ValueError(
                        Message(
                            "{key}[{value}]: {error}", key=key, value=_quote(value), error=error
                        )
                    ) from None

    def _move(self, key: str, raw: bytes, number: int) -> int:
        if raw.strip().lower().decode("ascii", "replace") in _PASSES:
            return PASS
        try:
            row, col = divmod(self._cell(raw), self._size)
        except ValueError as error:
            raise ValueError(
                Message(
                    "move {number}, {key}[{quote}]: {error}",
                    number=number,
                    key=key,
                    quote=_quote(raw),
                    error=error,
                )
            ) from None
        return 8 * row + col

    def _cell(self, raw: bytes) -> int:
        """The index, row by row, of a square written ``f5`` or ``fe``."""
        word = raw[:16].strip().lower().decode("ascii", "replace")
        if len(word) == 2:
            col = ord(word[0]) - ord("a")
            row = int(word[1]) - 1 if word[1].isdecimal() else ord(word[1]) - ord("a")
            if 0 <= col < self._size and 0 <= row < self._size:
                return row * self._size + col
        last = f"{'abcdefgh'[self._size - 1]}{self._size}"
        raise ValueError(
            Message("{word} is not a square; write a1 to {last}", word=quote(word), last=last)
        )


def sets_discs(node: Properties) -> bool:
    return any(key in node for key in _SETUP)


def text_of(cells: Sequence[int], side: int) -> str:
    """A position as `State.to_text` writes it."""
    return "".join("-XO"[cell] for cell in cells) + f" {'XO'[side]}"


def cells_at(nodes: Sequence[Node], place: int, rules: Any, start: str | None) -> list[int]:
    """The contents of each square at a node; from an illegal move on, discs flip no others."""
    path: list[Node] = []
    while place > 0 and nodes[place].setup is None:
        path.append(nodes[place])
        place = nodes[place].parent
    begin = nodes[place].setup or start
    state: Any = rules.start() if begin is None else None
    cells, side = ([], 0) if begin is None else read_cells(begin)
    if begin is not None:
        with contextlib.suppress(ValueError):
            state = rules.from_text(begin)
    if state is not None:
        cells, side = list(state.cells()), state.to_move
    for node in reversed(path):
        assert node.move is not None
        if state is not None:
            try:
                state = state.play(node.move)
                cells = list(state.cells())
            except ValueError:
                state = None
        if state is None and node.move != PASS:
            row, col = divmod(node.move, 8)
            cells[row * rules.size + col] = 1 + side
        side = 1 - side
    return cells


def read_cells(text: str) -> tuple[list[int], int]:
    board, side = text.split()
    return ["-XO".index(sign) for sign in board], "XO".index(side)


def _quote(raw: bytes) -> str:
    return raw[:12].decode("ascii", "replace")


# -- writing --------------------------------------------------------------------------------


def _write(record: Record) -> str:
    from sgfmill import sgf

    rules: Any = registry.game(record.game_spec)
    if rules.name != "othello":
        raise ValueError(
            Message("a game of {name} cannot be written as SGF of Othello", name=rules.name)
        )
    start: Any = rules.start() if record.start is None else rules.from_text(record.start)
    facts = {key: str(value) for key, value in record.meta.items() if key in sgf_text.FACTS}
    facts |= {"PB": record.players[0], "PW": record.players[1]}
    facts["RE"] = record.result or sgf_text.result_of(record.score)
    tree = sgf.Sgf_game(size=rules.size)
    root = tree.get_root()
    root.set_raw("GM", b"2")
    for key, text in facts.items():
        if text:
            root.set_raw(key, sgf_text.escaped(text))
    _write_discs(root, list(start.cells()), rules.size, (1, 2))
    if start.to_move or record.start is not None:
        root.set_raw("PL", b"BW"[start.to_move :][:1])
    _write_nodes(record, rules, root, start.to_move)
    return str(tree.serialise().decode("utf-8"))


def _write_nodes(record: Record, rules: Any, root: Any, side: int) -> None:
    nodes, size = record.nodes(), rules.size
    numbers = {place: number for number, place in enumerate(main_line(nodes))}
    comments, evals = record.meta.get("comments", {}), record.meta.get("evals", {})
    written, sides = [root], [side]  # to move after each node
    for place, node in enumerate(nodes):
        number = numbers.get(place)
        if place:
            into = written[node.parent].new_child()
            written.append(into)
            sides.append(_write_step(into, nodes, place, record, rules, sides[node.parent]))
        said = comments.get(number, node.comment)
        sgf_text.write_notes(written[place], replace(node, comment=said), lambda at: name(at, size))
        if number and number in evals:
            value = -evals[number] if sides[node.parent] else evals[number]  # SGF's is Black's
            written[place].set_raw("V", f"{value:g}".encode())


def _write_step(
    into: Any, nodes: Sequence[Node], place: int, record: Record, rules: Any, mover: int
) -> int:
    """Write the move or the discs that lead to a node; return the side to move then."""
    node = nodes[place]
    if node.setup is not None:
        before = cells_at(nodes, node.parent, rules, record.start)
        after, side = read_cells(node.setup)
        changed = [cell if cell != was else -1 for was, cell in zip(before, after, strict=True)]
        if before == after:  # only the turn is set: set a disc again to mark it as a set-up
            changed[0] = after[0]
        _write_discs(into, changed, rules.size, (1, 2, 0))
        into.set_raw("PL", b"BW"[side:][:1])
        return side
    assert node.move is not None
    square = "" if node.move == PASS else rules.format(node.move)
    into.set_raw("BW"[mover], square.encode())
    return 1 - mover


def _write_discs(into: Any, cells: list[int], size: int, contents: tuple[int, ...]) -> None:
    for content in contents:
        names = [name(at, size).encode() for at, found in enumerate(cells) if found == content]
        if names:
            into.set_raw_list(("AE", "AB", "AW")[content], names)


def name(at: int, size: int) -> str:
    """The name of a square, given its index row by row."""
    row, col = divmod(at, size)
    return f"{'abcdefgh'[col]}{row + 1}"
