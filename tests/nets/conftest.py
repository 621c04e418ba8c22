"""These tests need the extra `train` (JAX); without it there is nothing of theirs to collect."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("jax") and find_spec("mctx") else ["test_*.py"]
