"""Game-independent SGF: the games of a collection, encodings, and a node's comments and marks.

sgfmill parses and writes; each game interprets moves and boards itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from honte.core.language import Message
from honte.core.record import Record, check_count, check_length
from honte.core.variations import Node, main_comments, main_line, unless_plain

MARKS = {"CR": "circle", "SQ": "square", "TR": "triangle", "MA": "cross"}
FACTS = frozenset(
    {"AN", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "ON", "OT", "PC", "RO", "SO"}
    | {"TM", "US", "WR", "WT"}
)
"""Properties of the root that a Record keeps in its `meta`, as text."""
TEXT = "GC"
"""The one of them that may have several lines."""
ROOT = frozenset({"AP", "CA", "FF", "GM", "PB", "PW", "RE", "SZ"})
"""Properties of the root that every writer of SGF writes anew."""
Properties = dict[str, list[bytes]]
MAX_GAME = 4 * 2**20  # bytes of one game; its tree takes up to a hundred times as much memory
MAX_NODES = 200_000

# Possessive quantifiers (*+) never backtrack, so matching is linear.
_START = re.compile(rb"\(\s*+;")
_MARK = re.compile(rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]|[()\[]", re.DOTALL)
_MARGIN = re.compile(r"([BW])\+([0-9]{1,3}(?:\.[0-9]{0,2})?)", re.IGNORECASE)
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


def read_games(data: str | bytes, read_game: Callable[[bytes], Record]) -> list[Record]:
    """Read every game of a collection; `read_game` gets the text of one, in UTF-8."""
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
            raise ValueError(
                Message("game {count}: {error}", count=len(found) + 1, error=error)
            ) from error
    if not found:
        raise ValueError(Message("the text holds no SGF game; a game begins with '(;'"))
    return found


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
                raise ValueError(Message("the text ends within a property; close it with ']'"))
        if end is None:
            raise ValueError(Message("the text ends within the game; close it with ')'"))
        game = data[begin.start() : end]
        if len(game) > MAX_GAME or game.count(b";") + game.count(b"(") > MAX_NODES:
            raise ValueError(
                Message(
                    "it has over {max_game} bytes or {max_nodes} nodes; cut variations",
                    max_game=MAX_GAME,
                    max_nodes=MAX_NODES,
                )
            )
        yield game
        begin = _START.search(data, end)


def text_of(raw: bytes) -> str:
    """Decode a text value, which may have several lines, and remove its escapes."""
    from sgfmill import sgf_grammar

    return str(sgf_grammar.text_value(raw).decode("utf-8", "replace"))


def line_of(values: list[bytes] | None) -> str:
    """The first value of a property of the root, on one line; "" if there is none."""
    from sgfmill import sgf_grammar

    if not values:
        return ""
    return str(sgf_grammar.simpletext_value(values[0]).decode("utf-8", "replace").strip())


def annotated(
    here: Node,
    properties: Properties,
    is_kept: Callable[[str], bool],
    read_mark: Callable[[str, bytes], Mapping[int, str]],
) -> Node:
    """Add the comment, marks and labels of these properties to a node.

    `read_mark(key, value)` returns the cells that a value marks, and raises ValueError for a mark
    that cannot be drawn. Such marks are kept verbatim, and so are the other properties that
    `is_kept` selects.
    """
    comment, marks, labels = here.comment, dict(here.marks), dict(here.labels)
    other = {key: list(values) for key, values in here.other.items()}
    for key, values in properties.items():
        if key == "C":
            text = text_of(values[0])
            comment = f"{comment}\n\n{text}" if comment else text
        elif key in MARKS or key == "LB":
            known = labels if key == "LB" else marks
            for value in values:
                raw = value.decode("utf-8", "replace")
                try:
                    new = read_mark(key, value)
                except ValueError:
                    other.setdefault(key, []).append(raw)
                    continue
                if any(cell in known and known[cell] != text for cell, text in new.items()):
                    other.setdefault(key, []).append(raw)  # two marks on one cell
                else:
                    known.update(new)
        elif is_kept(key):
            raw_values = [value.decode("utf-8", "replace") for value in values]
            other.setdefault(key, []).extend(raw_values)
    return replace(
        here,
        comment=comment,
        marks=marks,
        labels=labels,
        other={key: tuple(values) for key, values in other.items()},
    )


def write_notes(into: Any, node: Node, name: Callable[[int], str]) -> None:
    """Write comment, marks and labels of a node; `name` writes a cell."""
    from sgfmill import sgf_grammar

    if node.comment:
        into.set_raw("C", escaped(node.comment))
    for key, shape in MARKS.items():
        if cells := sorted(name(cell) for cell, mark in node.marks.items() if mark == shape):
            into.set_raw_list(key, [cell.encode() for cell in cells])
    if node.labels:
        texts = sorted((name(cell), label) for cell, label in node.labels.items())
        raw = [sgf_grammar.compose(cell.encode(), escaped(label)) for cell, label in texts]
        into.set_raw_list("LB", raw)
    for key, values in node.other.items():
        raw = [value.encode("utf-8", "replace") for value in values]
        into.set_raw_list(key, [*(into.get_raw_list(key) if into.has_property(key) else []), *raw])


def escaped(text: str) -> bytes:
    from sgfmill import sgf_grammar

    return bytes(sgf_grammar.escape_text(text.encode("utf-8", "replace")))


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


def result_of(score: float | None) -> str:
    """The result of a game that was played out: ``B+3.5``, ``0`` for a draw."""
    if score is None:
        return ""
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"


def score_of(result: str) -> float | None:
    """The first player's margin, if a result names one."""
    if result.lower() in ("0", "draw", "jigo"):
        return 0.0
    margin = _MARGIN.fullmatch(result)
    if margin is None:
        return None
    return float(margin[2]) if margin[1].upper() == "B" else -float(margin[2])


def record_of(
    spec: str,
    start: str | None,
    nodes: tuple[Node, ...],
    evals: dict[int, float],
    root: Properties,
    facts: frozenset[str] = FACTS,
) -> Record:
    """The record of a tree, with the game information of its root."""
    meta: dict[str, Any] = {
        key: text_of(root[key][0]).strip() if key == TEXT else line_of(root[key])
        for key in sorted(facts & root.keys())
    }
    if comments := main_comments(nodes):
        meta["comments"] = comments
    if evals:
        meta["evals"] = evals
    line = [nodes[place].move for place in main_line(nodes)[1:]]
    result = line_of(root.get("RE"))
    return Record(
        game_spec=spec,
        players=(line_of(root.get("PB")), line_of(root.get("PW"))),
        start=start,
        moves=[move for move in line if move is not None],
        result=result,
        score=score_of(result),
        meta=meta,
        tree=unless_plain(nodes),
    )
