"""The signature of all move-deciding code, part by part: a change shows in the diff.

A commit that means to change decisions says so and updates the file::

    python -m tests.golden.test_signature
"""

from __future__ import annotations

from pathlib import Path

from honte.games import BUILTIN
from honte.search.signature import parts, total

GOLDEN = Path(__file__).parent / "signature.golden"


def written() -> str:
    found = parts(BUILTIN)
    lines = [f"{name} {value}" for name, value in found.items()]
    return "\n".join([*lines, f"total {total(found)}"]) + "\n"


def test_no_decision_has_changed() -> None:
    assert written() == GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(written(), encoding="utf-8")
