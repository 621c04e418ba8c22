"""Game records: players, start position, moves and result.

    for record in records.load("games.ggf"):
        *_, last = record.states()

`load` detects the format by suffix and first characters. Formats belong to the games
(`GameDescriptor.records`). Each raises a one-sentence ValueError on bad input and refuses a text
over `MAX_TEXT` unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from honte.core import games as registry
from honte.core import variations
from honte.core.contract import Game, IllegalMove, State
from honte.core.descriptor import GameDescriptor
from honte.core.descriptor import load as load_ref
from honte.core.descriptor_parts import RecordFormat
from honte.core.language import Message
from honte.core.messages import quote

MAX_TEXT = 8 * 2**20  # characters; a longer text is refused unread
MAX_GAMES = 100_000  # in one text

__all__ = ["MAX_GAMES", "MAX_TEXT", "Record", "load", "transcripts"]

_HEADER = re.compile(r"% (\w{1,16}) ([^\r\n]*)")
_FACT = re.compile(r"[A-Z]{1,8}")


@dataclass(frozen=True)
class Record:
    """One game as it was played.

    `meta` holds everything else: the format's properties by name
    (`DT`, `EV`, ...), and, keyed by the number of a move counted from 1, `comments` (text; 0 is
    before the first move), `evals` (for the side that made the move) and `times` (seconds).

    `tree` holds the game with its variations and marks, if it has any: see
    honte.core.variations. Its main line is `moves`, up to the first set-up position.
    """

    game_spec: str
    players: tuple[str, str] = ("", "")  # their names, first mover first; "" if unknown
    start: str | None = None  # a position as State.to_text writes it; None: the game's own start
    moves: list[int] = field(default_factory=list)  # passes included
    result: str = ""  # as the format writes it
    score: float | None = None  # for player 0, in the game's unit, if known
    meta: dict[str, Any] = field(default_factory=dict)
    tree: variations.Nodes = ()

    def nodes(self) -> variations.Nodes:
        """The game tree; without variations, the main line with its comments."""
        return self.tree or variations.line(self.moves, self.meta.get("comments"))

    def rest_words(self) -> str:
        """A sentence about a main line that continues from a set-up position; else ""."""
        number = variations.setup_after(self.tree)
        if number is None:
            return ""
        return Message(
            "pieces are set up after move {number}: what follows is kept as a variation",
            number=number,
        )

    def states(self) -> Iterator[State]:
        """Replay the game: its start, then the state after each move.

        The first illegal move raises IllegalMove with its number.
        """
        rules = registry.game(self.game_spec)
        state = rules.start() if self.start is None else rules.from_text(self.start)
        yield state
        for number, move in enumerate(self.moves, start=1):
            try:
                state = state.play(move)
            except IllegalMove as error:
                raise IllegalMove(
                    Message("move {number} of the record: {error}", number=number, error=error)
                ) from error
            yield state


def load(path: str | PathLike[str], game: str | None = None) -> list[Record]:
    """Read every game of a file: a registered format, or transcripts, one per line.

    An unknown suffix falls back to the first bytes. Transcripts (`f5d6c3`, `4455`) need the spec
    of their game as `game`.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    for form in formats():
        if form.suffix == suffix and form.binary:
            return list(load_ref(form.loads)(path.read_bytes()))
    data = read_file(path)
    found = read_format(data, suffix)
    if found is not None:
        return found
    text = data.decode("utf-8-sig", "replace")
    if names_game(text):
        return read_text(text)
    if game is None:
        raise ValueError(
            Message("{name} does not say which game it is of; name the game", name=path.name)
        )
    return transcripts(text, game)


def read_format(data: bytes, suffix: str = "") -> list[Record] | None:
    """The records of a text, its format detected by suffix or first bytes; None if unknown."""
    known = formats()
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n0123456789")
    named = [form for form in known if form.suffix == suffix]
    # Games may share a suffix: the first bytes tell them apart.
    fitting = (form for form in named or known if form.begins and form.begins(head))
    form = next(fitting, named[0] if named else None)
    return None if form is None else list(load_ref(form.loads)(data))


def formats() -> list[RecordFormat]:
    """The file formats of all games."""
    return [form for name in registry.names() for form in descriptor_of(name).records]


def dumped_formats(descriptor: GameDescriptor) -> dict[str, RecordFormat]:
    """Writable formats by suffix, without the dot."""
    return {form.suffix[1:]: form for form in descriptor.records if form.dumps is not None}


def descriptor_of(name: str) -> GameDescriptor:
    """The descriptor of a registered game."""
    return registry.game(name).descriptor


