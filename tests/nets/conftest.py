"""Training needs the extra `train` (JAX); without it there is nothing of its tests to collect."""

from __future__ import annotations

from importlib.util import find_spec

TRAINING = ["test_connect4_twin.py", "test_model.py"]
collect_ignore = [] if find_spec("jax") and find_spec("mctx") else TRAINING
