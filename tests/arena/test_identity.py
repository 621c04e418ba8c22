"""Which games count: those of the build that plays now, and no other."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import honte
from honte.arena import identity as module
from honte.arena.export import write
from honte.arena.identity import Identity, hashes, identity, level_identity, local_imports
from honte.arena.match import Standing
from honte.arena.run import LeftOut, Run
from honte.arena.schedule import Plan, match
from honte.arena.store import Store
from honte.players.level import table
from honte.search import policy
from honte.web.reader import Reader
from tests.cli.command import honte as command

STORES = Path(__file__).parent / "stores"
OLD = ("format1.sqlite", "format2.sqlite")
FIRST_CHOICE = "def choose(state, limit):\n    return state.legal_moves()[0]\n"


def played(*words: str) -> dict[str, Any]:
    run = command("match", *words, "--json")
    assert run.code == 0, run.errors
    found: dict[str, Any] = json.loads(run.output)
    return found


@pytest.fixture
def forgetful() -> None:
    """Forget what engines are made of."""
    module._engine_parts.cache_clear()


def play(path: Path, a: str, b: str, games: int = 4) -> Run:
    """A match as `honte match` plays it."""
    engines = {spec: identity(spec, "connect4") for spec in (a, b)}
    plan = Plan("connect4", honte.Limit(iterations=5), versions=hashes(engines))
    with Store(path) as store:
        store.add_builds(engines.values())
        run = Run(1, store)
        assert sum(1 for _ in run.play(match(plan, a, b, games))) == games
        run.close()
    return run


# -- what changes the identity ---------------------------------------------------------


def changed_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "native.so"
    other.write_bytes(b"another build")
    monkeypatch.setattr(module, "_native", SimpleNamespace(__file__=str(other)))


def changed_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(module.PACKAGE / "search", tmp_path / "search")
    with (tmp_path / "search" / "engine.py").open("a") as file:
        file.write("# edited\n")
    monkeypatch.setattr(module, "ROOMS", ("core", str(tmp_path / "search"), "players"))


@pytest.mark.parametrize("change", [changed_core, changed_code])
def test_a_changed_engine_plays_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgetful: None, change: Any
) -> None:
    store = tmp_path / "games.db"
    first, again = play(store, "uct", "random"), play(store, "uct", "random")
    assert (first.found, again.found, again.left_out.games) == (0, 4, 0)
    change(tmp_path, monkeypatch)
    module._engine_parts.cache_clear()
    other = play(store, "uct", "random")
    assert (other.found, other.left_out.games) == (0, 4)
    assert other.left_out.lines() == [
        "4 games in the store were left out: they are from another build of uct, random"
    ]
    monkeypatch.undo()
    module._engine_parts.cache_clear()
    back = play(store, "uct", "random", games=6)
    assert (back.found, back.left_out.games) == (4, 4), "both builds have their games"


def test_a_changed_data_file_of_the_game_is_another_engine(tmp_path: Path) -> None:
    data = honte.game("connect4").descriptor.data
    assert data is not None
    copy = tmp_path / "data"
    shutil.copytree(data, copy)
    before = module._engine_parts(None, copy)
    assert dict(before).keys() >= {"policy.weights", "openings.book"}
    (copy / "levels.json").write_text("{}")
    module._engine_parts.cache_clear()
    assert module._engine_parts(None, copy) == before, "a level has its settings by its signature"
    (copy / "openings.book").write_bytes(b"")
    module._engine_parts.cache_clear()
    assert module._engine_parts(None, copy) != before


def test_a_changed_file_of_weights_plays_anew(tmp_path: Path) -> None:
    data = honte.game("connect4").descriptor.data
    assert data is not None
    learned, mine, store = data / "policy.weights", tmp_path / "my.weights", tmp_path / "games.db"
    shutil.copy(learned, mine)
    spec = f"uct:policy={mine},iterations=5"
    words = (spec, "random", "--games", "2", "--store", str(store))
    assert played(*words)["from_store"] == 0
    again = played(*words)
    assert (again["from_store"], again["left_out"]) == (2, 0)
    policy.write(mine, {}, [0.9 * log for log in _weights(learned)])
    found = played(*words)
    assert (found["from_store"], found["left_out"]) == (0, 2)
    said = command("match", *words).output
    assert f"2 games in the store were left out: they are from another build of {spec}\n" in said
    listed = command("show", "--store", str(store)).output
    id = listed.split()[0]
    shown = command("show", id, "--store", str(store)).output
    assert listed.count("policy=my.weights") >= 2, "one line a build"
    assert "build " in shown
    assert "core " in shown


def _weights(path: Path) -> list[float]:
    """The weights of a file, however many there are."""
    try:
        return policy.read(path, 0)[1]
    except ValueError as error:
        count = int(str(error).split(" has ")[1].split()[0])
        return policy.read(path, count)[1]


def test_a_changed_import_of_a_python_bot_plays_anew(tmp_path: Path) -> None:
    bot, store = tmp_path / "bot.py", tmp_path / "games.db"
    (tmp_path / "brain").mkdir()
    (tmp_path / "brain" / "__init__.py").write_text("from .choice import choose\n")
    deep = tmp_path / "brain" / "choice.py"
    deep.write_text(FIRST_CHOICE)
    bot.write_text("def choose(state, limit):\n    import brain\n    return brain.choose(state, 0)")
    words = (f"py:{bot}:choose", "random", "--games", "2", "--store", str(store))
    assert played(*words)["from_store"] == 0
    assert played(*words)["from_store"] == 2
    deep.write_text(FIRST_CHOICE.replace("[0]", "[-1]"))
    found = played(*words)
    assert (found["from_store"], found["left_out"]) == (0, 2)
    said = command("match", *words).output
    assert f"left out: they are from another build of py:{bot}:choose" in said


def test_the_page_counts_the_games_of_the_last_builds_alone(tmp_path: Path) -> None:
    bot, store = tmp_path / "bot.py", tmp_path / "games.db"
    for choice in ("[0]", "[-1]"):
        bot.write_text(FIRST_CHOICE.replace("[0]", choice))
        played(f"py:{bot}:choose", "random", "--games", "2", "--store", str(store))
    reader = Reader(store)
    view = reader.view()
    reader.close()
    assert (view["played"], view["done"], view["total"]) == (4, 2, 2)
    assert [row["games"] for row in view["players"]] == [2, 2]


def test_a_game_from_a_file_is_part_of_the_identity(tmp_path: Path) -> None:
    rules = tmp_path / "rules.py"
    shutil.copy("examples/gomoku.py", rules)
    spec = f"{rules}:Gomoku"
    players = ("random", "py:examples/bot.py:choose")
    before = [identity(player, spec) for player in players]
    assert "rules.py" in before[0].words
    rules.write_bytes(rules.read_bytes() + b"\n")
    after = [identity(player, spec) for player in players]
    assert not set(before) & set(after)


def test_a_bot_that_runs_our_engine_has_its_build() -> None:
    ours = identity("uct", "go").words.removeprefix(f"honte {honte.__version__}, ")
    assert ours in identity("gtp:python3 -m honte gtp", "go").words


def test_a_bot_whose_code_uses_this_package_has_its_build(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(FIRST_CHOICE)
    assert "core" not in identity(f"py:{bot}:choose", "connect4").words
    bot.write_text(f"import honte\n{FIRST_CHOICE}")
    assert "core" in identity(f"py:{bot}:choose", "connect4").words


def test_a_name_in_bots_toml_that_means_something_else_is_another_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = tmp_path / "bots.toml"
    monkeypatch.setenv("HONTE_BOTS", str(names))
    found = []
    for iterations in (10, 10, 20):
        names.write_text(f'[bots.mine]\nspec = "uct:iterations={iterations}"\n')
        found.append(identity("mine", "connect4"))
    assert found[0] == found[1] != found[2]


def test_files_that_a_bot_may_read_are_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bot.py").write_text(FIRST_CHOICE)
    (tmp_path / "nets").mkdir()
    names = tmp_path / "bots.toml"
    monkeypatch.setenv("HONTE_BOTS", str(names))
    names.write_text('[bots.mine]\nspec = "py:bot.py:choose"\nread = "nets"\n')
    before = identity("mine", "connect4")
    (tmp_path / "nets" / "large.bin").write_bytes(b"\1\2\3")
    assert identity("mine", "connect4") != before


def test_the_identity_of_a_level_needs_no_player() -> None:
    game = honte.game("othello")
    for rung in table(game)[9::30]:
        assert level_identity(rung.signature, game) == identity(f"level:{rung.level}", "othello")


def test_a_wrong_spec_is_said_before_anything_is_played() -> None:
    with pytest.raises(ValueError, match="there is no player 'nobody'"):
        identity("nobody", "connect4")


# -- imports ---------------------------------------------------------------------------


def test_imports_are_followed_without_running_anything(tmp_path: Path) -> None:
    files = {
        "bot.py": "import a, os\nfrom pkg import b\nraise SystemExit\n",
        "a.py": "def late():\n    import importlib\n    importlib.import_module('dynamic')\n",
        "dynamic.py": "import bot  # round in circles\n",
        "pkg/__init__.py": "",
        "pkg/b.py": "from . import c\nfrom .sub.d import e\nfrom ..a import x\n",
        "pkg/c.py": "this is no Python (",
        "pkg/sub/d.py": "from ..other import *\n",
        "pkg/other.py": "import fast.engine\n",
        "fast/engine.so": "binary",
        "stranger.py": "import nothing\n",
        "notes.txt": "import stranger\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    found = {str(path.relative_to(tmp_path)) for path in local_imports(tmp_path / "bot.py")}
    assert found == files.keys() - {"bot.py", "stranger.py", "notes.txt"}


@pytest.mark.parametrize(
    "source", ["", "import " + ".".join("a" * 500), "from ..... import x", "import bot", "\0", "é"]
)
def test_strange_imports_are_followed_as_far_as_they_go(tmp_path: Path, source: str) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(source, encoding="latin-1")
    assert bot not in local_imports(bot)


# -- what it costs ---------------------------------------------------------------------


def test_an_identity_is_found_in_milliseconds(forgetful: None) -> None:
    game = honte.game("othello")
    player = honte.player("uct", game)
    took = []
    for _ in range(3):
        module._engine_parts.cache_clear()
        module._digest.cache_clear()
        began = time.thread_time()
        module.identity_of(player, game)
        took.append(time.thread_time() - began)
    assert min(took) < 0.05
    began = time.thread_time()
    for _ in range(100):
        module.identity_of(player, game)
    assert (time.thread_time() - began) / 100 < 0.005


# -- old stores ------------------------------------------------------------------------


@pytest.fixture(params=OLD)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A store of four games of ``uct:iterations=30`` against ``random``, seed 5."""
    return Path(shutil.copy(STORES / request.param, tmp_path / "old.db"))


