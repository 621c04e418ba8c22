"""The requests of the page: their fields, with types and bounds."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from honte.core import wire
from honte.core.messages import quote
from honte.core.spec import MAX_SPEC
from honte.submissions.sources import MOST_BYTES, MOST_FILES
from honte.web.position import MOST_MOVES

MOST_FRAME = 16 * 1024
MOST_BODY = 256 * 1024
MOST_UPLOAD = MOST_BYTES * 4 // 3 + MOST_BODY
MOST_ID = 2**53
MOST_CELLS = 1024
MOST_NODES = 10_000
"""Maximum nodes of a game with variations."""

Spec = Annotated[str, Meta(min_length=1, max_length=MAX_SPEC)]
Text = Annotated[str, Meta(max_length=MOST_BODY)]
Word = Annotated[str, Meta(min_length=1, max_length=16)]
Cell = Annotated[int, Meta(ge=0, lt=MOST_CELLS)]
Cells = Annotated[list[Cell], Meta(max_length=MOST_CELLS)]
Words = Annotated[list[Word], Meta(max_length=MOST_MOVES)]
Name = Annotated[str, Meta(max_length=200)]
Iterations = Annotated[int, Meta(ge=1, le=100_000_000)] | None
"""Limit besides the seconds; whichever comes first ends the search."""
VersionNumber = Annotated[int, Meta(ge=1, le=1_000_000)]
Language = Literal["en", "zh"]
Property = Annotated[str, Meta(pattern="^[A-Z]{1,8}$")]
Marks = Annotated[dict[str, Name], Meta(max_length=MOST_CELLS)]


class Request(Struct):
    """A request with no fields of its own."""


class GamePosition(Request):
    """The fields that name a position."""

    game: Spec
    start: Text | None = None
    moves: Words = []


class Position(GamePosition):
    all: bool = False


class OneGame(Request):
    game: Spec


class Choose(GamePosition):
    player: Annotated[str, Meta(min_length=1, max_length=80)] = "best"
    seconds: Annotated[float, Meta(ge=0.01, le=60)] | None = None
    iterations: Iterations = None


class Analyse(GamePosition):
    seconds: Annotated[float, Meta(ge=0.01, le=120)] = 30.0
    iterations: Iterations = None


class Review(GamePosition):
    seconds: Annotated[float, Meta(ge=0.01, le=10)] | None = None
    first: Annotated[int, Meta(ge=1, le=MOST_MOVES)] = 1
    """The first move to remark on."""


class Score(GamePosition):
    dead: Cells | None = None
    toggle: Cell | None = None


class Stop(Request):
    which: Annotated[int, Meta(ge=0, le=MOST_ID)]


class Tree(Request):
    path: Words = []


class Step(Request):
    n: Annotated[int, Meta(ge=0, le=1000)] = 1


class Load(Request):
    text: Text
    game: Spec | None = None
    near: Spec | None = None
    """The game on the page, for moves and positions that do not determine theirs."""


class TreeNode(Struct):
    """A node of a game with variations: see honte.core.variations."""

    parent: Annotated[int, Meta(ge=-1, le=MOST_NODES)] = -1
    move: Word | None = None
    setup: Annotated[str, Meta(max_length=1000)] | None = None
    comment: Text = ""
    marks: Marks = {}
    labels: Marks = {}
    other: dict[Property, list[Text]] = {}


class Ended(Struct):
    """The end of a game that its rules did not end."""

    winner: Annotated[int, Meta(ge=0, le=1)]
    reason: Annotated[str, Meta(max_length=20)]


class Export(GamePosition, kw_only=True, rename={"form": "as"}):
    form: str = "text"
    nodes: Annotated[list[TreeNode], Meta(max_length=MOST_NODES)] = []
    players: tuple[Name, Name] = ("", "")
    result: Name = ""
    ended: Ended | None = None
    score: Annotated[float, Meta(ge=-10_000, le=10_000)] | None = None
    """The score that both sides agreed on, if the rules' own does not stand."""
    facts: Annotated[dict[Property, Text], Meta(max_length=64)] = {}


class UploadedFile(Struct):
    name: Annotated[str, Meta(min_length=1, max_length=500)]
    data: bytes
    """The contents in base64."""


class Upload(Request):
    """The files of a bot, or its command line where the page is local."""

    files: Annotated[list[UploadedFile], Meta(max_length=MOST_FILES)] = []
    command: Annotated[str, Meta(max_length=1000)] = ""
    lang: Language = "en"


class Compare(Request):
    """Two versions of a bot: is `a` better than `b`?"""

    a: VersionNumber
    b: VersionNumber
    lang: Language = "en"


class SignIn(Request):
    """Sign in to a class: its code and a new name, or a personal code."""

    code: Annotated[str, Meta(min_length=1, max_length=100)]
    name: Annotated[str, Meta(max_length=200)] = ""


class ClassAct(Request):
    """An action of the teacher."""

    action: Literal["round", "stop", "freeze", "unfreeze", "open", "shut", "code", "remove"]
    student: Annotated[int, Meta(ge=0, le=MOST_ID)] = 0
    games: Annotated[int, Meta(ge=2, le=10_000)] = 20
    """New games per bot of a round."""
    seconds: Annotated[float, Meta(ge=0.01, le=600)] | None = None


class Stored(Request):
    game_id: Annotated[str, Meta(min_length=1, max_length=64)]


KINDS: dict[str, type[Request]] = {
    "hello": Request,
    "position": Position,
    "random_board": OneGame,
    "rules": OneGame,
    "levels": OneGame,
    "choose": Choose,
    "analyse": Analyse,
    "score": Score,
    "review": Review,
    "stop": Stop,
    "tree": Tree,
    "step": Step,
    "load": Load,
    "export": Export,
    "store": Request,
    "training": Request,
    "bots": Request,
    "compare": Compare,
    "compare_stop": Request,
    "stored": Stored,
    "class": Request,
    "class_act": ClassAct,
}


class BadRequest(ValueError):
    """A malformed request, with its `id` where that could be read."""

    def __init__(self, words: str, id: int | None = None) -> None:
        super().__init__(words)
        self.id = id


def decode(data: str | bytes) -> Any:
    """The value of a JSON text; anything else is refused in one sentence."""
    try:
        return wire.decode(data)
    except ValueError as error:
        raise BadRequest(str(error)) from None


def read(data: str | bytes) -> tuple[int, str, Any]:
    """The id, the kind and the fields of a request."""
    found = decode(data)
    if not isinstance(found, dict):
        raise BadRequest('a request is one JSON object like {"id": 1, "do": "hello"}')
    id = found.pop("id", None)
    if isinstance(id, bool) or not isinstance(id, int) or not 0 <= id <= MOST_ID:
        raise BadRequest("a request needs an id, a whole number from 0")
    do = found.pop("do", None)
    if not isinstance(do, str) or do not in KINDS:
        raise BadRequest(f"there is no request {quote(do)}; there are {', '.join(KINDS)}", id)
    try:
        return id, do, convert(found, KINDS[do], do)
    except ValueError as error:
        raise BadRequest(str(error), id) from None


def convert(found: Any, kind: type[Request], do: str) -> Any:
    """The fields of a request, checked."""
    try:
        return wire.convert(found, kind)
    except ValueError as error:
        raise ValueError(f"{do}: {error}") from None
