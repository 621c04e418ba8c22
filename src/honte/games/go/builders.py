"""``honte learn go`` and ``honte book go``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from honte.core.builder import Build, Builder, Built, path_option
from honte.core.language import Message
from honte.core.spec import Option, Options, number, renamed, whole
from honte.games.go.learning import Game, Learner, Settings, read_games


def learn(build: Build) -> Built:
    """Train the policy from records, stores, or self-play."""
    given = build.settings
    data: Path | None = given["data"]
    if data is None and not given["self_play"]:
        raise ValueError(Message("no games to learn from; give --data PATH or --self-play N"))
    if data is not None and not data.exists():
        raise ValueError(
            Message(
                "there is no {data}; give a folder of .sgf files or a store with --data", data=data
            )
        )
    names = ("regularization", "self_play", "iterations", "players")
    chosen: dict[str, Any] = {name: given[name] for name in names}
    settings = Settings(**chosen)
    learner = Learner(given["work"] or Path(f"{build.path}.work"), settings, build.tell)
    games: list[Game] = []
    if data is not None:
        games += read_games(data, settings.players, build.stored_games)
    if settings.self_play:
        learner.play()
        games += learner.own_games()
    found = learner.learn(games, build.path, build.command)
    lines = [
        Message(
            "{games:,} games, {positions:,} positions; {held_out:,} more held out",
            games=found.games,
            positions=found.positions,
            held_out=found.held_out,
        ),
        f"{'on held-out positions':<24}{'mean log-likelihood':>20}{'top-1 accuracy':>16}",
    ]
    for name, row in (
        ("uniform", found.uniform),
        ("hand-made priors", found.by_hand),
        ("learned", found.learned),
    ):
        lines.append(f"  {name:<22}{row.likelihood:>20.3f}{100 * row.first:>14.1f} %")
    return Built(lines)


def grow(build: Build) -> Built:
    """Grow the opening book, 9×9 and corners; two work files beside it keep the searches."""
    from honte.games.go.joseki import SMALLEST, WHOLE, Book
    from honte.games.go.joseki_building import GoGrower

    path, given = build.path, build.settings
    whole_board, corner = (
        GoGrower(path.with_name(f"{path.name}.{size}.work"), size, given["iterations"])
        for size in (WHOLE, SMALLEST)
    )
    try:
        whole_board.grow(given["positions"], build.tell)
        corner.grow(given["corners"], build.tell)
    finally:
        made = Book({**whole_board.book().entries, **corner.book().entries})
        made.write(path, {"game": "go", "command": build.command, **whole_board.about()})
    return Built([Message("{count:,} positions", count=len(made))])


LEARNER = Builder(
    "policy.weights",
    learn,
    Options(
        path_option("data", "store, or folder of .sgf and .db files"),
        path_option("work", "folder of the self-play games, to resume from"),
        Option("players", "*", "a pattern", str, "player specs whose moves are samples"),
        renamed(
            number(
                "regularization",
                Settings.regularization,
                0.1,
                1e6,
                "virtual wins and losses of every feature",
            ),
            "caution",
        ),
        whole("self_play", 0, 0, 1_000_000, "self-play games to add"),
        whole("iterations", Settings.iterations, 1, 10**9, "simulations per self-play move"),
    ),
    player="uct:policy={file}",
)
BOOK = Builder(
    "joseki.book",
    grow,
    Options(
        whole("positions", 400, 1, 1_000_000, "positions of 9×9 to expand"),
        whole("corners", 100, 0, 1_000_000, "positions of a corner to expand"),
        whole("iterations", 40_000, 100, 10**9, "simulations per search"),
    ),
)
