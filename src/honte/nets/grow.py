"""Grow a network: more blocks and channels that compute the same at first (Chen et al. 2016).

New channels start at random and nothing old reads them; new blocks add nothing to the residual
stream. Training goes on from the smaller network's strength and fills the room.
"""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp

from honte.core.language import Message
from honte.nets import checkpoint
from honte.nets.learner import Learner
from honte.nets.model import Arrays, blocks_of
from honte.nets.quantise import averaged
from honte.nets.sizes import Size


def from_checkpoint(larger: Learner, path: Path) -> Learner:
    """A fresh learner that computes what the averaged network of a checkpoint does."""
    size = Size.parse(checkpoint.about(path)["size"])
    weights, statistics = (jax.tree.map(jnp.asarray, part) for part in averaged(path))
    if larger.weights["stem.b"].size < size.channels or blocks_of(larger.weights) < size.blocks:
        raise ValueError(
            Message("{path} is {size}; a network grows into a larger one", path=path, size=size)
        )
    return grown(larger, weights, statistics)


def grown(larger: Learner, weights: Arrays, statistics: Arrays) -> Learner:
    """`larger` with the network of `weights` in its first blocks and channels.

    The maximum over the board follows its mean in what a pooling layer reads, so the channels of a
    smaller network are not its first inputs there.
    """
    wide = dict(larger.weights)
    for name, array in weights.items():
        if array.ndim == 1:
            wide[name] = wide[name].at[: len(array)].set(array)
            continue
        inputs, outputs = array.shape[-2:]
        reads = jnp.arange(inputs)
        if name.startswith("block") and name.endswith(".pool.w"):
            half = inputs // 2
            reads = jnp.concatenate([reads[:half], wide[name].shape[-2] // 2 + reads[:half]])
        old = wide[name].at[..., :outputs].set(0)
        wide[name] = old.at[..., reads, :outputs].set(array)
    for block in range(blocks_of(weights), blocks_of(wide)):
        for name in (f"block{block}.second.gain", f"block{block}.pool.w"):
            if name in wide:
                wide[name] = jnp.zeros_like(wide[name])
    running = dict(larger.statistics)
    for name, array in statistics.items():
        running[name] = (
            running[name].at[: len(array)].set(array) if array.ndim else jnp.asarray(array)
        )
    average = jax.tree.map(jnp.copy, (wide, running))
    return larger._replace(weights=wide, statistics=running, average=average)
