"""The table of a class and its games, as files for a teacher to keep."""

from __future__ import annotations

import csv
import io
import time
import zipfile
from html import escape
from typing import Any

from honte.arena import export as exports
from honte.arena.store import Store
from honte.classroom.classroom import GAMES, Classroom
from honte.classroom.round import standings
from honte.core.language import Message, tr

KINDS = {
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "zip": "application/zip",
}
"""The formats of a table, ``zip`` of all games, by the suffix of the file."""
COLUMNS = (
    "place", "name", "version", "elo", "error", "games", "wins", "draws", "losses", "points",
    "faults", "last_fault", "retired", "uploads",
)  # fmt: skip
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; color: #1c1f23 }
h1 { font-size: 1.5rem } table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { padding: .3rem .6rem; border-bottom: 1px solid #d5d9de; text-align: left }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
p { color: #5a626c } table.cross td { text-align: center; font-size: .75rem; padding: .2rem }
@media print { body { margin: 0; max-width: none } tr { break-inside: avoid } }
"""


def write(classroom: Classroom, form: str) -> bytes:
    """The table (csv, html) or all games (zip)."""
    if form == "zip":
        return games(classroom)
    rows = table(classroom)
    return as_csv(rows) if form == "csv" else as_html(classroom, rows).encode()


def table(classroom: Classroom) -> list[dict[str, Any]]:
    """A row for every student: those of the standings in their order, then the others."""
    found = standings(classroom) or {"players": []}
    students = {student.id: student for student in classroom.students()}
    rows = []
    for place, row in enumerate(found["players"], 1):
        student = students.pop(row["student"], None)
        uploads = len(classroom.versions(student.id).all()) if student is not None else 0
        rows.append(
            {
                "place": place,
                "name": row["name"],
                "version": row["player"].rpartition("-v")[2],
                "elo": round(row["elo"]),
                "error": round(row["elo_error"]),
                **{key: row[key] for key in ("games", "wins", "draws", "losses", "points")},
                "faults": sum(row["faults"].values()),
                "last_fault": row["last_fault"],
                "retired": row["retired"] or "",
                "uploads": uploads,
            }
        )
    for student in students.values():
        versions = classroom.versions(student.id).all()
        faults = ", ".join(versions[-1].faults) if versions else ""
        rows.append(
            dict.fromkeys(COLUMNS, "")
            | {"name": student.name, "uploads": len(versions), "last_fault": faults}
        )
    return rows


def as_csv(rows: list[dict[str, Any]]) -> bytes:
    """CSV with a UTF-8 byte order mark for spreadsheets, and no cell that they would evaluate."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\r\n")
    out.writerow(COLUMNS)
    for row in rows:
        out.writerow([exports.harmless(row[column]) for column in COLUMNS])
    return b"\xef\xbb\xbf" + text.getvalue().encode("utf-8", "replace")


def as_html(classroom: Classroom, rows: list[dict[str, Any]]) -> str:
    """A single HTML page, to print or to publish."""
    found = standings(classroom) or {}
    head = (
        ("#", True), (tr("Name"), False), (tr("Version"), True), ("Elo", True), ("±", True),
        (tr("Games"), True), (tr("Won"), True), (tr("Drawn"), True), (tr("Lost"), True),
        (tr("Faults"), True),
    )  # fmt: skip
    keys = (
        "place",
        "name",
        "version",
        "elo",
        "error",
        "games",
        "wins",
        "draws",
        "losses",
        "faults",
    )
    numbers = [is_number for _, is_number in head]
    cells = ""
    for row in rows:
        cells += "<tr>"
        cells += "".join(_cell(row[key], number) for key, number in zip(keys, numbers, strict=True))
        cells += "</tr>\n"
    titles = "".join(
        f'<th scope="col"{_number(is_number)}>{escape(title)}</th>' for title, is_number in head
    )
    day = time.strftime("%Y-%m-%d", time.localtime(found.get("time", time.time())))
    about = tr(
        "{game}; {games} games; {day}. Ratings with 95 % intervals.",
        game=classroom.game,
        games=found.get("games", 0),
        day=day,
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"<title>{escape(classroom.name)}</title>\n<style>{STYLE}</style>\n"
        f"<h1>{escape(classroom.name)}</h1>\n<p>{escape(about)}</p>\n"
        f"<table>\n<thead><tr>{titles}</tr></thead>\n<tbody>\n{cells}</tbody>\n</table>\n"
        f"{_cross(found)}</html>\n"
    )


def _number(is_number: bool) -> str:
    return ' class="number"' if is_number else ""


def _cell(value: Any, is_number: bool) -> str:
    shown = f"{value:g}" if isinstance(value, float) else str(value)
    return f"<td{_number(is_number)}>{escape(shown)}</td>"


def _cross(found: dict[str, Any]) -> str:
    """The crosstable."""
    players = found.get("players", [])
    if not 2 <= len(players) <= 30:
        return ""
    heads = "".join(f"<th>{place}</th>" for place in range(1, len(players) + 1))
    lines = []
    for place, (row, cells) in enumerate(zip(players, found["crosstable"], strict=True), 1):
        scores = "".join(f"<td>{_score(cell)}</td>" for cell in cells)
        lines.append(f"<tr><th>{place}</th><th>{escape(row['name'])}</th>{scores}</tr>\n")
    return f'<table class="cross">\n<tr><th></th><th></th>{heads}</tr>\n{"".join(lines)}</table>\n'


def _score(cell: dict[str, Any] | None) -> str:
    if cell is None:
        return "·"
    games = cell["wins"] + cell["draws"] + cell["losses"]
    return f"{cell['wins'] + cell['draws'] / 2:g}/{games}" if games else "–"


def games(classroom: Classroom) -> bytes:
    """All games: a table of them, and the moves as text."""
    path = classroom.folder / GAMES
    found = []
    if path.is_file():
        store = Store(path, write=False)
        try:
            found = list(store.games())
        finally:
            store.close()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("games.csv", exports.as_csv(found))
        archive.writestr("games.txt", exports.write(found, "text"))
        archive.writestr("table.csv", as_csv(table(classroom)))
    return packed.getvalue()


def kind_of(file: str) -> str:
    """The format by the suffix of a file name."""
    form = file.rpartition(".")[2].lower()
    if form not in KINDS:
        raise ValueError(
            Message(
                "{file}: the formats are {kinds}",
                file=file,
                kinds=", ".join(f".{k}" for k in KINDS),
            )
        )
    return form
