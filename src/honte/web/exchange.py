"""Import and export: pasted records, and the game on the board as a record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isqrt
from typing import Any

from honte.core import games as registry
from honte.core import variations
from honte.core.contract import Game
from honte.core.descriptor import load as load_ref
from honte.core.descriptor_parts import RecordFormat
from honte.core.messages import quote
from honte.core.record import (
    Record,
    descriptor_of,
    dumped_formats,
    names_game,
    read_format,
    read_text,
    transcripts,
    write_text,
)
from honte.core.spec import join
from honte.core.variations import SHAPES, Node, Nodes, in_order, unless_plain
from honte.web.games import game_of, named
from honte.web.position import MOST_MOVES, Json, read_states, shape
from honte.web.requests import MOST_BODY, MOST_NODES, Ended, Export, TreeNode

_FACT = re.compile(r"[A-Z]{1,8}")
_CELL = re.compile(r"([0-9]{1,2})/([0-9]{1,2})", re.ASCII)
MOST_GAMES = 50
MOST_NAME = 200
MOST_COMMENT = MOST_BODY
TEXT = "text"
"""Our own format: see honte.core.variations."""
_BOARD = re.compile(r"(?=(?s:.*?[-./]){3})[-.XxOo*#bBwW/\s]{5,1000}")
_RAGGED = re.compile(r"^\(\s+;")


def load(text: str, spec: str | None = None, near: str | None = None) -> Json:
    """The games of a text: a record format, moves, a position, or the output of `export`.

    Moves and positions do not determine their game; `near`, the game on the page, adds the rest.
    """
    text = text.lstrip("\ufeff").strip()
    if not text:
        raise ValueError("there is nothing to load; paste a game or choose a file")
    found = _records(text, spec, near)
    if not found:
        raise ValueError("the text holds no game; paste a game record or a list of moves")
    games = []
    for number, record in enumerate(found[:MOST_GAMES], 1):
        try:
            games.append(record_json(record))
        except ValueError as error:
            where = f"game {number}: " if len(found) > 1 else ""
            raise ValueError(f"{where}{error}") from None
    return {"games": games, "more": max(0, len(found) - MOST_GAMES)}


def _records(text: str, spec: str | None, near: str | None) -> list[Record]:
    found = read_format(_RAGGED.sub("(;", text, count=1).encode())
    if found is not None:
        return found
    if names_game(text):
        return read_text(text, game_of)
    if _BOARD.fullmatch(text):
        return [_position(text, spec, near)]
    guessed = spec or _guess(text)
    for known in (near, guessed) if spec is None else (spec,):
        if known is not None:
            try:
                return transcripts(text, game_of(known).spec)
            except ValueError:
                if known == guessed:
                    raise
    raise ValueError("the text does not say which game it is of; choose the game first")


def _position(text: str, spec: str | None, near: str | None) -> Record:
    """A position: rows joined by / or on lines of their own, then the side to move."""
    rows = text.replace("/", " ").split()
    side = rows.pop() if len(rows[-1]) == 1 else "X"
    if len(rows) == 1 and isqrt(len(rows[0])) ** 2 == len(rows[0]):
        width = isqrt(len(rows[0]))
        rows = [rows[0][at : at + width] for at in range(0, len(rows[0]), width)]
    if len({len(row) for row in rows}) != 1 or len(rows) < 2:
        raise ValueError("the rows of the position differ in length; join rows of one length by /")
    plain = f"{'/'.join(rows)} {side}"
    fits: list[Record] = []
    wrong = ""
    for known in _specs(rows, spec, near):
        try:
            game = game_of(known)
            fits.append(Record(game.spec, start=game.from_text(plain).to_text()))
        except ValueError as error:
            wrong = wrong or str(error)
    if not fits:
        raise ValueError(wrong)
    if near is not None and _name(fits[0].game_spec) == _name(near):
        return fits[0]
    return next((record for record in fits if record.start == text), fits[0])  # as it writes them


def _name(spec: str) -> str:
    return spec.partition(":")[0]


def _specs(rows: list[str], spec: str | None, near: str | None) -> Iterator[str]:
    """The games whose board may look like this: the one on the page first, the size as given."""
    blocked = [
        f"{y}/{x}" for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "#"
    ]
    own = {_name(known): registry.settings_of(known) for known in (spec or near,) if known}
    sizes = {"rows": len(rows), "cols": len(rows[0]), "size": len(rows)}
    others = [] if spec else [name for name in registry.names() if name not in own]
    for name in [*own, *others]:
        if name not in registry.names():
            raise ValueError(f"there is no game {quote(name)}; choose another")
        options = descriptor_of(name).options
        settings: dict[str, object] = {
            key: value for key, value in own.get(name, {}).items() if key not in sizes
        }
        for option in options:
            if option.name in sizes:
                settings[option.name] = sizes[option.name]
            elif option.kind == "cells":
                settings.pop(option.name, None)
                if blocked:
                    settings[option.name] = "+".join(blocked)
        yield join(name, settings)


def _guess(text: str) -> str | None:
    """The first game whose transcripts look like this."""
    for name in registry.names():
        looks_right = descriptor_of(name).transcripts
        if looks_right is not None and looks_right(text):
            return name
    return None


def record_json(record: Record) -> Json:
    """A game as JSON for the page, every move checked by the rules."""
    if len(record.moves) > MOST_MOVES:
        raise ValueError(f"a game of {len(record.moves):,} moves; {MOST_MOVES:,} is the most")
    if registry.is_from_file(spec := named(record.game_spec)):
        raise ValueError(f"the game comes from a file; serve it with `--game {quote(spec, 200)}`")
    game = game_of(spec)
    nodes, left_out = variations.check(record.nodes(), game, record.start)
    if len(nodes) > MOST_NODES:
        raise ValueError(f"a game of {len(nodes):,} moves; {MOST_NODES:,} is the most")
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
        "nodes": [node_json(node, game) for node in nodes] if record.tree or comments else [],
        "facts": {
            key: plain(value, MOST_COMMENT)
            for key, value in record.meta.items()
            if isinstance(value, str) and _FACT.fullmatch(key)
        },
        "left_out": left_out or record.rest_words(),
    }


def node_json(node: Node, game: Game) -> Json:
    """A node as JSON for the page, without empty fields."""
    _, cols = shape(game)

    def name(cell: int) -> str:
        return "/".join(map(str, divmod(cell, cols)))

    found: Json = {
        "move": None if node.move is None else game.format(node.move),
        "setup": node.setup,
        "comment": plain(node.comment, MOST_COMMENT),
        "marks": {name(cell): mark for cell, mark in node.marks.items()},
        "labels": {name(cell): plain(label, MOST_NAME) for cell, label in node.labels.items()},
        "other": {
            key: [plain(value, MOST_COMMENT) for value in values]
            for key, values in node.other.items()
        },
    }
    return {"parent": node.parent} | {key: value for key, value in found.items() if value}


def read_nodes(nodes: Sequence[TreeNode], game: Game) -> Nodes:
    """The nodes that the page sent."""
    rows, cols = shape(game)

    def cells(found: dict[str, str]) -> dict[int, str]:
        made = {}
        for name, text in found.items():
            cell = _CELL.fullmatch(name)
            if cell is None or int(cell[1]) >= rows or int(cell[2]) >= cols:
                raise ValueError(f"there is no cell {quote(name)} on the board; write row/column")
            made[int(cell[1]) * cols + int(cell[2])] = text
        return made

    made: list[Node] = []
    for place, node in enumerate(nodes):
        if not (0 <= node.parent < place if place else node.parent == -1):
            raise ValueError(f"node {place} follows no node before it; send parents first")
        if any(mark not in SHAPES for mark in node.marks.values()):
            raise ValueError(f"a mark of node {place} is none of {', '.join(SHAPES)}")
        if place and (node.move is None) == (node.setup is None):
            raise ValueError(f"node {place} has no move; send a move or a position")
        made.append(
            Node(
                node.parent,
                None if node.move is None else game.parse(node.move),
                None if node.setup is None else game.from_text(node.setup).to_text(),
                node.comment,
                cells(node.marks),
                cells(node.labels),
                {key: tuple(values) for key, values in node.other.items()},
            )
        )
    return in_order(made)


def _result(score: float | None) -> str:
    return "" if score is None else f"{score:+g}"


def plain(text: Any, most: int) -> str:
    """Text without control characters, truncated to `most`."""
    kept = "".join(sign for sign in str(text)[:most] if sign.isprintable() or sign in "\n\t")
    return kept.encode("utf-8", "replace").decode("utf-8")


def export(asked: Export) -> Json:
    """The game on the board as a record, and a sentence about what its format cannot hold."""
    game = game_of(asked.game)
    formats = dumped_formats(game.descriptor)
    if asked.form != TEXT and asked.form not in formats:
        known = ", ".join([*formats, TEXT])
        raise ValueError(
            f"there is no format {quote(asked.form)} for {game.name}; there are {known}"
        )
    states = read_states(game, asked.start, asked.moves)
    last = states[-1]
    nodes = read_nodes(asked.nodes, game)
    form = formats.get(asked.form)
    score = None
    if last.is_over:
        score = last.score if asked.score is None else asked.score
    record = Record(
        game.spec,
        players=asked.players,
        start=None if asked.start is None else states[0].to_text(),
        moves=[state.last_move for state in states[1:] if state.last_move is not None],
        result=asked.result or _ended(form, asked.ended),
        score=score,
        meta=dict(asked.facts),
    )
    if form is None:
        return {"text": write_text(replace(record, tree=nodes), game), "lost": ""}
    lost = ""
    if form.variations:
        record = replace(record, tree=nodes)
    elif unless_plain(nodes) or variations.main_comments(nodes):
        lost = f"{asked.form.upper()} holds the moves of the game alone: "
        lost += "variations, comments and marks are left out"
    return {"text": load_ref(form.dumps or "")(record), "lost": lost}


def _ended(form: RecordFormat | None, ended: Ended | None) -> str:
    """The result of a game that was resigned or lost on time, in the words of the format."""
    if ended is None or form is None or form.result is None:
        return ""
    return str(load_ref(form.result)(-1 if ended.winner else 1, None, ended.reason))
