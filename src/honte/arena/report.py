"""Results as text: a summary of a match, the tables of a tournament, a progress line."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from honte.arena.match import Standing
from honte.arena.statistics import elo_and_error
from honte.core.columns import left, right
from honte.core.language import tr

if TYPE_CHECKING:
    from honte.arena.tournament import Tournament  # which needs numpy, and a match does not

NAME = 28
"""Characters of a player's spec in a table."""


class Live:
    """A progress line on standard error; silent unless that is a terminal."""

    def __init__(self, total: int) -> None:
        self.total = total
        self._terminal = sys.stderr.isatty()
        self._began = time.monotonic()
        self._shown = 0.0

    def due(self) -> bool:
        """Whether the line should be refreshed."""
        return self._terminal and time.monotonic() - max(self._shown, self._began) > 0.5

    def show(self, done: int, found: int, words: str) -> None:
        """Show the games done, how many were found in the store, the score and the time left."""
        now = time.monotonic()
        rest = ""
        if done > found:
            seconds = (now - self._began) / (done - found) * (self.total - done)
            rest = tr("  {time} left", time=duration(seconds))
        self._shown = now
        line = tr("{done}/{total} games  {words}", done=done, total=self.total, words=words)
        print(f"\r{line}{rest}"[:200], end="\033[K", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._shown = 0.0


def duration(seconds: float) -> str:
    """Seconds in hours, minutes and seconds.

    >>> duration(7400)
    '2 h 3 min'
    """
    whole = round(seconds)
    if whole < 100:
        return tr("{n} s", n=whole)
    if whole < 600:
        return tr("{minutes} min {seconds} s", minutes=whole // 60, seconds=whole % 60)
    if whole < 6000:
        return tr("{n} min", n=whole // 60)
    return tr("{hours} h {minutes} min", hours=whole // 3600, minutes=whole % 3600 // 60)


def match_line(standing: Standing) -> str:
    rating, error = elo_and_error(standing)
    return f"{standing.total}  Elo {rating:+.0f} ± {error:.0f}"


def match_table(a: str, b: str, found: dict[str, Any], remarks: Sequence[str] = ()) -> str:
    """The result of a match in a few lines, with remarks."""

    def row(name: str, tally: dict[str, int]) -> str:
        return f"  {left(name, 13)} +{tally['wins']} ={tally['draws']} -{tally['losses']}"

    low, high = found["wilson"]
    score = f"{100 * found['score']:.1f} ± {100 * found['score_error']:.1f} %"
    lines = [
        tr(
            "{a}  against  {b}: {games} games, {distinct} different",
            a=a,
            b=b,
            games=found["games"],
            distinct=found["distinct"],
        ),
        row(tr("all"), found),
        row(tr("moving first"), found["first"]),
        row(tr("second"), found["second"]),
        tr(
            "  score {score} (Wilson {low:.1f} to {high:.1f} %), Elo {elo:+} ± {error}",
            score=score,
            low=100 * low,
            high=100 * high,
            elo=found["elo"],
            error=found["elo_error"],
        ),
    ]
    if found["margin_error"] is not None:
        lines.append(
            tr(
                "  mean margin {margin:+.2f} ± {error:.2f}",
                margin=found["margin"],
                error=found["margin_error"],
            )
        )
    for name, faults in zip((a, b), (found["faults"]["a"], found["faults"]["b"]), strict=True):
        if faults:
            lines.append(
                "  " + tr("faults of {player}: {faults}", player=name, faults=words(faults))
            )
    lines += [f"  {line}" for line in times_table(found)]
    lines += [f"  {printable(tr(line))}" for line in remarks]
    if found.get("sprt_words"):
        lines.append(f"  {tr(found['sprt_words'])}")
    if found["warning"]:
        lines.append(tr("  warning: {warning}", warning=found["warning"]))
    lines.append("  " + tr("stopped: {why}", why=printable(tr(found["stopped"]))))
    return "\n".join(lines)


def times_table(found: dict[str, Any]) -> list[str]:
    """Time per move of the bots, and the CPU time they used on the opponent's time."""
    times = {
        spec: row
        for spec, row in found.get("times", {}).items()
        if row["idle_cpu"] is not None and row["moves"]
    }
    if not times:
        return []
    names = {spec: short(spec) for spec in times}
    width = max(12, *(len(name) for name in names.values()))
    lines = [
        f"{left(tr('time per move'), width)} {right(tr('moves'), 7)} {'p50':>9} {'p99':>9} "
        f"{'max':>9}   " + tr("CPU time on the opponent's")
    ]
    for spec, row in times.items():
        p50, p99, most = (milliseconds(row[key]) for key in ("p50", "p99", "max"))
        lines.append(
            f"{names[spec]:<{width}} {row['moves']:>7} {p50:>9} {p99:>9} {most:>9}"
            f"   {row['idle_cpu']:.2f} s"
        )
    return lines


def milliseconds(seconds: float) -> str:
    """A time per move.

    >>> milliseconds(0.00123), milliseconds(2.5)
    ('1.23 ms', '2.5 s')
    """
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def words(counts: dict[str, int]) -> str:
    """Counts in words.

    >>> words({"crash": 2, "time": 1})
    'crash 2, time 1'
    """
    return tr(", ").join(f"{tr(name)} {count}" for name, count in counts.items())


def fault_words(reason: str, detail: str) -> str:
    """How a game ended, with the stored detail.

    >>> fault_words("crash", "it died by SIGSEGV"), fault_words("draw", "")
    ('crash: it died by SIGSEGV', 'draw')
    """
    if not detail:
        return tr(reason)
    return tr("{reason}: {detail}", reason=tr(reason), detail=printable(tr(detail)))


def tournament_line(tournament: Tournament) -> str:
    best = max(tournament.rows.values(), key=lambda row: row.points)
    return tr(
        "ahead: {player} with {points:g} of {games} {total}",
        player=short(best.spec),
        points=best.points,
        games=best.total.games,
        total=best.total,
    )


def tournament_table(found: dict[str, Any], remarks: Sequence[str] = ()) -> str:
    """The table, the crosstable, the faults, and remarks."""
    players = found["players"]
    names = [short(row["player"]) for row in players]
    width = max(len(name) for name in names)
    lines = [
        f"{'':>3} {'':<{width}} {right(tr('points'), 7)} {right(tr('games'), 6)} "
        f"{right(tr('W-D-L'), 14)}   Elo"
    ]
    for place, (name, row) in enumerate(zip(names, players, strict=True), 1):
        tally = f"{row['wins']}-{row['draws']}-{row['losses']}"
        note = "   " + tr("retired") if row["retired"] is not None else ""
        lines.append(
            f"{place:>3} {name:<{width}} {row['points']:>7g} {row['games']:>6} {tally:>14}   "
            f"{row['elo']:+.0f} ± {row['elo_error']:.0f}{note}"
        )
    if len(players) <= 20:
        lines += ["", *crosstable(names, width, found["crosstable"])]
    lines.append("")
    lines.append(
        tr(
            "moving first is worth {elo:+.0f} ± {error:.0f} Elo; {distinct} different games; "
            "games ended: {reasons}",
            elo=found["first_mover_elo"],
            error=found["first_mover_elo_error"],
            distinct=found["distinct"],
            reasons=words(found["reasons"]),
        )
    )
    for row in players:
        if row["retired"] is not None:
            why = printable(f"{row['player']} ({tr(row['retired'])})")
            lines.append(tr("retired: {who}; its other games are lost", who=why))
        elif row["faults"]:
            player, faults = printable(row["player"]), words(row["faults"])
            told = tr("faults of {player}: {faults}", player=player, faults=faults)
            if row["last_fault"]:
                told += tr("; the last: {fault}", fault=printable(tr(row["last_fault"])))
            lines.append(told)
    lines += times_table(found)
    lines += [printable(tr(line)) for line in remarks]
    lines.append(tr("stopped: {why}", why=tr(found["stopped"])))
    return "\n".join(lines)


def crosstable(names: list[str], width: int, cells: list[list[Any]]) -> list[str]:
    """Points of the row's player against the column's, by rank."""

    def cell(tally: dict[str, int] | None) -> str:
        if tally is None:
            return "·"
        games = sum(tally.values())
        return f"{tally['wins'] + tally['draws'] / 2:g}/{games}" if games else "–"

    table = [[cell(tally) for tally in row] for row in cells]
    wide = max(4, max(len(text) for row in table for text in row))
    lines = [" " * (width + 5) + " ".join(f"{i:>{wide}}" for i in range(1, len(names) + 1))]
    for place, (name, row) in enumerate(zip(names, table, strict=True), 1):
        lines.append(f"{place:>3} {name:<{width}} " + " ".join(f"{text:>{wide}}" for text in row))
    return lines


def short(spec: str) -> str:
    """A spec shortened for a table."""
    clean = printable(spec)
    return clean if len(clean) <= NAME else clean[: NAME - 1] + "…"


def printable(text: str) -> str:
    """Untrusted text without control characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
