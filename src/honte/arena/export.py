"""Export stored games: text, CSV, and the record formats of the games."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from honte.arena.game import Played
from honte.core.descriptor import load
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.record import Record, dumped_formats, formats

COLUMNS = (
    "id",
    "game",
    "first",
    "second",
    "result",
    "score",
    "reason",
    "plies",
    "seconds",
    "date",
    "seed",
    "moves",
    "detail",
    "first_build",
    "second_build",
)


def record_of(played: Played) -> Record:
    """A stored game as a `Record`."""
    day = datetime.fromtimestamp(played.started, UTC).strftime("%Y-%m-%d")
    return Record(
        game_spec=played.task.game,
        players=played.task.players,
        moves=list(played.moves),
        result=result_words(played),
        score=for_first(played),
        meta={
            "DT": day,
            "PC": "honte",
            "evals": {n: v for n, v in enumerate(played.values, 1) if v is not None},
            "times": {n: t for n, t in enumerate(played.times, 1) if t is not None},
            "comments": {0: f"{played.reason}. {played.detail}".strip()},
        },
    )


def for_first(played: Played) -> float | None:
    """The score for the first mover, in the game's unit."""
    if played.margin is None:
        return None
    return played.margin if played.task.a_first else -played.margin


def result_words(played: Played) -> str:
    """The result as the game's own record format writes it; "" if no format does."""
    for form in make_game(played.task.game).descriptor.records:
        if form.result is not None:
            words = load(form.result)(played.for_first, for_first(played), played.reason)
            return str(words)
    return ""


def names() -> list[str]:
    """Available formats: text and CSV for every game, and the games' own record formats."""
    brought = (form.suffix[1:] for form in formats() if form.dumps is not None)
    return ["text", "csv", *dict.fromkeys(brought)]


def write(games: Iterable[Played], form: str) -> str:
    """Write games in a format; a game's own format takes only games of that game."""
    if form == "csv":
        return as_csv(games)
    if form == "text":
        return "".join(transcript(played) + "\n" for played in games)
    if form not in names():
        raise ValueError(
            Message(
                "unknown format {form}; use one of {names}",
                form=quote(form),
                names=", ".join(names()),
            )
        )
    records: dict[str, list[Record]] = {}  # games may share a suffix: each by its own writer
    for played in games:
        game = make_game(played.task.game)
        own = dumped_formats(game.descriptor).get(form)
        if own is None or own.dumps is None:
            raise ValueError(
                Message(
                    "a game of {name} cannot be written as {upper}",
                    name=game.name,
                    upper=form.upper(),
                )
            )
        records.setdefault(own.dumps, []).append(record_of(played))
    return "".join(str(load(writer)(some)) for writer, some in records.items())


def transcript(played: Played) -> str:
    """A game on one line, with a comment after the %."""
    game = make_game(played.task.game)
    moves = ",".join(map(game.format, played.moves))
    one, two = played.task.players
    result = {1: "1-0", 0: "½-½", -1: "0-1"}[played.for_first]
    return f"{moves} % {played.task.id} {played.task.game} {one} - {two} {result} {played.reason}"


def as_csv(games: Iterable[Played]) -> str:
    """One row per game; results and scores are for the first mover."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\n")
    out.writerow(COLUMNS)
    for played in games:
        game = make_game(played.task.game)
        when = datetime.fromtimestamp(played.started, UTC).isoformat(timespec="seconds")
        score = for_first(played)
        out.writerow(
            [
                played.task.id,
                played.task.game,
                *map(harmless, played.task.players),
                played.for_first,
                "" if score is None else f"{score:g}",
                played.reason,
                len(played.moves),
                f"{played.seconds:.3f}",
                when,
                played.task.seed,
                " ".join(map(game.format, played.moves)),
                harmless(played.detail),
                *played.task.versions,
            ]
        )
    return text.getvalue()


def harmless(cell: Any) -> Any:
    """Escape a cell that a spreadsheet would evaluate: names and errors are a bot's author's.

    >>> harmless("=1+1"), harmless(-3)
    ("'=1+1", -3)
    """
    if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{cell}"
    return cell
