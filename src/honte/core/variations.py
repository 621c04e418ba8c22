"""The moves of a game with its variations, comments and marks: a list of nodes, and its text.

Each node refers to its parent by index, so variations can nest to any depth. The first node is the
start; the first child of a node continues its line, the others are variations.

    4 4 {the usual answer} (5 3 {sharp}) 5 [circle 5/3] [label 4/3 A]

is the text of three moves, with a variation that plays 5 in place of the second. Cells are
row/column, counted from 0 at the top left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from honte.core.contract import Game, State
from honte.core.language import Message
from honte.core.messages import quote

SHAPES = ("circle", "square", "triangle", "cross")
MAX_NODES = 200_000


@dataclass(frozen=True)
class Node:
    """A node of the game tree: how it is reached from its parent, and its annotations."""

    parent: int = -1  # index in the list of nodes; −1 for the start
    move: int | None = None  # None at the start and in a node with `setup`
    setup: str | None = None  # a position set up on the board, as State.to_text writes it
    comment: str = ""
    marks: Mapping[int, str] = field(default_factory=dict)  # cell, row by row -> one of SHAPES
    labels: Mapping[int, str] = field(default_factory=dict)  # cell -> a short text
    other: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Other properties of the format, kept verbatim with their escapes."""


Nodes = tuple[Node, ...]


def children_of(nodes: Sequence[Node]) -> list[list[int]]:
    """The children of each node, in their order."""
    found: list[list[int]] = [[] for _ in nodes]
    for place, node in enumerate(nodes[1:], start=1):
        found[node.parent].append(place)
    return found


def main_line(nodes: Sequence[Node]) -> list[int]:
    """The indices of the main line's nodes, from the start.

    A position set up in mid-game ends the main line, because what follows was not played from the
    start; the tree keeps it like a variation.
    """
    children = children_of(nodes)
    line = [0]
    while children[line[-1]] and nodes[children[line[-1]][0]].setup is None:
        line.append(children[line[-1]][0])
    return line


def setup_after(nodes: Sequence[Node]) -> int | None:
    """The number of the move after which the main line continues from a set-up position, if any.

    >>> setup_after([Node(), Node(0, 3), Node(1, setup="..."), Node(2, 4)])
    1
    """
    line = main_line(nodes) if nodes else [0]
    goes_on = any(node.parent == line[-1] for node in nodes)
    return len(line) - 1 if goes_on else None


def main_comments(nodes: Sequence[Node]) -> dict[int, str]:
    """The comments of the main line, by move number; 0 is the start."""
    line = main_line(nodes) if nodes else []
    found = {number: nodes[place].comment for number, place in enumerate(line)}
    return {number: comment for number, comment in found.items() if comment}


def unless_plain(nodes: Nodes) -> Nodes:
    """The nodes, or none if they are just a line of moves with comments."""
    plain = all(
        node.parent == place - 1 and not (node.setup or node.marks or node.labels or node.other)
        for place, node in enumerate(nodes)
    )
    return () if plain else nodes


def in_order(nodes: Sequence[Node]) -> Nodes:
    """The tree in preorder, so that equal trees become equal lists."""
    children = children_of(nodes)
    order: list[int] = []
    todo = [0] if nodes else []
    while todo:
        place = todo.pop()
        order.append(place)
        todo += reversed(children[place])
    new = {place: index for index, place in enumerate(order)}
    return tuple(replace(nodes[place], parent=new.get(nodes[place].parent, -1)) for place in order)


def without(nodes: Sequence[Node], dropped: set[int]) -> Nodes:
    """The tree without some nodes and their descendants."""
    kept: dict[int, int] = {-1: -1}
    found: list[Node] = []
    for place, node in enumerate(nodes):
        if place not in dropped and node.parent in kept:
            kept[place] = len(found)
            found.append(replace(node, parent=kept[node.parent]))
    return tuple(found)


# -- text -----------------------------------------------------------------------------

_TOKEN = re.compile(
    r"\{((?:[^\\}]|\\.)*+)\}|\[((?:[^\\\]]|\\.)*+)\]|([()])|%[^\n]*+|([^\s,(){}\[\]%]++)|([{}\[\]])",
    re.DOTALL,
)
_CELL = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")
_PROPERTY = re.compile(r"[A-Z]{1,8}")


def write(nodes: Sequence[Node], game: Game) -> str:
    """A tree as text."""
    children = children_of(nodes)
    words: list[str] = []
    todo: list[tuple[str, int]] = [("after", 0), ("node", 0)]
    while todo:
        what, place = todo.pop()
        if what == "node":
            words += _words(nodes[place], game)
        elif what == "after" and children[place]:
            first, *others = children[place]
            steps = [("node", first)]
            for other in others:
                steps += [("(", 0), ("node", other), ("after", other), (")", 0)]
            todo += reversed([*steps, ("after", first)])
        elif what in "()":
            words.append(what)
    return " ".join(words).replace("( ", "(").replace(" )", ")")


