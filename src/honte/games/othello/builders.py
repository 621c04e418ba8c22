"""``honte learn othello`` and ``honte book othello``."""

from __future__ import annotations

from pathlib import Path

from honte.core.builder import Build, Builder, Built, path_option
from honte.core.language import Message
from honte.core.spec import Options, number, renamed, whole
from honte.games.othello.learning import Learner, Settings, read_games


def learn(build: Build) -> Built:
    """Train the pattern weights from WTHOR files."""
    given = build.settings
    folder: Path | None = given["data"]
    if folder is None or not folder.is_dir():
        raise ValueError(
            Message(
                "there is no folder {value}; give a folder of .wtb files with --data",
                value=folder or "",
            )
        )
    settings = Settings(regularization=given["regularization"], self_play=given["self_play"])
    work = given["work"] or Path(f"{build.path}.work")
    learner = Learner(work, settings, build.tell)
    errors = learner.run(list(read_games(folder)), build.path, build.command)
    lines: list[str] = [Message("discs   positions   mean error in discs   on held-out games")]
    for phase, row in enumerate(errors):
        first = 4 + 5 * phase
        lines.append(
            f"{first:>2}–{min(first + 4, 63):<4} {row['positions']:>9,}   {row['error']:5.2f}"
            f"{row['held_out_error']:22.2f}"
        )
    return Built(lines)


def grow(build: Build) -> Built:
    """Grow the opening book; a work file beside it keeps the searches."""
    from honte.games.othello.book_building import OthelloGrower

    path = build.path
    work = path.with_name(path.name + ".work")
    grower = OthelloGrower(work, build.settings["depth"])
    try:
        grower.grow(build.settings["positions"], build.tell)
    finally:
        made = grower.book()
        made.write(path, {"game": "othello", "command": build.command, **grower.about()})
    return Built([Message("{count:,} positions", count=len(made))])


LEARNER = Builder(
    "patterns.weights",
    learn,
    Options(
        path_option("data", "folder of WTHOR files, .wtb"),
        path_option("work", "folder of intermediate results, to resume from"),
        renamed(
            number(
                "regularization",
                Settings.regularization,
                0.1,
                1e6,
                "L2 penalty, which shrinks the weights of rare patterns",
            ),
            "caution",
        ),
        whole("self_play", 0, 0, 1_000_000, "self-play games to add"),
    ),
)
BOOK = Builder(
    "openings.book",
    grow,
    Options(
        whole("positions", 400, 1, 1_000_000, "positions to expand"),
        whole("depth", 16, 1, 30, "search depth in plies"),
    ),
)
