"""The opening book of 7×6, and Connect Four played perfectly."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest

import honte
from honte.core.contract import State
from honte.games.connect4 import book
from honte.games.connect4.book import Book
from honte.games.connect4.perfect import Perfect, counts, plies_to_end, with_proofs
from honte.games.connect4.solver import Connect4Solver
from honte.search.solver import Solved, SolvedMove, solver_of
from honte.search.uct import Uct
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
        made.add(state, SolvedMove(1, 3, 3))
        assert made.find(state) == SolvedMove(1, 3, 3)
        image = mirrored(state)
        assert made.find(image) in (SolvedMove(5, 3, 3), SolvedMove(1, 3, 3))
        assert len(made) == 1
        key, is_image = book.key_of(state)
        assert book.state_of(key) == (image if is_image else state)


def test_a_book_comes_back_from_its_file(tmp_path: Path) -> None:
    made = Book()
    rng = random.Random(2)
    states = [random_state(GAME, rng, 8) for _ in range(43)]
    bounds = [(score, score) for score in range(-20, 21)] + [(1, book.MOST), (-book.MOST, -1)]
    for state, (low, high) in zip(states, bounds, strict=True):
        made.add(state, SolvedMove(rng.randrange(7), low, high))
    path = tmp_path / "some.book"
    made.write(path, {"game": "connect4"})
    about, found = book.read(path)
    assert about["positions"] == len(made)
    assert found.keys() == made.keys()
    assert [found.find(state) for state in states] == [made.find(state) for state in states]
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ValueError, match="not an opening book"):
        book.read(path)


def test_the_committed_book_begins_in_the_middle_and_wins() -> None:
    entry = book.standard().find(GAME.start())
    assert entry == SolvedMove(3, 1, 1)


def test_late_entries_of_the_committed_book_are_what_the_solver_finds() -> None:
    standard = book.standard()
    states = [book.state_of(key) for key in random.Random(3).sample(standard.keys(), 200)]
    latest = sorted(states, key=lambda state: -sum(map(bool, state.cells())))[:5]  # type: ignore[attr-defined]
    solver = solver_of(GAME, memory_mb=64)
    checked = 0
    for state in latest:
        entry = standard.find(state)
        assert entry is not None
        assert entry.move in state.legal_moves()
        solved = solver.solve(state, wld=True, nodes=1_000_000, line=False)
        assert solved.low <= entry.high
        assert entry.low <= solved.high
        checked += solved.outcome is not None
    assert checked


def test_the_lines_of_the_book_follow_its_own_moves() -> None:
    made = Book()
    start = GAME.start()
    made.add(start, SolvedMove(3, 1, 1))
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
    solver = solver_of(GAME, memory_mb=64)
    for _ in range(6):
        state = random_state(GAME, rng, 16)
        report = player.choose(state)
        score = solver.solve(state).score
        assert score is not None
        after = state.play(report.move)
        reached = (0 if after.winner is None else score) if after.is_over else None
        assert (-(solver.solve(after).score or 0) if reached is None else reached) == score
        assert report.distance == plies_to_end(*counts(state), state.to_move, score)
        assert report.pv[0] == report.move


def test_without_a_proof_it_searches_and_keeps_its_time() -> None:
    game = honte.game("connect4:rows=9,cols=9,blocked=4/4")
    report = honte.player("solver:seconds=0.4", game).choose(game.start())
    assert report.iterations > 0
    assert report.proven is None
    assert report.move in game.start().legal_moves()


LOST = "........./........./...X...X./...OX..O./.X.O#..X./.X.OOO.O./.O.XXX.OO/.O.XXO.XO/OOXXOXXOX X"
"""Every move loses; how soon takes longer to prove."""


def test_a_move_that_the_solver_proves_has_no_estimate() -> None:
    game = honte.game("connect4:rows=9,cols=9,blocked=4/4")
    state = game.from_text(LOST)
    lost = [SolvedMove(move, -book.MOST, -1) for move in state.legal_moves()]
    searched = Uct(game, seed=1).search(state, honte.Limit(iterations=5))
    report = with_proofs(searched, Solved(-book.MOST, -1, lost, [], 0, 0.0, True, "proven"))
    assert (report.proven, report.value) == ("loss", -1)
    for one in report.candidates:
        assert (one.kind, one.proven) == ("exact", "loss")
        assert one.value == one.low == one.high == -1
    lost[:2] = [lost[0]._replace(low=0, high=0), lost[1]._replace(high=book.MOST)]
    report = with_proofs(searched, Solved(0, book.MOST, lost, [], 0, 0.0, False, "time"))
    drawn = next(one for one in report.candidates if one.move == lost[0].move)
    assert (drawn.kind, drawn.proven) == ("exact", "draw")
    assert drawn.value == drawn.low == drawn.high == 0
    assert [one.proven for one in report.candidates[2:]] == ["loss"] * (len(lost) - 2)


def test_the_value_of_a_chosen_move_that_is_proved_a_draw_is_no_estimate() -> None:
    searched = Uct(GAME, seed=1).search(GAME.start(), honte.Limit(iterations=50))
    moves = [SolvedMove(move, -book.MOST, book.MOST) for move in GAME.start().legal_moves()]
    moves[searched.move] = moves[searched.move]._replace(low=0, high=0)
    solved = Solved(0, book.MOST, moves, [], 0, 0.0, False, "time")
    report = with_proofs(searched, solved)
    assert (report.move, report.value) == (searched.move, 0)


def test_a_limit_of_iterations_is_kept_by_both() -> None:
    report = honte.player("best:iterations=2000,book=no", GAME).choose(GAME.start())
    assert report.iterations == 2000
    assert report.stopped == "iterations"


def test_another_thread_may_stop_it() -> None:
    search = Perfect(GAME, book=False)
    token = honte.CancelToken()
    timer = threading.Timer(0.3, token.cancel)
    timer.start()
    report = search.run(honte.Request(GAME.start(), limit=honte.Limit(seconds=600), cancel=token))
    timer.join()
    assert report.stopped == "cancelled"
    assert report.move in range(7)


def test_other_boards_keep_their_uct() -> None:
    game = honte.game("connect4:course")
    for player, board in (("best", game), ("level:20", GAME)):
        made = honte.player(player, board)
        assert made.has_tree
        report = made.choose(board.start(), iterations=100)
        if report.iterations:
            assert made.look([]) is not None


class Guessing(Connect4Solver):
    """A fake solver: a random winner for each position, always the same."""

    def solve(self, state: State, **settings: object) -> Solved:
        low, high = random.Random(book.key_of(state)[0]).choice([(1, 18), (0, 0), (-18, -1)])
        moves = [SolvedMove(state.legal_moves()[0], low, high)]
        return Solved(low, high, moves, [], 0, 0.0, finished=True, stopped="proven")


def test_who_wins_follows_from_the_positions_with_most_stones() -> None:
    made, solver = Book(), Guessing(GAME)
    book.build_all(made, 3, solver, lambda *told: None)

    def outcome(state: State, left: int) -> int:
        if not left:
            solved = solver.solve(state)
            return (solved.low > 0) - (solved.high < 0)
        return max(-outcome(state.play(move), left - 1) for move in state.legal_moves())

    for stones, layer in enumerate(book.everything(3)):
        for state in layer:
            entry = made.find(state)
            assert entry is not None
            assert (entry.low > 0) - (entry.high < 0) == outcome(state, 3 - stones)
            if stones < 3:
                assert -outcome(state.play(entry.move), 2 - stones) == outcome(state, 3 - stones)


class Counting(Guessing):
    """A fake solver: a random score for each position, always the same."""

    def solve(self, state: State, **settings: object) -> Solved:
        assert not settings["wld"]
        score = random.Random(book.key_of(state)[0]).randrange(-18, 19)
        moves = [SolvedMove(state.legal_moves()[0], score, score)]
        return Solved(score, score, moves, [], 0, 0.0, finished=True, stopped="proven")


def test_scores_follow_from_those_of_the_positions_with_most_stones() -> None:
    made, solver = Book(), Counting(GAME)
    made.add(GAME.start(), SolvedMove(3, 1, book.MOST))  # a win of unknown size
    book.build_all(made, 3, solver, lambda *told: None, exact=True)

    def score(state: State, left: int) -> int:
        if not left:
            return solver.solve(state, wld=False).low
        return max(-score(state.play(move), left - 1) for move in state.legal_moves())

    for stones, layer in enumerate(book.everything(3)):
        for state in layer:
            entry = made.find(state)
            assert entry is not None
            assert entry.score == score(state, 3 - stones)


def test_where_every_answer_wins_at_once_the_score_is_known_without_a_search() -> None:
    state = GAME.start()
    for move in GAME.read_moves("31415"):  # three in a row, open at both ends
        state = state.play(move)
    found = book._by_answers(Book(), state)
    assert found.score == solver_of(GAME, memory_mb=64).solve(state, line=False).low


def test_a_book_is_built_and_goes_on_where_it_was(tmp_path: Path) -> None:
    made = Book()
    seen: list[tuple[int, int, int]] = []
    for _ in range(2):  # the second time the book is complete
        book.build_all(made, 1, Guessing(GAME), lambda *told: seen.append(told))
    assert seen == [(1, 1, 4), (1, 2, 4), (1, 3, 4), (1, 4, 4), (0, 1, 1)]
    made.add(GAME.start(), SolvedMove(3, 1, 1))
    assert len(made) == 5
    path = tmp_path / "five.book"
    made.write(path, {"game": "connect4"})
    code, output, _ = command("book", "-o", str(path), "--lines", "0")
    assert code == 0
    assert "5 positions" in output


def test_where_the_book_says_only_who_wins_the_quickest_win_is_looked_for() -> None:
    rng = random.Random(6)
    solver = solver_of(GAME, memory_mb=64)
    wins = losses = 0
    while wins < 3 or losses < 2:
        state = random_state(GAME, rng, 15)
        solved = solver.solve(state)
        if not solved.score or not book.is_needed(state):
            continue
        made = Book()
        only = (1, book.MOST) if solved.score > 0 else (-book.MOST, -1)
        made.add(state, SolvedMove(solved.moves[0].move, *only))
        search = Perfect(GAME)
        search._book = made
        report = search.search(state, honte.Limit(seconds=20))
        assert report.distance == plies_to_end(*counts(state), state.to_move, solved.score)
        assert report.proven == solved.outcome
        in_a_hurry = search.search(state, honte.Limit(nodes=1))
        assert in_a_hurry.proven == solved.outcome
        wins, losses = wins + (solved.score > 0), losses + (solved.score < 0)
        if solved.score > 0:
            assert in_a_hurry.move == solved.moves[0].move
