"""Alpha-beta with the report's evaluation: its values, its weights, its files."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import honte
from honte import _native
from honte.core.contract import State
from honte.games.othello import weights as weight_files
from honte.games.othello.alphabeta import WON, AlphaBeta, squash
from honte.games.othello.weights import PRESETS, Weights
from honte.search.textbook import Minimax
from tests.search.positions import random_state

GAME = honte.game("othello")


def plain_evaluation(weights: Weights, state: State) -> float:
    """The report's evaluation square by square, for player 0."""
    size = state.game.size  # type: ignore[attr-defined]
    cells, total = state.cells(), 0.0  # type: ignore[attr-defined]
    for at, cell in enumerate(cells):
        row, col = min(at // size, size - 1 - at // size), min(at % size, size - 1 - at % size)
        worth = weights.squares[max(row, col)][min(row, col)] + weights.discs
        total += worth * ((cell == 1) - (cell == 2))
    for player in (0, 1):
        text = state.to_text()[:-1] + "XO"[player]
        moves = [m for m in state.game.from_text(text).legal_moves() if m != 64]
        total += weights.mobility * len(moves) * (1 - 2 * player)
    return total


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_evaluation_is_the_sum_of_its_parts(size: int) -> None:
    rng = random.Random(1)
    game = honte.game(f"othello:size={size}")
    for _ in range(40):
        weights = Weights.from_list([rng.randint(-300, 300) for _ in range(12)] + [0])
        native = _native.OthelloMinimax(weights.in_hundredths(), True)
        state = random_state(game, rng, rng.randrange(size * size - 6))
        expected = plain_evaluation(weights, state) * (1 - 2 * state.to_move)
        assert native.evaluate(state) == round(100 * expected)  # type: ignore[arg-type]


def test_a_stable_corner_counts() -> None:
    weights = Weights.from_list([0] * 12 + [5])
    native = _native.OthelloMinimax(weights.in_hundredths(), True)
    for text, value in (("XO", 500), ("OX", -500)):  # a1 can never flip, b1 can
        state = GAME.from_text(text + "-" * 62 + " X")
        assert native.evaluate(state) == value  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [60, pytest.param(10_000, marks=pytest.mark.long)])
def test_pruning_changes_no_value_and_searches_less(count: int) -> None:
    rng = random.Random(2)
    plain_nodes = pruned_nodes = 0
    for _ in range(count):
        numbers = [rng.randint(-30_000, 30_000) for _ in range(13)]
        state, depth = random_state(GAME, rng, rng.randrange(58)), rng.randint(1, 4)
        plain = _native.OthelloMinimax(numbers, False).run(state, depth, 1e9, True)  # type: ignore[arg-type]
        pruned = _native.OthelloMinimax(numbers, True).run(state, depth, 1e9, True)  # type: ignore[arg-type]
        best = _native.OthelloMinimax(numbers, True).run(state, depth, 1e9, False)  # type: ignore[arg-type]
        assert plain
        assert pruned
        assert best
        assert plain["moves"] == pruned["moves"]
        assert plain["pv"] == pruned["pv"]
        assert plain["pv"][0] == best["pv"][0]
        plain_nodes, pruned_nodes = plain_nodes + plain["nodes"], pruned_nodes + best["nodes"]
    assert pruned_nodes < plain_nodes / 2


def test_the_textbook_minimax_finds_the_same_moves() -> None:
    rng = random.Random(3)
    weights = PRESETS["report"]
    for _ in range(4):
        state = random_state(GAME, rng, rng.randrange(10, 40))
        search = AlphaBeta(GAME, depth=2, weights="report")
        report = search.search(state)
        plain = Minimax(2, lambda s: squash(round(100 * plain_evaluation(weights, s)), 4 * 29300))
        found = {c.move: c.value for c in plain.search(state).candidates}
        best = max(found.values())
        assert found[report.move] == pytest.approx(best)


def test_values_are_between_the_ends_and_in_order() -> None:
    state = random_state(GAME, random.Random(4), 30)
    report = AlphaBeta(GAME, depth=3, weights="report").search(state)
    values = [candidate.value for candidate in report.candidates]
    assert values == sorted(values, reverse=True)
    assert -1 <= values[-1] <= values[0] <= 1
    assert report.move == report.candidates[0].move == report.pv[0]
    assert {c.move for c in report.candidates} == set(state.legal_moves())
    assert report.value == values[0]
    assert report.stopped == "depth"
    assert report.nodes > 0
    assert squash(-WON - 64, 1) == -1 < squash(-900_000_000, 1) < squash(3, 1) < 1


