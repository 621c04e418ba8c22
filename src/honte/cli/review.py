"""``honte review GAME``: annotate a finished game with a strong engine."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honte.cli.show import from_file

if TYPE_CHECKING:
    from honte.analysis.review import Remark, Summary
    from honte.core.contract import Game
    from honte.core.record import Record

BAR = 12
"""Width of the value bar, in characters."""
LINE = 8
"""Moves printed of a better line."""
SGF = "sgf"


def review(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="An id in the store, or a file (.sgf, .ggf, …).")
    ],
    store: Annotated[
        Path | None, typer.Option("--store", metavar="DB", help="The store that has the id.")
    ] = None,
    number: Annotated[int, typer.Option("--number", min=1, help="Which game of a file.")] = 1,
    spec: Annotated[
        str | None, typer.Option("--game", metavar="G", help="The game of a file of transcripts.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help="Per position (default 0.15).")
    ] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help="Simulations per position.")
    ] = None,
    player: Annotated[str, typer.Option("--player", metavar="SPEC", help="The engine.")] = "best",
    sgf: Annotated[
        Path | None, typer.Option("--sgf", metavar="OUT", help="Write an annotated SGF file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Mark mistakes, each with its cost and a better move."""
    import honte
    from honte.analysis import review as reviewing
    from honte.arena.report import printable
    from honte.core.record import dumped_formats

    record = find(game, store, number, spec)
    rules = honte.game(record.game_spec)
    if sgf is not None and SGF not in dumped_formats(rules.descriptor):
        raise ValueError(f"--sgf: a game of {rules.name} cannot be written as SGF; leave it out")
    states = list(record.states())
    total = len(record.moves)
    if not total:
        raise ValueError("the game has no moves to review")
    limit = honte.Limit(seconds=seconds, iterations=iterations)
    if seconds is None and iterations is None:
        limit = reviewing.DEFAULT_LIMIT
    names = [printable(name) or "?" for name in record.players]
    if not as_json:
        typer.echo(f"{names[0]}  (first)  -  {names[1]}   {rules.spec}\n")
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
            typer.echo(side_words(rules, "first" if side == 0 else "second", name, one))
        if turning is not None:
            move = rules.format(turning.move)
            typer.echo(f"turning point: move {turning.number}, {move}")
        if rest := record.rest_words():
            typer.echo(f"{rest}, and not reviewed")
        if interrupted:
            typer.echo(f"interrupted: {len(remarks)} of {total} moves reviewed")
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
    from honte.drawing.verdict import signed

    full = round(BAR * (remark.for_first + 1) / 2)
    bar = "█" * full + "░" * (BAR - full)
    who = ("first ", "second")[remark.mover]
    value = remark.proven or f"{remark.value:+.2f}"
    lead = "" if remark.lead is None else f"  {signed(remark.lead, 1):>5}"
    words = f"{remark.number:>3}  {who}  {game.format(remark.move):<5} {value:>5}  {bar}{lead}"
    return f"{words}  {verdict(game, remark)}".rstrip()


def verdict(game: Game, remark: Remark) -> str:
    """The verdict on a move; "" for a good one."""
    if remark.forced:
        return "forced"
    if not remark.mark:
        return ""
    from honte.analysis.words import cost_words

    best = game.format(remark.best)
    worth = f"a proven {remark.best_proven}" if remark.best_proven else f"{remark.best_value:+.2f}"
    line = " ".join(game.format(move) for move in remark.line[:LINE])
    expected = f", then {line.partition(' ')[2]}" if " " in line else ""
    why = f" {remark.why[0].words}" if remark.why else ""
    cost = cost_words(game, remark)
    return f"{remark.mark} ({cost}): better {best}, {worth}{expected}.{why}"


def side_words(game: Game, side: str, name: str, one: Summary) -> str:
    """The summary of a side on one line."""
    counts = (
        (one.blunders, "blunder", "blunders"),
        (one.mistakes, "mistake", "mistakes"),
        (one.inaccuracies, "inaccuracy", "inaccuracies"),
    )
    marks = ", ".join(f"{count} {single if count == 1 else many}" for count, single, many in counts)
    words = f"{side:<6}  {name}: accuracy {one.accuracy:.0f} %, {marks}"
    if one.lost is not None and game.descriptor.unit:
        words += f", {one.lost:.1f} {game.descriptor.unit} lost"
    if one.worst is not None:
        words += f"; the costliest is move {one.worst.number}, {game.format(one.worst.move)}"
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
    """A progress line on standard error; nothing unless that is a terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._started = time.monotonic()
        self._live = sys.stderr.isatty()

    def show(self, done: int) -> None:
        if not self._live or done == self._total:
            return
        left = ""
        if done:
            seconds = (time.monotonic() - self._started) / done * (self._total - done)
            left = f", {seconds:.0f} s left"
        words = f"… move {done + 1} of {self._total}{left}"
        print(f"\r{words}", end="\033[K", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
