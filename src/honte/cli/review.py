"""``honte review GAME``: annotate a finished game with a strong engine."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honte.cli.show import from_file
from honte.core.columns import left, right
from honte.core.language import Message, plural, tr
from honte.drawing.verdict import PROVEN, signed

if TYPE_CHECKING:
    from honte.analysis.review import Remark, Summary
    from honte.core.contract import Game
    from honte.core.record import Record

BAR = 12
"""Width of the value bar, in characters."""
LINE = 8
"""Moves printed of a better line."""
SGF = "sgf"
SIDES = (Message("first"), Message("second"))
MARKS = {
    "inaccuracy": Message("inaccuracy"),
    "mistake": Message("mistake"),
    "blunder": Message("blunder"),
}


def review(
    game: Annotated[
        str,
        typer.Argument(metavar="GAME", help=tr("An id in the store, or a file (.sgf, .ggf, …).")),
    ],
    store: Annotated[
        Path | None, typer.Option("--store", metavar="DB", help=tr("The store that has the id."))
    ] = None,
    number: Annotated[int, typer.Option("--number", min=1, help=tr("Which game of a file."))] = 1,
    spec: Annotated[
        str | None,
        typer.Option("--game", metavar="G", help=tr("The game of a file of transcripts.")),
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help=tr("Per position (default 0.15)."))
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help=tr("Simulations per position."))
    ] = None,
    player: Annotated[
        str, typer.Option("--player", metavar="SPEC", help=tr("The engine."))
    ] = "best",
    sgf: Annotated[
        Path | None, typer.Option("--sgf", metavar="OUT", help=tr("Write an annotated SGF file."))
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=tr("Print one JSON object."))] = False,
) -> None:
    """Mark mistakes, each with its cost and a better move."""
    import honte
    from honte.analysis import review as reviewing
    from honte.arena.report import printable
    from honte.core.record import dumped_formats

    record = find(game, store, number, spec)
    rules = honte.game(record.game_spec)
    if sgf is not None and SGF not in dumped_formats(rules.descriptor):
        raise ValueError(
            Message(
                "--sgf: a game of {name} cannot be written as SGF; leave it out", name=rules.name
            )
        )
    states = list(record.states())
    total = len(record.moves)
    if not total:
        raise ValueError(Message("the game has no moves to review"))
    limit = honte.Limit(seconds=seconds, iterations=iterations)
    if seconds is None and iterations is None:
        limit = reviewing.DEFAULT_LIMIT
    names = [printable(name) or "?" for name in record.players]
    if not as_json:
        typer.echo(
            tr(
                "{one}  (first)  -  {two}   {game}\n",
                one=names[0],
                two=names[1],
                game=rules.spec,
            )
        )
    remarks: list[Remark] = []
    progress = Progress(total)
    interrupted = False
    try:
        progress.show(0)
        with contextlib.closing(reviewing.review(states, player, limit)) as found:
            for remark in found:
                remarks.append(remark)
                progress.clear()
                if not as_json:
                    typer.echo(line_of(rules, remark))
                progress.show(len(remarks))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        progress.clear()
    sides = (reviewing.summary(remarks, 0), reviewing.summary(remarks, 1))
    turning = reviewing.turning_point(remarks)
    if as_json:
        found_all = as_dict(rules, record, remarks, sides, turning)
        typer.echo(json.dumps({**found_all, "interrupted": interrupted}))
    else:
        typer.echo("")
        for side, (name, one) in enumerate(zip(names, sides, strict=True)):
            typer.echo(side_words(rules, SIDES[side], name, one))
        if turning is not None:
            move = rules.format(turning.move)
            typer.echo(tr("turning point: move {number}, {move}", number=turning.number, move=move))
        if rest := record.rest_words():
            typer.echo(tr("{rest}, and not reviewed", rest=rest))
        if interrupted:
            typer.echo(
                tr(
                    "interrupted: {count} of {total} moves reviewed",
                    count=len(remarks),
                    total=total,
                )
            )
    if sgf is not None and remarks:
        sgf.write_text(annotated(rules, record, remarks), encoding="utf-8")
    if interrupted:
        raise typer.Exit(130)


def find(game: str, store: Path | None, number: int, spec: str | None) -> Record:
    """The game, from a store or from a file."""
    if store is None:
        return from_file(Path(game), number, spec)
    from honte.arena import export
    from honte.arena.store import Store

    with Store(store, write=False) as kept:
        return export.record_of(kept.get(game))


# -- text -----------------------------------------------------------------------------


def line_of(game: Game, remark: Remark) -> str:
    """A move on one line: number, side, move, value, bar, the first player's lead, verdict."""
    full = round(BAR * (remark.for_first + 1) / 2)
    bar = "█" * full + "░" * (BAR - full)
    who = left(tr(SIDES[remark.mover]), 6)
    value = tr(PROVEN[remark.proven]) if remark.proven else f"{remark.value:+.2f}"
    lead = "" if remark.lead is None else f"  {signed(remark.lead, 1):>5}"
    move = f"{game.format(remark.move):<5} {right(value, 5)}"
    words = f"{remark.number:>3}  {who}  {move}  {bar}{lead}"
    return f"{words}  {tr(verdict(game, remark))}".rstrip()


