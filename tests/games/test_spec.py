"""Specs, `NAME[:key=value,...]`: parsing, printing, and error messages."""

from __future__ import annotations

import re

import pytest

import honte
from honte.core import games as registry
from honte.core.messages import quote
from honte.core.spec import Options, choice, join, number, split, whole, yes_no

OPTIONS = Options(
    whole("rows", 6, 4, 16),
    number("komi", 7.5, -10, 10),
    choice("ko", "simple", ("simple", "positional")),
    yes_no("suicide", False),
)


@pytest.mark.parametrize(
    ("spec", "name", "settings"),
    [
        ("go", "go", {}),
        ("go:", "go", {}),
        (" go : size = 9 , komi = 7.5 ", "go", {"size": "9", "komi": "7.5"}),
        ("connect4:course", "connect4", {"course": "yes"}),
        ("connect4:course,seed=7", "connect4", {"course": "yes", "seed": "7"}),
        ("go:,,size=9,,", "go", {"size": "9"}),
        ("x:a=b=c", "x", {"a": "b=c"}),
        ("py:file.py:function", "py", {"file.py:function": "yes"}),
        ("", "", {}),
    ],
)
def test_a_spec_is_a_name_and_its_settings(spec: str, name: str, settings: object) -> None:
    assert split(spec) == (name, settings)


def test_a_spec_is_written_from_its_parts() -> None:
    assert join("go", {}) == "go"
    assert join("go", {"size": 9, "ko": "simple"}) == "go:size=9,ko=simple"


def test_what_is_not_given_has_its_default() -> None:
    read = OPTIONS.read("x", {})
    assert read == {"rows": 6, "komi": 7.5, "ko": "simple", "suicide": False}


@pytest.mark.parametrize(
    ("key", "given", "value"),
    [
        ("rows", "12", 12),
        ("rows", 12, 12),
        ("komi", "-2.5", -2.5),
        ("komi", 3, 3.0),
        ("komi", "1e0", 1.0),
        ("ko", "positional", "positional"),
        ("suicide", "yes", True),
        ("suicide", "True", True),
        ("suicide", "1", True),
        ("suicide", "no", False),
        ("suicide", "FALSE", False),
        ("suicide", "0", False),
        ("suicide", True, True),
        ("suicide", False, False),
    ],
)
def test_a_setting_is_read_as_its_kind(key: str, given: object, value: object) -> None:
    read = OPTIONS.read("x", {key: given})[key]
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("key", "given", "sentence"),
    [
        ("rows", "3", "x: rows='3' is not a whole number from 4 to 16"),
        ("rows", "17", "x: rows='17' is not a whole number from 4 to 16"),
        ("rows", "", "x: rows='' is not a whole number from 4 to 16"),
        ("rows", "6.0", "x: rows='6.0' is not a whole number from 4 to 16"),
        ("rows", True, "x: rows='yes' is not a whole number from 4 to 16"),
        ("rows", None, "x: rows='None' is not a whole number from 4 to 16"),
        ("rows", 10**100, "x: rows='a huge number' is not a whole number from 4 to 16"),
        ("rows", "9" * 5000, f"x: rows='{'9' * 39}…' is not a whole number from 4 to 16"),
        ("komi", "nan", "x: komi='nan' is not a number from -10 to 10"),
        ("komi", "inf", "x: komi='inf' is not a number from -10 to 10"),
        ("komi", "10.5", "x: komi='10.5' is not a number from -10 to 10"),
        ("komi", "seven", "x: komi='seven' is not a number from -10 to 10"),
        ("ko", "Simple", "x: ko='Simple' is not one of simple, positional"),
        ("suicide", "maybe", "x: suicide='maybe' is not yes or no"),
        ("suicide", 2, "x: suicide='2' is not yes or no"),
    ],
)
def test_a_setting_of_the_wrong_kind_is_refused(key: str, given: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        OPTIONS.read("x", {key: given})


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("chess", "there is no game 'chess'; there are connect4, othello, go"),
        ("", "there is no game ''; there are connect4, othello, go"),
        ("Go", "there is no game 'Go'; there are connect4, othello, go"),
        ("go:size", "go: size='yes' is not a whole number from 2 to 19"),
        ("go:size=1", "go: size='1' is not a whole number from 2 to 19"),
        ("go:size=9,size=9", "'size' is set twice in 'go:size=9,size=9'; leave one out"),
        ("go:rows=9", "go has no option 'rows'; it has: size, komi, ko, suicide, handicap"),
        ("go:=9", "go has no option ''; it has: size, komi, ko, suicide, handicap"),
        ("go:ko=super", "go: ko='super' is not one of positional, situational, simple"),
        ("go:komi=401", "go: komi='401' is not a number from -400 to 400"),
        ("othello:size=5", "othello: size='5' is not 4, 6 or 8"),
        ("othello:size=10", "othello: size='10' is not 4, 6 or 8"),
        ("go:" + "x" * 5000, "a spec of 5,003 characters; 4,096 is the most"),
    ],
)
def test_a_spec_that_names_no_game_is_refused(spec: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        honte.game(spec)


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("connect4:rows=6,cols=7", "connect4"),
        ("connect4:blocked=", "connect4"),
        ("connect4:cols=9,rows=8", "connect4:rows=8,cols=9"),
        ("connect4:blocked=2/3+0/1+2/3", "connect4:blocked=0/1+2/3"),
        ("connect4:seed=4", "connect4"),
        ("othello:size=8", "othello"),
        ("go:size=9,komi=7.5,ko=positional,suicide=no", "go"),
        ("go:komi=7", "go:komi=7"),
        ("go:komi=07.50", "go"),
        ("go:komi=-0", "go:komi=0"),
        ("go:handicap=2,size=19", "go:size=19,handicap=2"),
        ("go:handicap=2,size=19,komi=0.5", "go:size=19,handicap=2"),
        ("go:suicide=TRUE", "go:suicide=yes"),
    ],
)
def test_a_spec_is_written_shortly_and_in_one_way(given: str, canonical: str) -> None:
    assert honte.game(given).spec == canonical
    assert honte.game(given) == honte.game(canonical)


