"""Networks in C++ match the numpy arithmetic bit for bit, with every kernel."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from honte._native import Network, network_kernels
from honte.games.connect4.planes import PLANES, random_positions
from honte.nets import netfile
from honte.nets.quantise import quantise
from tests.nets.networks import random_network, random_planes
from tests.oracle import network as oracle

STUDIES = Path(__file__).parents[2] / "studies" / "nets"
TRAINED = STUDIES / "connect4" / "network-b4c32.net"


@pytest.mark.parametrize(
    ("blocks", "channels", "planes", "head", "hidden"),
    [(2, 32, 10, 32, 64), (1, 16, 3, 16, 16), (3, 20, 17, 12, 24), (2, 72, 4, 40, 40)],
)
def test_every_kernel_equals_the_oracle_to_the_bit(
    blocks: int, channels: int, planes: int, head: int, hidden: int
) -> None:
    rng = np.random.default_rng(channels)
    trained = random_network(rng, blocks, channels, planes, head, hidden)
    names = tuple(f"plane{i}" for i in range(planes))
    header, tensors = quantise(trained, names, random_planes(rng, 8, 7, 7, planes))
    data = netfile.encode(header, tensors)
    networks = [Network(data, kernel=name) for name in network_kernels()]
    shapes = [(1, 1), (4, 4), (7, 6), (12, 11), (13, 5), (9, 16), (19, 19)]
    for i, (columns, rows) in enumerate(shapes):
        positions = random_planes(rng, 1 + i % 2, columns, rows, planes)
        policy, outcome = oracle.evaluate(header, tensors, positions)
        for network in networks:
            said = network.evaluate(positions)
            np.testing.assert_array_equal(said[0], policy, network.kernel)
            np.testing.assert_array_equal(said[1], outcome, network.kernel)


def test_every_kernel_equals_the_oracle_in_all_heads() -> None:
    rng = np.random.default_rng(6)
    trained = random_network(rng, 2, 24, 7, 20, 24, scores=True)
    names = tuple(f"plane{i}" for i in range(7))
    header, tensors = quantise(trained, names, random_planes(rng, 8, 7, 7, 7))
    assert header["heads"] == ["policy", "outcome", "pass", "score", "ownership"]
    data = netfile.encode(header, tensors)
    for columns, rows in [(2, 2), (9, 9), (7, 11), (19, 19)]:
        positions = random_planes(rng, 2, columns, rows, 7)
        expected = oracle.evaluate_heads(header, tensors, positions)
        for name in network_kernels():
            network = Network(data, kernel=name)
            said = network.evaluate_heads(positions)
            assert said.keys() == expected.keys()
            for head, array in expected.items():
                np.testing.assert_array_equal(said[head], array, f"{name}: {head}")
            assert (network.evaluate(positions)[0] == said["policy"]).all()
        assert np.abs(expected["ownership"]).max() <= 1
        assert (expected["ownership"][positions[..., 0] == 0] == 0).all()


def test_a_network_without_further_heads_names_those_it_has() -> None:
    positions = random_positions(np.random.default_rng(2), 3)
    network = Network(TRAINED)
    heads = network.evaluate_heads(positions)
    assert heads.keys() == {"policy", "outcome"}
    assert (heads["outcome"] == network.evaluate(positions)[1]).all()


def test_a_batch_says_what_its_positions_say_alone() -> None:
    positions = random_positions(np.random.default_rng(2), 16)
    network = Network(TRAINED)
    policy, outcome = network.evaluate(positions)
    for i in range(16):
        alone = network.evaluate(positions[i : i + 1])
        assert (alone[0][0] == policy[i]).all()
        assert (alone[1][0] == outcome[i]).all()


def test_a_board_says_the_same_on_a_larger_canvas() -> None:
    small = random_positions(np.random.default_rng(3), 8, least=6, most=6)
    large = np.zeros((8, 12, 11, len(PLANES)), np.uint8)
    large[:, 2:8, 3:9] = small
    network = Network(TRAINED)
    policy, outcome = network.evaluate(small)
    moved_policy, same_outcome = network.evaluate(large)
    assert (moved_policy[:, 2:8, 3:9] == policy).all()
    assert (same_outcome == outcome).all()


def test_cells_off_the_board_change_nothing_and_have_no_logit() -> None:
    positions = random_positions(np.random.default_rng(4), 8, least=9, most=12)
    off = positions[..., 0] == 0
    noisy = positions.copy()
    noisy[off, 1:] = 1
    network = Network(TRAINED)
    policy, outcome = network.evaluate(positions)
    assert (network.evaluate(noisy)[1] == outcome).all()
    assert (policy[off] == 0).all()
    assert off.any()


def test_threads_share_a_network() -> None:
    positions = random_positions(np.random.default_rng(5), 8)
    network = Network(TRAINED)
    expected = network.evaluate(positions)
    with ThreadPoolExecutor(4) as pool:
        for policy, outcome in pool.map(lambda _: network.evaluate(positions), range(20)):
            assert (policy == expected[0]).all()
            assert (outcome == expected[1]).all()


def test_no_positions_are_no_answers() -> None:
    policy, outcome = Network(TRAINED).evaluate(np.zeros((0, 7, 6, len(PLANES)), np.uint8))
    assert policy.shape == (0, 7, 6)
    assert outcome.shape == (0, 3)


def test_what_cannot_be_evaluated_is_said_in_one_sentence() -> None:
    network = Network(TRAINED)
    with pytest.raises(ValueError, match="reads 10 planes, not 4"):
        network.evaluate(np.zeros((1, 7, 6, 4), np.uint8))
    with pytest.raises(ValueError, match="at most 19 rows and columns"):
        network.evaluate(np.zeros((1, 20, 6, 10), np.uint8))
    with pytest.raises(ValueError, match='no kernel "abacus"; choose one of'):
        Network(TRAINED, kernel="abacus")


def test_the_environment_chooses_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONTE_KERNEL", "plain")
    assert Network(TRAINED).kernel == "plain"
    assert Network(TRAINED, kernel=network_kernels()[0]).kernel == network_kernels()[0]
