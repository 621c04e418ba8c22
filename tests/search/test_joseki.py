"""The opening book of Go: its file, its lookups, and its growth."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import honte
from honte.analysis.review import review
from honte.core.contract import State
from honte.drawing.verdict import sentence
from honte.games.go import joseki
from honte.games.go.joseki import ELSEWHERE, Book
from honte.games.go.joseki_building import GoGrower, elsewhere, key_of
from tests.cli.command import honte as command

ITERATIONS = 300
GO9 = honte.game("go:size=9")


def quiet(stage: str, done: int, total: int) -> None:
    pass


@pytest.fixture(scope="module", params=[9, 13])
def grown(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> GoGrower:
    grower = GoGrower(tmp_path_factory.mktemp("book") / "work", request.param, ITERATIONS)
    grower.grow(20, quiet)
    return grower


def turned(state: State, image: int) -> State:
    """The position as one of the eight images of its board."""
    size = state.game.size  # type: ignore[attr-defined]
    rows, side = state.to_text().split()[:2]
    grid = rows.split("/")
    if image & 1:
        grid = ["".join(grid[col][row] for col in range(size)) for row in range(size)]
    if image & 2:
        grid = grid[::-1]
    if image & 4:
        grid = [row[::-1] for row in grid]
    return state.game.from_text("/".join(grid) + " " + side)


@pytest.mark.parametrize("size", [9, 13, 19])
def test_images_of_a_position_have_the_same_keys(size: int) -> None:
    game = honte.game(f"go:size={size}")
    rng = random.Random(size)
    for _ in range(10):
        state = game.start()
        for _ in range(rng.randrange(1, 30)):
            state = state.play(rng.choice(state.legal_moves()[:-1]))
        keys = sorted(key for key, _ in joseki.views(state))
        for image in range(8):
            assert sorted(key for key, _ in joseki.views(turned(state, image))) == keys


def test_an_entry_is_found_in_every_corner_and_from_both_sides() -> None:
    for size in (13, 19):
        game = honte.game(f"go:size={size}")
        for colours in ("XO", "OX"):
            empty = "." * size
            rows = [empty, empty, ".." + colours[1] + "." * (size - 3)] + [empty] * (size - 3)
            state = game.from_text("/".join(rows) + f" {colours[0]}")
            key = next(key for key, _ in joseki.views(state) if "O" in key)
            place = key.index("O")
            book = Book({key: {place + 1: 0.25, ELSEWHERE: 0.0}})
            for image in range(8):
                at = turned(state, image)
                found = book.find(at)
                assert len(found) == 2, "the move and its mirror image"
                stone = next(i for i, cell in enumerate(at.cells()) if cell)  # type: ignore[attr-defined]
                beside = {stone + 1, stone - 1, stone + size, stone - size}
                assert {move for move, _ in found} <= beside
                assert {value for _, value in found} == {0.25}


def test_a_corner_is_left_where_elsewhere_is_better() -> None:
    game = honte.game("go:size=13")
    key = "." * 36
    assert Book({key: {14: 0.1, ELSEWHERE: 0.2}}).find(game.start()) == []
    assert len(Book({key: {14: 0.2, ELSEWHERE: 0.1}}).find(game.start())) == 4


def test_values_are_the_minimax_of_the_searches_below(grown: GoGrower) -> None:
    def value(key: str) -> float:
        if key not in grown.moves:
            return grown.searched[key]
        return max(-value(after) for after in grown.moves[key].values())

    values = grown.values()
    assert len(grown.moves) == 20
    for key in grown.moves:
        assert values[key] == value(key)


def test_the_moves_of_a_grown_book_lead_where_it_says(grown: GoGrower) -> None:
    book = grown.book()
    assert len(book) == 20
    for key, moves in grown.moves.items():
        state = grown.state_of(key)
        assert key_of(state) == key
        for place, after in moves.items():
            if place == ELSEWHERE:
                assert after == elsewhere(key)
            else:
                point = joseki.windows(state.game.size)[0][0][place]  # type: ignore[attr-defined]
                assert key_of(state.play(point)) == after
        for move, _ in book.find(state):
            assert move in state.legal_moves()


def test_growing_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    work = tmp_path / "work"
    first = GoGrower(work, 9, ITERATIONS)
    first.grow(5, quiet)
    again = GoGrower(work, 9, ITERATIONS)
    assert (again.moves, again.searched) == (first.moves, first.searched)
    again.grow(8, quiet)
    assert len(again.moves) == 8
    assert first.moves.items() <= again.moves.items()
    with pytest.raises(ValueError, match="was searched with iterations 300, not 400"):
        GoGrower(work, 9, 400)


def test_a_file_gives_back_the_book(grown: GoGrower, tmp_path: Path) -> None:
    path = tmp_path / "some.book"
    book = grown.book()
    book.write(path, {"iterations": ITERATIONS})
    about, found = joseki.read(path)
    assert about == {"iterations": ITERATIONS, "positions": len(book)}
    assert found.entries.keys() == book.entries.keys()
    for key, moves in book.entries.items():
        assert found.entries[key] == pytest.approx(moves, abs=0.001)
    for broken in (b"nothing", b"{}\nnothing", path.read_bytes()[:-9]):
        path.write_bytes(broken)
        with pytest.raises(ValueError, match=r"some\.book is not an opening book of Go"):
            joseki.read(path)


def test_best_plays_from_the_book_where_it_may() -> None:
    def how(spec: str, player: str = "best:book=yes", **limit: float) -> str:
        game = honte.game(spec)
        made = honte.player(player, game)
        return made.choose(game.start(), honte.Limit(**(limit or {"seconds": 0.02}))).stopped  # type: ignore[arg-type]

    assert how("go:size=9") == how("go:size=13") == how("go:size=19") == "book"
    assert how("go:size=9", "best:book=no") == "time"
    assert how("go:size=9", iterations=50) == "iterations"
    assert how("go:size=9,komi=0.5") == how("go:size=7") == how("go:size=13,handicap=2") == "time"


@pytest.mark.parametrize("size", [13, 19])
def test_a_corner_of_the_book_says_nothing_about_who_wins(size: int) -> None:
    game = honte.game(f"go:size={size}")
    player = honte.player("best:book=yes", game)
    report = player.choose(game.start(), honte.Limit(seconds=0.02))
    assert (report.source, report.kind) == ("book", "bound")
    assert {candidate.chance for candidate in report.candidates} == {None}
    assert {sentence(candidate, "points") for candidate in report.candidates} == {"not known"}
    assert "to win" not in report._repr_html_()
    states = [game.start(), game.start().play(report.move)]
    (remark,) = review(states, "best:book=yes,policy=no,net=no,seed=1", honte.Limit(seconds=0.02))
    assert remark.score is not None
    whole = honte.player("best:book=yes", GO9).choose(GO9.start(), honte.Limit(seconds=0.02))
    assert (whole.source, whole.kind) == ("book", "estimate")


def test_the_installed_book_opens_whole_games_with_legal_moves() -> None:
    for size in (9, 13, 19):
        game = honte.game(f"go:size={size}")
        report = honte.player("best:book=yes", game).choose(game.start(), honte.Limit(seconds=0.02))
        state = game.start()
        for move in report.pv:
            assert move != game.pass_move  # type: ignore[attr-defined]
            state = state.play(move)
        assert len(report.pv) >= 4


def test_the_command_grows_a_book_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "small.book"
    for positions in (3, 5):
        options = ["--positions", str(positions), "--corners", "2", "--iterations", "200"]
        done = command("book", "go", *options, "-o", str(path))
        assert done.code == 0, done.errors
        assert f"{positions + 2} positions" in done.output
    assert len(joseki.read(path)[1]) == 7
