"""Versions of a bot, and made-up games between them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from honte.arena.game import Played
from honte.arena.identity import identity
from honte.arena.schedule import Task, match
from honte.arena.store import Store
from honte.submissions.trial import STORE, quick_plan
from honte.submissions.versions import Versions

GAME = "connect4:rows=4,cols=4"
FIRST = "def choose(state, limit):\n    return state.legal_moves()[0]\n"


def two_versions(folder: Path) -> Versions:
    """Versions in a folder of their own."""
    folder.chmod(0o755)
    return add_two(Versions(folder / "kept"))


def add_two(versions: Versions) -> Versions:
    for text in (FIRST, FIRST + "# v2\n"):
        versions.add([("bot.py", text.encode())])
    return versions


def fill_store(
    versions: Versions,
    results: Iterable[tuple[int, int]],
    game: str = GAME,
    seconds: float = 3.0,
) -> None:
    """Put pairs of games of version 2 against version 1 into the store, with these results."""
    b, a = (version.spec for version in versions.all()[:2])
    engines = {spec: identity(spec, game) for spec in (a, b)}
    wanted = [result for pair in results for result in pair]
    tasks = match(quick_plan(game, seconds, engines), a, b, len(wanted))
    with Store(versions.folder / STORE) as store:
        store.add(*(played(task, result) for task, result in zip(tasks, wanted, strict=True)))


def played(task: Task, result: int) -> Played:
    return Played(task, task.opening, result, None, "played out")


WON, LOST, SHARED = (1, 1), (-1, -1), (1, -1)
"""The results of a pair of games."""