def verdict(game: Game, remark: Remark) -> str:
    """The verdict on a move; "" for a good one."""
    if remark.forced:
        return Message("forced")
    if not remark.mark:
        return ""
    from honte.analysis.words import cost_words

    given: dict[str, Any] = {
        "mark": MARKS[remark.mark],
        "cost": cost_words(game, remark),
        "best": game.format(remark.best),
        "worth": f"{remark.best_value:+.2f}",
        "line": " ".join(game.format(move) for move in remark.line[1:LINE]),
    }
    if remark.best_proven:
        given["worth"] = Message("a proven {outcome}", outcome=PROVEN[remark.best_proven])
    if given["line"]:
        told = Message("{mark} ({cost}): better {best}, {worth}, then {line}.", **given)
    else:
        told = Message("{mark} ({cost}): better {best}, {worth}.", **given)
    if not remark.why:
        return told
    reason = remark.why[0]
    return Message(
        "{told} {why}", told=told, why=game.descriptor.message(reason.text, **reason.gaps)
    )


def side_words(game: Game, side: str, name: str, one: Summary) -> str:
    """The summary of a side on one line."""
    marks = (
        plural("{n} blunder", "{n} blunders", one.blunders),
        plural("{n} mistake", "{n} mistakes", one.mistakes),
        plural("{n} inaccuracy", "{n} inaccuracies", one.inaccuracies),
    )
    words = tr(
        "{side}  {name}: accuracy {accuracy:.0f} %, {marks}",
        side=left(tr(side), 6),
        name=name,
        accuracy=one.accuracy,
        marks=tr(", ").join(map(tr, marks)),
    )
    if one.lost is not None and game.descriptor.unit:
        unit = game.descriptor.message(game.descriptor.unit)
        words += tr(", {lost:.1f} {unit} lost", lost=one.lost, unit=unit)
    if one.worst is not None:
        words += tr(
            "; the costliest is move {number}, {move}",
            number=one.worst.number,
            move=game.format(one.worst.move),
        )
    return words


def as_dict(
    game: Game,
    record: Record,
    remarks: list[Remark],
    sides: tuple[Summary, Summary],
    turning: Remark | None,
) -> dict[str, object]:
    """The review as JSON-ready values, moves in the game's notation."""
    found: dict[str, object] = {
        "game": game.spec,
        "first": record.players[0],
        "second": record.players[1],
        "moves": len(record.moves),
        "reviewed": len(remarks),
        "turning_point": turning.number if turning else None,
    }
    for name, one in zip(("first", "second"), sides, strict=True):
        found |= {
            f"{name}_accuracy": one.accuracy,
            f"{name}_blunders": one.blunders,
            f"{name}_mistakes": one.mistakes,
            f"{name}_inaccuracies": one.inaccuracies,
            f"{name}_cost": one.cost,
            f"{name}_lost": one.lost,
        }
    found["remarks"] = [
        {
            "number": remark.number,
            "mover": remark.mover,
            "move": game.format(remark.move),
            "value": remark.value,
            "proven": remark.proven,
            "best": game.format(remark.best),
            "best_value": remark.best_value,
            "best_proven": remark.best_proven,
            "line": [game.format(move) for move in remark.line],
            "cost": remark.cost,
            "error": remark.error,
            "lost": remark.lost,
            "lead": remark.lead,
            "mark": remark.mark,
            "forced": remark.forced,
            "exact": remark.exact,
            "score": remark.score,
            "best_score": remark.best_score,
            "why": [reason.words for reason in remark.why],
        }
        for remark in remarks
    ]
    return found


def annotated(game: Game, record: Record, remarks: list[Remark]) -> str:
    """The game as SGF, with the remarks as comments and the values beside the moves."""
    from honte.core.descriptor import load
    from honte.core.record import dumped_formats

    comments = dict(record.meta.get("comments", {}))
    evals = dict(record.meta.get("evals", {}))
    for remark in remarks:
        said = [comments.get(remark.number, ""), verdict(game, remark)]
        if text := "\n".join(filter(None, said)):
            comments[remark.number] = text
        evals[remark.number] = round(remark.value, 3)
    meta = {**record.meta, "comments": comments, "evals": evals}
    dumps = dumped_formats(game.descriptor)[SGF].dumps
    assert dumps is not None
    return str(load(dumps)(replace(record, meta=meta)))


class Progress:
    """A progress line on standard error; silent unless that is a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._started = time.monotonic()
        self._live = sys.stderr.isatty()

    def show(self, done: int) -> None:
        if not self._live or done == self._total:
            return
        rest = ""
        if done:
            seconds = (time.monotonic() - self._started) / done * (self._total - done)
            rest = tr(", {seconds:.0f} s left", seconds=seconds)
        words = tr("… move {n} of {total}", n=done + 1, total=self._total) + rest
        print(f"\r{words}", end="\033[K", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