@pytest.mark.parametrize("komi", [7.123456789, 6.5000001, 1e-9, -399.999999999, 0.1 + 0.2])
def test_a_spec_keeps_komi_to_the_last_digit(komi: float) -> None:
    game = honte.game("go", komi=komi)
    again = honte.game(game.spec)
    assert again.start().score == game.start().score == -komi
    assert game != honte.game("go")


def test_keywords_stand_over_the_spec() -> None:
    assert honte.game("connect4:rows=8,cols=8", rows=9).spec == "connect4:rows=9,cols=8"
    assert honte.game("go", suicide=True).spec == "go:suicide=yes"
    assert honte.game("connect4", blocked=[(2, 3), (0, 1)]).spec == "connect4:blocked=0/1+2/3"


@pytest.mark.parametrize("name", ["", "two words", "a:b", "a,b", "1st", "a=b", "x" * 50 + "!"])
def test_a_name_that_a_spec_cannot_say_is_not_registered(name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a game; use letters, digits and _"):
        honte.register(name, lambda **settings: honte.game("go"))
    assert name not in registry.names()


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("abc", "'abc'"),
        ("it's", '"it\'s"'),
        ("a" * 40, f"'{'a' * 40}'"),
        ("a" * 41, f"'{'a' * 39}…'"),
        ("\n\0", r"'\n\x00'"),
        ("\udc80", r"'\udc80'"),
        (12, "12"),
        (-(10**40), "a huge number"),
        (2**20000, "a huge number"),
        (None, "'None'"),
    ],
    ids=lambda given: repr(given)[:20] if not isinstance(given, int) else "an int",
)
def test_what_somebody_typed_is_quoted_on_one_line(given: object, shown: str) -> None:
    assert quote(given) == shown


@pytest.mark.parametrize("given", ["\U000e0001" * 40, "\udc80" * 1000, "\x00" * 30, "'\"" * 40])
def test_a_quotation_stays_short_whatever_it_quotes(given: str) -> None:
    assert len(quote(given)) <= 44
    assert quote(given).isprintable()


def test_a_number_of_many_digits_is_not_repeated() -> None:
    with pytest.raises(ValueError, match="a huge number"):
        OPTIONS.read("game", {"rows": 2**99})
    with pytest.raises(ValueError, match=str(2**99 - 1)):
        OPTIONS.read("game", {"rows": 2**99 - 1})
