"""The opening book of 7×6, and Connect Four by proof as a player."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import pytest

import honte
from honte.games.contract import State
from honte.search import book
from honte.search.book import Book, Entry
from honte.search.perfect import Perfect, plies_to_end
from honte.search.solver import Solver
from tests.cli.command import honte as command
from tests.search.positions import random_state

GAME = honte.game("connect4")


def mirrored(state: State) -> State:
    board, side = state.to_text().split()
    return GAME.from_text("/".join(row[::-1] for row in board.split("/")) + " " + side)


def test_a_position_and_its_mirror_image_have_one_entry() -> None:
    rng = random.Random(1)
    for _ in range(50):
        state = random_state(GAME, rng, rng.randint(0, 20))
        made = Book()
        made.add(state, Entry(3, 1))
        assert made.find(state) == Entry(3, 1)
        image = mirrored(state)
        assert made.find(image) in (Entry(3, 5), Entry(3, 1))
        assert len(made) == 1
        key, is_image = book.key_of(state)
        assert book.state_of(key) == (image if is_image else state)


def test_a_book_comes_back_from_its_file(tmp_path: Path) -> None:
    made = Book()
    rng = random.Random(2)
    for score in range(-20, 21):
        made.add(random_state(GAME, rng, 8), Entry(score, rng.randrange(7)))
    path = tmp_path / "some.book"
    made.write(path, {"game": "connect4"})
    about, found = book.read(path)
    assert about["positions"] == len(made)
    assert found.entries() == made.entries()
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ValueError, match="no opening book"):
        book.read(path)


def test_the_committed_book_begins_in_the_middle_and_wins() -> None:
    entry = book.standard().find(GAME.start())
    assert entry == Entry(1, 3)


def test_late_entries_of_the_committed_book_are_what_the_solver_finds() -> None:
    entries = book.standard().entries()
    latest = sorted(entries, key=lambda e: -sum(map(bool, book.state_of(e[0]).cells())))[:200]  # type: ignore[attr-defined]
    solver = Solver(GAME, memory_mb=64)
    checked = 0
    for key, entry in random.Random(3).sample(latest, min(6, len(latest))):
        state = book.state_of(key)
        solved = solver.solve(state, nodes=3_000_000, line=False)
        assert solved.low <= entry.score <= solved.high
        checked += solved.score is not None
        assert entry.move in state.legal_moves()
    assert checked or len(entries) < 300


def test_the_lines_of_the_book_follow_its_own_moves() -> None:
    made = Book()
    start = GAME.start()
    made.add(start, Entry(1, 3))
    layers = book.lines(made, 2)
    assert next(layers) == [start]
    assert len(next(layers)) == 4  # the first moves, mirror images once
    met = next(layers)
    assert len(met) == 4
    assert all(state.cells()[5 * 7 + 3] == 1 for state in met)  # type: ignore[attr-defined]


def test_best_opens_by_the_book_with_a_proof() -> None:
    report = honte.player("best", GAME).choose(GAME.start())
    assert (GAME.format(report.move), report.proven, report.value) == ("4", "win", 1.0)
    assert report.distance == 41
    assert report.candidates[0].score == 1
    assert sorted(candidate.move for candidate in report.candidates) == list(range(7))
    assert report.pv[0] == report.move


def test_best_plays_a_move_that_keeps_the_score() -> None:
    rng = random.Random(4)
    player = honte.player("best:seconds=20", GAME)
    solver = Solver(GAME, memory_mb=64)
    for _ in range(6):
        state = random_state(GAME, rng, 16)
        report = player.choose(state)
        score = solver.solve(state).score
        assert score is not None
        after = state.play(report.move)
        reached = (0 if after.winner is None else score) if after.is_over else None
        assert (-(solver.solve(after).score or 0) if reached is None else reached) == score
        assert report.distance == plies_to_end(state, score)
        assert report.pv[0] == report.move


def test_without_a_proof_it_searches_and_keeps_its_time() -> None:
    game = honte.game("connect4:rows=9,cols=9,blocked=4/4")
    began = time.monotonic()
    report = honte.player("solver:seconds=0.4", game).choose(game.start())
    assert time.monotonic() - began < 10
    assert report.iterations > 0
    assert report.proven is None
    assert report.move in game.start().legal_moves()


def test_a_limit_of_iterations_is_kept_by_both() -> None:
    report = honte.player("best:iterations=2000,book=no", GAME).choose(GAME.start())
    assert report.iterations == 2000
    assert report.stopped == "iterations"


def test_another_thread_may_stop_it() -> None:
    search = Perfect(GAME, book=False)
    timer = threading.Timer(0.3, search.stop)
    timer.start()
    began = time.monotonic()
    report = search.search(GAME.start(), honte.Limit(seconds=600))
    timer.join()
    assert time.monotonic() - began < 60
    assert report.move in range(7)


def test_other_boards_keep_their_uct() -> None:
    game = honte.game("connect4:course")
    assert hasattr(honte.player("best", game), "uct")
    assert hasattr(honte.player("level:20", GAME), "uct")
    assert honte.player("level:20", GAME).uct is not None  # type: ignore[attr-defined]


def test_a_book_is_built_and_goes_on_where_it_was(tmp_path: Path) -> None:
    made = Book()
    late = random_state(GAME, random.Random(5), 14)

    class Quick(Solver):
        def solve(self, state: State, **settings: object) -> object:  # type: ignore[override]
            return super().solve(late, line=False)

    seen: list[tuple[int, int, int]] = []
    book.build(made, book.everything(1), Quick(GAME), lambda *told: seen.append(told))
    assert seen == [(0, 1, 1), (1, 1, 4), (1, 2, 4), (1, 3, 4), (1, 4, 4)]
    assert len(made) == 5
    path = tmp_path / "five.book"
    made.write(path, {"game": "connect4"})
    code, output, _ = command("book", "-o", str(path), "--lines", "0")
    assert code == 0
    assert "5 positions" in output