def test_a_game_that_ends_within_the_depth_has_its_score() -> None:
    state = GAME.from_text("X" * 62 + "O- X")
    report = AlphaBeta(GAME, depth=3).search(state)
    assert (report.proven, report.value, report.candidates[0].score) == ("win", 1.0, 64)


def test_a_deep_search_keeps_to_its_time() -> None:
    report = AlphaBeta(GAME, depth=40).search(GAME.start(), honte.Limit(seconds=0.2))
    assert 5 <= report.depth < 40
    assert report.stopped == "time"
    assert report.seconds < 20


def test_a_limit_of_depth_is_kept() -> None:
    search = AlphaBeta(GAME, depth=4)
    assert search.search(GAME.start(), honte.Limit(depth=2)).depth == 2
    assert search.search(GAME.start(), honte.Limit(depth=9)).depth == 4


def test_weights_are_written_and_read_back(tmp_path: Path) -> None:
    weights = Weights.from_list([i + 0.25 for i in range(13)])
    weights.save(tmp_path / "w.json")
    assert weight_files.load(tmp_path / "w.json") == weights
    spec = f"alphabeta:depth=1,weights={tmp_path / 'w.json'}"
    player = honte.player(spec, GAME)
    assert player.choose(GAME.start()).move in GAME.start().legal_moves()


GOOD = {"squares": [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4]], "discs": 0, "mobility": 0, "stable": 0}


@pytest.mark.parametrize(
    "bad",
    [
        [],
        {},
        {**GOOD, "squares": [[1], [1, 2], [1, 2, 3]]},
        {**GOOD, "squares": [[1], [1, 2], [1, 2, 3], [1, 2, 3]]},
        {**GOOD, "squares": 3},
        {**GOOD, "discs": "many"},
        {**GOOD, "discs": True},
        {**GOOD, "stable": 1e300},
        {**GOOD, "more": 1},
        {**GOOD, "squares": [[1], [1, 2], [1, 2, None], [1, 2, 3, 4]]},
    ],
)
def test_a_file_of_the_wrong_shape_is_refused_in_a_sentence(tmp_path: Path, bad: object) -> None:
    assert weight_files.parse(GOOD).discs == 0
    path = tmp_path / "w.json"
    path.write_text(json.dumps(bad))
    with pytest.raises(ValueError, match=r"w\.json.* is not a weights file: ") as error:
        honte.player(f"alphabeta:weights={path}", GAME)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"{", b"[" * 50_000, b" " * 200_000, b"NaN"])
def test_an_invalid_weights_file_is_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "w.json").write_bytes(raw)
    with pytest.raises(ValueError, match=r"w\.json"):
        weight_files.load(tmp_path / "w.json")


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="neither a file nor a preset"):
        AlphaBeta(GAME, weights="nowhere.json")
    with pytest.raises(ValueError, match=r"depth=.0. is not"):
        AlphaBeta(GAME, depth=0)
    with pytest.raises(ValueError, match="plays othello"):
        AlphaBeta(honte.game("go"))
    with pytest.raises(ValueError, match="over"):
        AlphaBeta(GAME).search(GAME.from_text("X" * 64 + " X"))
    with pytest.raises(ValueError, match="13 weights"):
        _native.OthelloMinimax([1, 2], True)


def test_the_table_is_the_textbook_without_our_own_terms() -> None:
    table, textbook = PRESETS["table"], PRESETS["textbook"]
    assert table.squares == textbook.squares
    assert (table.discs, table.mobility, table.stable) == (0, 0, 0)
    assert (textbook.mobility, textbook.stable) == (10, 15)


def test_a_game_between_weights_is_the_game_of_the_players() -> None:
    rng = random.Random(5)
    names = ("report", "textbook")
    numbers = [PRESETS[name].in_hundredths() for name in names]
    for depth in (1, 2):
        start = random_state(GAME, rng, 8)
        score, moves = _native.play_weights_game(start, numbers[0], numbers[1], depth)  # type: ignore[arg-type]
        players = [honte.player(f"alphabeta:depth={depth},weights={n}", GAME) for n in names]
        state, theirs = start, []
        while not state.is_over:
            theirs.append(players[state.to_move].choose(state).move)
            state = state.play(theirs[-1])
        assert moves == theirs
        assert score == state.score
