"""UCT support of Connect Four."""

from __future__ import annotations

from functools import cache

from honte import _native
from honte.games.connect4.descriptor import DESCRIPTOR
from honte.search import policy
from honte.search.uct import UctSupport, flags

FEATURES = _native.CONNECT4_FEATURES
assert DESCRIPTOR.data is not None
LEARNED = DESCRIPTOR.data / "policy.weights"
"""Made by ``honte learn connect4``."""


@cache
def load_policy(name: str) -> _native.Connect4Policy:
    """Policy weights: ``learned``, or a file's path; cached."""
    return _native.Connect4Policy(policy.read_named(name, LEARNED, FEATURES))


SUPPORT = UctSupport(
    search=_native.Connect4Uct,
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
    renamed_playouts={"keep": "keep_threats", "near": "local"},
    experimental_playouts=("seek_won",),
)
