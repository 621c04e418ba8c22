"""Othello games in SGF, GM[2]: variations, comments, marks and set-ups, checked with sgfmill."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from sgfmill import sgf as mill

import honte
from honte.core import record as records
from honte.core import variations
from honte.core.language import Message
from honte.core.record import Record
from honte.core.variations import SHAPES, Node, children_of, in_order, main_line
from honte.games.othello import sgf
from honte.web import exchange
from tests.cli.command import honte as command

TREES, QUICK = 500, 40
WORDS = ["solid", "a ] bracket", "ends in \\", "two\nlines", "本手", "colon: here", "(;B[f5])"]
GAME = "(;GM[2]FF[4]SZ[8]PB[ann]PW[bob]RE[B+4]AB[e4][d5]AW[d4][e5];B[f5];W[d6];B[c3])"


def grown(seed: int) -> Record:
    """A random game with everything that SGF can record."""
    choose = random.Random(seed)
    size = choose.choice([4, 6, 8, 8])
    rules: Any = honte.game("othello", size=size)
    start, first = None, rules.start()
    if choose.random() < 0.3:
        cells = [choose.choice([0, 0, 1, 2]) for _ in range(size**2)]
        first = rules.from_text(sgf.text_of(cells, choose.randrange(2)))
        start = first.to_text()
    nodes, states = [annotated(choose, Node(), size)], [first]
    for _ in range(choose.randrange(1, 60)):
        parent = choose.choice([len(nodes) - 1, len(nodes) - 1, choose.randrange(len(nodes))])
        state = states[parent]
        begins = parent == 0 and main_line(nodes) == [0]
        if not begins and choose.random() < 0.1:
            cells = list(state.cells())
            cells[choose.randrange(len(cells))] = choose.randrange(3)
            node = Node(parent, setup=sgf.text_of(cells, choose.randrange(2)))
            states.append(rules.from_text(node.setup))
        elif state.is_over:
            continue
        else:
            move = choose.choice(state.legal_moves())
            states.append(state.play(move))
            node = Node(parent, move)
        nodes.append(annotated(choose, node, size))
    tree = in_order(nodes)
    comments = variations.main_comments(tree)
    moves = [move for place in main_line(tree) if (move := tree[place].move) is not None]
    evals = {number: choose.choice([0.5, -12.0]) for number in range(1, len(moves), 3)}
    return Record(
        rules.spec,
        players=(choose.choice(["", "Ann ]"]), choose.choice(["", "Bob \\"])),
        start=start,
        moves=moves,
        result=choose.choice(["", "B+R", "W+T"]),
        meta={"EV": "Spring cup"}
        | ({"comments": comments} if comments else {})
        | ({"evals": evals} if evals else {}),
        tree=variations.unless_plain(tree),
    )


def annotated(choose: random.Random, node: Node, size: int) -> Node:
    def squares(chance: float) -> list[int]:
        return choose.sample(range(size**2), 2) if choose.random() < chance else []

    return Node(
        node.parent,
        node.move,
        node.setup,
        comment=choose.choice(WORDS) if choose.random() < 0.3 else "",
        marks={cell: choose.choice(SHAPES) for cell in squares(0.3)},
        labels={cell: choose.choice(["A", "12", "x]y", "q:\\", "三"]) for cell in squares(0.2)},
        other={"N": ("a name\\]",), "BL": ("30.5",)} if choose.random() < 0.1 else {},
    )


HUNDREDS = [
    range(QUICK),
    *(pytest.param(range(at, at + 100), marks=pytest.mark.long) for at in range(0, TREES, 100)),
]


@pytest.mark.parametrize("seeds", HUNDREDS, ids=str)
def test_a_tree_reads_as_it_was_written(seeds: range) -> None:
    for seed in seeds:
        record = grown(seed)
        text = sgf.dumps(record)
        (again,) = sgf.loads(text)
        assert again == record, seed
        assert records.read_format(text.encode(), ".sgf") == [record], seed
        assert records.read_format(text.encode()) == [record], seed


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
    nodes, rules = record.nodes(), honte.game(record.game_spec)
    children = children_of(nodes)
    todo = [(0, theirs.get_root())]
    while todo:
        place, node = todo.pop()
        ours = nodes[place]
        assert (node.get("C") if node.has_property("C") else "") == ours.comment
        moves = [node.get_raw(key).decode() for key in "BW" if node.has_property(key)]
        expected = [] if ours.move is None else [rules.format(ours.move).replace("pass", "")]
        assert moves == expected
        assert len(node) == len(children[place])
        todo += list(zip(children[place], node, strict=True))


def test_our_own_text_holds_as_much() -> None:
    for seed in range(QUICK):
        record = grown(seed)
        (again,) = records.read_text(records.write_text(record))
        assert (again.tree, again.moves, again.start) == (record.tree, record.moves, record.start)


def test_a_game_as_other_programs_write_it_is_read() -> None:
    (record,) = sgf.loads(GAME)
    game = honte.game("othello")
    assert (record.game_spec, record.players, record.score) == ("othello", ("ann", "bob"), 4.0)
    assert record.start is None
    assert record.moves == game.read_moves("f5d6c3")
    letters = GAME.replace("f5", "fe").replace("d6", "df").replace("c3", "cc")
    assert sgf.loads(letters)[0].moves == record.moves
    bare = GAME.replace("AB[e4][d5]AW[d4][e5]", "").replace("SZ[8]", "")
    assert sgf.loads(bare)[0] == record


def test_passes_that_are_left_out_are_put_in() -> None:
    (record,) = sgf.loads("(;GM[2]AB[a1]AW[b1][d1]PL[B];B[c1];B[e1])")
    assert record.moves == [2, 64, 4]
    (again,) = sgf.loads(sgf.dumps(record))
    assert again.moves == record.moves
    assert "W[]" in sgf.dumps(record)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GAME.replace("GM[2]", "GM[1]"), "GM[1] is another game; only Othello, GM[2], is read"),
        (GAME.replace("SZ[8]", "SZ[10]"), "SZ[10] is no board of Othello"),
        (GAME.replace("c3", "z9"), "move 3, B[z9]: 'z9' is not a square; write a1 to h8"),
        (GAME.replace("AB[e4]", "AB[e9]"), "AB[e9]: 'e9' is not a square"),
        (GAME.replace("AB", "PL[x]AB"), "PL[x] is not a side; write B or W"),
        (GAME.replace(";W[d6]", ";W[d6]B[c3]"), "move 2 is of both colours"),
        (GAME[:-1], "the text ends within the game"),
    ],
)
def test_an_error_names_the_game_and_the_place(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        sgf.loads(text)
    assert str(error.value).startswith(f"game 1: {message}")


@pytest.mark.parametrize("wrong", [GAME.replace("c3", "z9"), GAME.replace("AB[e4]", "AB[e9]")])
def test_every_part_of_an_error_can_be_translated(wrong: str) -> None:
    with pytest.raises(ValueError, match="is not a square") as error:
        sgf.loads(wrong)
    told = error.value.args[0]
    for _ in range(2):  # the game, then the node
        assert isinstance(told, Message)
        told = told.values["error"]
    assert isinstance(told, Message)


def test_an_illegal_move_is_named() -> None:
    (record,) = sgf.loads(GAME.replace("c3", "a1"))
    with pytest.raises(honte.IllegalMove, match=r"^move 3 of the record: a1 turns no disc"):
        list(record.states())


def test_go_and_othello_are_told_apart_by_their_first_bytes(tmp_path: Path) -> None:
    for text, name in ((GAME, "othello"), ("(;SZ[9];B[ee])", "go"), ("(;GM[1]SZ[9])", "go")):
        path = tmp_path / "game.sgf"
        path.write_text(text)
        assert records.load(path)[0].game_spec.partition(":")[0] == name


def test_the_commands_read_and_write_it(tmp_path: Path) -> None:
    path, out = tmp_path / "game.sgf", tmp_path / "out.sgf"
    path.write_text(GAME.replace("B[f5]", "B[f5]C[usual](;W[f6])(").replace("B[c3])", "B[c3]))"))
    done = command("show", str(path))
    assert done.code == 0, done.errors
    path.write_text(GAME)
    done = command("review", str(path), "--iterations", "500", "--sgf", str(out))
    assert done.code == 0, done.errors
    (record,) = sgf.loads(out.read_text())
    assert record.moves == sgf.loads(GAME)[0].moves
    assert set(record.meta["evals"]) == {1, 2, 3}


def test_the_page_opens_and_saves_it() -> None:
    (opened,) = exchange.load(GAME.replace("W[d6]", "W[d6]C[tiger]CR[d6]"))["games"]
    assert (opened["game"], opened["moves"]) == ("othello", ["f5", "d6", "c3"])
    assert opened["nodes"][2]["marks"] == {"5/3": "circle"}
    assert opened["comments"] == {"2": "tiger"}
