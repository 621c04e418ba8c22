"""SGF: Go games, read and written through sgfmill.

Variations, comments, marks and stones set up in variations are read and written; properties that
mean nothing here are kept as they stand. Defaults: SZ is 19, KM is 0, and the ko rule is simple
unless RU names rules with another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from honte.core import games as registry
from honte.core.record import Record, check_count, check_length
from honte.core.variations import Node, main_line
from honte.games.go.sgf_reading import FACTS, MARKS, read_game, read_rules
from honte.games.go.sgf_setup import cells_at

MAX_GAME = 4 * 2**20  # bytes of one game; its tree takes up to a hundred times as much memory
MAX_NODES = 200_000

# Possessive quantifiers (*+) never backtrack, so matching is linear.
_START = re.compile(rb"\(\s*+;")
_MARK = re.compile(rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]|[()\[]", re.DOTALL)
_CHARSET = re.compile(rb"CA\s*+\[\s*+([A-Za-z0-9_-]{1,24})\s*+\]")

# Encodings by their names in CA, as Go programs write them.
_CODECS = {
    **dict.fromkeys(("utf8", "ascii", "usascii"), "utf-8"),
    **dict.fromkeys(("latin1", "iso88591", "windows1252", "cp1252"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk", "gb18030", "cp936", "gb"), "gb18030"),
    **dict.fromkeys(("shiftjis", "sjis", "cp932", "windows31j", "mskanji"), "cp932"),
    **dict.fromkeys(("euckr", "cp949", "uhc", "ksc56011987"), "cp949"),
    **dict.fromkeys(("big5", "cp950"), "cp950"),
    **dict.fromkeys(("windows1251", "cp1251"), "cp1251"),
    "iso885915": "iso8859-15",
    "koi8r": "koi8-r",
    "eucjp": "euc-jp",
}


def loads(data: str | bytes) -> list[Record]:
    """Read every game of a collection."""
    check_length(data, "SGF text")
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else _as_utf8(data)
    found: list[Record] = []
    games = _games(raw)
    while True:
        check_count(len(found))
        try:
            if (game := next(games, None)) is None:
                break
            found.append(read_game(game))
        except ValueError as error:
            raise ValueError(f"game {len(found) + 1}: {error}") from error
    if not found:
        raise ValueError("the text holds no SGF game; a game begins with '(;'")
    return found


def dumps(games: Record | Iterable[Record]) -> str:
    """Write games with their variations, comments, marks and evaluations.

    SGF cannot express a ko or a pass pending at the start: only the stones are written.
    """
    records = [games] if isinstance(games, Record) else games
    return "".join(_write(record) for record in records)


def _as_utf8(data: bytes) -> bytes:
    """Transcode the text to UTF-8.

    This precedes parsing, because in East Asian encodings the second byte of a character may
    equal a bracket.
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    named = _CHARSET.search(data[:65536])
    name = named[1].decode("ascii").lower().replace("-", "").replace("_", "") if named else ""
    codec = _CODECS.get(name)
    if codec is None:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            codec = "cp1252"
        else:
            return data
    return data.decode(codec, "replace").encode("utf-8")


def _games(data: bytes) -> Iterator[bytes]:
    """The text of each game. What stands between games is skipped, as sgfmill does."""
    begin = _START.search(data)
    while begin:
        depth, end = 0, None
        for mark in _MARK.finditer(data, begin.start()):
            found = mark[0]
            if found == b"(":
                depth += 1
            elif found == b")":
                depth -= 1
                if depth == 0:
                    end = mark.end()
                    break
            elif found == b"[":
                raise ValueError("the text ends within a property; close it with ']'")
        if end is None:
            raise ValueError("the text ends within the game; close it with ')'")
        game = data[begin.start() : end]
        if len(game) > MAX_GAME or game.count(b";") + game.count(b"(") > MAX_NODES:
            raise ValueError(f"it has over {MAX_GAME} bytes or {MAX_NODES} nodes; cut variations")
        yield game
        begin = _START.search(data, end)


