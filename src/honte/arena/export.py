"""Games of a store in the formats that other programs read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from datetime import UTC, datetime

from honte.arena.game import PLAYED_OUT, Played
from honte.games.records import Record, ggf, sgf
from honte.games.registry import game as make_game

FORMATS = ("text", "csv", "sgf", "ggf")
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
)


def record_of(played: Played) -> Record:
    """A game as the readers and writers of records know it."""
    name = played.task.game.partition(":")[0]
    day = datetime.fromtimestamp(played.started, UTC).strftime("%Y-%m-%d")
    score = for_first(played)
    return Record(
        game_spec=played.task.game,
        players=played.task.players,
        moves=list(played.moves),
        result=result_words(played) if name == "go" else "",
        score=score,
        meta={
            "DT": day,
            "PC": "honte",
            "evals": {n: v for n, v in enumerate(played.values, 1) if v is not None},
            "times": {n: t for n, t in enumerate(played.times, 1) if t is not None},
            "comments": {0: f"{played.reason}. {played.detail}".strip()},
        },
    )


def for_first(played: Played) -> float | None:
    """The score for the first mover, in the game's own measure."""
    if played.margin is None:
        return None
    return played.margin if played.task.a_first else -played.margin


def result_words(played: Played) -> str:
    """The result as SGF writes it."""
    if played.for_first == 0:
        return "0" if played.reason in PLAYED_OUT else "Void"
    winner = "B" if played.for_first > 0 else "W"
    if played.reason == "time":
        return f"{winner}+T"
    score = for_first(played)
    return f"{winner}+F" if score is None else f"{winner}+{abs(score):g}"


def write(games: Iterable[Played], form: str) -> str:
    """Games in one of the formats; SGF takes those of Go, GGF those of Othello."""
    if form == "csv":
        return as_csv(games)
    if form == "text":
        return "".join(transcript(played) + "\n" for played in games)
    if form == "sgf":
        return sgf.dumps([record_of(played) for played in games])
    if form == "ggf":
        return ggf.dumps([record_of(played) for played in games])
    raise ValueError(f"there is no format {form[:40]!r}; there are {', '.join(FORMATS)}")


def transcript(played: Played) -> str:
    """A game on one line; what stands behind the % is for people."""
    game = make_game(played.task.game)
    moves = ",".join(map(game.format, played.moves))
    one, two = played.task.players
    result = {1: "1-0", 0: "½-½", -1: "0-1"}[played.for_first]
    return f"{moves} % {played.task.id} {played.task.game} {one} - {two} {result} {played.reason}"


def as_csv(games: Iterable[Played]) -> str:
    """One row a game, results and scores for the first mover."""
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
                *played.task.players,
                played.for_first,
                "" if score is None else f"{score:g}",
                played.reason,
                len(played.moves),
                f"{played.seconds:.3f}",
                when,
                played.task.seed,
                " ".join(map(game.format, played.moves)),
                played.detail,
            ]
        )
    return text.getvalue()
