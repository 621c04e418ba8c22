"""Games in and out: records that a visitor pastes, and the game on the board as a record."""

from __future__ import annotations

import re
from typing import Any

from honte.games.contract import quote
from honte.games.records import Record, ggf, sgf, transcripts
from honte.web.position import MOST_MOVES, Json, game_of, read_states

MOST_GAMES = 50
MOST_NAME = 200
MOST_COMMENT = 2000
FORMATS = ("sgf", "ggf", "text")
_OUR_GAME = re.compile(r"^% game (\S+)[ \t]*$", re.MULTILINE)
_OUR_START = re.compile(r"^% start ([^\r\n]+)$", re.MULTILINE)
_GUESSES = (
    ("connect4", re.compile(r"[1-7\s,]+")),
    ("othello", re.compile(r"(?:(?:[a-h][1-8]|pass|pa|--)[\s,]*)+", re.IGNORECASE)),
)


def load(text: str, spec: str | None = None) -> Json:
    """The games of a text: SGF, GGF, transcripts of any game, or what `export` wrote."""
    text = text.lstrip("\ufeff").strip()
    if not text:
        raise ValueError("there is nothing to load; paste a game or choose a file")
    found = _records(text, spec)
    if not found:
        raise ValueError("the text holds no game; paste SGF, GGF or a list of moves")
    games = []
    for number, record in enumerate(found[:MOST_GAMES], 1):
        try:
            games.append(record_json(record))
        except ValueError as error:
            where = f"game {number}: " if len(found) > 1 else ""
            raise ValueError(f"{where}{error}") from None
    return {"games": games, "more": max(0, len(found) - MOST_GAMES)}


def _records(text: str, spec: str | None) -> list[Record]:
    head = text[:4096].lstrip("0123456789 \t\r\n")
    if head.startswith(("(;", "( ;")):
        return ggf.loads(text) if "GM[Othello]" in head else sgf.loads(text)
    ours, start = _OUR_GAME.search(text), _OUR_START.search(text)
    if ours is not None:
        spec = ours[1]
    if spec is None:
        spec = next((name for name, form in _GUESSES if form.fullmatch(text)), None)
    if spec is None:
        raise ValueError("the text does not say which game it is of; choose the game first")
    game = game_of(spec)
    if start is None:
        return transcripts(text, game.spec)
    lines = [line.partition("%")[0] for line in text.splitlines()]
    first = game.from_text(start[1])
    moves = game.read_moves(" ".join(lines), first)
    return [Record(game.spec, start=first.to_text(), moves=moves)]


def record_json(record: Record) -> Json:
    """A game as the page takes it, every move checked by the rules."""
    if len(record.moves) > MOST_MOVES:
        raise ValueError(f"a game of {len(record.moves):,} moves; {MOST_MOVES:,} is the most")
    game = game_of(record.game_spec)
    for _ in record.states():
        pass
    comments = record.meta.get("comments", {})
    return {
        "game": game.spec,
        "start": record.start,
        "moves": [game.format(move) for move in record.moves],
        "players": [plain(name, MOST_NAME) for name in record.players],
        "result": plain(record.result or _result(record.score), MOST_NAME),
        "comments": {
            str(ply): plain(words, MOST_COMMENT)
            for ply, words in list(comments.items())[: MOST_MOVES + 1]
        },
    }


def _result(score: float | None) -> str:
    return "" if score is None else f"{score:+g}"


def plain(text: Any, most: int) -> str:
    """Text without what a screen would obey, and not endless."""
    kept = "".join(sign for sign in str(text)[:most] if sign.isprintable() or sign in "\n\t")
    return kept.encode("utf-8", "replace").decode("utf-8")


def export(spec: str, start: str | None, moves: list[str], form: str) -> Json:
    """The game on the board as a record."""
    if form not in FORMATS:
        raise ValueError(f"there is no format {quote(form)}; there are {', '.join(FORMATS)}")
    game = game_of(spec)
    states = read_states(game, start, moves)
    last = states[-1]
    if form == "text":
        lines = [f"% game {game.spec}"]
        if start is not None:
            lines.append(f"% start {states[0].to_text()}")
        lines.append(" ".join(game.format(state.last_move) for state in states[1:]))
        return {"text": "\n".join(lines) + "\n"}
    record = Record(
        game.spec,
        start=None if start is None else states[0].to_text(),
        moves=[state.last_move for state in states[1:]],
        score=last.score if last.is_over else None,
    )
    return {"text": (sgf if form == "sgf" else ggf).dumps(record)}