def _write(record: Record) -> str:
    from sgfmill import sgf, sgf_grammar

    rules: Any = registry.game(record.game_spec)
    if rules.name != "go":
        raise ValueError(f"a game of {rules.name} cannot be written as SGF, only one of Go")
    start: Any = rules.start() if record.start is None else rules.from_text(record.start)
    size, side = rules.size, start.to_move
    facts = {key: str(value) for key, value in record.meta.items() if key in FACTS}
    facts |= {"PB": record.players[0], "PW": record.players[1], "KM": f"{rules.komi:g}"}
    facts["RE"] = record.result or _result(record.score)
    if rules.handicap:
        facts["HA"] = str(rules.handicap)
    if read_rules(facts.get("RU", "")) != (rules.ko, rules.suicide):
        facts["RU"] = f"ko{rules.ko.upper()}scoreAREAtaxNONEsui{int(rules.suicide)}"
    tree = sgf.Sgf_game(size=size)
    root = tree.get_root()
    for key, text in facts.items():
        if text:
            root.set_raw(key, sgf_grammar.escape_text(text.encode("utf-8", "replace")))
    black, white = _stones(start.cells(), size, 1), _stones(start.cells(), size, 2)
    root.set_setup_stones(black, white)
    if side != (1 if rules.handicap else 0) or (record.start is not None and (black or white)):
        root.set("PL", "bw"[side])
    _write_nodes(record, rules, root, side)
    return str(tree.serialise().decode("utf-8"))


def _write_nodes(record: Record, rules: Any, root: Any, side: int) -> None:
    """Write what the nodes say; what `meta` says of the main line goes before."""
    nodes, size = record.nodes(), rules.size
    numbers = {place: number for number, place in enumerate(main_line(nodes))}
    comments, evals = record.meta.get("comments", {}), record.meta.get("evals", {})
    written = [root]
    sides = [side]  # to move after each node
    for place, node in enumerate(nodes):
        number = numbers.get(place)
        if place:
            mover = sides[node.parent]
            written.append(written[node.parent].new_child())
            sides.append(_write_step(written[place], nodes, place, record, rules, mover))
        _write_notes(written[place], node, size, comments.get(number, node.comment))
        if number and number in evals:
            mover = sides[node.parent]
            written[place].set("V", -evals[number] if mover else evals[number])  # SGF's is black's


def _write_step(
    into: Any, nodes: Sequence[Node], place: int, record: Record, rules: Any, mover: int
) -> int:
    """Write the move or the stones that lead to a node; returns the side to move then."""
    node, size = nodes[place], rules.size
    if node.setup is not None:
        before = cells_at(nodes, node.parent, rules, record.start)
        after = cells_at(nodes, place, rules, record.start)
        changed = [cell if cell != was else -1 for was, cell in zip(before, after, strict=True)]
        if before == after:  # only the turn is set; a point set again says that this is no remark
            changed[0] = after[0]
        into.set_setup_stones(*(_stones(changed, size, content) for content in (1, 2, 0)))
        side = "XO".index(node.setup.split()[1])
        into.set("PL", "bw"[side])
        return side
    move = node.move
    if move is None or not 0 <= move <= size * size:
        raise ValueError(f"move {place} is {move}; a {size}x{size} board has no such point")
    row, col = divmod(move, size)
    into.set_move("bw"[mover], None if move == size * size else (size - 1 - row, col))
    return 1 - mover


def _write_notes(into: Any, node: Node, size: int, comment: str) -> None:
    from sgfmill import sgf_grammar

    def point(cell: int) -> tuple[int, int]:
        return size - 1 - cell // size, cell % size

    if comment:
        into.set_raw("C", sgf_grammar.escape_text(comment.encode("utf-8", "replace")))
    for key, shape in MARKS.items():
        if cells := {point(cell) for cell, mark in node.marks.items() if mark == shape}:
            into.set(key, cells)
    if node.labels:
        into.set("LB", [(point(cell), label) for cell, label in node.labels.items()])
    for key, values in node.other.items():
        raw = [value.encode("utf-8", "replace") for value in values]
        into.set_raw_list(key, [*(into.get_raw_list(key) if into.has_property(key) else []), *raw])


def result_words(winner: int, score: float | None, reason: str) -> str:
    """The result of a game of the arena: on points, on time, or by another forfeit.

    >>> result_words(1, 3.5, "played out"), result_words(-1, None, "time")
    ('B+3.5', 'W+T')
    """
    if winner == 0:
        return "0" if score is not None else "Void"
    side = "B" if winner > 0 else "W"
    if reason in ("time", "resign"):
        return f"{side}+{reason[0].upper()}"
    return f"{side}+F" if score is None else f"{side}+{abs(score):g}"


def _result(score: float | None) -> str:
    if score is None:
        return ""
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"


def _stones(cells: Sequence[int], size: int, content: int) -> list[tuple[int, int]]:
    """The points that hold a colour, in sgfmill's coordinates: row 0 at the bottom."""
    return [
        (size - 1 - index // size, index % size)
        for index, found in enumerate(cells)
        if found == content
    ]
