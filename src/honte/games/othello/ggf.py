"""GGF: Othello games as the Generic Game Server and NBoard write them.

    (;GM[Othello]PB[ann]PW[bob]RE[+4]TI[5:00]TY[8]BO[8 <64 discs> *]B[F5/0.5/1.2]W[F6];)

A move is a square or PA, then, if known, its evaluation and the seconds it took. A text may hold
many games; the server puts their number in front of a match (`2 (;...;)(;...;)`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from honte.core import games as registry
from honte.core.contract import Game, State
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.record import Record, check_count, check_length

# Possessive quantifiers (*+) never backtrack, so matching is linear.
_BETWEEN = re.compile(r"[\s0-9\ufeff]*+")
_OPEN = re.compile(r"\(\s*+;")
_CLOSE = re.compile(r"[\s;]*+\)")
_PROPERTY = re.compile(
    r"[\s;]*+ (?P<key>[A-Za-z]{1,8}) \s*+ \[ (?P<value> [^\\\]]*+ (?:\\.[^\\\]]*+)*+ ) \]",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_TYPE = re.compile(r"s?(?P<size>[0-9]{1,2})(?P<rest>[a-z0-9]{0,12})")
_RESULT = re.compile(r"(?P<score>[+-]?[0-9]{1,3}(?:\.[0-9]{0,6})?)(?::[a-z])?")
_NUMBER = re.compile(r"[+-]?[0-9]{0,9}(?:\.[0-9]{0,9})?")

_KEY = re.compile(r"[A-Z]{2,8}")

PASS = 64
_SIZES = (4, 6, 8)
_ORDER = ("PC", "DT", "PB", "PW", "RB", "RW", "TI", "TB", "TW", "TY", "RE")


def loads(data: str | bytes) -> list[Record]:
    """Read every game of a text."""
    text = data.decode("utf-8-sig", "replace") if isinstance(data, bytes) else data
    check_length(text, "GGF text")
    found: list[Record] = []
    position = _skip(_BETWEEN, text, 0)
    while position < len(text):
        number = len(found) + 1
        check_count(number)
        opening = _OPEN.match(text, position)
        if opening is None:
            there = quote(text[position : position + 16])
            raise ValueError(
                Message(
                    "game {number} begins with {there}; a game begins with '(;'",
                    number=number,
                    there=there,
                )
            )
        try:
            properties, position = _properties(text, opening.end())
            found.append(_record(properties))
        except ValueError as error:
            raise ValueError(
                Message("game {number}: {error}", number=number, error=error)
            ) from error
        position = _skip(_BETWEEN, text, position)
    return found


def dumps(games: Record | Iterable[Record]) -> str:
    """Write games, one per line."""
    records = [games] if isinstance(games, Record) else games
    return "".join(_write(record) + "\n" for record in records)


def _skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _properties(text: str, position: int) -> tuple[list[tuple[str, str]], int]:
    """The properties of one game in their order, and where its text ends."""
    properties = []
    while not (closing := _CLOSE.match(text, position)):
        found = _PROPERTY.match(text, position)
        if found is None:
            there = text[position : position + 16]
            raise ValueError(
                Message(
                    "{there} at character {position} is not a property; write NAME[value]",
                    there=quote(there),
                    position=position + 1,
                )
                if there.strip()
                else Message("the text ends within the game; close it with ';)'")
            )
        value = found["value"]
        if "\\" in value:
            value = _ESCAPED.sub(r"\1", value)
        properties.append((found["key"].upper(), value))
        position = found.end()
    return properties, closing.end()


def _record(properties: list[tuple[str, str]]) -> Record:
    played = [(key, value) for key, value in properties if key in ("B", "W")]
    facts: dict[str, str] = {}
    for key, value in properties:
        if key not in ("B", "W"):
            if key in facts:
                raise ValueError(Message("{key} is given twice; give it once", key=key))
            facts[key] = value
    kind = facts.pop("GM", "Othello")
    if kind.strip().lower() not in ("othello", "reversi"):
        raise ValueError(
            Message("GM[{kind}] is another game; only Othello is read from GGF", kind=kind[:24])
        )
    size = _size(facts)
    othello = registry.game("othello", size=size)
    start = _start(facts.pop("BO", None), othello, size)
    moves, notes = _moves(played, start.to_move, othello)
    if facts.get("TY") == str(size):  # redundant with the spec
        del facts["TY"]
    result = facts.pop("RE", "").strip()
    score = _RESULT.fullmatch(result)
    return Record(
        game_spec=othello.spec,
        players=(facts.pop("PB", ""), facts.pop("PW", "")),
        start=None if start == othello.start() else start.to_text(),
        moves=moves,
        result=result,
        score=float(score["score"]) if score else None,
        meta={**facts, **notes},
    )


def _size(facts: dict[str, str]) -> int:
    """The size that TY or, without it, BO names."""
    words = (facts.get("TY") or facts.get("BO") or "8").lower().split(None, 1)
    text = words[0] if words else ""
    kind = _TYPE.fullmatch(text)
    if kind is None:
        raise ValueError(
            Message(
                "TY[{given}] is not a type of game; write 8, or 8r20 for a random start",
                given=text[:24],
            )
        )
    size = int(kind["size"])
    if size not in _SIZES:
        raise ValueError(
            Message("the board is {size}x{size}; only 4x4, 6x6 and 8x8 are played", size=size)
        )
    # Anti and komi games are not decided by the disc count.
    for letter, name in (("a", "an anti"), ("k", "a komi")):
        if letter in kind["rest"]:
            raise ValueError(
                Message(
                    "TY[{given}] is {name} game; only plain Othello is read",
                    given=text[:24],
                    name=name,
                )
            )
    return size


def _start(text: str | None, othello: Game, size: int) -> State:
    """The position at the start, from BO[size rows side]."""
    if text is None:
        return othello.start()
    words = text[:1024].split(None, 1)
    if len(words) < 2:
        raise ValueError(Message("BO lacks its size, board or side; write BO[size board side]"))
    if words[0] != str(size):
        raise ValueError(
            Message(
                "BO[{words} ...] contradicts the size {size}; make them agree",
                words=words[0][:8],
                size=size,
            )
        )
    return othello.from_text(words[1])


def _moves(
    played: list[tuple[str, str]], side: int, othello: Game
) -> tuple[list[int], dict[str, dict[int, float]]]:
    moves: list[int] = []
    evals: dict[int, float] = {}
    times: dict[int, float] = {}
    for key, value in played:
        if "BW"[side] != key:  # some programs omit passes
            moves.append(PASS)
            side = 1 - side
        number = len(moves) + 1
        try:
            square, *rest = value.split("/", 3)
            moves.append(othello.parse(square))
            if len(rest) > 2:
                raise ValueError(
                    Message(
                        "{value} has too many parts; write move/evaluation/time", value=quote(value)
                    )
                )
            for known, note in zip((evals, times), rest, strict=False):
                if note.strip():
                    known[number] = _number(note.strip())
        except ValueError as error:
            raise ValueError(
                Message("move {number}: {error}", number=number, error=error)
            ) from error
        side = 1 - side
    notes = {"evals": evals, "times": times}
    return moves, {name: known for name, known in notes.items() if known}


def _number(text: str) -> float:
    if not _NUMBER.fullmatch(text) or not any(letter.isdigit() for letter in text):
        raise ValueError(
            Message("{given} is not an evaluation or a time; write a number", given=quote(text))
        )
    return float(text)


def _write(record: Record) -> str:
    othello: Any = registry.game(record.game_spec)
    if othello.name != "othello":
        raise ValueError(
            Message(
                "a game of {name} cannot be written as GGF, only one of Othello", name=othello.name
            )
        )
    size = othello.size
    start = othello.start() if record.start is None else othello.from_text(record.start)
    board, side = start.to_text()[: size * size], start.to_move
    result = record.result
    if not _RESULT.fullmatch(result):  # from another format, or missing
        result = "?" if record.score is None else f"{record.score:+g}"
    facts = {key: value for key, value in record.meta.items() if _is_fact(key, value)}
    facts |= {"PB": record.players[0], "PW": record.players[1], "RE": result}
    facts.setdefault("TY", str(size))
    ranks = {key: rank for rank, key in enumerate(_ORDER)}
    keys = sorted(facts, key=lambda key: ranks.get(key, len(ranks)))
    parts = ["(;GM[Othello]"]
    parts += [f"{key}[{_escape(facts[key])}]" for key in keys]
    parts.append(f"BO[{size} {board.replace('X', '*')} {'*O'[side]}]")
    evals, times = record.meta.get("evals", {}), record.meta.get("times", {})
    for number, move in enumerate(record.moves, start=1):
        notes = "".join(
            f"/{known[number]:.2f}" if number in known else "/" for known in (evals, times)
        )
        square = "PA" if move == PASS else othello.format(move).upper()
        parts.append(f"{'BW'[side]}[{square}{notes.rstrip('/')}]")
        side = 1 - side
    return "".join(parts) + ";)"


def _is_fact(key: str, value: Any) -> bool:
    """Whether an entry of `meta` is a property that GGF can carry."""
    return isinstance(value, str) and bool(_KEY.fullmatch(key)) and key not in ("GM", "BO")


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
