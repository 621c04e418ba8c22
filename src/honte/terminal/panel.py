"""The panel beside the board: players, who is ahead, candidates, moves played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from honte.core.columns import cut
from honte.core.contract import Game, State
from honte.core.language import tr
from honte.core.report import Candidate as Move
from honte.core.report import Report, chance_of
from honte.drawing import text as boards
from honte.drawing.verdict import brief, sentence
from honte.terminal.drawing import Candidate
from honte.terminal.session import Session

_CONSOLE = Console()
BLOCKS = " ▏▎▍▌▋▊▉█"
SPARKS = "▁▂▃▄▅▆▇█"


def short_count(count: int) -> str:
    """A number in at most four characters.

    >>> [short_count(n) for n in (7, 1234, 56_789, 1_500_000, 23_000_000)]
    ['7', '1.2k', '57k', '1.5M', '23M']
    """
    for size, letter in ((10**9, "G"), (10**6, "M"), (1000, "k")):
        if count >= size:
            shown = count / size
            return f"{shown:.1f}{letter}" if shown < 9.95 else f"{shown:.0f}{letter}"
    return str(count)


def on_board(report: Report, most: int, tenths: bool = False) -> dict[int, Candidate]:
    """Labels for the moves of a report: the chosen one and its foremost rivals.

    The short form is in percent, or with `tenths` one digit.
    """
    whole = max(1, sum(move.visits for move in report.candidates))
    counted = report.counts_visits
    found: dict[int, Candidate] = {}
    for move in report.candidates[:most]:
        if found and counted and not move.proven and move.visits / whole < 0.002:
            continue
        words, short = verdict_of(move)
        if tenths and not move.proven and move.chance is not None:
            short = str(min(9, int(10 * move.chance)))
        found[move.move] = Candidate(
            words,
            short,
            short_count(move.visits) if counted else "",
            best=move.move == report.move,
        )
    return found


def verdict_of(move: Move) -> tuple[str, str]:
    """A candidate in five characters and in two, for a wide and a narrow cell.

    >>> verdict_of(Move(3, value=0.5)), verdict_of(Move(3, value=0.1, score=4.2))
    (('75%', '75'), ('+4.2', '4'))
    >>> verdict_of(Move(3, kind="bound", bounds=(-64, 2)))
    ('≤+2', '≤')

    What does not fit is not cut off: a chance is 99 at most, ``++`` is a score of 100 or more,
    ``--`` one of −10 or less.

    >>> [verdict_of(Move(3, value=1, score=score))[1] for score in (None, 99.7, -9, -30)]
    ['99', '++', '-9', '--']
    """
    words = brief(move)
    if move.score is not None:
        score = round(move.score)
        fits = -10 < score < 100
        return words, str(score) if fits else "++" if score > 0 else "--"
    if move.proven or move.kind == "bound":
        return words, words[0]
    return words, str(min(99, round(100 * chance_of(move.value))))


def value_bar(value: float, marks: tuple[str, str], width: int) -> Text:
    """Who is ahead, for a value seen by the first player."""
    share = chance_of(value)
    inner = max(4, width - 14)
    eighths = round(share * inner * 8)
    bar = "█" * (eighths // 8) + (BLOCKS[eighths % 8] if eighths % 8 else "")
    left, right = round(100 * share), 100 - round(100 * share)
    text = Text()
    text.append(f"{marks[0]} {left:>3}% ", style="bold")
    text.append(bar.ljust(inner, "░"))
    text.append(f" {right}% {marks[1]}", style="bold")
    return text


def graph(values: Mapping[int, float], length: int, place: int, width: int) -> Text:
    """The first player's chances over the game, as a line of bars; the position shown is marked."""
    text = Text()
    count = min(length + 1, width)
    for column in range(count):
        at = round(column * length / max(1, count - 1)) if length else 0
        value = values.get(at)
        bar = "·" if value is None else SPARKS[min(7, int(8 * chance_of(value)))]
        here = column == (round(place * (count - 1) / length) if length else 0)
        text.append(bar, style="reverse bold" if here else "")
    return text


def lead_words(game: Game, lead: float | None) -> str:
    """Who is ahead by how much, for a score of the first player; "" if it is not known.

    >>> import honte
    >>> lead_words(honte.game("go:size=9"), -3.24)
    'White leads by about 3.2 points'
    """
    if lead is None or not game.descriptor.unit:
        return ""
    side = game.descriptor.sides[lead < 0]
    words = game.descriptor.message
    return tr(
        "{who} leads by about {lead:.1f} {unit}",
        who=words(side.name),
        lead=abs(lead),
        unit=words(game.descriptor.unit),
    )


