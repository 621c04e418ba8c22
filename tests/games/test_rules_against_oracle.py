"""Random games in which honte's rules and the naive ones must agree at every ply.

Half of the moves tried are garbage. HONTE_PLIES sets the number of plies per game, HONTE_SEED the
seed; a failure names the seed, the game's spec and the moves that lead to it.
"""

from __future__ import annotations

import copy
import os
import pickle
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest

import honte
from tests.oracle import connect4, go, othello

PLIES = int(os.environ.get("HONTE_PLIES", "7000"))
SEED = int(os.environ.get("HONTE_SEED", "1"))
# Shorter runs only reproduce a failure: they are too short to cover every case.
ENOUGH_TO_MEET_EVERYTHING = 7_000
KEPT_STATES = 4


class Board(NamedTuple):
    """One game to be played: its spec, the naive start, and how long it may last."""

    spec: str
    start: Any
    longest: int


class Rules(NamedTuple):
    """The rules of one kind of random games."""

    draw_board: Callable[[random.Random], Board]
    choose: Callable[[random.Random, Any, float], int]
    moves: Callable[[Any], int]
    note: Callable[[Counter[str], Any, int, Any], None]
    note_end: Callable[[Counter[str], Any], None]


class Difference(AssertionError):
    """Honte and the naive rules disagree on a position."""


class Run:
    """A number of plies of random games of one kind, and what was met in them."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules = rules
        self.seed = seed
        self.seen: Counter[str] = Counter()
        self.specs: set[str] = set()
        self.plies = self.boards = self.garbage = 0

    def play(self, plies: int) -> None:
        while self.plies < plies:
            rng = random.Random(f"{self.seed}/{self.boards}")
            board = self.rules.draw_board(rng)
            self.specs.add(board.spec)
            self.boards += 1
            moves: list[int] = []
            try:
                self.play_game(rng, board, moves)
            except Exception as error:
                raise Difference(
                    f"{error!r} in game {self.boards} of HONTE_SEED={self.seed}: "
                    f"{board.spec!r} after the moves {moves}"
                ) from error

    def play_game(self, rng: random.Random, board: Board, moves: list[int]) -> None:
        naive, state = board.start, honte.game(board.spec).start()
        # How eagerly this game's players seek what makes a game long or full of captures.
        zeal = rng.choice((0.0, 0.5, 0.95))
        before = naive.legal_moves()
        kept: list[tuple[Any, tuple[object, ...]]] = []
        agree(state, naive, None)
        for _ in range(board.longest):
            legal = naive.legal_moves()
            if not legal:
                break
            self.try_garbage(rng, state, naive, before)
            if rng.random() < 0.1:
                check_round_trips(state)
            if rng.random() < 0.03:
                self.try_every_move(state, naive)
            move = self.rules.choose(rng, naive, zeal)
            moves.append(move)
            following, state_before = naive.play(move), state
            state = state.play(move)
            agree(state, following, move)
            same(state != state_before, True, "a move makes another state")
            if rng.random() < 0.05:  # play on with a copy that must be as good
                state = rng.choice((copy.copy, copy.deepcopy, by_pickle))(state)
                agree(state, following, move)
            if len(kept) < KEPT_STATES and rng.random() < 0.1:
                kept.append((state, snapshot(state)))
            self.rules.note(self.seen, naive, move, following)
            naive, before = following, legal
            self.plies += 1
        check_round_trips(state)
        self.try_garbage(rng, state, naive, before)
        self.try_every_move(state, naive)
        for old, picture in kept:
            same(snapshot(old), picture, "an old state")
        if naive.is_over:
            self.rules.note_end(self.seen, naive)

    def try_garbage(self, rng: random.Random, state: Any, naive: Any, before: list[int]) -> None:
        """Try one illegal move of a random kind."""
        picture = snapshot(state)
        illegal = False
        while not illegal:
            move = garbage_move(rng, self.rules.moves(naive), naive, before)
            illegal = self.try_move(state, naive, move)
        same(snapshot(state), picture, "the state after a refused move")

    def try_every_move(self, state: Any, naive: Any) -> None:
        for move in range(-2, self.rules.moves(naive) + 2):
            self.try_move(state, naive, move)

    def try_move(self, state: Any, naive: Any, move: int) -> bool:
        """Play a move on both; say whether it was illegal."""
        why = naive.why_illegal(move)
        try:
            after = state.play(move)
        except honte.IllegalMove:
            same("illegal", "illegal" if why else "legal", f"move {move}")
            self.garbage += 1
            self.seen[f"refused: {why}"] += 1
            return True
        same("legal", "illegal" if why else "legal", f"move {move}")
        same(after.cells(), naive.play(move).cells(), f"cells after move {move}")
        return False


def garbage_move(rng: random.Random, moves: int, naive: Any, before: list[int]) -> int:
    """Draw a number that is probably no legal move, in one of the ways programs go wrong."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice((-1, -2, -rng.randrange(1, 500), moves, moves + rng.randrange(1, 500)))
    if kind == 1:
        return rng.choice((1, -1)) * rng.choice((2**31, 2**32, 2**63, 2**64, 2**70, 10**400))
    if kind == 2:  # right only in its low bits
        legal: list[int] = naive.legal_moves() or [0]
        offset = 1 << rng.choice((8, 16, 31, 32, 63, 64, 70))
        return rng.choice(legal) + rng.choice((offset, -offset))
    if kind == 3:  # good a moment ago
        return rng.choice(before)
    return rng.randrange(moves + 1)


