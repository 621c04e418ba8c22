"""Training needs the extra `train` (JAX), ONNX its packages; skipped if they are missing."""

from __future__ import annotations

from importlib.util import find_spec

JAX = ("connect4_twin", "cpu_learner_twin", "go_twin", "model", "train")

collect_ignore = []
if not (find_spec("jax") and find_spec("mctx")):
    collect_ignore += [f"test_{name}.py" for name in JAX]
if not (find_spec("onnx") and find_spec("onnxruntime")):
    collect_ignore += ["test_onnx.py"]
