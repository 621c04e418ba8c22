"""Training needs the extra `train` (JAX), ONNX its packages: left out where they are missing."""

from __future__ import annotations

from importlib.util import find_spec

JAX = ("test_connect4_twin", "test_cpu_learner_twin", "test_go_twin", "test_model")

collect_ignore = []
if not (find_spec("jax") and find_spec("mctx")):
    collect_ignore += [f"{name}.py" for name in JAX]
if not (find_spec("onnx") and find_spec("onnxruntime")):
    collect_ignore += ["test_onnx.py"]
