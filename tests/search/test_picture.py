"""A report as a notebook draws it."""

from __future__ import annotations

import dataclasses
import re
from xml.etree import ElementTree

import pytest

import honte
from honte.drawing.picture import MOST, marks
from tests.pictures import after


@pytest.mark.parametrize(
    ("spec", "moves"), [("connect4", "44"), ("othello", "f5"), ("go:size=5", "C3")]
)
def test_a_report_with_its_position_draws_the_board_and_names_the_moves(
    spec: str, moves: str
) -> None:
    state = after(spec, moves)
    report = honte.player("uct:iterations=200,seed=1", state.game).choose(state)
    html = report.at(state)._repr_html_()
    ElementTree.fromstring(html)  # well-formed
    assert html.count("<svg") == 1
    assert f"<b>{state.game.format(report.move)}</b>" in html
    assert len(re.findall(r"<tr style", html)) == min(MOST, len(report.candidates))


def test_a_report_alone_is_a_table_of_numbers_that_says_how_to_get_more() -> None:
    state = after("connect4")
    report = honte.player("uct:iterations=200,seed=1", state.game).choose(state)
    html = dataclasses.replace(report, state=None)._repr_html_()
    ElementTree.fromstring(html)
    assert "<svg" not in html
    assert f"<b>{report.move}</b>" in html
    assert "report.at(state)" in html


def test_the_position_does_not_make_a_report_another() -> None:
    state = after("connect4")
    report = honte.Report(3)
    assert report.at(state) == report
    assert report.at(state).state == state
    assert "state" not in repr(report.at(state))
    assert dataclasses.replace(report.at(state), value=0.5).state == state


def test_proven_results_are_marked_as_such() -> None:
    state = after("connect4", "121212")
    report = honte.player("uct:iterations=500,seed=1", state.game).choose(state)
    assert marks(report)[report.move].words == "W 1"
    assert "win in 1" in report.at(state)._repr_html_()


def test_a_report_without_candidates_is_drawn_too() -> None:
    state = after("connect4")
    html = honte.Report(2).at(state)._repr_html_()
    ElementTree.fromstring(html)
    assert "<b>3</b>" in html


def test_only_a_search_that_knows_the_chance_tells_it() -> None:
    bound = honte.Candidate(3, value=0.5, kind="bound", bounds=(0, 9))
    for report in (
        honte.Report(3, source="bot"),
        honte.Report(3, 0.5, candidates=[bound], nodes=1200),
    ):
        assert "to win" not in report._repr_html_()
    guess = honte.Report(3, 0.5, candidates=[honte.Candidate(3, value=0.5)], nodes=1200)
    assert "<b>3</b>, 75 % to win" in guess._repr_html_()
    assert "1,200 nodes in " in guess._repr_html_()
    assert "simulations" not in guess._repr_html_()


class Loud(honte.Game):
    """A game whose moves are written in markup."""

    name = "loud"
    spec = "loud"

    def start(self) -> honte.State:
        raise NotImplementedError

    def from_text(self, text: str) -> honte.State:
        raise NotImplementedError

    def format(self, move: int) -> str:
        return "<script>"


class LoudState:
    game = Loud()
    to_move, is_over, winner, score, last_move = 0, False, None, 0.0, None

    def legal_moves(self) -> list[int]:
        return [0]

    def play(self, move: int) -> LoudState:
        return self

    def to_text(self) -> str:
        return "<b>"


def test_what_a_game_writes_is_text_never_markup() -> None:
    candidates = [honte.Candidate(0, 5)]
    html = honte.Report(0, candidates=candidates, pv=[0]).at(LoudState())._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html
