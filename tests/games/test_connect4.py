"""Connect Four: where pieces fall, what wins, and what blocked cells do to both."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import honte
from tests.pictures import after, chosen, picture, set_up, show, try_to_read, written

# -- falling ---------------------------------------------------------------------------


def test_a_piece_falls_to_the_lowest_free_cell() -> None:
    assert show(after("connect4:rows=4,cols=4", "1121")) == picture("""
        . . . .
        O . . .
        O . . .
        X X . .
    """)


def test_a_piece_rests_on_the_blocked_cell() -> None:
    assert show(after("connect4:rows=5,cols=4,blocked=2/1", "2222")) == picture("""
        . O . .
        . X . .
        . # . .
        . O . .
        . X . .
    """)


def test_a_blocked_bottom_cell_lifts_the_first_piece() -> None:
    assert show(after("connect4:rows=4,cols=4,blocked=3/2", "33")) == picture("""
        . . . .
        . . O .
        . . X .
        . . # .
    """)


def test_a_column_is_full_below_a_blocked_top_cell() -> None:
    state = after("connect4:rows=4,cols=4,blocked=0/0", "111")
    assert show(state) == picture("""
        # . . .
        X . . .
        O . . .
        X . . .
    """)
    assert written(state) == ["2", "3", "4"]


def test_several_blocked_cells_in_a_column_are_all_skipped() -> None:
    assert show(after("connect4:rows=8,cols=4,blocked=7/1+4/1+5/1+1/1", "2222")) == picture("""
        . O . .
        . # . .
        . X . .
        . O . .
        . # . .
        . # . .
        . X . .
        . # . .
    """)


def test_a_column_with_nothing_but_blocked_cells_is_full_from_the_start() -> None:
    state = honte.game("connect4:rows=4,cols=4,blocked=0/1+1/1+2/1+3/1").start()
    assert written(state) == ["1", "3", "4"]


def test_a_column_whose_only_free_cells_are_blocked_is_full() -> None:
    state = after("connect4:rows=4,cols=4,blocked=0/3+1/3", "44")
    assert show(state) == picture("""
        . . . #
        . . . #
        . . . O
        . . . X
    """)
    assert written(state) == ["1", "2", "3"]


def test_a_state_tells_where_a_piece_would_land() -> None:
    state = after("connect4:rows=4,cols=4,blocked=3/0+0/1", "222")
    assert [state.landing_row(col) for col in range(4)] == [2, None, 3, 3]
    assert state.landing_row(-1) is None
    assert state.landing_row(4) is None
    assert state.game.format_cell(state, 0) == "2/0"


# -- winning ---------------------------------------------------------------------------


def test_four_in_a_row_win() -> None:
    state = after("connect4", "1122334")
    assert show(state) == picture("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        O O O . . . .
        X X X X . . .
    """)
    assert (state.is_over, state.winner, state.score) == (True, 0, 1)
    assert state.legal_moves() == []


def test_four_in_a_column_win() -> None:
    state = after("connect4", "1212121")
    assert show(state) == picture("""
        . . . . . . .
        . . . . . . .
        X . . . . . .
        X O . . . . .
        X O . . . . .
        X O . . . . .
    """)
    assert (state.is_over, state.winner, state.score) == (True, 0, 1)


def test_four_on_a_rising_diagonal_win() -> None:
    state = after("connect4", "12233434474")
    assert show(state) == picture("""
        . . . . . . .
        . . . . . . .
        . . . X . . .
        . . X X . . .
        . X X O . . .
        X O O O . . O
    """)
    assert (state.is_over, state.winner, state.score) == (True, 0, 1)


def test_four_on_a_falling_diagonal_win_for_the_second_player_too() -> None:
    state = set_up(
        "connect4",
        """
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . X O . .
        . . . O X O .
        O X . X X X O
        """,
        "O",
    ).play(3)
    assert show(state) == picture("""
        . . . . . . .
        . . . . . . .
        . . . O . . .
        . . . X O . .
        . . . O X O .
        O X . X X X O
    """)
    assert (state.is_over, state.winner, state.score) == (True, 1, -1)


def test_five_in_a_row_win_too() -> None:
    state = set_up(
        "connect4:rows=4",
        """
        . . . . . . .
        . . . . . . .
        O O . O . . .
        X X . X X . O
        """,
    )
    assert state.play(2).winner == 0


def test_a_line_may_end_at_the_edge_but_not_go_round_it() -> None:
    state = set_up(
        "connect4:rows=4,cols=4",
        """
        . . . .
        . . . .
        X X . O
        O O . X
        """,
    )
    assert not state.play(2).is_over  # X X X here, and another at the other end one row below
    assert state.play(2).play(2).play(3).winner is None


@pytest.mark.parametrize(
    ("spec", "drawing", "column"),
    [
        (
            "connect4:rows=4,blocked=3/2",
            """
            . . . . . . .
            . . . . . . .
            O O . . . . .
            X X # X . . O
            """,
            4,
        ),
        (
            "connect4:blocked=3/0",
            """
            . . . . . . .
            . . . . . . .
            X . . . . . .
            # . . . . . .
            X O . . . . .
            X O . O . . .
            """,
            0,
        ),
        (
            "connect4:blocked=3/2",
            """
            . . . . . . .
            . . . . . . .
            . . . X O . .
            . . # O X . .
            . X . X O . .
            X O O X O . .
            """,
            4,
        ),
    ],
    ids=["in a row", "in a column", "on a diagonal"],
)
def test_a_blocked_cell_breaks_a_line(spec: str, drawing: str, column: int) -> None:
    assert not set_up(spec, drawing).play(column).is_over


