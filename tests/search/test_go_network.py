"""UCT with a network for Go: symmetries, scores, passes, and what `best` uses."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import honte
from honte import _native
from honte.games.go import best
from honte.games.go.planes import KOMI_STEPS
from honte.nets import netfile
from honte.nets.quantise import SCORE_SCALE, quantise
from honte.search.uct import Uct
from tests.games.test_go_planes import PLANES, planes_of
from tests.nets.networks import random_network
from tests.oracle.network import heads_float
from tests.pictures import after
from tests.protocols.scripted import Gtp
from tests.search.test_go_uct import counted


def random_state(game: Any, draw: random.Random, plies: int) -> Any:
    state = game.start()
    for _ in range(plies):
        moves = state.legal_moves()
        after_move = state.play(draw.choice(moves[:-1] or moves))
        if after_move.is_over:
            break
        state = after_move
    return state


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network with arbitrary but non-trivial outputs."""
    draw = random.Random(5)
    game: Any = honte.game("go:size=7")
    positions = np.stack([planes_of(random_state(game, draw, 4 * i)) for i in range(12)])
    trained = random_network(np.random.default_rng(3), 2, 16, len(PLANES), scores=True)
    mean = heads_float(trained.weights, positions)["score"].mean()
    trained.weights["value.score.b"] -= mean / SCORE_SCALE
    trained.weights["policy.pass.b"] -= 5  # like good networks, it does not pass early
    path = tmp_path_factory.mktemp("network") / "random.net"
    path.write_bytes(netfile.encode(*quantise(trained, PLANES, positions)))
    return path


def turned(array: Any, form: int) -> Any:
    """A board transformed as by the search: bits 0 and 1 mirror, bit 2 transposes."""
    if form & 1:
        array = array[::-1]
    if form & 2:
        array = array[:, ::-1]
    return array.swapaxes(0, 1) if form & 4 else array


def back(array: Any, form: int) -> Any:
    if form & 4:
        array = array.swapaxes(0, 1)
    return turned(array, form & 3)


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_the_root_is_the_mean_over_all_symmetries(network: Path, temperature: float) -> None:
    state = random_state(honte.game("go:size=7"), random.Random(1), 9)
    said = _native.Network(network)
    legal = state.legal_moves()
    chances, owned = np.zeros(len(legal)), np.zeros((7, 7))
    for form in range(8):
        heads = said.evaluate_heads(np.ascontiguousarray(turned(planes_of(state), form))[None])
        cells = back(heads["policy"][0], form).reshape(-1)
        logits = np.append(cells, heads["pass"][0])[legal]
        powers = np.exp((logits - logits.max()) / temperature)
        chances += powers / powers.sum() / 8
        owned += back(heads["ownership"][0], form) / 8 * (1 - 2 * state.to_move)
    request = honte.Request(state, limit=honte.Limit(iterations=1), all_moves=True)
    search = Uct(state.game, net=str(network), threat_depth=0, temperature=temperature)
    report = search.run(request)
    priors = {one.move: one.prior for one in report.candidates}
    assert [priors[move] for move in legal] == pytest.approx(chances, abs=1e-5)
    assert report.ownership == pytest.approx(owned.reshape(-1), abs=1e-5)
    assert report.source == "network"


def test_the_score_is_the_mean_of_what_was_seen(network: Path) -> None:
    state = random_state(honte.game("go:size=7"), random.Random(2), 6)
    report = Uct(state.game, net=str(network)).search(state, honte.Limit(iterations=1))
    child = state.play(report.move)
    said = _native.Network(network)
    leads = [
        said.evaluate_heads(np.ascontiguousarray(turned(planes_of(child), form))[None])["score"][0]
        for form in range(8)
    ]
    assert report.score is not None
    assert any(report.score == pytest.approx(-lead, abs=1e-2) for lead in leads)
    assert report.kind == "estimate"
    assert report.candidates[1].score is None


def test_leads_change_the_search_and_not_the_values_shown(network: Path) -> None:
    state = random_state(honte.game("go:size=7"), random.Random(4), 12)

    def first(utility: float, iterations: int) -> list[tuple[int, int, float]]:
        settings = {"net": str(network), "score_utility": utility, "seed": 1}
        report = Uct(state.game, **settings).search(state, honte.Limit(iterations=iterations))
        return [(one.move, one.visits, one.value) for one in report.candidates]

    assert first(0.0, 300) != first(1.0, 300)
    assert first(0.0, 1) == first(1.0, 1)


@pytest.mark.parametrize(("komi", "wins"), [(2.5, True), (3.5, False)])
def test_it_passes_only_where_the_count_is_won(network: Path, komi: float, wins: bool) -> None:
    state = counted(komi)
    passed = state.play(state.game.pass_move)
    report = Uct(state.game, net=str(network)).search(passed, honte.Limit(iterations=60))
    assert (report.proven == "win") == wins
    assert (state.game.format(report.move) == "pass") == wins
    if wins:
        assert report.score == pytest.approx(0.5)


def test_no_pass_lets_the_opponent_end_a_lost_count(network: Path) -> None:
    """In positions of random games: a pass only if the opponent cannot win by passing in reply."""
    draw, tried = random.Random(3), 0
    game: Any = honte.game("go:size=5,komi=0.5")
    player = Uct(game, net=str(network))
    for _ in range(25):
        state = random_state(game, draw, draw.randrange(8, 40))
        if state.is_over:
            continue
        player.forget()
        report = player.search(state, honte.Limit(iterations=120))
        others = [one for one in report.candidates if one.move != game.pass_move]
        if report.move == game.pass_move and any(one.proven != "loss" for one in others):
            tried += 1
            ended = state.play(game.pass_move)
            if not ended.is_over:
                ended = ended.play(game.pass_move)
            assert ended.winner == state.to_move
        by_pass = next(one for one in report.candidates if one.move == game.pass_move)
        if by_pass.visits and not state.passes:
            after_both = state.play(game.pass_move).play(game.pass_move)
            assert (by_pass.proven == "loss") or after_both.winner == state.to_move
    assert tried or draw