def agree(state: Any, naive: Any, last_move: int | None) -> None:
    """Raise unless both agree on a position."""
    same(state.cells(), naive.cells(), "cells")
    same(state.to_move, naive.to_move, "to_move")
    same(state.legal_moves(), naive.legal_moves(), "legal_moves")
    same(state.is_over, naive.is_over, "is_over")
    same(state.winner, naive.winner, "winner")
    same(state.score, naive.score, "score")
    same(state.last_move, last_move, "last_move")


def same(honte_says: object, rules_say: object, what: str) -> None:
    if honte_says != rules_say:
        raise Difference(f"{what}: honte says {honte_says!r}, the rules say {rules_say!r}")


def snapshot(state: Any) -> tuple[object, ...]:
    return state.to_text(), hash(state), state.last_move


def by_pickle(state: Any) -> Any:
    return pickle.loads(pickle.dumps(state))


def check_round_trips(state: Any) -> None:
    """A state written down and read again is equal, hashes alike and allows the same moves."""
    for what, twin in (
        ("text", state.game.from_text(state.to_text())),
        ("pickle", by_pickle(state)),
    ):
        same(twin == state, True, f"equality after {what}")
        same(hash(twin), hash(state), f"hash after {what}")
        same(twin.legal_moves(), state.legal_moves(), f"legal_moves after {what}")
        same(twin.to_text(), state.to_text(), f"text after {what}")


# Connect Four: the whole range of shapes; zealous players avoid winning, so that boards fill.


def draw_connect4(rng: random.Random) -> Board:
    rows, cols = rng.randint(4, 16), rng.randint(4, 16)
    if rng.random() < 0.4:
        rows, cols = rng.randint(4, 7), rng.randint(4, 7)
    # A line longer than the board is refused by the spec.
    inarow = 4 if rng.random() < 0.75 else rng.randint(2, min(6, max(rows, cols)))
    blocked: set[tuple[int, int]] = set()
    for _ in range(rng.randint(0, 6)):
        # Bugs hide in the top and bottom rows.
        row = rng.choice((0, rows - 1, rng.randrange(rows), rng.randrange(rows)))
        blocked.add((row, rng.randrange(cols)))
    spec = f"connect4:rows={rows},cols={cols},inarow={inarow}"
    if blocked:
        spec += ",blocked=" + "+".join(f"{row}/{col}" for row, col in sorted(blocked))
    return Board(spec, connect4.Position(rows, cols, inarow, blocked), rows * cols + 1)


def choose_connect4(rng: random.Random, position: connect4.Position, zeal: float) -> int:
    legal = position.legal_moves()
    move = rng.choice(legal)
    if rng.random() < zeal:
        rng.shuffle(legal)
        for move in legal:
            if position.play(move).winner is None:
                break
    return move


