"""Network files: Python and C++ read back what was written, and reject everything else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honte._native import Network
from honte.nets import netfile
from honte.nets.quantise import quantise
from tests.nets.networks import random_network, random_planes


@pytest.fixture(scope="module")
def parts() -> tuple[dict[str, Any], netfile.Tensors]:
    rng = np.random.default_rng(1)
    network = random_network(rng, 2, 16, 3, 16, 16)
    return quantise(network, ("board", "own", "other"), random_planes(rng, 4, 6, 6, 3))


def test_a_file_comes_back_as_it_was(parts: tuple[dict[str, Any], netfile.Tensors]) -> None:
    header, tensors = parts
    data = netfile.encode(header, tensors)
    again, read = netfile.decode(data)
    assert again == header
    assert read.keys() == tensors.keys()
    assert all((read[name] == tensors[name]).all() for name in tensors)
    assert all(read[name].dtype == tensors[name].dtype for name in tensors)
    native = Network(data).header
    assert {name: native[name] for name in header} == header
    assert all(entry["offset"] % 64 == 0 for entry in native["tensors"])
    assert header["training"] == {"game": "none", "games": 7}


def test_a_damaged_file_is_refused_in_one_sentence(
    parts: tuple[dict[str, Any], netfile.Tensors], tmp_path: Path
) -> None:
    whole = netfile.encode(*parts)
    path = tmp_path / "cut.net"
    path.write_bytes(whole[:1000])
    with pytest.raises(ValueError, match=rf"cannot read {path}: it is cut off: 1000 of"):
        Network(path)
    with pytest.raises(ValueError, match="cannot open the network file"):
        Network(tmp_path / "nowhere.net")
    for data, words in (
        (b"", "not a network file"),
        (b"PK\3\4" + whole[4:], "not a network file"),
        (whole[:8] + b"\7" + whole[9:], "of version 7"),
        (whole + b"\0", "lengths are wrong"),
        (whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:], "checksum is wrong"),
    ):
        with pytest.raises(ValueError, match=words):
            Network(data)
        with pytest.raises(ValueError, match="network file"):
            netfile.decode(data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"planes": []}, "0 input planes"),
        ({"planes": ["board"]}, "stem.weights has another type or shape"),
        ({"architecture": 3}, 'has no "blocks"'),
        ({"architecture": {"blocks": 10**9}}, "no whole number from 1 to"),
    ],
)
def test_a_header_that_does_not_fit_its_tensors_is_refused(
    parts: tuple[dict[str, Any], netfile.Tensors], change: dict[str, Any], words: str
) -> None:
    header, tensors = parts
    with pytest.raises(ValueError, match=words):
        Network(netfile.encode({**header, **change}, tensors))


@pytest.mark.parametrize(
    ("name", "number", "words"),
    [
        ("stem.weights", -128, "has a −128"),
        ("stem.bias", 2**31 - 1, "does not fit 32 bits"),
        ("head.scale", np.nan, "out of range"),
        ("value.hidden.weights", np.inf, "out of range"),
        ("policy.cell.weights", 32767, "more than 32 bits"),
        ("head.copy", -1, "is negative"),
    ],
)
def test_numbers_that_kernels_could_not_add_up_are_refused(
    parts: tuple[dict[str, Any], netfile.Tensors], name: str, number: float, words: str
) -> None:
    header, tensors = parts
    spoilt = np.full_like(tensors[name], number)
    with pytest.raises(ValueError, match=words):
        Network(netfile.encode(header, {**tensors, name: spoilt}))


def test_a_head_that_the_header_names_needs_its_tensors(
    parts: tuple[dict[str, Any], netfile.Tensors],
) -> None:
    header, tensors = parts
    for head, tensor in (
        ("pass", "policy.pass.weights"),
        ("score", "value.score.weights"),
        ("ownership", "ownership.pool.weights"),
    ):
        more = {**header, "heads": [*header["heads"], head]}
        with pytest.raises(ValueError, match=rf"lacks the tensor {tensor}"):
            Network(netfile.encode(more, tensors))


def test_a_tensor_that_is_missing_is_named(
    parts: tuple[dict[str, Any], netfile.Tensors],
) -> None:
    header, tensors = parts
    less = {name: array for name, array in tensors.items() if name != "block1.pool.bias"}
    with pytest.raises(ValueError, match=r"lacks the tensor block1\.pool\.bias"):
        Network(netfile.encode(header, less))


def test_names_in_a_header_may_hold_any_character(
    parts: tuple[dict[str, Any], netfile.Tensors],
) -> None:
    header, tensors = parts
    training: dict[str, Any] = {
        "note": 'a "quoted" \\ 名 \n line',
        "list": [None, True, -1.5e-3, {}],
    }
    data = netfile.encode({**header, "training": training}, tensors)
    assert Network(data).header["training"] == training
