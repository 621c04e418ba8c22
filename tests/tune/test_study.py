"""A study's file: parsing, and the errors for invalid ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from honte.games.othello.weights import PRESETS, Weights, named
from honte.tune.study import Study, load, parse

WEIGHTS = """
game = "othello"
engine = "alphabeta:depth=2"
[parameters.weights]
free = ["squares", "mobility"]
low = -300
high = 300
start = "report"
[optimiser]
name = "genetic"
games = 100
"""
SWEEP = """
game = "connect4"
engine = "uct:iterations=20"
[parameters.c]
low = 0.2
high = 1.4
[objective]
against = ["start", "random"]
games = 4
[optimiser]
name = "sweep"
games = 100
"""


def test_a_weight_vector_becomes_coordinates_and_a_spec_again() -> None:
    study = parse(WEIGHTS)
    assert len(study.space.names) == 11
    spec = study.spec(study.space.start)
    assert spec.startswith("alphabeta:depth=2,weights=293/-18/-67/")
    assert named(spec.split("weights=")[1]) == PRESETS["report"]
    moved = study.space.settle((400, *study.space.start[1:]))
    assert study.spec(moved).startswith("alphabeta:depth=2,weights=300/-18/")


def test_what_is_not_free_keeps_its_value() -> None:
    study = parse(WEIGHTS.replace('"squares", ', ""))
    assert study.space.names == ["mobility"]
    (tuned,) = study.space.vectors
    weights = Weights.from_list(study.space.vector_at(tuned, (10.0,)))
    assert weights.mobility == 10
    assert weights.squares == PRESETS["report"].squares


def test_opponents_may_be_the_start_itself() -> None:
    study = parse(SWEEP)
    assert study.opponents == ["uct:iterations=20,c=0.8", "random"]
    assert study.verified == ["uct:iterations=20,c=0.8"]
    assert study.trials == 25


def test_listed_values_and_whole_numbers() -> None:
    text = SWEEP.replace("low = 0.2\nhigh = 1.4", "values = [0.5, 1, 2]\nstart = 1")
    threads = "[parameters.threads]\nlow = 1\nhigh = 4\nwhole = true\n"
    text = text.replace("[objective]", threads + "[objective]")
    study = parse(text)
    assert study.spec(study.space.start) == "uct:iterations=20,c=1,threads=2"
    assert study.spec(study.space.from_unit((0.0, 0.9))) == "uct:iterations=20,c=0.5,threads=4"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[parameters.c]", "[parameters.d]", "uct has no option 'd'; it has: "),
        ("low = 0.2", "low = 2", r"range of 'c' is empty: 2 to 1.4; low must be less"),
        ("low = 0.2", "low = -1", "c='-1' is not a number from 0 to 10"),
        ("low = 0.2", "lowest = 0.2", "there is no field 'parameters.lowest'"),
        ("low = 0.2\n", "", "parameters.c has no range; give low and high, or values"),
        ("low = 0.2", 'low = "a"', r"parameters.low is wrong: expected float \| null, got str"),
        ("low = 0.2\nhigh = 1.4", "values = [1]", "list two values or more"),
        ("high = 1.4", "high = 1.4\nstart = 3", "start of 'c', 3, is not within 0.2 to 1.4"),
        ("high = 1.4", "high = 1.4\nlog = true\nlow = 0", "Cannot overwrite"),
        ("low = 0.2", "low = 0\nlog = true", "low must be more than 0"),
        ('"sweep"', '"swap"', "there is no optimiser 'swap'; there are genetic"),
        ('name = "sweep"\n', "", "optimiser.name is missing; it is one of genetic"),
        ('"sweep"', '"sweep"\npointes = 3', "no field 'optimiser.pointes'; the fields are points"),
        ('"sweep"', '"sweep"\npoints = 1', "optimiser.points is wrong: expected int >= 2"),
        ("games = 100\n", "", "optimiser.games is missing"),
        ("games = 4", "games = 5", "games come in pairs.*use an even number"),
        ("games = 4", "games = 4\nseconds = 0", "seconds must be positive"),
        ('"connect4"', '"chess"', "there is no game 'chess'"),
        ('"uct:iterations=20"', '"uct:c=1"', "'c' is both tuned and set in 'uct:c=1'"),
        ('"start", "random"', '"start", "rondom"', "there is no player 'rondom'"),
        (
            "[objective]",
            "[objektive]",
            "there is no field 'objektive'; the fields are game, engine",
        ),
        ('game = "connect4"\n', "", "the field 'game' is missing"),
        ("game =", "game :", "Expected '='"),
    ],
)
def test_a_study_that_makes_no_sense_is_answered_in_one_sentence(
    old: str, new: str, words: str
) -> None:
    assert old in SWEEP
    with pytest.raises(ValueError, match=words) as raised:
        parse(SWEEP.replace(old, new))
    assert "\n" not in str(raised.value)


def test_more_individuals_than_there_is_memory_for_are_refused() -> None:
    report = 'preset = "report"\npopulation = 90000\nrounds = 20'
    study = parse(WEIGHTS.replace("games = 100", report))
    with pytest.raises(ValueError, match="has 94,371,840,000 individuals and 1,000,000 are the"):
        study.optimiser()


def test_weights_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no 'corner' to tune; choose from squares, disc"):
        parse(WEIGHTS.replace('"mobility"', '"corner"'))


def test_the_files_name_stands_before_what_is_wrong_with_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(SWEEP.replace("high = 1.4", "high = 0.1"))
    with pytest.raises(ValueError, match=r"mine.toml: the range of 'c' is empty"):
        load(path)
    path.write_bytes(b"\xff" * 10)
    with pytest.raises(ValueError, match=r"mine.toml: .*utf-8"):
        load(path)
    path.write_text("x" * 200_000)
    with pytest.raises(ValueError, match="larger than"):
        load(path)


STUDIES = sorted((Path(__file__).parents[2] / "studies").glob("*.toml"))


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.name)
def test_the_studies_that_ship_make_sense(path: Path) -> None:
    assert isinstance(load(path), Study)