def candidates(game: Game, report: Report, width: int, most: int) -> Text:
    """One line a candidate: move, verdict, then visits with a bar, or the verdict in words."""
    whole = max(1, sum(move.visits for move in report.candidates))
    counted = report.counts_visits
    unit = game.descriptor.message(game.descriptor.proof_unit or game.descriptor.unit)
    text = Text()
    text.append(tr("move       visits\n") if counted else tr("move") + "\n", style="dim")
    room = max(2, width - 20)
    for move in report.candidates[:most]:
        known = report.has_value and report.has_seen(move)
        shown = brief(move) if known else ""
        if not counted:
            words = tr(sentence(move, unit)) if known else ""
            line = cut(f"{game.format(move.move):<5}{shown:>5}  {words}", width) + "\n"
            text.append(line, style="bold" if move.move == report.move else "")
            continue
        share = move.visits / whole
        eighths = round(8 * room * share)
        bar = "█" * (eighths // 8) + (BLOCKS[eighths % 8] if eighths % 8 else "")
        line = f"{game.format(move.move):<5}{shown:>5} {short_count(move.visits):>7}  {bar}\n"
        text.append(line, style="bold" if move.move == report.move else "")
    return text


def line_of(game: Game, report: Report, width: int) -> Text:
    """The principal variation, on two lines at most, and how much was searched."""
    words = [tr("line:")]
    for move in report.pv:
        words.append(game.format(move))
        if len(" ".join(words)) > 2 * width - 8:
            words[-1] = "…"
            break
    text = Text(" ".join(words) + "\n")
    count = report.iterations or report.nodes
    speed = count / report.seconds if report.seconds > 0 else 0
    numbers = tr("{count} nodes", count=short_count(count))
    if report.iterations:
        numbers = tr("{count} games", count=short_count(count))
    if report.depth:
        numbers += tr(", depth {depth}", depth=report.depth)
    if speed and report.stopped == "running":
        numbers += f", {short_count(round(speed))}/s"
    if report.proven and report.best is not None:
        unit = game.descriptor.message(game.descriptor.proof_unit or game.descriptor.unit)
        numbers = tr("proven: {verdict}", verdict=sentence(report.best, unit))
    if report.source == "book":
        numbers += tr(" (opening book)")
    text.append(numbers, style="dim")
    return text


def moves(
    game: Game,
    first: State,
    played: Sequence[int],
    place: int,
    remarks: Mapping[int, str],
    width: int,
    height: int,
) -> Text:
    """The moves in two columns, as many lines as there is room for around the position shown."""
    words = ["…"] * (first.to_move % 2)
    words += [game.format(move) for move in played]
    offset = first.to_move % 2
    lines = (len(words) + 1) // 2
    current = max(0, (place + offset - 1) // 2)
    begin = max(0, min(current - height // 2, lines - height))
    text = Text()
    wide = max(6, min(12, (width - 5) // 2))
    for line in range(begin, min(lines, begin + height)):
        text.append(f"{line + 1:>3} ", style="dim")
        for at in (2 * line, 2 * line + 1):
            if at < len(words):
                number = at - offset + 1
                remark = remarks.get(number, "")
                shown = words[at] + remark
                here = number == place and number > 0
                style = "reverse" if here else "bold" if remark else ""
                text.append(shown, style=style)
                text.append(" " * max(1, wide - len(shown)))
        text.append("\n")
    return text


def render(
    session: Session,
    names: tuple[str, str],
    marks: tuple[str, str],
    value: float | None,
    report: Report | None,
    values: Mapping[int, float],
    remarks: Mapping[int, str],
    width: int,
    height: int,
    lead: str = "",
    counted: Text | None = None,
) -> Text:
    """The whole panel: the moves played get the room that is left."""
    out = Text(no_wrap=True, overflow="ellipsis")
    board = boards.read(session.state)
    counts = session.game.descriptor.counts
    for side, (mark, name) in enumerate(zip(marks, names, strict=True)):
        turn = " ◀" if session.state.to_move == side and not session.is_over else ""
        if session.is_over and session.winner == side:
            turn = " ★"
        count = f"{len(board.holding(side + 1)):>3}" if board and counts else ""
        out.append(f"{mark}{count} {name}"[: width - 2], style="bold" if turn else "")
        out.append(f"{turn}\n", style="bold")
    out.append("\n")
    if value is not None:
        out.append_text(value_bar(value, marks, width))
    out.append("\n")
    if lead:
        out.append(f"{lead}\n")
    if values:
        out.append_text(graph(values, session.length, session.place, width))
    out.append("\n")
    used = 6 if lead else 5
    if report is not None and report.candidates:
        most = min(len(report.candidates), max(3, height - used - 9), 12)
        out.append("\n")
        out.append_text(candidates(session.game, report, width, most))
        lines = line_of(session.game, report, width).wrap(_CONSOLE, width)
        for line in lines:
            out.append_text(line)
            out.append("\n")
        used += most + 2 + len(lines)
    if counted is not None:
        out.append("\n")
        out.append_text(counted)
        used += 1 + str(counted).count("\n")
    rest = height - used - 1
    if rest > 0 and session.moves:
        out.append("\n")
        first, played, place = session.states[0], session.moves, session.place
        out.append_text(moves(session.game, first, played, place, remarks, width, rest))
    return out
