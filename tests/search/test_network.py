"""UCT with a network: its inputs, its outputs, and the errors."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

import honte
from honte import _native
from honte.games.connect4 import planes
from honte.games.connect4.uct import NETWORK
from honte.search.uct import Uct

ROOT = Path(__file__).parents[2]
BOARDS = ["connect4", "connect4:rows=4,cols=16", "connect4:course,seed=5", "connect4:rows=9,cols=4"]


def random_position(game: honte.Game, draw: random.Random) -> honte.State:
    state = game.start()
    for _ in range(draw.randrange(30)):
        further = state.play(draw.choice(state.legal_moves()))
        if further.is_over:
            break
        state = further
    return state


@pytest.mark.parametrize("spec", BOARDS)
def test_the_native_planes_are_those_of_training(spec: str) -> None:
    game = honte.game(spec)
    rows, cols = game.rows, game.cols  # type: ignore[attr-defined]
    draw = random.Random(3)
    for _ in range(50):
        state = random_position(game, draw)
        cells = np.array(list(state.cells())).reshape(1, rows, cols)  # type: ignore[attr-defined]
        cells = cells[:, ::-1].transpose(0, 2, 1)  # columns first, the bottom first
        own, other = cells == state.to_move + 1, cells == 2 - state.to_move
        expected = planes.observe(own, other, cells != 3, np.ones_like(own))
        found = np.frombuffer(_native.connect4_planes(state), np.uint8)  # type: ignore[arg-type]
        assert (found.reshape(expected.shape) == expected).all()


def test_priors_and_values_are_the_networks() -> None:
    game = honte.game("connect4:course,seed=5")
    state = random_position(game, random.Random(8))
    seen = np.frombuffer(_native.connect4_planes(state), np.uint8)  # type: ignore[arg-type]
    seen = seen.reshape(1, game.cols, game.rows, -1)  # type: ignore[attr-defined]
    logits, _ = _native.Network(NETWORK).evaluate(seen)
    on_landing = (logits[0] * seen[0, :, :, 4]).sum(-1)
    uct = Uct(game, net="learned", forced=False)
    report = uct.search(state, honte.Limit(iterations=1))
    moves = [candidate.move for candidate in report.candidates]
    temperature = uct.settings["temperature"]
    powers = np.exp((on_landing[moves] - on_landing[moves].max()) / temperature)
    assert [c.prior for c in report.candidates] == pytest.approx(powers / powers.sum(), abs=1e-5)
    after = state.play(report.move)
    seen = np.frombuffer(_native.connect4_planes(after), np.uint8)  # type: ignore[arg-type]
    _, chances = _native.Network(NETWORK).evaluate(seen.reshape(1, game.cols, game.rows, -1))  # type: ignore[attr-defined]
    assert report.value == pytest.approx(chances[0, 2] - chances[0, 0], abs=1e-4)


def test_getpoint_searches_with_the_same_settings() -> None:
    """The library has no Python beside it: native/course/games.hpp repeats the defaults."""
    source = (ROOT / "native" / "course" / "games.hpp").read_text(encoding="utf-8")
    given = dict(re.findall(r"settings\.(\w+) = ([\d.]+);", source))
    assert {"threat_depth", "c", "fpu_reduction", "temperature"} <= given.keys()
    settings = Uct(honte.game("connect4:course,seed=5"), net="learned").settings
    assert {name: settings[name] for name in given} == {k: float(v) for k, v in given.items()}


def test_every_kernel_makes_the_same_search() -> None:
    game = honte.game("connect4:course,seed=6")
    state = random_position(game, random.Random(2))
    settings = Uct(game, net="learned", seed=4, transpositions=True)._native_settings
    found = []
    for kernel in _native.network_kernels():
        network = _native.Network(NETWORK, kernel=kernel)
        search = _native.Connect4Uct(state, {**settings, "network": network})  # type: ignore[arg-type]
        search.run(400, 60)
        found.append(search.report())
    assert len(found) > 1
    assert all(report == found[0] for report in found)


def test_a_temperature_flattens_the_priors() -> None:
    game = honte.game("connect4:course,seed=5")
    state = random_position(game, random.Random(8))

    def highest(temperature: float) -> float:
        uct = Uct(game, net="learned", temperature=temperature)
        candidates = uct.search(state, honte.Limit(iterations=1)).candidates
        return max(candidate.prior or 0 for candidate in candidates)

    assert highest(0.5) > highest(1) > highest(3)


def test_playouts_can_take_the_place_of_the_value() -> None:
    game = honte.game("connect4:course,seed=5")
    reports = {
        value: Uct(game, net="learned", value=value, seed=1).search(
            game.start(), honte.Limit(iterations=1)
        )
        for value in ("net", "playout", "mix")
    }
    net, playout, mix = (reports[value].value for value in ("net", "playout", "mix"))
    assert playout in (-1, 0, 1)
    assert mix == pytest.approx((net + playout) / 2, abs=1e-4)


@pytest.mark.parametrize(
    ("game", "settings", "words"),
    [
        ("connect4", {"net": "none.net"}, "there is no file"),
        ("connect4", {"net": "learned", "rave": 100}, "rave does not go with a network"),
        ("connect4", {"net": "learned", "selection": "ucb1"}, "needs selection=puct"),
        ("connect4", {"net": "learned", "policy": "learned"}, "policy does not go"),
        ("connect4:rows=8,cols=8,inarow=5", {"net": "learned"}, "four in a row"),
        ("othello", {"net": "learned"}, "no network plays othello"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(
    game: str, settings: dict[str, object], words: str
) -> None:
    rules = honte.game(game)
    with pytest.raises(ValueError, match=words):
        Uct(rules, **settings).search(rules.start(), honte.Limit(iterations=1))


def test_a_damaged_network_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "half.net"
    file.write_bytes(NETWORK.read_bytes()[:5000])
    with pytest.raises(ValueError, match="net: cannot read"):
        honte.player(f"uct:net={file}", honte.game("connect4"))
