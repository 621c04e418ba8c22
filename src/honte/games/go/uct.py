"""UCT support of Go."""

from __future__ import annotations

from functools import cache

from honte import _native
from honte.games.go.descriptor import DESCRIPTOR
from honte.search import policy
from honte.search.uct import UctSupport, in_order

FEATURES = _native.GO_FEATURES
assert DESCRIPTOR.data is not None
LEARNED = DESCRIPTOR.data / "policy.weights"
"""Made by ``honte learn go``."""


@cache
def load_policy(name: str) -> _native.GoPolicy:
    """Policy weights: ``learned``, or a file's path; cached."""
    return _native.GoPolicy(policy.read_named(name, LEARNED, FEATURES))


SUPPORT = UctSupport(
    search=_native.GoUct,
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
    experimental_playouts=("fill",),
)
