"""SGF: Go games, read and written through sgfmill.

Only the main line is read. What SGF leaves open is settled so: a missing SZ is 19, a missing KM
is no komi, and the ko rule is the simple one unless RU names rules that have another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from honte.games import registry
from honte.games.records import Record, check_count, check_length
from honte.games.records.sgf_line import FACTS, read_main_line, read_rules

MAX_GAME = 4 * 2**20  # bytes of one game; its tree takes up to a hundred times as much memory
MAX_NODES = 200_000

# Possessive repeats (*+) never give back what they took, so no text makes these slow.
_START = re.compile(rb"\(\s*+;")
_MARK = re.compile(rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]|[()\[]", re.DOTALL)
_CHARSET = re.compile(rb"CA\s*+\[\s*+([A-Za-z0-9_-]{1,24})\s*+\]")

# Encodings that Go programs have written, under the names they give them in CA.
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
    """Read the main line of every game of a collection."""
    check_length(data, "SGF text")
    raw = data.encode("utf-8", "replace") if isinstance(data, str) else _as_utf8(data)
    found: list[Record] = []
    games = _games(raw)
    while True:
        check_count(len(found))
        try:
            if (game := next(games, None)) is None:
                break
            found.append(read_main_line(game))
        except ValueError as error:
            raise ValueError(f"game {len(found) + 1}: {error}") from error
    if not found:
        raise ValueError("the text holds no SGF game; a game begins with '(;'")
    return found


def dumps(games: Record | Iterable[Record]) -> str:
    """Write games, with the comments and evaluations that their `meta` holds.

    SGF has no word for a ko or a pass that was pending at the start: only the stones are written.
    """
    records = [games] if isinstance(games, Record) else games
    return "".join(_write(record) for record in records)


def _as_utf8(data: bytes) -> bytes:
    """The text in UTF-8, whatever it came in.

    This comes before parsing, because in the encodings of East Asia the second byte of a
    character may be the one that stands for a bracket.
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
    node = tree.get_root()

    def write(key: str, text: str) -> None:
        if text:
            node.set_raw(key, sgf_grammar.escape_text(text.encode("utf-8", "replace")))

    for key, text in facts.items():
        write(key, text)
    black, white = _stones(start, size, 1), _stones(start, size, 2)
    node.set_setup_stones(black, white)
    if side != (1 if rules.handicap else 0) or (record.start is not None and (black or white)):
        node.set("PL", "bw"[side])
    comments, evals = record.meta.get("comments", {}), record.meta.get("evals", {})
    write("C", comments.get(0, ""))
    for number, move in enumerate(record.moves, start=1):
        if not 0 <= move <= size * size:
            raise ValueError(f"move {number} is {move}; a {size}x{size} board has no such point")
        node = node.new_child()
        row, col = divmod(move, size)
        node.set_move("bw"[side], None if move == size * size else (size - 1 - row, col))
        write("C", comments.get(number, ""))
        if number in evals:
            node.set("V", -evals[number] if side else evals[number])  # SGF's is for black
        side = 1 - side
    return str(tree.serialise().decode("utf-8"))


def _result(score: float | None) -> str:
    if score is None:
        return ""
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}" if score else "0"


def _stones(state: Any, size: int, content: int) -> list[tuple[int, int]]:
    """The points that hold a colour, in sgfmill's coordinates: row 0 at the bottom."""
    cells = state.cells()
    return [
        (size - 1 - index // size, index % size)
        for index, found in enumerate(cells)
        if found == content
    ]