def _words(node: Node, game: Game) -> Iterator[str]:
    _, cols = game.shape() or (0, 1)

    def cell(number: int) -> str:
        return "/".join(map(str, divmod(number, cols)))

    if node.setup is not None:
        yield f"[set {_escape(node.setup, ']')}]"
    elif node.move is not None:
        yield game.format(node.move)
    if node.comment:
        yield "{" + _escape(node.comment, "}") + "}"
    for shape in SHAPES:
        if cells := sorted(number for number, mark in node.marks.items() if mark == shape):
            yield f"[{shape} {' '.join(map(cell, cells))}]"
    for number, label in sorted(node.labels.items()):
        yield f"[label {cell(number)} {_escape(label, ']')}]"
    for key, values in sorted(node.other.items()):
        for value in values:
            yield f"[{key} {_escape(value, ']')}]"


def _escape(text: str, end: str) -> str:
    return text.replace("\\", "\\\\").replace(end, f"\\{end}")


def read(text: str, game: Game) -> Nodes:
    """Read what `write` wrote; the moves are not played."""
    return _Reader(game).read(text)


class _Reader:
    """Reads the text of a tree, token by token."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rows, self.cols = game.shape() or (0, 0)
        self.nodes = [Node()]
        self.at = 0
        self.open: list[int] = []

    def read(self, text: str) -> Nodes:
        for token in _TOKEN.finditer(text):
            comment, mark, bracket, move, stray = token.groups()
            if stray is not None:
                raise ValueError(
                    Message(
                        "a {stray} in the moves has no other end; add it or leave it out",
                        stray=stray,
                    )
                )
            if comment is not None:
                self.note(comment=self.nodes[self.at].comment + _plain(comment))
            elif mark is not None:
                self.mark(_plain(mark))
            elif bracket is not None:
                self.turn(bracket)
            elif move is not None:
                self.add(Node(self.at, move=self.game.parse(move)))
        if self.open:
            raise ValueError(Message("a variation is not closed; end it with )"))
        return in_order(self.nodes)

    def add(self, node: Node) -> None:
        if len(self.nodes) >= MAX_NODES:
            raise ValueError(
                Message("the game has over {max_nodes} moves; cut variations", max_nodes=MAX_NODES)
            )
        self.nodes.append(node)
        self.at = len(self.nodes) - 1

    def note(self, **said: object) -> None:
        self.nodes[self.at] = replace(self.nodes[self.at], **said)  # type: ignore[arg-type]

    def turn(self, bracket: str) -> None:
        if bracket == "(":
            if self.at == 0:
                raise ValueError(
                    Message("a variation stands before the first move; write it after one")
                )
            self.open.append(self.at)
            self.at = self.nodes[self.at].parent
        elif not self.open:
            raise ValueError(Message("a ) closes no variation; leave it out"))
        else:
            self.at = self.open.pop()

    def mark(self, text: str) -> None:
        kind, _, value = text.partition(" ")
        here = self.nodes[self.at]
        if kind == "set":
            self.add(Node(self.at, setup=self.game.from_text(value).to_text()))
        elif kind in SHAPES:
            self.note(marks={**here.marks, **{self.cell(word): kind for word in value.split()}})
        elif kind == "label":
            where, _, label = value.partition(" ")
            self.note(labels={**here.labels, self.cell(where): label})
        elif _PROPERTY.fullmatch(kind):
            self.note(other={**here.other, kind: (*here.other.get(kind, ()), value)})
        else:
            known = ", ".join([*SHAPES, "label", "set"])
            raise ValueError(
                Message("there is no mark {kind}; there are {known}", kind=quote(kind), known=known)
            )

    def cell(self, word: str) -> int:
        found = _CELL.fullmatch(word)
        if found is None or int(found[1]) >= self.rows or int(found[2]) >= self.cols:
            raise ValueError(
                Message(
                    "{word} is no cell of the board; write row/column, from 0", word=quote(word)
                )
            )
        return int(found[1]) * self.cols + int(found[2])


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def line(moves: Sequence[int], comments: Mapping[int, str] | None = None) -> Nodes:
    """The nodes of a game without variations."""
    said = comments or {}
    start = Node(comment=said.get(0, ""))
    played = (
        Node(number - 1, move, comment=said.get(number, ""))
        for number, move in enumerate(moves, start=1)
    )
    return (start, *played)


def check(nodes: Sequence[Node], game: Game, start: str | None) -> tuple[Nodes, str]:
    """The tree without variations that break the rules, and a sentence about those left out.

    The main line must keep the rules: its first illegal move raises IllegalMove with its number.
    """
    main = set(main_line(nodes))
    states: list[State] = [game.start() if start is None else game.from_text(start)]
    depth = [0]
    dropped: set[int] = set()
    why = ""
    lost: list[bool] = [False]
    for place, node in enumerate(nodes[1:], start=1):
        before = node.parent
        depth.append(depth[before] + 1)
        lost.append(lost[before])
        state = states[before]
        if not lost[place]:
            try:
                state = _after(state, node, game)
            except ValueError as error:
                words = f"move {depth[place]}: {error}"
                if place in main:
                    raise type(error)(words) from None
                lost[place] = True
                dropped.add(place)
                why = why or words
        states.append(state)
    if not dropped:
        return tuple(nodes), ""
    many, verb = (
        (f"{len(dropped)} variations", "are") if len(dropped) > 1 else ("a variation", "is")
    )
    return without(nodes, dropped), f"{many} could not be played and {verb} left out: {why}"


def _after(state: State, node: Node, game: Game) -> State:
    if node.setup is not None:
        return game.from_text(node.setup)
    assert node.move is not None
    return state.play(node.move)
