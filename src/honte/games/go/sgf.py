"""SGF: Go games, read and written through sgfmill.

Variations, comments, marks and stones set up in variations are read and written; properties that
mean nothing here are kept verbatim. Defaults: SZ is 19, KM is 0, and the ko rule is simple unless
RU names rules with another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from honte.core import games as registry
from honte.core.language import Message
from honte.core.record import Record
from honte.core.variations import Node, main_line
from honte.games import sgf_text
from honte.games.go.sgf_reading import FACTS, read_game, read_rules
from honte.games.go.sgf_setup import cells_at


def loads(data: str | bytes) -> list[Record]:
    """Read every game of a collection."""
    return sgf_text.read_games(data, read_game)


def dumps(games: Record | Iterable[Record]) -> str:
    """Write games with their variations, comments, marks and evaluations.

    SGF cannot express a ko or a pass pending at the start: only the stones are written.
    """
    records = [games] if isinstance(games, Record) else games
    return "".join(_write(record) for record in records)


def _write(record: Record) -> str:
    from sgfmill import sgf, sgf_grammar

    rules: Any = registry.game(record.game_spec)
    if rules.name != "go":
        raise ValueError(
            Message("a game of {name} cannot be written as SGF, only one of Go", name=rules.name)
        )
    start: Any = rules.start() if record.start is None else rules.from_text(record.start)
    size, side = rules.size, start.to_move
    facts = {key: str(value) for key, value in record.meta.items() if key in FACTS}
    facts |= {"PB": record.players[0], "PW": record.players[1], "KM": f"{rules.komi:g}"}
    facts["RE"] = record.result or sgf_text.result_of(record.score)
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
    """Write the nodes; comments and evaluations in `meta` override those of the main line."""
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
        said = comments.get(number, node.comment)
        sgf_text.write_notes(written[place], replace(node, comment=said), partial(_name, size))
        if number and number in evals:
            mover = sides[node.parent]
            written[place].set("V", -evals[number] if mover else evals[number])  # SGF's is Black's


def _write_step(
    into: Any, nodes: Sequence[Node], place: int, record: Record, rules: Any, mover: int
) -> int:
    """Write the move or the stones that lead to a node; return the side to move then."""
    node, size = nodes[place], rules.size
    if node.setup is not None:
        before = cells_at(nodes, node.parent, rules, record.start)
        after = cells_at(nodes, place, rules, record.start)
        changed = [cell if cell != was else -1 for was, cell in zip(before, after, strict=True)]
        if before == after:  # only the turn is set: set a stone again to mark it as a set-up
            changed[0] = after[0]
        into.set_setup_stones(*(_stones(changed, size, content) for content in (1, 2, 0)))
        side = "XO".index(node.setup.split()[1])
        into.set("PL", "bw"[side])
        return side
    move = node.move
    if move is None or not 0 <= move <= size * size:
        raise ValueError(
            Message(
                "move {place} is {move}; a {size}x{size} board has no such point",
                place=place,
                move=move,
                size=size,
            )
        )
    row, col = divmod(move, size)
    into.set_move("bw"[mover], None if move == size * size else (size - 1 - row, col))
    return 1 - mover


def _name(size: int, cell: int) -> str:
    """A point as SGF writes it: two letters, from the top left."""
    row, col = divmod(cell, size)
    return f"{chr(ord('a') + col)}{chr(ord('a') + row)}"


def _stones(cells: Sequence[int], size: int, content: int) -> list[tuple[int, int]]:
    """The points that hold a colour, in sgfmill's coordinates: row 0 at the bottom."""
    return [
        (size - 1 - index // size, index % size)
        for index, found in enumerate(cells)
        if found == content
    ]
