"""UCT support of Connect Four."""

from __future__ import annotations

from functools import cache

from honte import _native
from honte.games.connect4.descriptor import DESCRIPTOR
from honte.search import network, policy
from honte.search.uct_settings import UctSupport, flags

FEATURES = _native.CONNECT4_FEATURES
assert DESCRIPTOR.data is not None
LEARNED = DESCRIPTOR.data / "policy.weights"
"""Made by ``honte learn connect4``."""
NETWORK = DESCRIPTOR.data / "course.net"
"""Made by ``python -m honte.nets.train connect4`` and ``python -m honte.nets.export``."""


@cache
def load_policy(name: str) -> _native.Connect4Policy:
    """Policy weights: ``learned``, or a file's path; cached."""
    return _native.Connect4Policy(policy.read_named(name, LEARNED, FEATURES))


@cache
def load_network(name: str) -> _native.Network:
    """A network: ``learned``, or a file's path; cached."""
    return network.read_named(name, NETWORK)


SUPPORT = UctSupport(
    search=_native.Connect4Uct,
    searches=_native.Connect4Searches,
    playouts={
        "uniform": 0,
        "win": 1,
        "block": 2,
        "seek_won": 4,
        "centre": 8,
        "safe": 16,
        "keep_threats": 32,
        "local": 64,
    },
    read_playout=flags,
    defaults={"playout": "win+block+safe+keep_threats+local", "threat_depth": "8"},  # docs/uct.md
    with_policy={"selection": "puct", "c": "2.5", "fpu_reduction": "0.5"},
    policy=load_policy,
    policy_excludes=("fpu", "rave", "transpositions", "progressive_widening", "prune"),
    with_network={
        "selection": "puct",
        "c": "1.5",
        "fpu_reduction": "0.2",
        "temperature": "1.5",  # Gumbel targets make the policy very sharp
        "transpositions": "yes",
    },
    network=load_network,
    renamed_playouts={"keep": "keep_threats", "near": "local"},
    experimental_playouts=("seek_won",),
)
