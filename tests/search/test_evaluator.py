"""UCT with an evaluator: its inputs, the use of its answers, and the errors."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import honte
from honte import _native
from honte.games.connect4.uct import NETWORK
from honte.search import Batch, EvaluatorError, Uct
from tests.oracle import puct

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = ["connect4", "connect4:rows=5,cols=4", "othello:size=4", "go:size=3,komi=0.5"]


def opinion(state: honte.State) -> tuple[dict[int, float], float]:
    """Priors and a value that depend on the position alone, all distinct."""
    draw = random.Random(state.to_text())
    weights = {move: 0.05 + draw.random() for move in state.legal_moves()}
    total = sum(weights.values())
    return {move: weight / total for move, weight in weights.items()}, draw.uniform(-0.9, 0.9)


def random_opinion(batch: Batch) -> tuple[np.ndarray[Any, Any], list[float]]:
    priors = np.zeros(batch.legal.shape)
    values = []
    for row, state in enumerate(batch.positions):
        found, value = opinion(state)
        priors[row, list(found)] = list(found.values())
        values.append(value)
    return priors, values


def uniform(batch: Batch) -> tuple[Any, Any]:
    return batch.legal, np.zeros(len(batch))


def random_position(game: honte.Game, plies: int, seed: int) -> honte.State:
    draw = random.Random(seed)
    state = game.start()
    for _ in range(plies):
        further = state.play(draw.choice(state.legal_moves()))
        if further.is_over:
            break
        state = further
    return state


def visits(report: honte.Report) -> dict[int, int]:
    return {candidate.move: candidate.visits for candidate in report.candidates}


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("plies", [0, 5, 9])
def test_visits_are_those_of_naive_puct(spec: str, plies: int) -> None:
    game = honte.game(spec)
    state = random_position(game, plies, seed=plies)
    uct = Uct(
        game,
        evaluator=random_opinion,
        batch=1,
        forced=False,
        solver=False,
        c=1.3,
        fpu_reduction=0.25,
    )
    report = uct.search(state, honte.Limit(iterations=300))
    found = visits(report)
    expected = puct.search(state, opinion, 300, 1.3, 0.25)
    if spec.startswith("go"):  # which leaves eyes unfilled
        assert set(found) <= set(expected)
    else:
        assert found == expected


def test_a_network_as_an_evaluator_searches_like_the_built_in_one() -> None:
    game = honte.game("connect4")
    network = _native.Network(NETWORK)

    def evaluate(batch: Batch) -> tuple[Any, Any]:
        seen = np.ascontiguousarray(batch.planes[:, :, ::-1].transpose(0, 3, 2, 1))
        logits, chances = network.evaluate(seen)
        landing = seen[..., 4].astype(bool)
        logits = np.where(landing, logits, -np.inf).max(2)
        return np.exp(logits - logits.max(1, keepdims=True)), chances[:, 0] - chances[:, 2]

    settings: dict[str, Any] = {"seed": 3, "c": 1.5, "fpu_reduction": 0.2, "threat_depth": 2}
    ours = Uct(game, evaluator=evaluate, batch=1, **settings)
    built_in = Uct(game, net="learned", transpositions=False, **settings)
    for plies in (0, 6, 11):
        state = random_position(game, plies, seed=1)
        limit = honte.Limit(iterations=200)
        assert visits(ours.search(state, limit)) == visits(built_in.search(state, limit))


def test_a_batch_shows_planes_masks_and_positions() -> None:
    game = honte.game("connect4:rows=6,cols=5")
    seen: list[tuple[Any, Any, list[honte.State]]] = []

    def look(batch: Batch) -> tuple[Any, Any]:
        assert batch.planes.dtype == np.uint8
        assert batch.legal.dtype == np.bool_
        assert batch.planes.shape == (len(batch), 10, 6, 5)
        assert np.shares_memory(batch.planes, batch.planes)  # a view: nothing is copied
        seen.append((batch.planes.copy(), batch.legal.copy(), batch.positions))
        return uniform(batch)

    Uct(game, evaluator=look, batch=6).search(game.start(), honte.Limit(iterations=60))
    assert max(len(positions) for _, _, positions in seen) > 1
    for planes, legal, positions in seen:
        for row, state in enumerate(positions):
            cells = np.array(list(state.cells())).reshape(6, 5)  # type: ignore[attr-defined]
            assert (planes[row, 2] == (cells == state.to_move + 1)).all()
            assert (planes[row, 3] == (cells == 2 - state.to_move)).all()
            assert np.flatnonzero(legal[row]).tolist() == state.legal_moves()


def test_priors_are_masked_and_normalised() -> None:
    game = honte.game("connect4:rows=4,cols=5")
    state = random_position(game, 12, seed=4)
    while len(state.legal_moves()) == 5:
        state = state.play(state.legal_moves()[0])
    settings: dict[str, Any] = {"forced": False, "solver": False}
    for priors in (4, 0):
        uct = Uct(game, evaluator=answer(priors), **settings)
        report = uct.search(state, honte.Limit(iterations=4))
        legal = len(state.legal_moves())
        assert sorted(c.move for c in report.candidates) == state.legal_moves()
        assert [c.prior for c in report.candidates] == pytest.approx([1 / legal] * legal)


def test_results_are_exact_and_proofs_are_found() -> None:
    game = honte.game("connect4")
    wrong = Uct(game, evaluator=answer(values=0.9), seed=1)
    report = wrong.search(random_position(game, 30, seed=9), honte.Limit(iterations=3000))
    assert report.proven is not None
    assert report.stopped == "proven"
    assert report.value == {"win": 1, "loss": -1, "draw": 0}[report.proven]


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_a_seed_repeats_a_search(root: str) -> None:
    game = honte.game("connect4")
    state = random_position(game, 4, seed=2)

    def once(seed: int) -> dict[int, int]:
        noise = {"noise": 0.4} if root == "puct" else {"considered": 3, "gumbel_scale": 3}
        uct = Uct(game, evaluator=random_opinion, seed=seed, root=root, **noise)
        return visits(uct.search(state, honte.Limit(iterations=80)))

    assert once(5) == once(5)
    assert once(5) != once(6)


def test_noise_changes_the_roots_priors_alone() -> None:
    game = honte.game("connect4")
    plain = Uct(game, evaluator=random_opinion, seed=1)
    noisy = Uct(game, evaluator=random_opinion, seed=1, noise=0.25, alpha=1)
    limit = honte.Limit(iterations=100)
    before = {c.move: c.prior or 0 for c in plain.search(game.start(), limit).candidates}
    after = {c.move: c.prior or 0 for c in noisy.search(game.start(), limit).candidates}
    assert sum(after.values()) == pytest.approx(1, abs=1e-5)
    assert all(after[move] >= 0.75 * before[move] - 1e-6 for move in before)
    assert before != after
    below = noisy.look([3])
    assert below is not None
    expected = opinion(game.start().play(3))[0]
    assert {c.move: c.prior for c in below.candidates} == pytest.approx(expected, abs=1e-5)


def test_the_tree_is_kept_across_moves() -> None:
    game = honte.game("connect4")
    uct = Uct(game, evaluator=random_opinion, seed=1)
    first = uct.search(game.start(), honte.Limit(iterations=400))
    state = game.start().play(first.move).play(first.pv[1])
    below = uct.look(first.pv[:2])
    assert below is not None
    second = uct.search(state, honte.Limit(iterations=1))
    assert second.kept
    assert sum(visits(second).values()) == sum(visits(below).values()) + 1


def test_a_temperature_draws_moves_by_their_visits() -> None:
    game = honte.game("connect4")
    chosen = set()
    for seed in range(30):
        uct = Uct(game, evaluator=uniform, seed=seed, move_temperature=1)
        report = uct.search(game.start(), honte.Limit(iterations=50))
        assert visits(report)[report.move] > 0
        chosen.add(report.move)
    assert len(chosen) > 4


def exact(batch: Batch) -> tuple[Any, Any]:
    """Uniform priors, exact values."""
    return batch.legal, [solve(state) for state in batch.positions]


CACHE: dict[honte.State, float] = {}


def solve(state: honte.State) -> float:
    if state.is_over:
        return 0.0 if state.winner is None else 1.0 if state.winner == state.to_move else -1.0
    if state not in CACHE:
        CACHE[state] = max(-solve(state.play(move)) for move in state.legal_moves())
    return CACHE[state]


def test_a_gumbel_root_improves_the_policy() -> None:
    game = honte.game("connect4:rows=4,cols=4")
    settings: dict[str, Any] = {"forced": False, "solver": False, "root": "gumbel", "c": 0.3}
    better = 0
    for seed in range(12):
        state = random_position(game, 8, seed)
        values = {move: -solve(state.play(move)) for move in state.legal_moves()}
        if len(set(values.values())) == 1:
            continue
        search = honte.search.SearchBatch(game, 1, evaluator=exact, seed=seed, **settings)
        for move in moves_to(game, state):
            search.advance([move])
        found = search.run(200)
        before = sum(values.values()) / len(values)
        after = sum(value * found.policy[0, move] for move, value in values.items())
        assert after > before
        assert found.policy.sum() == pytest.approx(1, abs=1e-5)
        assert values[int(found.moves[0])] == max(values.values())
        better += 1
    assert better >= 5


def moves_to(game: honte.Game, state: honte.State) -> list[int]:
    """Moves from the start to a position."""

    def walk(here: honte.State, moves: list[int]) -> list[int] | None:
        if here == state:
            return moves
        if len(moves) == 16 or here.is_over:
            return None
        target = np.array(list(state.cells()))  # type: ignore[attr-defined]
        for move in here.legal_moves():
            further = here.play(move)
            cells = np.array(list(further.cells()))  # type: ignore[attr-defined]
            if ((cells == 0) | (cells == target)).all():
                found = walk(further, [*moves, move])
                if found is not None:
                    return found
        return None

    found = walk(game.start(), [])
    assert found is not None
    return found


def test_a_gumbel_root_halves_the_moves_in_turn() -> None:
    game = honte.game("connect4")
    uct = Uct(game, evaluator=random_opinion, root="gumbel", considered=4, seed=1, batch=1)
    report = uct.search(game.start(), honte.Limit(iterations=32))
    # Two phases of 16 visits: 4 for each of four moves, then 8 for each of the better half.
    assert sorted(visits(report).values()) == [0, 0, 0, 4, 4, 12, 12]
    assert visits(report)[report.move] == 12


# -- bad evaluators ---------------------------------------------------------------------------


def test_an_evaluator_that_raises_is_named_with_its_line() -> None:
    game = honte.game("connect4")
    calls = []

    def broken(batch: Batch) -> tuple[Any, Any]:
        calls.append(len(batch))
        if len(calls) == 3:
            raise RuntimeError("no weights")
        return uniform(batch)

    uct = Uct(game, evaluator=broken, seed=1)
    with pytest.raises(EvaluatorError, match=r"broken raised RuntimeError: no weights \(.*:\d+\)"):
        uct.search(game.start(), honte.Limit(iterations=500))
    # The leaves that waited are taken back, and the search can go on.
    report = uct.search(game.start(), honte.Limit(iterations=100))
    assert report.iterations == 100
    assert sum(visits(report).values()) == 100 + calls[1]


def answer(priors: Any = 1.0, values: Any = 0.0) -> Callable[[Batch], Any]:
    """An evaluator that gives every position the same answer."""
    return lambda batch: (np.full(batch.legal.shape, priors), np.full(len(batch), values))


ANSWERS: dict[str, tuple[Callable[[Batch], Any], str]] = {
    "nothing": (lambda b: None, "returned NoneType, not a pair of priors and values"),
    "one array": (lambda b: b.legal, "returned ndarray, not a pair"),
    "three": (lambda b: (1, 2, 3), "returned tuple, not a pair"),
    "width": (lambda b: (np.ones((1, 8)), [0.0]), r"priors of shape \(1, 8\), not \(1, 7\)"),
    "column": (lambda b: (b.legal, [[0.0]]), r"values of shape \(1, 1\), not \(1,\)"),
    "words": (answer(values="win"), "values of type <U3, not of numbers"),
    "objects": (answer(values=None), "values of type object, not of numbers"),
    "ragged": (lambda b: ([[1], [1, 2]], [0.0]), "priors that are no array"),
    "complex": (answer(1j), "priors of type complex128"),
    "negative": (answer(-0.5), "the prior -0.5; priors are finite and not negative"),
    "nan prior": (answer(np.nan), "move 0 of position 0 .* the prior nan"),
    "infinite": (answer(1e300), "the prior inf"),
    "nan value": (answer(values=np.nan), "the value nan; values are from -1 to 1"),
    "large value": (answer(values=1.5), "the value 1.5; values are from -1 to 1"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_wrong_answer_is_refused_in_a_sentence(name: str) -> None:
    evaluator, words = ANSWERS[name]
    game = honte.game("connect4")
    with pytest.raises(EvaluatorError, match=words) as caught:
        Uct(game, evaluator=evaluator).search(game.start(), honte.Limit(iterations=10))
    assert "\n" not in str(caught.value)


def test_an_evaluator_cannot_use_the_search_that_calls_it() -> None:
    game = honte.game("connect4")

    def again(batch: Batch) -> tuple[Any, Any]:
        uct.search(game.start(), honte.Limit(iterations=1))
        return uniform(batch)

    uct = Uct(game, evaluator=again)
    with pytest.raises(EvaluatorError, match="this search is running"):
        uct.search(game.start(), honte.Limit(iterations=10))


def test_ctrl_c_in_an_evaluator_stops_the_search() -> None:
    game = honte.game("connect4")
    calls = []

    def interrupted(batch: Batch) -> tuple[Any, Any]:
        calls.append(1)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return uniform(batch)

    uct = Uct(game, evaluator=interrupted)
    with pytest.raises(honte.Interrupted) as caught:
        uct.search(game.start(), honte.Limit(iterations=10**6))
    assert caught.value.report.iterations > 0


def test_a_search_is_cancelled_from_another_thread() -> None:
    game = honte.game("connect4")
    token = honte.CancelToken()
    begun = threading.Event()

    def signal(batch: Batch) -> tuple[Any, Any]:
        begun.set()
        return uniform(batch)

    def cancel() -> None:
        begun.wait()
        token.cancel()

    other = threading.Thread(target=cancel)
    other.start()
    request = honte.Request(game.start(), limit=honte.Limit(iterations=2**40), cancel=token)
    assert Uct(game, evaluator=signal).run(request).stopped == "cancelled"
    other.join()


def test_other_evaluators_and_threads_are_refused() -> None:
    game = honte.game("connect4")
    refused: list[tuple[dict[str, Any], str]] = [
        ({"threads": 2}, "one thread calls an evaluator"),
        ({"net": "learned"}, "net does not go with an evaluator"),
        ({"policy": "learned"}, "policy does not go with an evaluator"),
        ({"value": "mix"}, "value does not go with an evaluator"),
        ({"selection": "ucb1"}, "an evaluator needs selection=puct"),
        ({"noise": 2}, "noise='2' is not a number from 0 to 1"),
    ]
    for settings, words in refused:
        with pytest.raises(ValueError, match=words):
            Uct(game, evaluator=uniform, **settings)
    with pytest.raises(ValueError, match="uct: noise needs an evaluator"):
        Uct(game, noise=0.25)
    with pytest.raises(ValueError, match="an evaluator is a function, not int"):
        Uct(game, evaluator=3)
    with pytest.raises(ValueError, match="root=gumbel needs a limit of iterations"):
        Uct(game, evaluator=uniform, root="gumbel").search(game.start(), honte.Limit(seconds=1))


def test_a_game_in_plain_python_is_refused() -> None:
    game = honte.game(f"{EXAMPLES / 'gomoku.py'}:Gomoku")
    with pytest.raises(ValueError, match="uct does not know gomoku; for a game of your own"):
        Uct(game, evaluator=uniform)


# -- by name --------------------------------------------------------------------------------------


def test_a_spec_names_a_function_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def evaluate(batch):\n    return batch.legal, [0.0] * len(batch)\n")
    game = honte.game("othello")
    player = honte.player(f"uct:evaluator={file}:evaluate,iterations=50", game)
    report = player.choose(game.start())
    assert (report.iterations, report.source) == (50, "evaluator")
    assert player.files == (file,)


def test_a_spec_names_a_function_of_a_module() -> None:
    game = honte.game("connect4")
    player = honte.player("uct:evaluator=tests.search.test_evaluator:uniform,batch=4", game)
    assert player.choose(game.start(), iterations=30).iterations == 30


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nowhere:f", "there is no module 'nowhere'; to name a file, write file.py:function"),
        ("nowhere.py:f", "there is no file 'nowhere.py'"),
        ("tests.search.test_evaluator:missing", "has no class or function 'missing'"),
        ("tests.search.test_evaluator:GAMES", "has no class or function 'GAMES'"),
        ("f", "'f' is neither module:function nor file.py:function"),
        ("json:", "is neither module:function nor file.py:function"),
    ],
)
def test_an_evaluator_that_is_not_there(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        honte.player(f"uct:evaluator={text}", honte.game("connect4"))


def test_a_module_that_cannot_be_imported(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import nowhere_at_all\n")
    with pytest.raises(ValueError, match="cannot be loaded: ModuleNotFoundError"):
        honte.player(f"uct:evaluator={file}:f", honte.game("connect4"))