def names_game(text: str) -> bool:
    """Whether a text is in our own format, which names its game in the first lines."""
    spec = _headers(text)[0].get("game", "")
    return bool(spec) and " " not in spec


def own_game(spec: str) -> Game:
    """The game that a text names, never one from a file: loading records must not run code."""
    if registry.is_from_file(spec):
        raise ValueError(
            Message(
                "the text is of {spec}, a game from a file; register it by name", spec=quote(spec)
            )
        )
    return registry.game(spec)


def _headers(text: str) -> tuple[dict[str, str], str]:
    """The header lines of a text by key, and the rest of the text."""
    found: dict[str, str] = {}
    lines = text.lstrip("\ufeff").lstrip().split("\n")
    for number, line in enumerate(lines):
        header = _HEADER.match(line)
        if header is None:
            return found, "\n".join(lines[number:])
        found.setdefault(header[1], header[2].strip())
    return found, ""


def read_text(text: str, game: Callable[[str], Game] = own_game) -> list[Record]:
    """Read our own format: lines of moves, or a game with variations, comments and marks."""
    check_length(text, "text")
    said, body = _headers(text)
    rules = game(said["game"])
    first = rules.from_text(said["start"]) if "start" in said else None
    if not any(sign in body for sign in "({["):
        lines = [line.partition("%")[0] for line in body.splitlines()]
        if first is None and sum(bool(line.strip()) for line in lines) > 1:
            return transcripts(body, rules.spec)
        return [_record(rules, said, first, rules.read_moves(" ".join(lines), first), ())]
    nodes = variations.read(body, rules)
    line = [nodes[place].move for place in variations.main_line(nodes)[1:]]
    moves = [move for move in line if move is not None]
    return [_record(rules, said, first, moves, nodes)]


def _record(
    rules: Game,
    said: dict[str, str],
    start: State | None,
    moves: list[int],
    nodes: variations.Nodes,
) -> Record:
    meta: dict[str, Any] = {key: value for key, value in said.items() if _FACT.fullmatch(key)}
    if comments := variations.main_comments(nodes):
        meta["comments"] = comments
    return Record(
        rules.spec,
        players=(said.get("first", ""), said.get("second", "")),
        start=None if start is None else start.to_text(),
        moves=moves,
        result=said.get("result", ""),
        meta=meta,
        tree=variations.unless_plain(nodes),
    )


def write_text(record: Record, rules: Game | None = None) -> str:
    """Write a game in our own format."""
    rules = rules or registry.game(record.game_spec)
    said = {
        "game": rules.spec,
        "start": record.start or "",
        "first": record.players[0],
        "second": record.players[1],
        "result": record.result,
    }
    for key, value in record.meta.items():
        if isinstance(value, str) and _FACT.fullmatch(key):
            said[key] = value
    lines = [f"% {key} {' '.join(value.split())}" for key, value in said.items() if value]
    return "\n".join([*lines, variations.write(record.nodes(), rules)]) + "\n"


def transcripts(text: str, game: str) -> list[Record]:
    """Read transcripts, one game per line; blank lines and % comments are skipped."""
    check_length(text, "transcript")
    rules = registry.game(game)
    found: list[Record] = []
    for number, line in enumerate(text.splitlines(), start=1):
        moves = line.partition("%")[0].strip()
        if moves:
            check_count(len(found) + 1)
            try:
                found.append(Record(rules.spec, moves=rules.read_moves(moves)))
            except IllegalMove as error:
                raise IllegalMove(
                    Message("line {number}: {error}", number=number, error=error)
                ) from error
            except ValueError as error:
                raise ValueError(
                    Message("line {number}: {error}", number=number, error=error)
                ) from error
    return found


def read_file(path: Path) -> bytes:
    """Read a text file of at most MAX_TEXT bytes."""
    with path.open("rb") as file:
        data = file.read(MAX_TEXT + 1)
    check_length(data, f"file {path.name}")
    return data


def check_length(text: str | bytes, what: str) -> None:
    """Refuse a text over MAX_TEXT."""
    if len(text) > MAX_TEXT:
        raise ValueError(
            Message(
                "the {what} is longer than {max_text} characters; split it",
                what=what,
                max_text=MAX_TEXT,
            )
        )


def check_count(games: int) -> None:
    """Refuse a text of more than MAX_GAMES games."""
    if games > MAX_GAMES:
        raise ValueError(
            Message("the text holds more than {max_games} games; split it", max_games=MAX_GAMES)
        )
