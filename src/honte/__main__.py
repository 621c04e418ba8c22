"""``python -m honte`` is the ``honte`` command."""

from honte.cli.main import run

run()