@pytest.mark.parametrize(("inarow", "plies"), [(2, 3), (3, 5), (4, 7), (5, 9), (6, 11), (7, 13)])
def test_inarow_says_how_many_win(inarow: int, plies: int) -> None:
    game = honte.game("connect4", rows=4, inarow=inarow)
    state: Any = game.start()
    for ply in range(plies):
        assert not state.is_over
        state = state.play(ply // 2)
    assert (state.is_over, state.winner) == (True, 0)


def test_a_full_board_is_a_draw() -> None:
    state = set_up(
        "connect4:rows=4,cols=4",
        """
        O X . X
        X O O X
        O X X O
        X O X O
        """,
        "O",
    )
    assert not state.is_over
    assert written(state) == ["3"]
    state = state.play(2)
    assert (state.is_over, state.winner, state.score) == (True, None, 0)


def test_a_board_on_which_nobody_can_win_any_more_is_not_over_until_it_is_full() -> None:
    """Every line of four runs through a blocked cell, so the game is a draw from the start."""
    game = honte.game("connect4:rows=4,cols=4,blocked=0/0+1/1+2/2+3/3+0/3")
    state: Any = game.start()
    for _ in range(16 - 5):
        assert not state.is_over
        assert state.winner is None
        state = state.play(state.legal_moves()[0])
    assert (state.is_over, state.winner, state.score) == (True, None, 0)


def test_one_playable_cell_makes_a_game_of_one_move() -> None:
    cells = "+".join(f"{row}/{col}" for row in range(4) for col in range(4) if (row, col) != (1, 2))
    state = honte.game(f"connect4:rows=4,cols=4,blocked={cells}").start()
    assert written(state) == ["3"]
    assert state.play(2).is_over


# -- the board of the course -----------------------------------------------------------


def test_the_course_draws_each_size_and_each_cell_equally_often() -> None:
    draws = 4000
    sizes: Counter[tuple[int, int]] = Counter()
    places: Counter[tuple[str, int]] = Counter()
    for seed in range(draws):
        game: Any = honte.game("connect4:course", seed=seed)
        ((row, col),) = game.blocked
        sizes[game.rows, game.cols] += 1
        places["rows", 4 * row // game.rows] += 1
        places["cols", 4 * col // game.cols] += 1
        places["cells", 10 * (row * game.cols + col) // (game.rows * game.cols)] += 1
    assert set(sizes) == {(rows, cols) for rows in range(9, 13) for cols in range(9, 13)}
    assert all(draws / 16 * 0.7 < count < draws / 16 * 1.3 for count in sizes.values())
    # Quarters of a board 9 or 11 long differ by a row, hence the tolerance.
    assert all(draws / 4 * 0.8 < places["rows", i] < draws / 4 * 1.25 for i in range(4))
    assert all(draws / 4 * 0.8 < places["cols", i] < draws / 4 * 1.25 for i in range(4))
    assert all(draws / 10 * 0.75 < places["cells", i] < draws / 10 * 1.25 for i in range(10))


def test_the_course_draws_the_same_board_from_the_same_seed() -> None:
    assert honte.game("connect4:course,seed=7") == honte.game("connect4:course,seed=7")
    assert honte.game("connect4:course") == honte.game("connect4:course,seed=0")
    specs = {honte.game(f"connect4:course,seed={seed}").spec for seed in range(50)}
    assert len(specs) > 45


def test_a_course_board_is_named_by_what_was_drawn() -> None:
    game: Any = honte.game("connect4:course,seed=7,inarow=5")
    ((row, col),) = game.blocked
    assert game.spec == f"connect4:rows={game.rows},cols={game.cols},blocked={row}/{col},inarow=5"


# -- positions as text -----------------------------------------------------------------


@st.composite
def games(draw: st.DrawFn) -> Any:
    rows, cols = draw(st.integers(4, 16)), draw(st.integers(4, 16))
    cell = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    blocked = draw(st.sets(cell, max_size=8))
    inarow = draw(st.integers(2, max(rows, cols)))
    return honte.game("connect4", rows=rows, cols=cols, blocked=blocked, inarow=inarow)


@given(games(), st.lists(st.integers(0, 255), max_size=256))
def test_text_brings_back_any_position_that_play_reaches(game: Any, choices: list[int]) -> None:
    state = chosen(game, choices)
    twin = game.from_text(state.to_text())
    assert twin == state
    assert hash(twin) == hash(state)
    assert twin.to_text() == state.to_text()
    assert twin.legal_moves() == state.legal_moves()
    assert (twin.is_over, twin.winner) == (state.is_over, state.winner)


@given(games(), st.randoms(use_true_random=False))
def test_text_brings_back_any_position_that_can_be_set_up(game: Any, rng: Any) -> None:
    """Colours may lie in any arrangement, if their counts fit the turn order."""
    free = {
        col: [row for row in range(game.rows) if (row, col) not in game.blocked]
        for col in range(game.cols)
    }
    cells = [
        (free[col][-1 - i], col) for col in free for i in range(rng.randint(0, len(free[col])))
    ]
    symbols = [".XO"[1 + i % 2] for i in range(len(cells))]
    rng.shuffle(symbols)
    board = [
        ["#" if (row, col) in game.blocked else "." for col in range(game.cols)]
        for row in range(game.rows)
    ]
    for (row, col), symbol in zip(cells, symbols, strict=True):
        board[row][col] = symbol
    text = "/".join("".join(row) for row in board) + (" O" if len(cells) % 2 else " X")
    state, complaint = try_to_read(game, text)
    if state is None:
        assert "already has a line" in complaint
    else:
        assert state.to_text() == text
        assert game.from_text(state.to_text()) == state
