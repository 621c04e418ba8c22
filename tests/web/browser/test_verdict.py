"""The page's verdicts on moves are true and agree with every other surface."""

from __future__ import annotations

import itertools
import json

import pytest
from playwright.sync_api import expect

from honte.analysis.review import Remark
from honte.analysis.words import cost_words
from honte.core.report import Candidate
from honte.drawing.verdict import brief, sentence
from honte.web.games import game_of
from honte.web.position import candidates_json
from honte.web.reviewing import remark_json
from tests.cli.command import honte
from tests.slowness import slowness
from tests.web.browser.user import User

MOVE = 3
VALUES = (-1.0, -0.505, -0.01, 0.0, 0.01, 0.03, 0.1, 0.1234, 0.25, 0.99)
SCORES = (-64.0, -12.5, -9.95, -4.25, -0.5, -0.04, 0.0, 0.25, 0.35, 1.5, 2.5, 3.75, 18.0)
BOUNDS = ((-21.0, 0.0), (0.0, 21.0), (-64.0, 0.2891), (1.0, 18.0), (-2.5, 64.0), (-3.0, -1.0))
CASES = [
    *(Candidate(MOVE, value=value) for value in VALUES),
    *(Candidate(MOVE, 1000, value, low=value - 0.05, high=value + 0.11) for value in VALUES),
    *(Candidate(MOVE, value=0.2, score=score, low=0.2, high=0.2) for score in SCORES),
    *(Candidate(MOVE, 50, 0.2, score=score, low=0.1, high=0.3) for score in SCORES),
    *(Candidate(MOVE, value=0.1, kind="bound", bounds=bounds) for bounds in BOUNDS),
    Candidate(MOVE, kind="bound"),
    *(
        Candidate(MOVE, value=0, proven=proven, kind="exact", distance=plies, score=score)
        for proven, plies, score in itertools.product(
            ("win", "loss", "draw"), (0, 1, 2, 7, 42, 199, 200), (None, 0.0, 1.0, -18.0, 2.5)
        )
    ),
]


def test_figures_and_words_are_those_of_every_other_surface(user: User) -> None:
    user.open()
    for game in map(game_of, ("connect4", "othello", "go:size=9")):
        unit = game.descriptor.proof_unit or game.descriptor.unit
        given = candidates_json(game.start(), CASES, CASES)
        said = user.run(
            """async ([list, unit]) => {
              const { brief, sentence } = await import("/static/verdict.js");
              return list.map((one) => [brief(one), sentence(one, { score_unit: unit })]);
            }""",
            [given, unit],
        )
        for case, (figure, words) in zip(CASES, said, strict=True):
            assert (figure, words) == (brief(case), sentence(case, unit)), (game.name, case)


def remarks_on(move: int) -> list[Remark]:
    """Losses of every kind: proven, by estimates, with scores and without."""
    found = []
    for best, played, scores, mover in itertools.product(
        ("win", "draw", "loss", None), ("win", "draw", "loss", None),
        ((None, None), (6.0, 2.0), (2.5, -0.5), (3.25, 3.0)), (0, 1),
    ):  # fmt: skip
        found.append(
            Remark(
                number=1, mover=mover, move=move, value=-0.41, proven=played, best=move,
                best_value=0.13, best_proven=best, score=scores[1], best_score=scores[0],
                lead=None, distance=8, best_distance=5, line=[move], reply=[move], cost=0.31,
                error=0.0, lost=None, mark="mistake", forced=False, exact=bool(best and played),
            )
        )  # fmt: skip
    return found


def test_what_a_move_cost_is_said_in_the_words_of_every_other_surface(user: User) -> None:
    user.open()
    for game in map(game_of, ("connect4", "othello", "go:size=9")):
        move = game.start().legal_moves()[0]
        remarks = remarks_on(move)
        said = user.run(
            """async ([parts, movers, unit]) => {
              const { costWords } = await import("/static/costs.js");
              return parts.map((part, i) => costWords(part, { unit }, movers[i]));
            }""",
            [
                [remark_json(game.start(), remark) for remark in remarks],
                [remark.mover for remark in remarks],
                game.descriptor.unit,
            ],
        )
        for remark, words in zip(remarks, said, strict=True):
            assert words.replace("\u202f", " ") == cost_words(game, remark), (game.name, remark)


SCORED = ["−2", "−1", "0", "+1", "0", "−1", "−2"]


