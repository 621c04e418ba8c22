"""Why a bot cannot even be tried: its file is missing or may not be run."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from honte.check.advice import Finding, fault
from honte.core.messages import quote
from honte.protocols.hosted import Hosted
from honte.sandbox import names
from honte.sandbox.programs import PROTOCOLS

ABOUT_FILES = ("there is no file", "there is no program", "is a folder", "may not be executed")
"""Words of the errors that are about the bot's file."""


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
            seen = f"{shown} is no program on the PATH, though a file of that name is here"
            return fault("does not start", seen, f"write {name}:./{word} for a file here")
        seen = f"there is no program {shown} on the PATH"
        return fault("does not start", seen, "install it, or write the path to it")
    if path.is_dir():
        return fault("does not start", f"{shown} is a folder", "name the file in it")
    if path.is_file() and not os.access(path, os.X_OK):
        seen = f"the file {shown} is there, but may not be executed"
        return fault("does not start", seen, f"allow it with `chmod +x {word}`")
    fix = "write the path from the folder that you are in"
    if not word.endswith(".py"):
        fix = f"compile it, or {fix}"
    fix = protocol.advice.get("missing file", fix).replace("FILE", word)
    return fault("does not start", f"there is no file {shown}", fix)
