"""What the page may ask: every request with its fields, their types and their bounds."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from honte.games.contract import quote
from honte.games.spec import MAX_SPEC
from honte.web.position import MOST_MOVES

MOST_FRAME = 16 * 1024
MOST_BODY = 64 * 1024
MOST_ID = 2**53

Spec = Annotated[str, Meta(min_length=1, max_length=MAX_SPEC)]
Text = Annotated[str, Meta(max_length=MOST_BODY)]
Word = Annotated[str, Meta(min_length=1, max_length=16)]
Words = Annotated[list[Word], Meta(max_length=MOST_MOVES)]


class Request(Struct):
    """A request with no fields of its own."""


class Place(Request):
    """The position fields."""

    game: Spec
    start: Text | None = None
    moves: Words = []


class Position(Place):
    all: bool = False


class Course(Request):
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None


class Choose(Place):
    player: Annotated[str, Meta(min_length=1, max_length=80)] = "best"
    seconds: Annotated[float, Meta(ge=0.01, le=60)] | None = None


class Analyse(Place):
    seconds: Annotated[float, Meta(ge=0.01, le=120)] = 30.0


class Review(Place):
    seconds: Annotated[float, Meta(ge=0.01, le=10)] = 0.3


class Stop(Request):
    which: Annotated[int, Meta(ge=0, le=MOST_ID)]


class Tree(Request):
    path: Words = []


class Load(Request):
    text: Text
    game: Spec | None = None


class Export(Place, kw_only=True, rename={"form": "as"}):
    form: str = "text"


class Stored(Request):
    game_id: Annotated[str, Meta(min_length=1, max_length=64)]


KINDS: dict[str, type[Request]] = {
    "hello": Request,
    "position": Position,
    "course": Course,
    "choose": Choose,
    "analyse": Analyse,
    "review": Review,
    "stop": Stop,
    "tree": Tree,
    "load": Load,
    "export": Export,
    "store": Request,
    "stored": Stored,
}

_AT = re.compile(r"^(.*?)(?: - at `\$\.?(.*)`)?$", re.DOTALL)


class Refused(ValueError):
    """A request that is none; `id` says which, where that could be read."""

    def __init__(self, words: str, id: int | None = None) -> None:
        super().__init__(words)
        self.id = id


def decode(data: str | bytes) -> Any:
    """The value of a JSON text; anything else is refused in one sentence."""
    try:
        return msgspec.json.decode(data)
    except RecursionError:
        raise Refused("the request is nested too deep; send one flat JSON object") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise Refused(f"the request is not JSON: {_plain(str(error))}") from None


def read(data: str | bytes) -> tuple[int, str, Any]:
    """The id, the kind and the fields of a request."""
    found = decode(data)
    if not isinstance(found, dict):
        raise Refused('a request is one JSON object like {"id": 1, "do": "hello"}')
    id = found.pop("id", None)
    if isinstance(id, bool) or not isinstance(id, int) or not 0 <= id <= MOST_ID:
        raise Refused("a request needs an id, a whole number from 0")
    do = found.pop("do", None)
    if not isinstance(do, str) or do not in KINDS:
        raise Refused(f"there is no request {quote(do)}; there are {', '.join(KINDS)}", id)
    try:
        return id, do, convert(found, KINDS[do], do)
    except ValueError as error:
        raise Refused(str(error), id) from None


def convert(found: Any, kind: type[Request], do: str) -> Any:
    """The fields of a request, checked."""
    try:
        return msgspec.convert(found, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise ValueError(f"{do}: {_plain(str(error))}") from None


def _plain(words: str) -> str:
    """An error of msgspec as a part of a sentence."""
    what, at = _AT.match(words).groups()  # type: ignore[union-attr]
    what = what.replace("`", "")
    what = what[:1].lower() + what[1:]
    return f"{at.split('[')[0]} is wrong: {what}"[:200] if at else what[:200]
