"""Spec strings, ``NAME[:key=value,...]``, and the typed options behind their keys.

Games and players declare their options once; the command line, the page and the tuner
read the same declarations.

>>> from honte.core.spec import Options, split, whole
>>> split("game:rows=12,course")
('game', {'rows': '12', 'course': 'yes'})
>>> Options(whole("rows", 6, 4, 16)).read("game", {"rows": "12"})
{'rows': 12}

A renamed option keeps its former names as ``aliases``; a dropped one is ``removed``. Both are
still accepted, with a notice on stderr.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from honte.core.language import Message, message
from honte.core.messages import quote
from honte.core.notice import notice

MAX_SPEC = 4096

Kind = Literal["text", "whole", "number", "choice", "yes_no", "cells"]
"""Input type in a form; ``cells`` is text like ``5/6+2/3``, rows and columns from 0 at the top
left."""


def split(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the settings of a spec; a bare word means ``word=yes``."""
    if len(spec) > MAX_SPEC:
        raise ValueError(
            Message(
                "a spec of {count:,} characters; {max_spec:,} is the most",
                count=len(spec),
                max_spec=MAX_SPEC,
            )
        )
    name, _, rest = spec.strip().partition(":")
    settings: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = item.partition("=")
        key = key.strip()
        if key in settings:
            raise ValueError(
                Message(
                    "{key} is set twice in {spec}; leave one out", key=quote(key), spec=quote(spec)
                )
            )
        settings[key] = value.strip() if equals else "yes"
    return name.strip(), settings


def join(name: str, settings: Mapping[str, object]) -> str:
    """A spec string from its parts."""
    items = ",".join(f"{key}={value}" for key, value in settings.items())
    return f"{name}:{items}" if items else name


@dataclass(frozen=True)
class Option:
    """One key of a spec: default, valid values, conversion from text."""

    name: str
    default: Any
    expects: str
    convert: Callable[[str], Any]
    help: str = ""
    kind: Kind = "text"
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[str, ...] = ()
    """The values of a ``choice``; for a number, the values a form offers as buttons."""
    experimental_choices: tuple[str, ...] = ()
    """The experimental ones among the choices."""
    label: str = ""
    """Label in a form; by default the name."""
    form: Literal["shown", "folded", "hidden"] = "shown"
    """Visibility in a form: shown, under "more", or hidden."""
    aliases: tuple[str, ...] = ()
    """Former names, still accepted with a notice."""
    experimental: bool = False
    """Works, but without a measured benefit; left out of the first screen of help."""
    removed: bool = False
    """Accepted and ignored, with a notice."""

    def read(self, owner: str, given: object) -> Any:
        try:
            return self.convert(_as_text(given))
        except (ValueError, OverflowError):
            raise ValueError(
                Message(
                    "{owner}: {name}={given} is not {expects}",
                    owner=owner,
                    name=self.name,
                    given=quote(_as_text(given)),
                    expects=message(self.expects),
                )
            ) from None


class Options(tuple[Option, ...]):
    """The options of a game or a player.

    Iterating yields removed ones too, so that options can be composed; `shown` is for people.
    """

    def __new__(cls, *options: Option) -> Options:
        return super().__new__(cls, options)

    def shown(self, experimental: bool = False) -> Options:
        """The options for a help text: without removed and, by default, experimental ones."""
        return Options(*(o for o in self if not o.removed and (experimental or not o.experimental)))

    def current(self, owner: str, given: Mapping[str, object]) -> dict[str, object]:
        """The settings under their current names, with a notice for each former name.

        Unknown keys are left for `read` to refuse.

        >>> Options(whole("depth", 4, 1, 9)).current("me", {"depth": 5})
        {'depth': 5}
        """
        renamed = {alias: option.name for option in self for alias in option.aliases}
        removed = {option.name for option in self if option.removed}
        found: dict[str, object] = {}
        for key, value in given.items():
            if key in removed:
                notice(
                    Message(
                        "{owner}: `{key}` does nothing any more; leave it out", owner=owner, key=key
                    ),
                    key,
                )
                continue
            name = renamed.get(key, key)
            if name != key:
                notice(
                    Message(
                        "{owner}: `{key}` is now called `{name}`", owner=owner, key=key, name=name
                    ),
                    key,
                )
                if name in given:
                    raise ValueError(
                        Message(
                            "{owner}: {key} and {name} are one option; leave one out",
                            owner=owner,
                            key=key,
                            name=name,
                        )
                    )
            found[name] = value
        return found

    def read(self, owner: str, given: Mapping[str, object]) -> dict[str, Any]:
        """Every option's value: given, converted and checked, or the default."""
        given = self.current(owner, given)
        known = {option.name: option for option in self if not option.removed}
        for key in given:
            if key not in known:
                names = ", ".join(known) or "none"
                raise ValueError(
                    Message(
                        "{owner} has no option {key}; it has: {names}",
                        owner=owner,
                        key=quote(key),
                        names=names,
                    )
                )
        return {
            name: option.read(owner, given[name]) if name in given else option.default
            for name, option in known.items()
        }


def renamed(option: Option, *aliases: str) -> Option:
    """An option with former names."""
    return replace(option, aliases=aliases)


def experimental(option: Option) -> Option:
    """An option left out of the first screen of help."""
    return replace(option, experimental=True)


def removed(name: str) -> Option:
    """A former key, still accepted and ignored."""
    return Option(name, None, "anything", str, removed=True)


def whole(name: str, default: Any, low: int, high: int, help: str = "", **form: Any) -> Option:
    """An option that is a whole number; `form` sets the fields of `Option` only forms read."""

    def convert(text: str) -> int:
        if len(text) > 20:
            raise ValueError
        value = int(text)
        _check_within(value, low, high)
        return value

    expects = Message("a whole number from {low} to {high}", low=low, high=high)
    return Option(name, default, expects, convert, help, "whole", low, high, **form)


def number(name: str, default: Any, low: float, high: float, help: str = "", **form: Any) -> Option:
    """An option that is a number within limits."""

    def convert(text: str) -> float:
        value = float(text)
        if not math.isfinite(value):
            raise ValueError
        _check_within(value, low, high)
        return value

    expects = Message("a number from {low:g} to {high:g}", low=low, high=high)
    return Option(name, default, expects, convert, help, "number", low, high, **form)


def choice(
    name: str, default: str, choices: tuple[str, ...], help: str = "", **form: Any
) -> Option:
    """An option that is one of several words."""

    def convert(text: str) -> str:
        if text not in choices:
            raise ValueError
        return text

    expects = Message("one of {choices}", choices=", ".join(choices))
    return Option(name, default, expects, convert, help, "choice", choices=choices, **form)


def yes_no(name: str, default: bool, help: str = "", **form: Any) -> Option:
    """An option that is on or off."""
    words = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}

    def convert(text: str) -> bool:
        if text.lower() not in words:
            raise ValueError
        return words[text.lower()]

    return Option(name, default, "yes or no", convert, help, "yes_no", **form)


def _check_within(value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise ValueError


def _as_text(given: object) -> str:
    if isinstance(given, bool):
        return "yes" if given else "no"
    return str(given) if not isinstance(given, int) or given.bit_length() < 100 else "a huge number"
