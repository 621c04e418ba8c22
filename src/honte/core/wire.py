"""JSON from other programs, decoded and checked by msgspec; errors are parts of one sentence."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from honte.core.language import Message
from honte.core.messages import quote

T = TypeVar("T")

_AT = re.compile(r"^(.*?)(?: - at `\$\.?(.*)`)?$", re.DOTALL)
_INDEX = re.compile(r"\[(\.\.\.|\d+)\]")
_FIELD = re.compile(
    r"Object (?P<problem>missing required|contains unknown) field `(?P<name>.*)`", re.DOTALL
)


def decode(data: str | bytes) -> Any:
    """The value of a JSON text.

    >>> decode('{"id": 1}')
    {'id': 1}
    >>> decode("{")
    Traceback (most recent call last):
    ValueError: the request is not JSON: input data was truncated
    """
    try:
        return msgspec.json.decode(data)
    except RecursionError:
        raise ValueError(
            Message("the request is nested too deep; send one flat JSON object")
        ) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise ValueError(
            Message("the request is not JSON: {why}", why=_plain(str(error)))
        ) from None


def convert(found: Any, kind: type[T], within: str = "") -> T:
    """The fields of a message or a section `within` a file, checked against a type.

    >>> class Limit(msgspec.Struct, forbid_unknown_fields=True):
    ...     seconds: float
    >>> convert({"seconds": "x"}, Limit)
    Traceback (most recent call last):
    ValueError: seconds is wrong: expected float, got str
    >>> convert({"secs": 1}, Limit, "match")
    Traceback (most recent call last):
    ValueError: there is no field 'match.secs'; the fields are seconds
    """
    try:
        return msgspec.convert(found, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ValueError(_sentence(str(error), kind, within)) from None


def _sentence(words: str, kind: Any, within: str) -> str:
    """A msgspec error as a sentence that names the field."""
    what, at = _AT.match(words).groups()  # type: ignore[union-attr]
    at = _INDEX.sub("", at or "")
    where = ".".join(filter(None, (within, at)))
    field = _FIELD.fullmatch(what)
    if field is None:
        if not where:
            return _plain(what)
        return Message("{where} is wrong: {what}", where=where, what=_plain(what))
    name = quote(".".join(filter(None, (where, field["name"]))))
    if field["problem"] == "missing required":
        return Message("the field {name} is missing", name=name)
    if at or not issubclass(kind, msgspec.Struct):
        return Message("there is no field {name}", name=name)
    fields = ", ".join(kind.__struct_encode_fields__)
    return Message("there is no field {name}; the fields are {fields}", name=name, fields=fields)


def _plain(what: str) -> str:
    """A msgspec error as part of a sentence."""
    what = what.replace("`", "")[:200]
    return what if what.startswith("JSON") else what[:1].lower() + what[1:]
