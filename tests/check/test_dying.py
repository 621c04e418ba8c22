"""How the deaths of programs are explained in words."""

from __future__ import annotations

import pytest

from honte.check.dying import last_words, meaning

SAID = [
    ("bot/S.cpp:3:9: runtime error: index 12 out of bounds for type 'int [12]'", "overrun",
     "S.cpp, line 3: the index 12 is outside of an array int [12]"),
    ("S.cpp:3:9: runtime error: store to address 0x7f with insufficient space for an object",
     "overrun", "line 3: it goes past the end"),
    ("S.cpp:3:9: runtime error: member access within null pointer of type 'struct Node'", "crash",
     "line 3: it uses a pointer that is NULL"),
    ("S.cpp:3:9: runtime error: division by zero", "crash", "line 3: it divides by zero"),
    ("S.cpp:3:9: runtime error: execution reached the end of a value-returning function", "crash",
     "line 3: this function ended without return"),
    ("/usr/include/c++/12/bits/stl_vector.h:1123: Assertion '__n < this->size()' failed.",
     "overrun", "std::vector"),
    ("*** stack smashing detected ***: terminated", "overrun", "an array of a function"),
    ("free(): double free detected in tcache 2", "crash", "twice"),
    ("malloc(): corrupted top size", "overrun", "by new, malloc"),
    ("terminate called after throwing an instance of 'std::out_of_range'", "crash",
     "threw std::out_of_range"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "name", "seen"), SAID)
def test_last_words_are_understood(line: str, name: str, seen: str) -> None:
    found = last_words(b"thinking\n" + line.encode() + b"\n")
    assert found is not None
    assert found.name == name
    assert seen in found.seen
    assert found.fix


def test_other_words_and_signals() -> None:
    assert last_words(b"I play column 3") is None
    assert "not its own" in meaning("it died by SIGSEGV")
    assert "divided by zero" in meaning("it died by SIGFPE")
    assert meaning("it ended with exit status 3") == "it ended with exit status 3"
