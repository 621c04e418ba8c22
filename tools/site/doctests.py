"""Docstrings as Markdown: doctests become code blocks."""

from __future__ import annotations

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.S | re.M)


class Doctests(griffe.Extension):
    """Fence the examples of every docstring."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            text = obj.docstring.value
            obj.docstring.value = DOCTEST.sub(lambda found: f"```pycon\n{found[0]}\n```", text)
