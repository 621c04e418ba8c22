"""Records of games: who played what, from where, and how it ended.

    for record in records.load("games.ggf"):
        *_, last = record.states()

`load` knows a file by its name and its first characters. Each format has a module of its own:
`obf` (Othello problems), `ggf` and `wthor` (Othello games), `sgf` (Go games). All of them answer
bad input with a ValueError of one sentence, and refuse a text over `MAX_TEXT` before reading it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from honte.games import registry
from honte.games.contract import IllegalMove, State

MAX_TEXT = 8 * 2**20  # characters; a longer text is refused unread
MAX_GAMES = 100_000  # in one text

__all__ = ["MAX_GAMES", "MAX_TEXT", "Record", "load", "transcripts"]


@dataclass(frozen=True)
class Record:
    """One game as it was played.

    `meta` holds what else the record says: the format's own properties under their own names
    (`DT`, `EV`, ...), and, keyed by the number of a move counted from 1, `comments` (text; 0 is
    before the first move), `evals` (for the side that made the move) and `times` (seconds).
    """

    game_spec: str
    players: tuple[str, str] = ("", "")  # their names, first mover first; "" if unknown
    start: str | None = None  # a position as State.to_text gives it; None: the game's own start
    moves: list[int] = field(default_factory=list)  # passes included
    result: str = ""  # in the words of the format
    score: float | None = None  # for player 0, in the game's own measure, where it is known
    meta: dict[str, Any] = field(default_factory=dict)

    def states(self) -> Iterator[State]:
        """Replay the game: its start, then the state after each move.

        The rules see every move: the first illegal one raises IllegalMove with its number.
        """
        rules = registry.game(self.game_spec)
        state = rules.start() if self.start is None else rules.from_text(self.start)
        yield state
        for number, move in enumerate(self.moves, start=1):
            try:
                state = state.play(move)
            except IllegalMove as error:
                raise IllegalMove(f"move {number} of the record: {error}") from error
            yield state


def load(path: str | PathLike[str], game: str | None = None) -> list[Record]:
    """Read every game of a file: .sgf, .ggf, .wtb, or transcripts, one a line.

    A file of another name is known by how it begins. Transcripts (`f5d6c3`, `4455`) do not say
    which game they are of: give its spec as `game`. For a large .wtb, `wthor.read` is lazy.
    """
    from honte.games.records import ggf, sgf, wthor

    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".wtb":
        return list(wthor.read(path))
    if suffix == ".obf":
        raise ValueError(f"{path.name} holds problems, not games; read it with records.obf.load")
    data = read_file(path)
    if suffix not in (".sgf", ".ggf"):
        head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n0123456789")
        if head.startswith(b"(;"):
            suffix = ".ggf" if b"GM[Othello]" in head else ".sgf"
    if suffix == ".sgf":
        return sgf.loads(data)
    text = data.decode("utf-8-sig", "replace")
    if suffix == ".ggf":
        return ggf.loads(text)
    if game is None:
        raise ValueError(f"{path.name} does not say which game it is of; name the game")
    return transcripts(text, game)


def transcripts(text: str, game: str) -> list[Record]:
    """Read transcripts, one game a line, as people write them; blank lines and % are skipped."""
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
                raise IllegalMove(f"line {number}: {error}") from error
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from error
    return found


def read_file(path: Path) -> bytes:
    """Read a text format's file whole, unless it is over MAX_TEXT."""
    with path.open("rb") as file:
        data = file.read(MAX_TEXT + 1)
    check_length(data, f"file {path.name}")
    return data


def check_length(text: str | bytes, what: str) -> None:
    """Refuse a text over MAX_TEXT."""
    if len(text) > MAX_TEXT:
        raise ValueError(f"the {what} is longer than {MAX_TEXT} characters; split it")


def check_count(games: int) -> None:
    """Refuse a text that has come to more than MAX_GAMES games."""
    if games > MAX_GAMES:
        raise ValueError(f"the text holds more than {MAX_GAMES} games; split it")
