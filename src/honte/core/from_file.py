"""Classes and functions from a user's own file: ``file.py:name``."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

from honte.core.language import Message
from honte.core.messages import quote


def module_of(file: str) -> ModuleType:
    """The module of a file, imported once."""
    return _module(str(Path(file).resolve()), file)


def callable_of(file: str, name: str) -> Callable[..., Any]:
    """A class or function of a file."""
    return callable_in(module_of(file), file, name)


def callable_in(module: ModuleType, place: str, name: str) -> Callable[..., Any]:
    """A class or function of a module; `place` says in errors where it came from."""
    found = module.__dict__.get(name)
    if not callable(found):
        raise ValueError(
            Message("{file} has no class or function {name}", file=place, name=quote(name))
        )
    return found  # type: ignore[no-any-return]


@cache
def _module(path: str, file: str) -> ModuleType:
    """The module of a file, imported once under a name that pickles can find."""
    if not Path(path).is_file():
        raise ValueError(Message("there is no file {file}", file=quote(file, 200)))
    name = "honte_file_" + re.sub(r"\W", "_", path)
    loader = SourceFileLoader(name, path)
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise cannot_load(file, error) from error
    return module


def cannot_load(place: str, error: Exception) -> ValueError:
    """The error to raise for a file or module whose import raised `error`."""
    return ValueError(
        Message(
            "{file} cannot be loaded: {kind}: {error}",
            file=place,
            kind=type(error).__name__,
            error=error,
        )
    )
