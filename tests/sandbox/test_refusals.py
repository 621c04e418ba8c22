"""Errors before a bot starts, each in one sentence that says what to do."""

from __future__ import annotations

import os
import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import honte
from honte.cli.main import make_app
from honte.core.fault import Fault
from honte.core.language import Message
from honte.sandbox import levels, names, programs
from honte.sandbox.player import BotPlayer
from tests.bots.hosting import available

GAME = honte.game("connect4:rows=9,cols=9,blocked=4/4")
KEPT = ("careful", "untrusted")
BOT = "def choose(state, limit):\n    return state.legal_moves()[0]\n"


def make(spec: str, **settings: object) -> BotPlayer:
    player = honte.player(spec, GAME, **settings)
    assert isinstance(player, BotPlayer)
    return player


def refused(spec: str, **settings: object) -> str:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        honte.player(spec, GAME, **settings)
    said = str(caught.value)
    assert "\n" not in said
    assert isinstance(said, Message), "it can be translated"
    assert isinstance(said.values.get("why", said), Message), "and so can the reason in it"
    return said


# -- files -----------------------------------------------------------------------------


def test_a_program_without_a_run_bit(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    (tmp_path / "bot").chmod(0o644)
    said = refused("saiblo:./bot", folder=str(tmp_path))
    assert said == "saiblo: the file './bot' may not be executed; allow it with `chmod +x ./bot`"


def test_a_folder_instead_of_a_file(tmp_path: Path) -> None:
    assert refused("saiblo:./", folder=str(tmp_path)).endswith(
        "'./' is a folder; name the program in it"
    )
    for spec in (f"getpoint:{tmp_path}", f"py:{tmp_path}:choose"):
        assert refused(spec).endswith("is a folder; name the file in it")


def test_a_working_directory_that_is_not_there() -> None:
    assert refused("saiblo:cat", folder="/no/such/folder").endswith(
        "there is no folder '/no/such/folder'"
    )


@pytest.mark.parametrize(
    ("number", "bits", "name"),
    [(3, 1, "x86 (32 bits)"), (243, 2, "RISC-V"), (8, 2, "another machine (ELF 8)")],
)
def test_a_library_for_another_processor(tmp_path: Path, number: int, bits: int, name: str) -> None:
    head = b"\x7fELF" + bytes([bits, 1, 1]) + bytes(9) + struct.pack("<HH", 3, number)
    (tmp_path / "bot.so").write_bytes(head + bytes(100))
    said = refused(f"getpoint:{tmp_path}/bot.so")
    assert f"is a library for {name}, and this Python runs on " in said
    assert said.endswith("; compile it here")


def test_our_own_machine_is_not_another_one(tmp_path: Path) -> None:
    assert programs.other_machine(os.path.realpath(sys.executable)) == ""
    for content in (b"\x7fELF", b"hello", b""):  # the loader says what is wrong with those
        (tmp_path / "file").write_bytes(content)
        assert programs.other_machine(str(tmp_path / "file")) == ""


def test_a_32_bit_program_is_for_trusted_bots_only(tmp_path: Path) -> None:
    available("careful")
    head = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9) + struct.pack("<HH", 2, 3)
    (tmp_path / "bot").write_bytes(head)
    (tmp_path / "bot").chmod(0o755)
    assert "is a program for x86 (32 bits), which only" in refused(
        f"saiblo:{tmp_path}/bot", sandbox="careful"
    )
    make(f"saiblo:{tmp_path}/bot", sandbox="trusted")


