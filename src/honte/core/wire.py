"""JSON from other programs, decoded and checked by msgspec; errors are parts of one sentence."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from honte.core.language import Message

T = TypeVar("T")

_AT = re.compile(r"^(.*?)(?: - at `\$\.?(.*)`)?$", re.DOTALL)


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


def convert(found: Any, kind: type[T]) -> T:
    """The fields of a message, checked against a struct.

    >>> class Limit(msgspec.Struct):
    ...     seconds: float
    >>> convert({"seconds": "x"}, Limit)
    Traceback (most recent call last):
    ValueError: seconds is wrong: expected float, got str
    """
    try:
        return msgspec.convert(found, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        words = _plain(str(error))
    if words.startswith("object contains unknown field") and issubclass(kind, msgspec.Struct):
        words += f"; the fields are {', '.join(kind.__struct_fields__)}"
    raise ValueError(words)


def _plain(words: str) -> str:
    """An error of msgspec as a part of a sentence."""
    what, at = _AT.match(words).groups()  # type: ignore[union-attr]
    what = what.replace("`", "")
    what = what if what.startswith("JSON") else what[:1].lower() + what[1:]
    return f"{at.split('[')[0]} is wrong: {what}"[:200] if at else what[:200]
