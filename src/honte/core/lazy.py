"""Package attributes that are imported on first access."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def lazy(package: str, places: Mapping[str, str]) -> Callable[[str], object]:
    """A package's ``__getattr__`` that imports names from these places: ``module[:attribute]``.

    >>> find = lazy("honte.example", {"sqrt": "math:sqrt", "maths": "math"})
    >>> find("sqrt")(9.0), find("maths").pi > 3
    (3.0, True)
    >>> find("nothing")
    Traceback (most recent call last):
    AttributeError: module 'honte.example' has no attribute 'nothing'
    """

    def find(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, attribute = places[name].partition(":")
        found = import_module(module)
        return vars(found)[attribute] if attribute else found

    return find