def test_all_columns_of_the_empty_board_are_exact_and_as_the_command_says(user: User) -> None:
    user.resume("connect4")
    user.click("analysis")
    chips = user.page.locator(".layer-thoughts .chip .big")
    expect(chips).to_have_count(7)
    by_column = {
        chip.get_attribute("data-move"): chip.locator(".big").text_content()
        for chip in user.page.locator(".layer-thoughts .chip").all()
    }
    assert [by_column[column] for column in "1234567"] == SCORED
    expect(user.page.locator(".chip.best")).to_have_count(1)
    expect(user.page.locator(".chip.best .big")).to_have_text("+1")
    rows = user.page.locator("#candidates tbody tr")
    expect(rows).to_have_count(7)
    expect(rows.first).to_contain_text("win in 21 moves")
    expect(rows.last).to_contain_text("loss in 20 moves")
    expect(user.page.locator("#verdict")).to_have_text("Proven: Red wins in 21 moves")
    expect(user.page.locator("#searched")).to_contain_text("opening book")
    told = json.loads(honte("best", "connect4", "--all", "--json").output)
    scores = {one["move"]: one["score"] for one in told["candidates"]}
    assert [scores[column] for column in "1234567"] == [-2, -1, 0, 1, 0, -1, -2]


@pytest.mark.timing
def test_the_first_exact_scores_come_at_once(user: User) -> None:
    """In the page, from the click to the seventh chip: the median of five."""
    user.resume("connect4", moves="4,4,4")
    user.click("analysis")
    expect(user.page.locator(".layer-thoughts .chip")).to_have_count(7)
    user.click("analysis")
    user.click("to-start")
    user.wait_for_ply(0)
    assert sorted(until_the_seventh_chip(user) for _ in range(5))[2] <= 150 * slowness()


def until_the_seventh_chip(user: User) -> float:
    """Milliseconds."""
    spent: float = user.page.evaluate(
        """() => new Promise((tell) => {
          const began = performance.now();
          const place = document.querySelector(".layer-thoughts");
          new MutationObserver(() => {
            if (place.children.length === 7) tell(performance.now() - began);
          }).observe(place, { childList: true });
          document.querySelector("#analysis").click();
        })"""
    )
    user.click("analysis")
    expect(user.page.locator(".layer-thoughts .chip")).to_have_count(0)
    return spent


@pytest.mark.long
def test_the_longest_resistance_is_seen_among_losses(user: User) -> None:
    """Every column loses; 5 and 7 hold out longest, and both are marked as best."""
    user.resume("connect4", moves="6,7,3,1,6,3,6,6,5,4,5")
    user.click("analysis")
    expect(user.page.locator('.chip[data-move="5"] .big')).to_have_text("−3")
    expect(user.page.locator('.chip[data-move="4"] .big')).to_have_text("−13")
    best = [chip.get_attribute("data-move") for chip in user.page.locator(".chip.best").all()]
    assert best == ["5", "7"]
    expect(user.page.locator("#candidates tbody tr.best")).to_have_count(2)
    expect(user.page.locator("#candidates tbody tr").last).to_contain_text("loss in 3 moves")


BOUNDED = [
    {"move": "4", "cell": 38, "kind": "exact", "proven": "draw", "score": 0},
    {"move": "3", "cell": 37, "kind": "bound", "bounds": [-21, 0]},
    {"move": "5", "cell": 39, "kind": "estimate", "visits": 900, "value": 0.5},
    {"move": "2", "cell": 36, "kind": "estimate"},
]


def test_a_bound_is_no_chance_and_nothing_is_said_of_an_unseen_move(user: User) -> None:
    """A bound's midpoint was drawn as a chance, and moves nobody looked at as 50 %."""
    user.resume("connect4")
    fields = {"visits": 0, "value": 0, "low": -0.1, "high": 0.1, "proven": None}
    user.run(
        """async ([list, move]) => {
          const { chips } = await import("/static/chips.js");
          const { drawCandidates } = await import("/static/candidates.js");
          const board = { x: () => 0, y: () => 0, cols: 7, shape: "columns" };
          const place = document.body.appendChild(document.createElement("div"));
          place.id = "place";
          drawCandidates(place, { report: { move, candidates: list }, game: {} });
          place.append(...chips(board, list, move, 5));
        }""",
        [[fields | one for one in BOUNDED], "4"],
    )
    texts = [
        (chip.get_attribute("data-move"), chip.locator("text").all_text_contents())
        for chip in user.page.locator("#place .chip").all()
    ]
    assert texts == [("4", ["0", "draw"]), ("3", ["≤0", ""]), ("5", ["75%", "±5"])]
    rows = user.page.locator("#place tbody tr").all()
    assert [row.locator(".verdict-cell").inner_text() for row in rows] == [
        "draw",
        "at most 0",
        "75 % to win, ± 5",
        "–",
    ]
    expect(user.page.locator("#place .best")).to_have_count(2)  # the row and the chip of one move
