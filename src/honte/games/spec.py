"""Spec strings, ``NAME[:key=value,...]``, and the typed options behind their keys.

Games and players declare their options once; the command line, the page and the tuner
read the same declarations.

>>> from honte.games.spec import Options, split, whole
>>> split("connect4:rows=12,course")
('connect4', {'rows': '12', 'course': 'yes'})
>>> Options(whole("rows", 6, 4, 16)).read("connect4", {"rows": "12"})
{'rows': 12}
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from honte.games.contract import quote

MAX_SPEC = 4096


def split(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the settings of a spec; a bare word means ``word=yes``."""
    if len(spec) > MAX_SPEC:
        raise ValueError(f"a spec of {len(spec):,} characters; {MAX_SPEC:,} is the most")
    name, _, rest = spec.strip().partition(":")
    settings: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = item.partition("=")
        key = key.strip()
        if key in settings:
            raise ValueError(f"{quote(key)} is set twice in {quote(spec)}; leave one out")
        settings[key] = value.strip() if equals else "yes"
    return name.strip(), settings


def join(name: str, settings: Mapping[str, object]) -> str:
    """A spec string from its parts."""
    items = ",".join(f"{key}={value}" for key, value in settings.items())
    return f"{name}:{items}" if items else name


@dataclass(frozen=True)
class Option:
    """One key of a spec: its default, what it may be, and how text becomes its value."""

    name: str
    default: Any
    expects: str
    convert: Callable[[str], Any]
    help: str = ""

    def read(self, owner: str, given: object) -> Any:
        try:
            return self.convert(_as_text(given))
        except (ValueError, OverflowError):
            raise ValueError(
                f"{owner}: {self.name}={quote(_as_text(given))} is not {self.expects}"
            ) from None


class Options(tuple[Option, ...]):
    """The options of a game or a player."""

    def __new__(cls, *options: Option) -> Options:
        return super().__new__(cls, options)

    def read(self, owner: str, given: Mapping[str, object]) -> dict[str, Any]:
        """Every option's value: given, converted and checked, or the default."""
        known = {option.name: option for option in self}
        for key in given:
            if key not in known:
                names = ", ".join(known) or "none"
                raise ValueError(f"{owner} has no option {quote(key)}; it has: {names}")
        return {
            name: option.read(owner, given[name]) if name in given else option.default
            for name, option in known.items()
        }


def whole(name: str, default: Any, low: int, high: int, help: str = "") -> Option:
    def convert(text: str) -> int:
        if len(text) > 20:
            raise ValueError
        value = int(text)
        _check_within(value, low, high)
        return value

    return Option(name, default, f"a whole number from {low} to {high}", convert, help)


def number(name: str, default: Any, low: float, high: float, help: str = "") -> Option:
    def convert(text: str) -> float:
        value = float(text)
        if not math.isfinite(value):
            raise ValueError
        _check_within(value, low, high)
        return value

    return Option(name, default, f"a number from {low:g} to {high:g}", convert, help)


def choice(name: str, default: str, choices: tuple[str, ...], help: str = "") -> Option:
    def convert(text: str) -> str:
        if text not in choices:
            raise ValueError
        return text

    return Option(name, default, "one of " + ", ".join(choices), convert, help)


def yes_no(name: str, default: bool, help: str = "") -> Option:
    words = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}

    def convert(text: str) -> bool:
        if text.lower() not in words:
            raise ValueError
        return words[text.lower()]

    return Option(name, default, "yes or no", convert, help)


def _check_within(value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ValueError


def _as_text(given: object) -> str:
    if isinstance(given, bool):
        return "yes" if given else "no"
    return str(given) if not isinstance(given, int) or given.bit_length() < 100 else "a huge number"