def note_connect4(
    seen: Counter[str], before: connect4.Position, move: int, after: connect4.Position
) -> None:
    assert after.landed is not None
    row, col = after.landed
    column = [cells[col] for cells in after.grid]
    if row + 1 < after.rows and column[row + 1] == connect4.BLOCKED:
        seen["rests on a blocked cell"] += 1
        if row + 2 == after.rows:
            seen["rests on a blocked bottom"] += 1
    if connect4.EMPTY not in column:
        seen["fills a column"] += 1
        if column[0] == connect4.BLOCKED:
            seen["fills a column under a blocked top"] += 1
    for direction in after.won_by:
        seen[f"player {before.to_move} wins by a {direction}"] += 1
    if len(after.won_by) > 1:
        seen["wins two ways at once"] += 1


def note_end_connect4(seen: Counter[str], position: connect4.Position) -> None:
    if position.winner is None:
        seen["draw"] += 1


# Othello: nothing to steer; the small boards make passes and early ends plentiful.


def draw_othello(rng: random.Random) -> Board:
    size = rng.choice((4, 4, 4, 4, 6, 6, 6, 8, 8))
    return Board(f"othello:size={size}", othello.Position(size), 200)


def choose_othello(rng: random.Random, position: othello.Position, zeal: float) -> int:
    legal = position.legal_moves()
    if rng.random() < zeal and legal != [othello.PASS]:  # greed wipes the opponent out
        discs = position.to_move + 1
        return max(legal, key=lambda move: position.play(move).cells().count(discs))
    return rng.choice(legal)


def note_othello(
    seen: Counter[str], before: othello.Position, move: int, after: othello.Position
) -> None:
    if move == othello.PASS:
        seen[f"pass by {before.to_move}"] += 1


def note_end_othello(seen: Counter[str], position: othello.Position) -> None:
    cells = position.cells()
    winner = {0: "black", 1: "white", None: "nobody"}[position.winner]
    seen[f"size {position.size} is played out"] += 1
    seen[f"{winner} wins"] += 1
    seen["ends on a full board" if othello.EMPTY not in cells else "ends with empties"] += 1
    if othello.BLACK not in cells or othello.WHITE not in cells:
        seen["a player is wiped out"] += 1


# Go: small boards and eager captures, so that kos and whole groups come and go.


def draw_go(rng: random.Random) -> Board:
    size = rng.choice((2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8, 9))
    if rng.random() < 0.02:
        size = rng.choice((10, 13, 16, 19))
    ko = rng.choice(("simple", "positional", "situational"))
    suicide = rng.random() < 0.5
    komi = rng.choice((0.0, 0.0, 1.0, -3.0, 0.5, 7.5))
    spec = f"go:size={size},komi={komi},ko={ko},suicide={'yes' if suicide else 'no'}"
    start = go.Position(size, komi, ko, suicide)
    if size >= 7 and rng.random() < 0.2:
        stones = rng.randint(2, 4)
        spec += f",handicap={stones}"
        # Handicap placement is custom, not rule: honte sets the stones, and White moves first.
        first: Any = honte.game(spec).start()
        board = first.cells()
        same(Counter(board)[go.BLACK], stones, "handicap stones")
        start = go.Position(size, komi, ko, suicide, board, to_move=1)
    return Board(spec, start, 40 + 4 * size * size)


def choose_go(rng: random.Random, position: go.Position, zeal: float) -> int:
    *stones, passing = position.legal_moves()
    if not stones or rng.random() < (0.3 if position.passes else 0.02):
        return passing
    if rng.random() < zeal:
        kos = [move for move in stones if position.place(move).ko_point is not None]
        captures = [move for move in stones if position.place(move).captured]
        if captures:
            return rng.choice(kos or captures)
    if rng.random() < 0.2:
        suicides = [move for move in stones if position.place(move).suicides]
        if suicides:
            return rng.choice(suicides)
    return rng.choice(stones)


