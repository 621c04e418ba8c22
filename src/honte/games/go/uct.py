"""UCT support of Go."""

from __future__ import annotations

from functools import cache

from honte import _native
from honte.games.go.descriptor import DESCRIPTOR
from honte.search import network, policy
from honte.search.uct_settings import UctSupport, in_order

FEATURES = _native.GO_FEATURES
assert DESCRIPTOR.data is not None
LEARNED = DESCRIPTOR.data / "policy.weights"
"""Made by ``honte learn go``."""
NETWORK = DESCRIPTOR.data / "go.net"
"""Made by ``python -m honte.nets.train go`` and ``python -m honte.nets.export``."""


@cache
def load_policy(name: str) -> _native.GoPolicy:
    """Policy weights: ``learned``, or a file's path; cached."""
    return _native.GoPolicy(policy.read_named(name, LEARNED, FEATURES))


@cache
def load_network(name: str) -> _native.Network:
    """A network: ``learned``, or a file's path; cached."""
    return network.read_named(name, NETWORK)


SUPPORT = UctSupport(
    search=_native.GoUct,
    searches=_native.GoSearches,
    playouts={
        "uniform": 0,
        "save": 1,
        "nakade": 2,
        "pattern": 3,
        "capture": 4,
        "fill": 5,
        "safe": 6,
    },
    read_playout=in_order,
    defaults={  # docs/go.md
        "c": "0",
        "rave": "1000",
        "rave_form": "bias",
        "rave_bias": "0.0085",
        "playout": "save+nakade+pattern+capture+safe",
        "priors": "1",
        "policy": "learned",
    },
    with_policy={"selection": "puct", "c": "0.05", "rave_prior": "10"},
    policy=load_policy,
    with_network={
        "selection": "puct",
        "c": "1.0",
        "rave": "no",
        "priors": "0",
        "fpu_reduction": "0.2",
        "temperature": "2.5",  # Gumbel targets make the policy very sharp
        "score_utility": "0.4",
        "threat_depth": "1",  # a pass that wins the count
    },
    network=load_network,
    experimental_playouts=("fill",),
)
