"""Why a bot cannot even be tried: its file is missing or may not be run."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from honte.check.advice import Finding, fault
from honte.core.language import Message
from honte.core.messages import quote
from honte.protocols.hosted import Hosted
from honte.sandbox import names
from honte.sandbox.programs import PROTOCOLS

ABOUT_FILES = ("there is no file", "there is no program", "is a folder", "may not be executed")
"""Fragments of errors that are about the bot's file."""


def missing_file(spec: str, settings: dict[str, object], error: ValueError) -> Finding | None:
    """What is wrong with the file that a spec names; None if the spec itself is wrong."""
    found = None if ":" in spec else names.find(spec.strip())
    if found is not None:
        spec, settings = str(found["spec"]), {**found, **settings}
    name, _, command = spec.strip().partition(":")
    if not any(words in str(error) for words in ABOUT_FILES):
        return None
    if name not in PROTOCOLS:
        return None
    protocol = PROTOCOLS[name]
    runs = not issubclass(protocol, Hosted)
    if not issubclass(protocol, Hosted):
        words = shlex.split(command)
        word = next((word for word in words if word.endswith(".py")), words[0])
    else:
        word = command.strip()
        if protocol.function_in_spec and ":" in word:
            word = word.rpartition(":")[0]
    path = Path(str(settings.get("folder", ".")), word)
    shown = quote(word, 200)
    if "/" not in word and runs and not word.endswith(".py"):
        if path.is_file():
            seen = Message(
                "{shown} is no program on the PATH, though a file of that name is here", shown=shown
            )
            return fault(
                "does not start",
                seen,
                Message("write {name}:./{word} for a file here", name=name, word=word),
            )
        seen = Message("there is no program {shown} on the PATH", shown=shown)
        return fault("does not start", seen, Message("install it, or write the path to it"))
    if path.is_dir():
        return fault(
            "does not start",
            Message("{shown} is a folder", shown=shown),
            Message("name the file in it"),
        )
    if path.is_file() and not os.access(path, os.X_OK):
        seen = Message("the file {shown} is there, but may not be executed", shown=shown)
        return fault("does not start", seen, Message("allow it with `chmod +x {word}`", word=word))
    if "missing file" in protocol.advice:
        fix = Message(protocol.advice["missing file"], file=word)
    elif word.endswith(".py"):
        fix = Message("write the path from the folder that you are in")
    else:
        fix = Message("compile it, or write the path from the folder that you are in")
    return fault("does not start", Message("there is no file {shown}", shown=shown), fix)
