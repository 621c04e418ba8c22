"""The pages of reference/, written from the program itself: commands, settings, the Python API."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterable
from typing import Any

GAMES = {
    "connect4": "7×6",
    "connect4:course": "course",
    "othello": "Othello",
    "go:size=9": "Go 9×9",
}
"""The boards whose defaults are listed."""
PLAYERS = {
    "best": "the strongest engine for the game",
    "uct": "Monte Carlo tree search; [UCT](../uct.md) explains the settings",
    "alphabeta": "alpha-beta: [Othello](../othello-alphabeta.md), "
    "[Connect Four](../connect4.md#alphabeta)",
    "solver": "exact: [Connect Four](../connect4-solver.md), [Othello](../othello-solver.md)",
    "level": "a level of [the ladder](../ladder.md): `level:40`",
    "textbook": "UCT in plain Python, for any game",
    "minimax": "alpha-beta in plain Python, for any game",
    "random": "uniformly random moves",
}
API = {
    "games": (
        "Games and positions",
        ["honte.core.contract", "honte.core.games", "honte.core.record", "honte.core.variations"],
    ),
    "players": (
        "Players, requests, reports",
        ["honte.core.player", "honte.core.players", "honte.core.request", "honte.core.report"],
    ),
    "descriptor": (
        "What a game says of itself",
        [
            "honte.core.descriptor", "honte.core.descriptor_parts", "honte.core.spec",
            "honte.core.rules", "honte.core.scoring", "honte.core.check_support",
        ],
    ),
    "search": (
        "Searches",
        [
            "honte.search.textbook", "honte.search.uct", "honte.search.evaluator",
            "honte.search.batch", "honte.search.solver", "honte.players.level",
        ],
    ),
    "drawing": (
        "Pictures and replays",
        ["honte.drawing.svg", "honte.drawing.replay", "honte.drawing.text"],
    ),
    "arena": (
        "Matches and tournaments",
        [
            "honte.arena.single", "honte.arena.game", "honte.arena.match", "honte.arena.schedule",
            "honte.arena.run", "honte.arena.selfplay", "honte.arena.samples",
            "honte.arena.tournament", "honte.arena.store", "honte.arena.ratings",
            "honte.arena.statistics", "honte.arena.sprt", "honte.arena.export",
        ],
    ),
    "review": ("Checks and reviews", ["honte.check.check", "honte.analysis.review"]),
    "tune": (
        "Tuning",
        ["honte.tune.study", "honte.tune.tuning", "honte.tune.space", "honte.tune.optimiser"],
    ),
    "nets": ("Networks", ["honte.nets.netfile", "honte.nets.run"]),
    "environments": (
        "Environments",
        [
            "honte.games.batch", "honte.games.symmetry", "honte.adapters.pettingzoo",
            "honte.adapters.gymnasium", "honte.adapters.openspiel",
        ],
    ),
}  # fmt: skip
"""The modules of each page of the Python API."""


def pages() -> dict[str, str]:
    """Every page of the reference by its place."""
    return {
        "reference/commands.md": commands(),
        "reference/settings.md": settings(),
        "reference/api/index.md": package(),
        **{f"reference/api/{name}.md": api(*API[name]) for name in API},
    }


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table.

    >>> print(table(["a", "b"], [["x|y", 1]]))
    | a | b |
    |---|---|
    | x\\|y | 1 |
    """

    def line(cells: Iterable[object]) -> str:
        escaped = (" ".join(str(cell).split()).replace("|", "\\|") for cell in cells)
        return f"| {' | '.join(escaped)} |"

    names = list(head)
    return "\n".join([line(names), "|" + "---|" * len(names), *map(line, rows)])


# --- commands ---


