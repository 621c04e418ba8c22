"""Parsers answer any text, however broken, with a value or one clear error.

Specs of games and players, moves, lists of moves, positions, limits: an input is either refused
with a ValueError of one short line, or accepted, and then it reads back as the same thing.
HONTE_FUZZ sets how many inputs are tried in all; HONTE_FUZZ_SEED starts another sequence.
"""

from __future__ import annotations

import math
import os
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import honte

INPUTS = int(os.environ.get("HONTE_FUZZ", "20000"))
SEED = int(os.environ.get("HONTE_FUZZ_SEED", "1"))
LONGEST_SENTENCE = 300
IN_PYTHONS_WORDS = ("invalid literal", "could not convert", "Exceeds the limit", "unpack", "codec")
SLOWEST = 2.0  # seconds of processor time

GAMES = [
    honte.game(spec)
    for spec in (
        "connect4",
        "connect4:rows=12,cols=12,blocked=5/6+0/0",
        "connect4:rows=4,cols=16,inarow=3",
        "othello",
        "othello:size=4",
        "go",
        "go:size=3,ko=simple,suicide=yes",
        "go:size=4,suicide=yes",
        "go:size=19,handicap=4,ko=situational",
    )
]

# -- what must hold for accepted input --------------------------------------------------


def read_spec(text: str) -> None:
    game = honte.game(text)
    again = honte.game(game.spec)
    assert again == game
    assert again.spec == game.spec
    assert again.start() == game.start()
    assert again.from_text(game.start().to_text()) == game.start()


def read_move(text: str, game: honte.Game) -> None:
    move = game.parse(text)
    assert type(move) is int
    assert game.parse(game.format(move)) == move


def read_list(text: str, game: honte.Game) -> None:
    moves = game.read_moves(text)
    state: Any = game.start()
    for move in moves:
        state = state.play(move)
    assert game.read_moves(",".join(map(game.format, moves))) == moves


def read_position(text: str, game: honte.Game) -> None:
    state: Any = game.from_text(text)
    twin: Any = game.from_text(state.to_text())
    assert twin == state
    assert hash(twin) == hash(state)
    assert twin.to_text() == state.to_text()
    assert twin.legal_moves() == state.legal_moves()
    assert state.is_over == (state.legal_moves() == [])


def read_player(text: str) -> None:
    player = honte.player(text, GAMES[0])
    assert honte.player(player.spec, GAMES[0]).spec == player.spec


# -- inputs: valid ones, drawn by their grammar -----------------------------------------

KEYS = {
    "connect4": ["rows", "cols", "blocked", "inarow", "course", "seed"],
    "othello": ["size"],
    "go": ["size", "komi", "ko", "suicide", "handicap"],
    "random": ["seed"],
}
NO_KEYS = ["self", "game", "spec", "name", "settings", "factory", "no_such_key", ""]
NUMBERS = ["0", "-1", "nan", "1e999", "9" * 20, "9" * 400, "1_0", "٣", "²", "0x1", "1.5", "+7"]
VALUES = ["yes", "no", "TRUE", "simple", "positional", "situational", "5/6", "5/6+2/3", "(1,1)"]


def spec(rng: random.Random, game: honte.Game) -> str:
    name = rng.choice([*KEYS, "connect4", "go", "chess", ""])
    keys = KEYS.get(name, NO_KEYS) if rng.random() < 0.9 else NO_KEYS
    items = []
    for key in rng.sample(keys, min(len(keys), rng.choice((0, 1, 1, 2, 3)))):
        small = str(rng.randrange(2, 20))
        value = rng.choice([small, small, small, rng.choice(VALUES), rng.choice(NUMBERS)])
        items.append(key + rng.choice(["=", "=", "=", "", " = "]) + value)
    return name + rng.choice([":", ":", ":", "", " : "]) + rng.choice([",", ", "]).join(items)


def player_spec(rng: random.Random, game: honte.Game) -> str:
    return rng.choice(["random", "random", spec(rng, game)]) + rng.choice(
        ["", f":seed={rng.randrange(2**64)}", f":{rng.choice(NO_KEYS)}={rng.choice(NUMBERS)}"]
    )


def move(rng: random.Random, game: honte.Game) -> str:
    numbers = (str(rng.randrange(25)), str(rng.randrange(25)), rng.choice(NUMBERS))
    first, second = rng.choice(numbers), rng.choice(numbers)
    letter = rng.choice("abcdefghijklmnopqrstABCDEFGHIJKLMNOPQRST")
    cell = f"{first}/{second}"
    words = [first, letter, letter + second, cell, f"({cell})", f"({first}, {second})"]
    return rng.choice([*words, "pass", "PA", "--"])


def list_of_moves(rng: random.Random, game: honte.Game) -> str:
    """Some legal moves, as people write them, and sometimes one that is not legal."""
    state: Any = game.start()
    words = []
    for _ in range(rng.choice((0, 1, 2, 5, 20, 60))):
        if state.is_over:
            break
        state = state.play(rng.choice(state.legal_moves()))
        words.append(game.format(state.last_move))
        if words[-1] == "pass" and rng.random() < 0.1:
            words.pop()
    if rng.random() < 0.3:
        words.append(move(rng, game))
    return rng.choice(["", ",", " ", ", "]).join(words)


