"""Go games with variations, comments, marks and set-ups in SGF, checked with sgfmill."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from sgfmill import sgf as mill

import honte
from honte.core import record as records
from honte.core import variations
from honte.core.record import Record
from honte.core.variations import SHAPES, Node, children_of, in_order, main_line
from honte.games.go import sgf
from honte.games.go.sgf_setup import cells_at, text_of

TREES, QUICK = 500, 40
WORDS = [
    "solid",
    "a ] bracket",
    "a \\ slash",
    "ends in \\",
    "two\nlines",
    "本手",
    "colon: here",
    "(;B[aa])",
]


@cache
def grown(seed: int) -> Record:
    """A random game with everything that SGF can record."""
    choose = random.Random(seed)
    size = choose.choice([2, 5, 9, 13, 19])
    rules: Any = honte.game("go", size=size, komi=choose.choice(["0", "6.5"]), ko="simple")
    start: str | None = None
    first: Any = rules.start()
    if choose.random() < 0.4:
        cells = [0] * size**2
        for cell in choose.sample(range(size**2), min(size, 4)):
            cells[cell] = choose.choice([1, 2])
        text = text_of(cells, size, choose.randrange(2))
        try:
            first = rules.from_text(text)
            start = text if any(cells) else None
        except ValueError:  # stones without liberties
            pass
    nodes, states = [annotated(choose, Node(), size)], [first]
    for _ in range(choose.randrange(1, 60)):
        parent = choose.choice([len(nodes) - 1, len(nodes) - 1, choose.randrange(len(nodes))])
        state = states[parent]
        # Stones set up before the first move of the game belong to its start.
        begins = parent == 0 and main_line(nodes) == [0]
        if not begins and choose.random() < 0.1:
            cells = list(state.cells())
            cells[choose.randrange(len(cells))] = choose.randrange(3)
            text = text_of(cells, size, choose.randrange(2))
            try:
                states.append(rules.from_text(text))
            except ValueError:
                continue
            node = Node(parent, setup=text)
        elif state.is_over:
            continue
        else:
            move = choose.choice(state.legal_moves())
            states.append(state.play(move))
            node = Node(parent, move)
        nodes.append(annotated(choose, node, size))
    tree = in_order(nodes)
    comments = variations.main_comments(tree)
    return Record(
        rules.spec,
        players=(choose.choice(["", "Ann ]"]), choose.choice(["", "Bob \\"])),
        start=start,
        moves=[move for place in main_line(tree) if (move := tree[place].move) is not None],
        result=choose.choice(["", "B+R", "W+T"]),
        meta={"EV": "Spring cup"} | ({"comments": comments} if comments else {}),
        tree=variations.unless_plain(tree),
    )


def annotated(choose: random.Random, node: Node, size: int) -> Node:
    def points(chance: float) -> list[int]:
        return choose.sample(range(size**2), 2) if choose.random() < chance else []

    return Node(
        node.parent,
        node.move,
        node.setup,
        comment=choose.choice(WORDS) if choose.random() < 0.3 else "",
        marks={cell: choose.choice(SHAPES) for cell in points(0.3)},
        labels={cell: choose.choice(["A", "12", "x]y", "q:\\", "三"]) for cell in points(0.2)},
        other={"N": ("a name\\]",), "BL": ("30.5",)} if choose.random() < 0.1 else {},
    )


HUNDREDS = [
    range(QUICK),
    *(pytest.param(range(at, at + 100), marks=pytest.mark.long) for at in range(0, TREES, 100)),
]


def test_stones_are_set_up_in_the_main_line_of_many_trees() -> None:
    assert sum(bool(grown(seed).rest_words()) for seed in range(QUICK)) > 5


@pytest.mark.parametrize("seeds", HUNDREDS, ids=str)
def test_a_tree_reads_as_it_was_written(seeds: range) -> None:
    for seed in seeds:
        record = grown(seed)
        (again,) = sgf.loads(sgf.dumps(record))
        assert again == record, seed


@pytest.mark.parametrize("seeds", HUNDREDS, ids=str)
def test_sgfmill_sees_the_same_tree(seeds: range) -> None:
    for seed in seeds:
        record = grown(seed)
        theirs = mill.Sgf_game.from_string(sgf.dumps(record))
        compare(record, theirs)
        (again,) = sgf.loads(theirs.serialise())
        assert again == record, seed


def compare(record: Record, theirs: Any) -> None:
    """Walk both trees at once."""
    nodes = record.nodes()
    children = children_of(nodes)
    size = theirs.get_size()
    todo = [(0, theirs.get_root())]
    seen = 0
    while todo:
        place, node = todo.pop()
        seen += 1
        ours = nodes[place]

        def point(cell: int) -> tuple[int, int]:
            return size - 1 - cell // size, cell % size

        assert (node.get("C") if node.has_property("C") else "") == ours.comment
        for key, shape in (("CR", "circle"), ("SQ", "square"), ("TR", "triangle"), ("MA", "cross")):
            found = node.get(key) if node.has_property(key) else set()
            assert found == {point(cell) for cell, mark in ours.marks.items() if mark == shape}
        labels = dict(node.get("LB")) if node.has_property("LB") else {}
        assert labels == {point(cell): label for cell, label in ours.labels.items()}
        color, move = node.get_move()
        if ours.move is None:
            assert color is None
        else:
            assert move == (None if ours.move == size**2 else point(ours.move))
        assert node.has_setup_stones() <= (ours.setup is not None or place == 0)
        if ours.setup is not None:
            rules = honte.game(record.game_spec)
            before = cells_at(nodes, ours.parent, rules, record.start)
            black, white, empty = node.get_setup_stones()
            for stones, content in ((black, 1), (white, 2), (empty, 0)):
                for row, col in stones:
                    before[(size - 1 - row) * size + col] = content
            assert text_of(before, size, 0).split()[0] == ours.setup.split()[0]
            assert node.get("PL") == ours.setup.split()[1].replace("X", "b").replace("O", "w")
        assert len(node) == len(children[place])
        todo += list(zip(children[place], node, strict=True))
    assert seen == len(nodes)
    assert theirs.get_player_name("b") == (record.players[0] or None)
    assert theirs.get_root().get("EV") == "Spring cup"


def test_our_own_text_holds_as_much() -> None:
    for seed in range(100):
        record = grown(seed)
        (again,) = records.read_text(records.write_text(record))
        assert again.tree == record.tree, seed
        assert (again.moves, again.start, again.meta) == (record.moves, record.start, record.meta)
        assert (again.players, again.result) == (record.players, record.result)


def test_our_own_text_holds_variations_of_any_game() -> None:
    moves = "4 4 {so \\} so} (5 3 (2) 3) 5 [circle 5/3 0/0] [label 5/3 A b]"
    text = f"% game connect4\n% first Ann\n{moves}\n"
    (record,) = records.read_text(text)
    assert record.moves == [3, 3, 4]
    assert record.players == ("Ann", "")
    assert records.write_text(record) == text.replace("[circle 5/3 0/0]", "[circle 0/0 5/3]")
    with pytest.raises(ValueError, match="closes no variation"):
        records.read_text("% game connect4\n4 4 ) {}")


def test_a_variation_that_breaks_the_rules_is_named_and_the_game_kept() -> None:
    (record,) = sgf.loads("(;SZ[9];B[ee](;W[cc])(;W[ee];B[aa])(;W[dd]))")
    kept, words = variations.check(record.tree, honte.game(record.game_spec), record.start)
    assert len(kept) == 4
    assert words.startswith("a variation could not be played and is left out: move 2: ")


def test_a_variation_before_the_handicap_is_complete_stands_on_its_own_board() -> None:
    (record,) = sgf.loads("(;SZ[5]HA[2];B[aa](;B[bb];W[cc])(;W[dd]))")
    assert record.start == "X..../.X.../...../...../..... O"
    assert [node.setup for node in record.tree if node.setup] == ["X..../...../...../...../..... O"]
    (again,) = sgf.loads(sgf.dumps(record))
    assert again.tree == record.tree


def test_a_long_line_of_variations_is_read_in_time() -> None:
    text = "(;SZ[9]" + ";B[]W;W[]".replace("W;", ";") * 20_000 + ")"
    (record,) = sgf.loads(text)
    assert len(record.moves) == 40_000


def test_stones_set_up_in_the_main_line_are_kept_and_said() -> None:
    text = "(;SZ[5]KM[0];B[aa];W[bb]C[before];AB[cc]AE[bb]PL[W]C[set];W[dd];B[ee](;W[ea])(;W[eb]))"
    (record,) = sgf.loads(text)
    game = honte.game(record.game_spec)
    assert [game.format(move) for move in record.moves] == ["A5", "B4"]
    assert record.meta["comments"] == {2: "before"}
    assert "after move 2" in record.rest_words()
    (place,) = (place for place, node in enumerate(record.tree) if node.setup)
    assert record.tree[place].setup == "X..../...../..X../...../..... O"
    assert record.tree[place].comment == "set"
    assert len(record.tree) == 8
    kept, left_out = variations.check(record.tree, game, record.start)
    assert (len(kept), left_out) == (8, "")
    (again,) = sgf.loads(sgf.dumps(record))
    assert again == record
    (main, *_) = mill.Sgf_game.from_string(sgf.dumps(record)).get_main_sequence()[3:]
    assert main.get_setup_stones() == ({(2, 2)}, set(), {(3, 1)})
    (again,) = records.read_text(records.write_text(record))
    assert (again.tree, again.moves) == (record.tree, record.moves)


def test_stones_set_up_with_a_move_in_one_node_come_first() -> None:
    (record,) = sgf.loads("(;SZ[5];B[aa];W[bb];AW[cc]B[dd];W[ee])")
    assert len(record.moves) == 2
    assert [node.setup is not None for node in record.tree] == [False] * 3 + [True] + [False] * 2
    (again,) = sgf.loads(sgf.dumps(record))
    assert again.tree == record.tree
