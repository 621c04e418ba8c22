"""Turn a checkpoint into a network file for play: ``python -m honte.nets.export IN.npz OUT.net``.

Needs numpy alone, and the package `onnx` for ``--onnx``.
"""

from __future__ import annotations

import argparse
import importlib
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from honte.nets import netfile
from honte.nets.quantise import load_checkpoint, quantise

POSITIONS = 400
SEED = 1


def export(checkpoint: Path, out: Path, onnx: Path | None = None, count: int = POSITIONS) -> None:
    """Quantise, calibrated on `count` positions of random games, and write the file."""
    trained = load_checkpoint(checkpoint)
    game = importlib.import_module(f"honte.games.{trained.about['game']}.planes")
    positions = game.random_positions(np.random.default_rng(SEED), count)
    header, tensors = quantise(trained, game.PLANES, positions)
    out.write_bytes(netfile.encode(header, tensors))
    if onnx is not None:
        from honte.nets import onnx_model

        onnx.write_bytes(onnx_model.build(trained.weights))


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m honte.nets.export", description=__doc__)
    parser.add_argument("checkpoint", type=Path, metavar="CHECKPOINT.npz")
    parser.add_argument("out", type=Path, metavar="OUT.net")
    parser.add_argument("--onnx", type=Path, metavar="FILE", help="also write the network as ONNX")
    options = parser.parse_args(words)
    if options.onnx and not find_spec("onnx"):
        parser.error("--onnx needs the package onnx: pip install onnx")
    if not options.checkpoint.is_file():
        parser.error(f"there is no checkpoint {options.checkpoint}")
    export(options.checkpoint, options.out, options.onnx)
    print(f"{options.out}: {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