def position(rng: random.Random, game: Any) -> str:
    """A position that can be reached, or a board with anything anywhere."""
    if rng.random() < 0.3:
        state: Any = game.start()
        for _ in range(rng.randrange(40)):
            if not state.is_over:
                state = state.play(rng.choice(state.legal_moves()))
        text: str = state.to_text()
        return text
    rows, cols = getattr(game, "rows", None) or game.size, getattr(game, "cols", None) or game.size
    symbols = rng.choice([".XO", "...XO", "........XO", "-XO", "XO", ".XO#"])
    board = ["".join(rng.choice(symbols) for _ in range(cols)) for _ in range(rows)]
    points = "+".join(game.format(rng.randrange(4)) for _ in range(rng.choice((1, 1, 2, 3))))
    fields = ["passes=1", "passes=2", f"ko={points}", f"history={rng.randrange(2**64):x}+1f", "ko="]
    chosen = rng.sample(fields, rng.choice((0, 0, 1, 2)))
    return " ".join(["/".join(board), rng.choice("XO"), *chosen])


# -- inputs: mutations of the valid ones -----------------------------------------------

# Known troublemakers for parsers: separators, NULs, lone surrogates, non-ASCII digits, letters
# whose length changes with case, combining marks, terminal colour codes.
SCRAPS = [
    *" \t\r\n\0\x1b\x7f/,:=+-.#()XOxo*WwBb'\"\\%{}𝟘²٣İßﬁé\u202e\u200d\ufeff\U000e0001",
    *("\ud800", "\udc80\udcff", "\x1b[31m", "pass", "course", "blocked=", "ko=", "history="),
    *NUMBERS,
]


def mangle(rng: random.Random, text: str) -> str:
    """An input with a few mutations, or plain garbage."""
    kind = rng.random()
    if kind < 0.05:
        return "".join(chr(rng.randrange(0x110000)) for _ in range(rng.randrange(60)))
    if kind < 0.1:
        return "".join(rng.choice(SCRAPS) for _ in range(rng.randrange(30)))
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2, 3, 8))):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 0, 1, 1, 2, 5, 40)))
        changes = [
            text[:start],  # cut short
            text[:start] + text[end:],
            text[:start] + rng.choice(SCRAPS) + text[end:],
            text[:start] + text[start:end] * rng.choice((2, 3, 50)) + text[end:],
            text[:start] + rng.choice(text or " ") + text[end:],
            text[start:] + text[:start],
        ]
        text = rng.choice(changes)
    return text


# -- trying them -----------------------------------------------------------------------


def attempt(read: Callable[[], object], given: object) -> bool:
    """Whether an input was accepted; anything but a clean refusal fails the test."""
    started = time.process_time()
    try:
        read()
    except ValueError as error:
        refused = str(error)
        accepted = False
    except BaseException as error:
        pytest.fail(f"{describe(given)} gives {type(error).__name__}: {error}")
    else:
        refused = "accepted"
        accepted = True
    if not (0 < len(refused) < LONGEST_SENTENCE and refused.isprintable()):
        pytest.fail(f"{describe(given)} is refused with {refused[:1000]!r}")
    if any(words in refused for words in IN_PYTHONS_WORDS):
        pytest.fail(f"{describe(given)} is refused in Python's words: {refused}")
    if (seconds := time.process_time() - started) > SLOWEST:
        pytest.fail(f"{describe(given)} took {seconds:.1f} s")
    return accepted


def describe(given: object) -> str:
    text = ascii(given)
    return text if len(text) < 500 else f"{text[:200]} … ({len(text):,} characters) … {text[-200:]}"


Make = Callable[[random.Random, honte.Game], str]
Read = Callable[[str, honte.Game], None]
TARGETS: dict[str, tuple[Make, Read]] = {
    "specs of games": (spec, lambda text, game: read_spec(text)),
    "specs of players": (player_spec, lambda text, game: read_player(text)),
    "moves": (move, read_move),
    "lists of moves": (list_of_moves, read_list),
    "positions": (position, read_position),
}


@pytest.mark.parametrize("target", TARGETS)
def test_a_broken_text_is_refused_in_one_sentence_or_reads_back(target: str) -> None:
    make, read = TARGETS[target]
    rng = random.Random(f"{SEED}/{target}")
    tried = max(1, INPUTS // len(TARGETS))
    accepted = 0
    for _ in range(tried):
        game = rng.choice(GAMES)
        text = mangle(rng, make(rng, game))
        accepted += attempt(partial(read, text, game), (text, game))
    # The test must exercise both acceptance and refusal in every parser.
    assert tried < 1000 or tried * 0.05 < accepted < tried * 0.8, f"{accepted} of {tried} accepted"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("unit", ["4", ".", "/", " ", "D4", "f5", "a=1,", "9", "\0", "\udc80"])
def test_ten_megabytes_are_refused_or_read_in_two_seconds(target: str, unit: str) -> None:
    read = TARGETS[target][1]
    many = unit * (10_000_000 // len(unit))
    for game in GAMES:
        attempt(partial(read, many, game), (unit, game))
    for start in ("go:", "random:seed=", "connect4:blocked=", GAMES[0].start().to_text(), "4 "):
        attempt(partial(read, start + many, GAMES[0]), (start, unit))


def some_number(rng: random.Random) -> Any:
    huge = 10 ** rng.randrange(5000)
    plain = [None, rng.randrange(-5, 50), rng.uniform(-1, 10), 0, 1]
    return rng.choice([*plain, -0.0, 5e-324, math.nan, math.inf, -math.inf, huge, -huge])


def test_a_limit_is_refused_in_one_sentence_or_bounds_something() -> None:
    rng = random.Random(f"{SEED}/limits")
    accepted = tried = 0
    for _ in range(max(100, INPUTS // 30)):
        name = rng.choice(["seconds", "iterations", "nodes", "depth"])
        value = some_number(rng)
        shown = "a huge number" if isinstance(value, int) and abs(value) > 1e6 else value
        accepted += attempt(partial(honte.Limit, **{name: value}), (name, shown))
        tried += 1
    assert tried * 0.1 < accepted < tried * 0.9
