"""Training on an accelerator for `honte learn net`: `train` in a separate process.

`python -m honte.nets.accelerated` takes the arguments of `honte.nets.train`. SIGTERM ends training
after the current segment; the networks are written and measured as when the time is up.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from honte.core.language import Message

INSTALL = "pip install 'honte[train]' 'jax[cuda13]'"
"""For NVIDIA's; without `jax[cuda13]` JAX knows the CPU alone."""
QUESTION = "import jax; print(jax.default_backend())"


def has_jax() -> bool:
    return find_spec("jax") is not None and find_spec("mctx") is not None


def backend() -> str:
    """JAX's backend, queried in a subprocess, because a process with JAX must not fork workers."""
    asked = subprocess.run(
        [sys.executable, "-c", QUESTION], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() or "cpu"


def choose(device: str) -> bool:
    """Whether to train on an accelerator: `auto`, `cpu` or `accelerator`."""
    if device == "cpu":
        return False
    if device not in ("auto", "accelerator"):
        raise ValueError(
            Message(
                "--device {device!r} is unknown; use auto, cpu or accelerator", device=device[:40]
            )
        )
    if not has_jax():
        if device == "auto":
            return False
        raise ValueError(
            Message(
                "training on an accelerator needs JAX; install it with `{install}` (NVIDIA)",
                install=INSTALL,
            )
        )
    found = backend()
    if found == "cpu" and device == "accelerator":
        raise ValueError(
            Message(
                "JAX sees no accelerator here; install what it needs with `{install}` (NVIDIA), or "
                "leave --device out to train on CPU cores",
                install=INSTALL,
            )
        )
    return found != "cpu"


@contextlib.contextmanager
def training(words: list[str]) -> Iterator[subprocess.Popen[str]]:
    """Run a training process, shielded from the terminal's Ctrl-C; kill it on leaving."""
    process = subprocess.Popen(
        [sys.executable, "-m", "honte.nets.accelerated", *words],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def events(process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    """Yield the events that a training process logs, as they come."""
    assert process.stdout is not None
    for line in process.stdout:
        with contextlib.suppress(ValueError):
            event = json.loads(line)
            if isinstance(event, dict) and "event" in event:
                yield event


def main(words: list[str] | None = None) -> int:
    options: argparse.Namespace | None = None
    stopped = False

    def stop(number: int, frame: object) -> None:
        nonlocal stopped
        stopped = True
        if options is not None:
            options.seconds = 0.0  # the loop checks it before each segment

    signal.signal(signal.SIGTERM, stop)
    from honte.nets import train  # imports JAX, which takes seconds

    options = train.arguments(words)
    if stopped:
        options.seconds = 0.0
    try:
        train.Training(options).run()
    except (ValueError, OSError) as error:
        print(f"honte: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