def test_an_old_store_is_read(old: Path) -> None:
    with Store(old, write=False) as store:
        games = list(store.games())
        assert [game.task.id for game in games] == [head.id for head in store.heads(10)]
        assert store.get(games[0].task.id) == games[0]
        assert [engine.words for engine in store.engines()] == ["", ""]
    standing = Standing()
    for game in games:
        standing.add(game)
    assert str(standing.total) == "+4 =0 -0"
    assert write(games, "csv").count("0.1.0") == 8
    assert write(games, "text").count("connect4") == 4
    shown = command("show", games[0].task.id[:8], "--store", str(old))
    assert shown.code == 0
    assert "build not recorded (version 0.1.0)" in shown.output


def test_an_old_store_goes_on_without_counting_its_games(old: Path) -> None:
    plies = ("--opening-plies", "2")  # as those games began
    words = (
        "uct:iterations=30",
        "random",
        "--games",
        "4",
        "--seed",
        "5",
        *plies,
        "--store",
        str(old),
    )
    found = played(*words)
    assert (found["games"], found["from_store"], found["left_out"]) == (4, 0, 4)
    said = command("match", *words).output
    assert "4 games in the store were left out: they are from before builds were recorded" in said
    again = played(*words[:3], "6", *words[4:])
    assert (again["from_store"], again["left_out"]) == (4, 4)
    with Store(old, write=False) as store:
        assert len(store) == 10


def test_games_left_out_are_told_in_a_sentence() -> None:
    assert LeftOut().lines() == []
    some = LeftOut(6, 1, dict.fromkeys("abcde"))
    assert some.lines() == [
        "5 games in the store were left out: they are from another build of a, b, c and 2 more",
        "1 game in the store was left out: it is from before builds were recorded",
    ]


def test_a_build_is_known_by_its_words(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        store.add_builds([Identity("abc", "honte 9")])
        store.add_builds([Identity("abc", "honte 9"), Identity("def", "\ud800")])
        assert (store.build_words("abc"), store.build_words("0.1.0")) == ("honte 9", "")
