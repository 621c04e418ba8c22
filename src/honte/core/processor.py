"""The build of the native core that fits this processor.

The core is built for several levels of x86-64: ``v2`` (2009), ``v3`` with AVX2 (2013) and ``v4``
with AVX-512; elsewhere there is one, ``baseline``. All make the same decisions, bit for bit. The
fastest one that the processor supports is loaded as ``honte._native``, or the one that
``HONTE_CPU`` names.
"""

from __future__ import annotations

import os
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

from honte import _processor
from honte.core.language import Message

VARIABLE = "HONTE_CPU"
NATIVE = "native"
"""Built with every instruction of one machine, as a yardstick; loaded only by name."""


def levels() -> tuple[str, ...]:
    """The levels that this processor supports, the fastest first."""
    return _processor.levels()


def installed() -> dict[str, str]:
    """The files of the levels that are installed."""
    folder = os.path.join(os.path.dirname(_processor.__file__), "_levels")
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return {}
    return {name.partition(".")[0]: os.path.join(folder, name) for name in names}


def choose(wanted: str, built: list[str], runs: tuple[str, ...]) -> str:
    """The level to load; raises a one-sentence ValueError if there is none.

    >>> choose("", ["v2", "v3", "v4"], ("v3", "v2", "baseline"))
    'v3'
    >>> choose("v2", ["v2", "v3", "v4"], ("v3", "v2", "baseline"))
    'v2'
    """
    fitting = [level for level in runs if level in built]
    if wanted and wanted in (*fitting, *(level for level in built if level == NATIVE)):
        return wanted
    if not fitting:
        raise ValueError(
            Message(
                "honte was built for {built}, and this processor runs {runs} at best; build it "
                "on this machine, or install a wheel",
                built=" and ".join(built) or "no processor",
                runs=runs[0],
            )
        )
    if not wanted:
        return fitting[0]
    why = Message("there is no such build here")
    if wanted in built:
        why = Message("this processor cannot run it")
    raise ValueError(
        Message(
            "{variable}={wanted}: {why}; choose one of {fitting}",
            variable=VARIABLE,
            wanted=wanted,
            why=why,
            fitting=", ".join(fitting),
        )
    )


def load(name: str) -> ModuleType:
    """Load the native core under this name; raises a one-sentence ImportError."""
    files = installed()
    try:
        level = choose(os.environ.get(VARIABLE, ""), sorted(files), levels())
    except ValueError as error:
        raise ImportError(str(error), name=name) from None
    spec = spec_from_file_location(name, files[level])
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