def commands() -> str:
    """Every command with its arguments and options, from the command line's own declarations."""
    import typer

    from honte.cli.main import BUILDERS, OVERVIEW, make_app

    group: Any = typer.main.get_command(make_app())
    context = typer.Context(group, info_name="honte")
    parts = [
        "# Commands",
        "Written by the command line itself; `honte COMMAND --help` prints the same.",
        f"```text\n{OVERVIEW}\n```",
        "Exit codes: 0 fine, 1 a check failed or a game was lost where that was asked, 2 a usage "
        "error, 130 interrupted.",
    ]
    for name, command in group.commands.items():
        inner = typer.Context(command, info_name=name, parent=context)
        parts += [f"## `honte {name}`", inspect.cleandoc(command.help or "")]
        parts.append(f"```text\n{command.get_usage(inner).removeprefix('Usage: ')}\n```")
        parts.append(options_table(command.get_params(inner), inner))
        if name in BUILDERS:
            parts += builders(name, inner)
    return "\n\n".join(filter(None, parts)) + "\n"


def options_table(params: Iterable[Any], context: Any) -> str:
    """Arguments and options of a command as a table; empty if there are none."""
    rows = []
    for param in params:
        record = param.get_help_record(context)
        if record is None and param.param_type_name == "argument":
            record = (param.make_metavar(context), getattr(param, "help", "") or "")
        if record is not None and "--help" not in param.opts:
            rows.append((f"`{record[0].strip()}`", record[1].strip().replace("\n", " ")))
    return table(["option", "meaning"], rows) if rows else ""


def builders(command: str, context: Any) -> list[str]:
    """The options of `learn` and `book`, which depend on the game."""
    from honte.cli.builder import as_flags, builder_of
    from honte.core.games import game as make_game
    from honte.core.games import names

    parts = []
    for name in names():
        try:
            options = builder_of(make_game(name), command).options.shown()
        except ValueError:  # a game without it
            continue
        flags = [as_flags(option)[0] for option in options]
        parts += [f"`honte {command} {name}` also takes:", options_table(flags, context)]
    return parts


# --- settings ---


def settings() -> str:
    """Every setting of games, players and bots, from their typed options."""
    import honte
    from honte.core.games import names
    from honte.sandbox.programs import OPTIONS as BOT_OPTIONS
    from honte.search.engine import LIMITS

    parts = [
        "# Settings",
        "Every key that a [spec](../start.md#specs) may name, from the typed options of the "
        "program. A spec is `NAME:key=value,key=value`; a bare `key` means `key=yes`. An unknown "
        "key is an error that lists the known ones. `honte best GAME --player SPEC --settings` "
        "prints the values in use.",
        "## Games",
    ]
    for name in names():
        descriptor = honte.game(name).descriptor
        parts += [f"### `{name}`", f"{descriptor.title}. {descriptor.about}."]
        parts.append(own_table(descriptor.options.shown()))
    parts += [
        "## Limits",
        "Searching players take limits of their own, which override those of the request. "
        "Which of them apply depends on the search: simulations for `uct`, depth for alpha-beta.",
        own_table(LIMITS),
        "## Players",
        "The defaults were read on four boards: 7×6 and a course board of Connect Four, Othello "
        "and 9×9 Go. Boards with another default are named; – is a setting that the player does "
        "not have there.",
    ]
    for name, about in PLAYERS.items():
        parts += [f"### `{name}`", about[0].upper() + about[1:] + "."]
        parts.append(player_table(name))
    parts += [
        "## Bots",
        "For `py:`, `getpoint:`, `saiblo:`, `botzone:`, `gtp:`, `nboard:` and `kaggle:`, in "
        "[bots.toml](../bots.md#names) or as keyword arguments of `honte.player`.",
        own_table(BOT_OPTIONS),
    ]
    return "\n\n".join(parts) + "\n"


HEAD = ("setting", "meaning", "values", "default")


def own_table(options: Iterable[Any]) -> str:
    """Options with one default each."""
    rows = ([f"`{o.name}`", meaning(o), values(o), value(o.default)] for o in options)
    return table(HEAD, rows)