def test_every_size_can_be_played(network: Path) -> None:
    for size in (2, 9, 13, 19):
        game = honte.game(f"go:size={size}")
        report = Uct(game, net=str(network)).search(game.start(), honte.Limit(iterations=5))
        assert report.iterations == 5 or report.proven


@pytest.mark.parametrize("value", ["net", "playout", "mix"])
def test_values_come_from_network_playouts_or_both(network: Path, value: str) -> None:
    state = after("go:size=7", "D4 C3")
    uct = Uct(state.game, net=str(network), value=value, seed=1)
    report = uct.search(state, honte.Limit(iterations=1))
    assert (report.value in (-1, 0, 1)) == (value == "playout")


def test_every_kernel_makes_the_same_search(network: Path) -> None:
    state = random_state(honte.game("go:size=7"), random.Random(6), 10)
    settings = Uct(state.game, net=str(network), seed=4)._native_settings
    found = []
    for kernel in _native.network_kernels():
        loaded = _native.Network(network, kernel=kernel)
        search = _native.GoUct(state, {**settings, "network": loaded})
        search.run(150, 60)
        found.append((search.report(), search.ownership()))
    assert len(found) > 1
    assert all(one == found[0] for one in found)


def test_threads_share_the_tree(network: Path) -> None:
    state = after("go:size=7", "D4 C3")
    uct = Uct(state.game, net=str(network), threads=2)
    report = uct.search(state, honte.Limit(iterations=300))
    assert sum(one.visits for one in report.candidates) == 300
    following = uct.search(state.play(report.move), honte.Limit(iterations=50))
    assert following.kept


def test_best_uses_the_installed_network_where_it_is_enabled(
    network: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(best, "NETWORK", network.with_name("none.net"))
    small = honte.game("go:size=9")
    assert best.Opening(small).settings["net"] == "no"
    monkeypatch.setattr(best, "NETWORK", network)
    monkeypatch.setattr("honte.games.go.uct.NETWORK", network)
    monkeypatch.setattr(best, "Uct", lambda game, **settings: Asked(settings))
    for spec in ("go:size=7", "go:size=19", "go:size=9,komi=10"):
        assert best.Opening(honte.game(spec)).settings["net"] == "learned"
    for spec in ("go:size=5", "go:size=6", "go:size=9,komi=10.5"):
        assert best.Opening(honte.game(spec)).settings.get("net", "no") == "no"
    assert max(KOMI_STEPS) == best.MOST_KOMI
    assert best.Opening(small, rave="1000").settings.get("net", "no") == "no"


class Asked:
    """Stands in for a search and records what it was asked for."""

    def __init__(self, settings: dict[str, object]) -> None:
        self.settings = settings


def test_best_with_a_network_tells_scores_and_owners(network: Path) -> None:
    state = after("go:size=7", "D4 C3")
    player = honte.player(f"best:net={network}", state.game)
    request = honte.Request(state, limit=honte.Limit(iterations=50), all_moves=True, lines=3)
    report = player.choose(request)
    assert report.ownership is not None
    assert len(report.ownership) == 49
    assert all(-1 <= share <= 1 for share in report.ownership)
    assert all((one.score is not None) == (one.visits > 0) for one in report.candidates)


@pytest.mark.parametrize(("spec", "error"), [("go:size=9", 1.1), ("go:size=19", 2.1)])
def test_every_estimated_score_has_its_error(spec: str, error: float) -> None:
    game = honte.game(spec)
    seen = list[honte.Report]()

    def progress(report: honte.Report) -> None:
        seen.append(report)
        if len(seen) == 2:
            request.cancel.cancel()

    request = honte.Request(game.start(), all_moves=True, on_progress=progress)
    seen.append(honte.player("best", game).choose(request))
    for report in seen:
        told = [one for one in report.candidates if one.score is not None]
        assert told
        assert all(one.score_error == error for one in told)


def test_an_analysis_over_gtp_has_the_networks_scores_and_owners(network: Path) -> None:
    gtp = Gtp("go:size=7", f"best:net={network}")
    gtp.tape.patience = 2
    gtp.tell("play b C3")
    gtp.engine.handle(b"kata-analyze w 5 ownership true\n")
    line = gtp.tape.taken().splitlines()[1]
    owned = [float(word) for word in line.partition(" ownership ")[2].split()]
    request = honte.Request(after("go:size=7", "C3"), limit=honte.Limit(iterations=1))
    report = honte.player(f"uct:net={network}", request.state.game).choose(
        replace(request, all_moves=True)
    )
    assert report.ownership is not None
    assert owned == pytest.approx([-share for share in report.ownership], abs=1e-3)
    assert "scoreLead" in line
    gtp.tell("clear_board")
    gtp.tell("play b C3")
    line = gtp.ask("kata-genmove_analyze w 100 ownership true").splitlines()[-2]
    told = [float(word) for word in line.partition(" ownership ")[2].split()]
    assert told == pytest.approx(owned, abs=1e-3)


def test_a_network_of_another_game_is_refused(network: Path) -> None:
    game = honte.game("connect4")
    uct = Uct(game, net=str(network))
    with pytest.raises(ValueError, match="another game's"):
        uct.search(game.start(), honte.Limit(iterations=1))
