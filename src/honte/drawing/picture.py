"""A report as a notebook shows it: a table of candidates, and the board with them on it."""

from __future__ import annotations

from html import escape

from honte.core.contract import State
from honte.core.report import Candidate, Report
from honte.drawing.marks import Mark
from honte.drawing.svg import draw
from honte.drawing.verdict import brief, sentence

MOST = 12
"""Maximum number of candidates listed."""
ON_BOARD = 16
FAINT = 0.02
"""At most `ON_BOARD` candidates are marked on the board: the best, proven ones, and those with more
than this fraction of the most visits."""


def chance(value: float) -> int:
    """A value from −1 to 1 as a chance to win, in percent."""
    return round(50 * (1 + min(1.0, max(-1.0, value))))


def marks(report: Report) -> dict[int, Mark]:
    """The labels of the moves: a score, the chance to win, or W, D, L and the plies left.

    >>> marks(Report(3, candidates=[Candidate(3, 90, 0.2), Candidate(2, 10, -1, None, "loss", 4)]))
    {3: Mark(words='60%', share=0.9, best=True), 2: Mark(words='L 2', share=0.1, best=False)}
    """
    whole = max(1, sum(candidate.visits for candidate in report.candidates))
    found = {}
    most = max((candidate.visits for candidate in report.candidates), default=0)
    for candidate in report.candidates[:ON_BOARD]:
        share = candidate.visits / whole
        best = candidate.move == report.move
        if best or candidate.proven or candidate.visits > FAINT * most:
            found[candidate.move] = Mark(brief(candidate), share, best)
    return found


def html(report: Report) -> str:
    """The report, drawn; with its position (see `Report.at`) the board stands beside the table."""
    table = _table(report)
    if report.state is None:
        return table
    board = draw(report.state, size=400, marks=marks(report))
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:20px;align-items:flex-start">'
        f"<div>{board}</div><div>{table}</div></div>"
    )


def _table(report: Report) -> str:
    state = report.state
    whole = max(1, sum(candidate.visits for candidate in report.candidates))
    rows = [_row(report, candidate, whole) for candidate in report.candidates[:MOST]]
    if len(report.candidates) > MOST:
        rows.append(f'<tr><td colspan="4">… and {len(report.candidates) - MOST} more</td></tr>')
    proven = f", a proven {escape(report.proven)}" if report.proven else ""
    line = " ".join(name(state, move) for move in _line(report)[:16])
    known = report.has_value and report.kind != "bound"
    told = f", {chance(report.value)} % to win{proven}" if known else ""
    head = f"<b>{name(state, report.move)}</b>{told}"
    work = f"{report.iterations:,} simulations" if report.iterations else f"{report.nodes:,} nodes"
    spent = f"{work} in {report.seconds:.2f} s, depth {report.depth}"
    hint = (
        "" if state is not None else "moves are numbers; <code>report.at(state)</code> names them"
    )
    heads = "".join(
        f'<th style="text-align:{side}">{word}</th>'
        for word, side in (("move", "left"), ("win", "right"), ("visits", "right"), ("", "left"))
    )
    return (
        f'<div style="font-size:14px"><div>{head}</div>'
        f'<table style="margin:6px 0"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
        f'<div style="max-width:32em">line: {line}</div>'
        f'<div style="opacity:.7">{"; ".join(filter(None, (spent, hint)))}</div></div>'
    )


def _row(report: Report, candidate: Candidate, whole: int) -> str:
    share = candidate.visits / whole
    state = report.state
    unit = "" if state is None else state.game.descriptor.proof_unit or state.game.descriptor.unit
    known = candidate.visits or candidate.proven or candidate.score is not None
    value = escape(sentence(candidate, unit)) if known or candidate.kind == "bound" else ""
    best = candidate.move == report.move
    bar = (
        f'<div style="width:{max(1, round(140 * share))}px;height:.8em;'
        f'background:{"#0a6fb8" if best else "#8fa3b8"};border-radius:2px"></div>'
    )
    cells = (
        f'<td style="text-align:left">{name(report.state, candidate.move)}</td>'
        f'<td style="text-align:right">{value}</td>'
        f'<td style="text-align:right">{candidate.visits:,}</td>'
        f'<td style="text-align:left;min-width:140px">{bar}</td>'
    )
    return f'<tr style="font-weight:{"bold" if best else "normal"}">{cells}</tr>'


def _line(report: Report) -> list[int]:
    return report.pv or [report.move]


def name(state: State | None, move: int) -> str:
    """A move in notation if the game is known, escaped because the game may be anyone's."""
    if state is None:
        return str(move)
    try:
        return escape(state.game.format(move))
    except ValueError:
        return str(move)
