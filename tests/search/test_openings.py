"""The opening book of Othello: its file, its lookups, and its growth."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import honte
from honte.games.othello import book as openings
from honte.games.othello.book_building import OthelloGrower
from honte.games.othello.patterns import Patterns

GAME = honte.game("othello")


def quiet(stage: str, done: int, total: int) -> None:
    pass


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> OthelloGrower:
    grower = OthelloGrower(tmp_path_factory.mktemp("book") / "work", depth=3)
    grower.grow(30, quiet)
    return grower


def test_images_of_a_position_have_one_key() -> None:
    rng = random.Random(2)
    state = GAME.start()
    for _ in range(20):
        state = state.play(rng.choice(state.legal_moves()))
    board, side = state.to_text().split()
    keys = set()
    for image in openings.IMAGES:
        turned = GAME.from_text("".join(board[cell] for cell in image) + f" {side}")
        keys.add(openings.key_of(turned)[0])
    swapped = GAME.from_text(f"{board.translate(openings.SWAPPED)} {'XO'[side == 'X']}")
    keys.add(openings.key_of(swapped)[0])
    assert len(keys) == 1


def test_a_position_and_its_image_have_the_same_moves_in_the_book(grown: OthelloGrower) -> None:
    book = grown.book()
    first = book.find(GAME.start())
    assert sorted(move for move, _ in first) == GAME.start().legal_moves()
    assert len({value for _, value in first}) == 1, "the four first moves are images of each other"
    for move, _ in first:
        state = GAME.start().play(move)
        found = book.find(state)
        assert sorted(move for move, _ in found) == state.legal_moves()
        assert [value for _, value in found] == [
            value for _, value in book.find(GAME.start().play(first[0][0]))
        ]


def test_values_are_the_minimax_of_the_searches_below(grown: OthelloGrower) -> None:
    def value(key: str) -> float:
        if key not in grown.moves:
            return grown.searched[key]
        return max(-value(after) for after in grown.moves[key].values())

    values = grown.values()
    assert len(grown.moves) == 30
    for key in grown.moves:
        assert values[key] == value(key)


def test_growing_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    work = tmp_path / "work"
    first = OthelloGrower(work, depth=3)
    first.grow(16, quiet)
    again = OthelloGrower(work, depth=3)
    assert (again.moves, again.searched) == (first.moves, first.searched)
    again.grow(24, quiet)
    assert len(again.moves) == 24
    assert first.moves.items() <= again.moves.items()
    assert first.searched.items() <= again.searched.items(), "nothing is searched again"
    with pytest.raises(ValueError, match="was searched with depth 3, not 4"):
        OthelloGrower(work, depth=4)


def test_a_file_gives_back_the_book(grown: OthelloGrower, tmp_path: Path) -> None:
    path = tmp_path / "some.book"
    book = grown.book()
    book.write(path, {"depth": 3})
    about, found = openings.read(path)
    assert about == {"depth": 3, "positions": len(book)}
    assert found.entries.keys() == book.entries.keys()
    for key, moves in book.entries.items():
        assert found.entries[key] == pytest.approx(moves, abs=openings.UNIT / 2)
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"some\.book is not an opening book of Othello"):
        openings.read(path)


def test_the_installed_book_knows_every_move_of_its_positions() -> None:
    book = openings.standard()
    assert len(book) >= 100
    for key, moves in book.entries.items():
        assert sorted(moves) == GAME.from_text(f"{key} X").legal_moves()


def test_best_plays_from_the_book_unless_it_is_told_not_to() -> None:
    report = honte.player("best:seed=1", GAME).choose(GAME.start(), honte.Limit(seconds=0.05))
    assert report.stopped == "book"
    assert report.nodes == 0
    assert len(report.pv) > 4
    state = GAME.start()
    for move in report.pv:
        state = state.play(move)
    report = honte.player("best:book=no", GAME).choose(GAME.start(), honte.Limit(seconds=0.05))
    assert report.stopped == "time"


def test_one_seed_opens_in_one_way_and_many_seeds_in_many() -> None:
    def opening(seed: int) -> list[int]:
        player, state, moves = Patterns(GAME, seed=seed), GAME.start(), []
        for _ in range(4):
            moves.append(player.search(state, honte.Limit(seconds=0.02)).move)
            state = state.play(moves[-1])
        return moves

    assert opening(5) == opening(5)
    assert len({tuple(opening(seed)) for seed in range(12)}) > 1


def test_the_command_grows_a_book_and_goes_on(tmp_path: Path) -> None:
    from tests.cli.command import honte as command

    path = tmp_path / "small.book"
    for positions in (5, 9):
        done = command(
            "book", "othello", "--positions", str(positions), "--depth", "2", "-o", str(path)
        )
        assert done.code == 0, done.errors
        assert f"{positions} positions" in done.output
    assert len(openings.read(path)[1]) == 9
    done = command("book", "chess")
    assert done.code == 2
    assert "there is no game 'chess'" in done.errors