def note_go(seen: Counter[str], before: go.Position, move: int, after: go.Position) -> None:
    if move == before.pass_move:
        seen["pass"] += 1
        if before.passes == 0 and before.ko_point is not None:
            seen["pass in a ko"] += 1
        return
    if before.passes:
        seen["play goes on after a pass"] += 1
    placement = before.place(move)
    if placement.captured:
        many = "several stones" if placement.captured > 1 else "one stone"
        seen[f"captures {many}"] += 1
    if placement.suicides:
        many = "several stones" if placement.suicides > 1 else "one stone"
        seen[f"suicide of {many}, {before.ko}"] += 1
    for point in range(before.pass_move):
        if before.why_illegal(point) == "ko":
            if point == before.ko_point:
                seen[f"{before.ko} ko"] += 1
            elif before.place(point).suicides:
                seen[f"{before.ko} superko against a suicide"] += 1
            else:
                seen[f"{before.ko} superko after a longer cycle"] += 1
    if before.ko == "situational" and (after.board, before.to_move) in before.earlier:
        seen["an earlier board with the other side to move"] += 1


def note_end_go(seen: Counter[str], position: go.Position) -> None:
    seen[f"winner {position.winner}"] += 1


CONNECT4 = Rules(
    draw_connect4, choose_connect4, lambda naive: int(naive.cols), note_connect4, note_end_connect4
)
OTHELLO = Rules(draw_othello, choose_othello, lambda naive: 65, note_othello, note_end_othello)
GO = Rules(draw_go, choose_go, lambda naive: int(naive.pass_move) + 1, note_go, note_end_go)

CONNECT4_CASES = [
    *(f"player {p} wins by a {line}" for p in (0, 1) for line in connect4.DIRECTIONS),
    "wins two ways at once",
    "draw",
    "rests on a blocked cell",
    "rests on a blocked bottom",
    "fills a column",
    "fills a column under a blocked top",
    *(f"refused: {why}" for why in ("over", "range", "full")),
]
OTHELLO_CASES = [
    *(f"pass by {player}" for player in (0, 1)),
    *(f"size {size} is played out" for size in (4, 6, 8)),
    *(f"{winner} wins" for winner in ("black", "white", "nobody")),
    "a player is wiped out",
    "ends on a full board",
    "ends with empties",
    *(f"refused: {why}" for why in ("over", "range", "occupied", "pass", "no flip")),
]
GO_CASES = [
    "pass",
    "pass in a ko",
    "play goes on after a pass",
    "captures one stone",
    "captures several stones",
    *(f"suicide of several stones, {ko}" for ko in ("simple", "positional", "situational")),
    *(f"suicide of one stone, {ko}" for ko in ("simple", "situational")),
    *(f"{ko} ko" for ko in ("simple", "positional", "situational")),
    *(f"{ko} superko after a longer cycle" for ko in ("positional", "situational")),
    *(f"{ko} superko against a suicide" for ko in ("positional", "situational")),
    "an earlier board with the other side to move",
    *(f"winner {winner}" for winner in (0, 1, None)),
    *(f"refused: {why}" for why in ("over", "range", "occupied", "suicide", "ko")),
]


def check(
    name: str, rules: Rules, cases: Iterable[str], specs: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Play the plies of one game, report on them, and require that every case occurred."""
    run = Run(rules, SEED)
    started = time.perf_counter()
    run.play(PLIES)
    seconds = time.perf_counter() - started
    with capsys.disabled():
        print(
            f"\n{name}: {run.plies:,} plies, {run.boards:,} boards of {len(run.specs):,} kinds, "
            f"{run.garbage:,} garbage moves refused, 0 differences, {seconds:.1f} s"
        )
    if run.plies >= ENOUGH_TO_MEET_EVERYTHING:
        missed = [case for case in cases if not run.seen[case]]
        assert not missed, f"the run never met {missed}; it met {dict(run.seen)}"
        assert len(run.specs) >= specs


def test_connect_four_is_played_by_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    check("connect4", CONNECT4, CONNECT4_CASES, 200, capsys)


def test_othello_is_played_by_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    check("othello", OTHELLO, OTHELLO_CASES, 3, capsys)


def test_go_is_played_by_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    check("go", GO, GO_CASES, 30, capsys)