# -- bots.toml -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[bots]\nmine = "random"', "'mine' under [bots] is not a bot; write [bots.mine] and"),
        ('[mine]\nspec = "random"', "'mine' is not known here; a bot begins with [bots.NAME]"),
        ('spec = "random"', "'spec' is not known here"),
        ('[[bots]]\nspec = "random"', "write [bots.NAME] and under it spec"),
        ("[bots.mine]\nspec = 3", "[bots.mine] needs a line spec"),
        ('[bots.random]\nspec = "best"', "'random' is a player of ours; choose another name"),
    ],
)
def test_a_list_of_bots_in_the_wrong_shape(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "bots.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=re.escape(f"{file}: {said}")):
        names.bots(file)


@pytest.mark.parametrize("command", [["serve"], ["play"]])
def test_the_page_does_not_start_with_a_list_in_the_wrong_shape(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    (tmp_path / "bots.toml").write_text('[bots]\nmine = "random"')
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(make_app(), [*command, "--no-browser"])
    assert isinstance(done.exception, ValueError)
    assert "'mine' under [bots] is not a bot" in str(done.exception)


# -- links and folders -----------------------------------------------------------------


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """Two bots' folders; Alice's has links to Bob's."""
    for name in ("alice", "bob"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(BOT)
        (tmp_path / name / "bot.py").chmod(0o755)
    (tmp_path / "alice" / "theirs.py").symlink_to("../bob/bot.py")
    (tmp_path / "alice" / "same.py").symlink_to("bot.py")
    (tmp_path / "alice" / "folder").symlink_to("../bob")
    return tmp_path


@pytest.mark.parametrize("level", KEPT)
@pytest.mark.parametrize(
    "spec",
    [
        "py:alice/theirs.py:choose",
        "saiblo:./alice/theirs.py",
        "saiblo:cat alice/theirs.py",
        "saiblo:cat --weights=alice/theirs.py",
        "saiblo:cat alice/folder",
    ],
)
def test_a_link_that_leaves_its_folder_is_refused_by_name(
    bots: Path, spec: str, level: str
) -> None:
    available(level)
    said = refused(spec, folder=str(bots), sandbox=level)
    assert re.search(r"'\S*alice/(theirs.py|folder)' is a link that leaves its folder, to '", said)
    assert said.endswith("name that file itself, or put a copy into the folder")
    assert refused("py:bob/bot.py:choose", folder=str(bots), sandbox=level, read="alice/folder")
    make(spec, folder=str(bots), sandbox="trusted")


@pytest.mark.parametrize("level", KEPT)
def test_a_link_that_stays_in_its_folder_is_followed(bots: Path, level: str) -> None:
    available(level)
    player = make(f"py:{bots}/alice/same.py:choose", sandbox=level)
    assert player.choose(GAME.start(), honte.Limit(seconds=20)).move == 0
    player.close()


def test_only_what_a_command_line_names_is_readable(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = bots / "alice"
    monkeypatch.chdir(bots)

    def own(*words: str, read: tuple[str, ...] = ()) -> set[str]:
        command = levels.Command(words, str(bots), "untrusted", readable=read)
        return {path for path in levels.readable(command) if path.startswith(str(bots))}

    assert own("/bin/cat", "alice/bot.py") == {str(alice / "bot.py")}
    assert own("/bin/cat", "--weights=alice/bot.py") == {str(alice / "bot.py")}
    assert own("/bin/cat", "alice") == {str(alice)}
    assert own("/bin/cat", "alice/bot.py", read=(str(alice),)) == {str(alice)}
    assert own("/bin/cat", ".") == set(), "a store may be there"
    assert own("/bin/cat", ".", read=(str(bots),)) == {str(bots)}
    (bots / "py").mkdir()
    (bots / "choose").mkdir()
    command = make("py:alice/bot.py:choose", folder=str(bots)).command
    found = [path for path in levels.readable(command) if path.startswith(str(bots))]
    assert found == [str(alice / "bot.py")], "a protocol and a function are no paths"


@pytest.mark.parametrize("level", KEPT)
def test_a_folder_is_readable_if_the_settings_say_so(bots: Path, level: str) -> None:
    available(level)
    (bots / "alice" / "helper.py").write_text("first = 0\n")
    (bots / "alice" / "bot.py").write_text("from helper import first\n" + BOT)
    game = GAME.start()
    for read in ("", "alice"):
        player = make("py:alice/bot.py:choose", folder=str(bots), sandbox=level, read=read)
        if read:
            assert player.choose(game, honte.Limit(seconds=20)).move == 0
        else:
            with pytest.raises(Fault, match="No module named 'helper'"):
                player.choose(game, honte.Limit(seconds=20))
        player.close()


# -- root ------------------------------------------------------------------------------


def test_what_an_ordinary_user_cannot_read_is_refused_to_roots_bots(
    bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "by_root", lambda: True)
    monkeypatch.setattr(levels, "may_mount", lambda: True)
    private = bots / "bob" / "bot.py"
    command = levels.Command(("/bin/cat", str(private)), "/", "careful")
    levels.check_users(command)
    private.chmod(0o700)
    with pytest.raises(ValueError, match=r"^root's bots run as an ordinary user, who may not read"):
        levels.check_users(command)
    levels.check_users(levels.Command(command.argv, "/", "trusted"))
    private.chmod(0o644)
    with pytest.raises(ValueError, match=r"allow it with `chmod o\+rx`, or start honte as an"):
        levels.check_users(levels.Command((str(private),), "/", "untrusted"))
    (bots / "bob").chmod(0o700)
    monkeypatch.setattr(levels, "may_mount", lambda: False)
    with pytest.raises(ValueError, match=r"who may not enter .*; allow it with `chmod o\+x`"):
        levels.check_users(command)
    monkeypatch.setattr(levels, "by_root", lambda: False)
    levels.check_users(command)


def test_root_that_may_not_become_another_user_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "users_work", lambda: False)
    for level in KEPT:
        assert levels.missing_for(level).endswith("; start honte as an ordinary user")
    assert levels.missing_for("trusted") == ""


def test_root_runs_bots_as_root_only_if_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "active_level", lambda: "trusted")
    monkeypatch.setattr(levels, "users_work", lambda: False)
    monkeypatch.setattr(levels, "by_root", lambda: True)
    words = r"^bots would run as root, because the sandbox level careful .*; start honte as an"
    with pytest.raises(ValueError, match=words):
        levels.check_level("auto")
    assert levels.check_level("trusted") == "trusted"
    monkeypatch.setattr(levels, "by_root", lambda: False)
    assert levels.check_level("auto") == "trusted"


def test_a_closed_folder_is_found_on_the_way(bots: Path) -> None:
    for folder in (bots, *bots.parents):
        if str(folder) == levels.closed_folder(folder):
            assert not folder.stat().st_mode & 1
    (bots / "bob").chmod(0o700)
    command = levels.Command(("/bin/cat",), "/")
    found = levels.ways(command, [str(bots / "bob" / "bot.py"), "/usr"])
    ((closed, paths),) = found.items()
    assert (bots / "bob").is_relative_to(closed)
    assert paths == [str(bots / "bob" / "bot.py")]


# -- the level -------------------------------------------------------------------------


@pytest.fixture
def no_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(levels, "bubblewrap_works", lambda: False)
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    monkeypatch.setattr(levels, "landlock_version", lambda: 6)
    monkeypatch.delenv(programs.DEFAULT_LEVEL, raising=False)
    levels.active_level.cache_clear()
    yield
    levels.active_level.cache_clear()


NOTICE = (
    "bots run at the sandbox level careful, because the sandbox level untrusted needs bubblewrap "
    "and namespaces; install bubblewrap"
)


@pytest.mark.usefixtures("no_bubblewrap")
def test_a_weaker_level_for_want_of_bubblewrap_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert levels.active_level() == "careful"
    assert programs.fallback(["best", "saiblo:./bot"]) == NOTICE
    assert programs.fallback(["best", "level:40", "uct:iterations=5"]) == ""
    (tmp_path / "bots.toml").write_text(
        '[bots.mine]\nspec = "saiblo:cat"\n[bots.ours]\nspec = "saiblo:cat"\nsandbox = "trusted"\n'
    )
    monkeypatch.chdir(tmp_path)
    assert programs.fallback(["mine"]) == NOTICE
    assert programs.fallback(["ours"]) == ""
    (tmp_path / "bots.toml").write_text("[")
    assert programs.fallback(["best"]) == "", "a list that nobody needs is not read"
    monkeypatch.setenv(programs.DEFAULT_LEVEL, "auto")
    assert programs.fallback(["saiblo:./bot"]) == NOTICE
    monkeypatch.setenv(programs.DEFAULT_LEVEL, "careful")
    assert programs.fallback(["saiblo:./bot"]) == "", "somebody chose it"


def test_nothing_is_told_where_the_strongest_level_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "missing_for", lambda level: "")
    assert programs.fallback(["saiblo:./bot"]) == ""


@pytest.mark.usefixtures("no_bubblewrap")
@pytest.mark.parametrize("command", ["match", "tournament", "ladder", "check"])
def test_every_command_that_plays_says_so_once(command: str, bots: Path) -> None:
    bot = f"py:{bots}/alice/bot.py:choose"
    words = {
        "match": [bot, "random", "--games", "2"],
        "tournament": [bot, "random", "--rounds", "1"],
        "ladder": [bot, "--quick", "--store", str(bots / "ladder.db")],
        "check": [bot, "--budget", "1"],
    }[command]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("honte.arena.run.Run.play", stop)
        patch.setattr("honte.check.Check.run", stop)
        done = CliRunner().invoke(make_app(), [command, *words])
    assert str(done.exception) == "enough"
    assert done.stderr.count(NOTICE) == 1
    assert done.stdout.count(NOTICE) == 0


def stop(*_: object, **__: object) -> None:
    raise ValueError("enough")
