"""The table of games, and what the page learns about each of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from honte.core import games as registry
from honte.web import games
from honte.web.exchange import record_json
from honte.web.games import all_games, descriptor_json, game_of
from tests.cli.command import ROOT
from tests.web.live import Client

FILE = f"{ROOT / 'examples' / 'gomoku.py'}:Gomoku"


@pytest.fixture
def own_table(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A table that a test may add to."""
    monkeypatch.setattr(registry, "_factories", dict(registry._factories))
    monkeypatch.setattr(games, "_files", {})
    yield
    game_of.cache_clear()


def test_hello_carries_every_game_with_all_that_the_page_needs(client: Client) -> None:
    found = {game["name"]: game for game in client.ask("hello")["games"]}
    assert list(found) == ["connect4", "othello", "go"]
    dropping, cells, points = found.values()
    assert [game["shape"] for game in found.values()] == ["columns", "cells", "points"]
    assert dropping["sides"] == [
        {"name": "Red", "color": "red"},
        {"name": "Yellow", "color": "yellow"},
    ]
    assert (cells["unit"], cells["counts"], cells["passes"]) == ("discs", True, True)
    assert (dropping["unit"], dropping["passes"], points["ownership"]) == ("", False, True)
    assert (cells["formats"], points["formats"]) == (["sgf", "ggf", "text"], ["sgf", "text"])
    options = {option["name"]: option for option in dropping["options"]}
    assert set(options) == {"rows", "cols", "blocked", "inarow"}
    assert (options["rows"]["kind"], options["rows"]["low"], options["rows"]["high"]) == (
        "whole",
        4,
        16,
    )
    assert options["blocked"]["kind"] == "cells"
    assert [preset["random"] for preset in dropping["presets"]].count(True) == 1
    assert all(len(game["levels"]) == 100 for game in found.values())


@pytest.mark.parametrize("name", ["connect4", "othello", "go"])
def test_every_text_of_a_descriptor_is_translated(name: str) -> None:
    game = next(game for game in all_games() if game["name"] == name)
    texts = {game["title"], game["about"], *(side["name"] for side in game["sides"])}
    texts |= {option[key] for option in game["options"] for key in ("label", "help")}
    texts |= {game["unit"]} - {""}
    assert texts <= set(game["words"]["zh"])


def test_a_game_of_a_file_is_known_by_its_own_name(own_table: None) -> None:
    assert games.register(f"{FILE}:size=7") == "gomoku:size=7"
    assert games.register(FILE) == "gomoku"  # again, as a second command line might
    assert games.files() == [FILE]
    shown = descriptor_json(game_of("gomoku:size=7"))
    assert (shown["title"], shown["shape"], shown["formats"]) == ("Gomoku", "points", ["text"])
    assert str(ROOT) not in json.dumps(shown)


def test_a_stored_game_of_a_file_is_shown_if_the_file_was_named(own_table: None) -> None:
    from honte.core.record import Record

    record = Record(f"{FILE}:size=7", moves=[0, 1, 2])
    with pytest.raises(ValueError, match="serve it with `--game"):
        record_json(record)
    games.register(FILE)
    assert record_json(record)["game"] == "gomoku:size=7"


def test_a_path_is_no_name(client: Client) -> None:
    for spec in (FILE, "gomoku.py:Gomoku", "../x.py:Go", "honte.games.go.game:Go"):
        assert "there is no game" in client.ask("position", game=spec)["error"]


def test_a_game_of_another_package_is_in_the_table(
    monkeypatch: pytest.MonkeyPatch, own_table: None
) -> None:
    entry = {"mine": "honte.games.othello.game:Othello"}
    monkeypatch.setattr(registry, "_installed", lambda: entry)
    assert game_of("mine").descriptor.title == "Othello"


def test_a_name_that_is_taken_is_refused(tmp_path: Path, own_table: None) -> None:
    text = (ROOT / "examples" / "gomoku.py").read_text().replace('"gomoku"', '"othello"')
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(ValueError, match="give yours another name"):
        games.register(f"{tmp_path / 'mine.py'}:Gomoku")


def test_a_game_without_a_board_says_what_is_missing(tmp_path: Path, own_table: None) -> None:
    text = (ROOT / "examples" / "gomoku.py").read_text().replace("def cells", "def squares")
    (tmp_path / "flat.py").write_text(text.replace('"gomoku"', '"flat"'))
    with pytest.raises(ValueError, match="no board that the page can draw"):
        games.register(f"{tmp_path / 'flat.py'}:Gomoku")


@pytest.mark.parametrize("name", ["connect4", "othello", "go"])
def test_the_rules_come_in_both_languages_with_boards_that_can_be_played(
    client: Client, name: str
) -> None:
    rules = client.ask("rules", game=name)["rules"]
    assert len(rules) >= 3
    for rule in rules:
        assert rule["words"]["zh"]
        assert rule["state"]["cells"].strip(".") or rule["hints"]
        assert rule["descriptor"]["name"] == name


def test_a_game_without_written_rules_has_none(own_table: None) -> None:
    assert games.rules_of(game_of(games.register(FILE))) == ()
