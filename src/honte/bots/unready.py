"""Why a bot cannot even be tried: its file is missing or may not be run."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from honte.bots import names
from honte.bots.advice import Finding, fault
from honte.games.contract import quote

PROGRAMS = ("gtp", "saiblo", "saiblo_json", "botzone", "botzone_simple", "nboard")
HOSTED = ("py", "kaggle", "getpoint")


def unready(spec: str, settings: dict[str, object], error: ValueError) -> Finding | None:
    """What is wrong with the file that a spec names; None if the spec itself is wrong."""
    found = None if ":" in spec else names.find(spec.strip())
    if found is not None:
        spec, settings = str(found["spec"]), {**found, **settings}
    protocol, _, command = spec.strip().partition(":")
    if "there is no file" not in str(error) and "there is no program" not in str(error):
        return None
    if protocol in HOSTED:
        word = command.strip()
        if protocol != "getpoint" and ":" in word:
            word = word.rpartition(":")[0]
    elif protocol in PROGRAMS:
        words = shlex.split(command)
        word = next((word for word in words if word.endswith(".py")), words[0])
    else:
        return None
    path = Path(str(settings.get("folder", ".")), word)
    shown = quote(word, 200)
    if "/" not in word and protocol in PROGRAMS and not word.endswith(".py"):
        if path.is_file():
            seen = f"{shown} is no program on the PATH, though a file of that name is here"
            return fault("does not start", seen, f"write {protocol}:./{word} for a file here")
        seen = f"there is no program {shown} on the PATH"
        return fault("does not start", seen, "install it, or write the path to it")
    if path.is_dir():
        return fault("does not start", f"{shown} is a folder", "name the file in it")
    if path.is_file() and not os.access(path, os.X_OK):
        seen = f"the file {shown} is there, but may not be executed"
        return fault("does not start", seen, f"allow it with `chmod +x {word}`")
    mend = "write the path from the folder that you are in"
    if not word.endswith(".py"):
        mend = f"compile it, or {mend}"
    if protocol == "getpoint":
        mend = f"compile it first, with `g++ -O2 -shared -fPIC -o {word} Strategy.cpp Judge.cpp`"
    return fault("does not start", f"there is no file {shown}", mend)