def player_table(name: str) -> str:
    """The settings of a player with their defaults on each of `GAMES`."""
    import honte

    found: dict[str, Any] = {}
    defaults: dict[str, dict[str, object]] = {}
    for spec in GAMES:
        try:
            player = honte.player("level:40" if name == "level" else name, honte.game(spec))
        except ValueError:  # a game without this engine
            continue
        defaults[spec] = player.effective_settings()
        if name == "level":  # the number is the argument
            defaults[spec].update(dict.fromkeys(("number", "noise", "iterations"), None))
        for option in player.options.shown(experimental=True):
            found.setdefault(option.name, option)
        player.close()
    if not found:
        return "It has no settings but its limits."
    usual = [option for option in found.values() if not option.experimental]
    rest = [option for option in found.values() if option.experimental]
    return table(
        HEAD,
        (
            [f"`{o.name}`", meaning(o), values(o), by_board(o.name, defaults)]
            for o in [*usual, *rest]
        ),
    )


def by_board(name: str, defaults: dict[str, dict[str, object]]) -> str:
    """The default of a setting: the usual one, then the boards that have another.

    >>> by_board("c", {"connect4": {"c": 0.8}, "othello": {"c": 0.8}, "go:size=9": {"c": 1.0}})
    '`0.8`<br>Go 9×9: `1.0`'
    >>> by_board("c", {"connect4": {"c": 0.8}, "othello": {}})
    '`0.8`<br>Othello: –'
    """
    boards: dict[str, list[str]] = {}
    for spec, known in defaults.items():
        cell = (value(known[name]) or "none") if name in known else "–"
        boards.setdefault(cell, []).append(GAMES[spec])
    usual = max(boards, key=lambda cell: (cell != "–", len(boards[cell])))
    others = [f"{', '.join(boards[cell])}: {cell}" for cell in boards if cell != usual]
    return "<br>".join([usual, *others])


def value(given: object) -> str:
    """A default as a spec would write it.

    >>> value(True), value(None), value(frozenset()), value(0.8)
    ('`yes`', '', '', '`0.8`')
    """
    if isinstance(given, bool):
        return "`yes`" if given else "`no`"
    return "" if given in (None, "", frozenset()) else f"`{given}`"


def values(option: Any) -> str:
    """What an option accepts; very large bounds are left out."""
    text = str(option.expects)
    if option.kind in ("whole", "number") and option.high is not None and option.high >= 2**31:
        text = f"{'a whole number' if option.kind == 'whole' else 'a number'} from {option.low:g}"
    return text


def meaning(option: Any) -> str:
    """What an option is for."""
    return f"{option.help} (experimental)" if option.experimental else str(option.help)


# --- the Python API ---


def package() -> str:
    """The page of the public names of the package, each with its first sentence."""
    import honte

    rows = []
    for name in sorted(honte.__all__, key=str.lower):
        found = getattr(honte, name)
        first = inspect.cleandoc(found.__doc__ or "").split("\n\n")[0]
        label = f"`honte.{name}`"
        if not inspect.ismodule(found):
            label = f"[{label}][{found.__module__}.{found.__name__}]"
        rows.append([label, first])
    return "\n\n".join(
        [
            "# Python API",
            "`import honte` is enough for most programs; [Use it as a library](../../library.md) "
            "shows how. These are its names:",
            table(["name", "what it is"], rows),
            "The other pages list the modules behind it, from their docstrings.",
        ]
    )


def api(title: str, modules: list[str]) -> str:
    """A page of modules, for mkdocstrings to fill in."""
    return "\n\n".join([f"# {title}", *(f"::: {module}" for module in modules)]) + "\n"


def undocumented() -> list[str]:
    """Public classes and functions of the API pages without a docstring."""
    missing = []
    for _, modules in API.values():
        for module in modules:
            found = importlib.import_module(module)
            for name, member in vars(found).items():
                if name.startswith("_") or getattr(member, "__module__", "") != module:
                    continue
                if (inspect.isclass(member) or inspect.isfunction(member)) and not member.__doc__:
                    missing.append(f"{module}.{name}")
    return missing
