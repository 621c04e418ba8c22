"""Files of a training run: named arrays, written atomically.

network-SIZE.npz   a learner: weights, optimiser, averages (≤ 16 MiB)
reference.npz      the network that the rating is measured against
replay.npz         a sample of the replay ring (≤ 16 MiB)
log.jsonl          a line of figures every few seconds
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from honte.core.language import Message
from honte.core.whole_file import written_whole

ABOUT = "about.json"


def names(tree: Any) -> dict[str, Any]:
    """The arrays of a pytree by path.

    >>> names({"a": (1, {"b": 2})})
    {'a/0': 1, 'a/1/b': 2}
    """
    leaves, _ = jax.tree_util.tree_flatten_with_path(tree)
    return {"/".join(map(_name, path)): leaf for path, leaf in leaves}


def _name(key: Any) -> str:
    return str(jax.tree_util.keystr((key,))).strip("[]'.")


def save(path: Path, tree: Any, about: dict[str, Any]) -> None:
    """Write a pytree of arrays and its metadata atomically."""
    packing = zipfile.ZIP_DEFLATED
    with (
        written_whole(path) as whole,
        zipfile.ZipFile(whole, "w", packing, compresslevel=1) as file,
    ):
        file.writestr(ABOUT, json.dumps(about))
        for name, array in names(tree).items():
            with file.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)


def about(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as file:
        words: dict[str, Any] = json.loads(file.read(ABOUT))
        return words


def load(path: Path, like: Any) -> Any:
    """The arrays of a file, as a pytree with the names and shapes of `like`."""
    with np.load(path, allow_pickle=False) as file:
        held = {name: file[name] for name in file.files if name != ABOUT}
    wanted = names(like)
    if held.keys() != wanted.keys():
        odd = sorted(held.keys() ^ wanted.keys())
        raise ValueError(
            Message("{path} holds another network: {odd} …", path=path, odd=", ".join(odd[:3]))
        )
    for name, array in wanted.items():
        if held[name].shape != array.shape:
            raise ValueError(
                Message(
                    "{path}: {name} is {shape}, not {shape_2}; was the size changed?",
                    path=path,
                    name=name,
                    shape=held[name].shape,
                    shape_2=array.shape,
                )
            )
    _, shape = jax.tree_util.tree_flatten(like)
    return jax.tree_util.tree_unflatten(shape, [jnp.asarray(held[name]) for name in wanted])
