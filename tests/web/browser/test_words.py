"""What the page says: results, moves, levels and errors, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import honte
from honte.submissions.versions import Versions
from honte.web import exchange, requests, uploads
from honte.web.games import game_of
from honte.web.position import read_states
from honte.web.session import check_player
from tests.web.browser.user import User


def in_chinese(user: User) -> User:
    return user.remember("language", "zh")


def test_moves_are_announced_in_words(user: User) -> None:
    user.resume("connect4", moves="4")
    user.cell(3).click()
    expect(user.page.locator("#live")).to_have_text("Yellow in column 4, row 2. Red to move")
    user.click("language")
    user.cell(3).click()
    expect(user.page.locator("#live")).to_have_text("红方下在第 4 列第 3 行。 轮到黄方")


def test_a_result_is_told_to_the_person_with_its_unit(user: User) -> None:
    moves = "1,2,1,2,1,2"
    user.resume("connect4", "person", "level:1", moves=moves)
    user.cell(0).click()
    expect(user.page.locator("#status")).to_have_text("You won")
    user.click("language")
    expect(user.page.locator("#status")).to_have_text("你赢了")


def test_a_person_who_lost_is_told_by_how_much(user: User) -> None:
    game = honte.game("othello:size=4")
    state, moves = game.start(), list[str]()
    while not state.is_over:
        moves.append(game.format(state.legal_moves()[0]))
        state = state.play(state.legal_moves()[0])
    assert state.winner is not None
    players = ["best", "best"]
    players[1 - state.winner] = "person"
    user.resume(game.spec, *players, moves=",".join(moves))
    lost = abs(int(state.score))
    expect(user.page.locator("#status")).to_have_text(f"You lost by {lost} discs")
    user.click("language")
    expect(user.page.locator("#status")).to_have_text(f"你输了 {lost} 子")


@pytest.mark.long
def test_a_level_and_a_rank_are_different_words_in_chinese(user: User) -> None:
    in_chinese(user).resume("go:size=9", "person", "level:70")
    expect(user.page.locator("#player-1 .name")).to_have_text("难度 70 · 白方")
    user.click("new")
    user.page.locator("label:has(#setup-game-go)").click()
    user.page.locator("#setup-level-0").fill("1")
    expect(user.page.locator("#setup-level-words-0")).to_contain_text("约业余 30 级")


def sentence(refused: Callable[..., Any], *given: Any) -> str:
    with pytest.raises(ValueError, match=r".") as error:
        refused(*given)
    return str(error.value)


def moves_of(spec: str, *moves: str) -> str:
    return sentence(read_states, game_of(spec), None, moves)


def sentences() -> list[str]:
    """What the server says to common mistakes."""
    made = [
        moves_of("connect4", *"4444444"),
        moves_of("connect4", "9"),
        moves_of("connect4", "x"),
        moves_of("othello", "a1"),
        moves_of("othello", "z9"),
        moves_of("go:size=5", "C3", "C3"),
        moves_of("go:size=5", "Z9"),
        moves_of("go:size=5", "pass", "pass", "A1"),
        moves_of("go:size=5", *["A1"] * 3000),
    ]
    for spec in (
        "chess",
        "connect4:rows=99",
        "connect4:foo=1",
        "connect4:rows=4,cols=4,inarow=9",
        "connect4:blocked=9/9",
        "go:ko=x",
        "go:komi=a",
        "go:suicide=maybe",
        "go:size=5,handicap=4",
    ):
        made.append(sentence(game_of, spec))
    othello = "(;GM[2];B[f5];W[z9])"
    wrong = (othello, "(;GM[2]SZ[9])", "(;GM[2]AB[z1])", "(;GM[2];B[f5]W[f6])", "(;GM[5])")
    for text in ("", "(;GM[1", "hello", "!!", "(;GM[1]SZ[9];B[zz])", *wrong):
        made.append(sentence(exchange.load, text))
    for spec, text in (("connect4", "zz"), ("othello", "zz"), ("go:size=5", "zz"), ("go", "zz X")):
        made.append(sentence(game_of(spec).from_text, text))
    made.append(sentence(check_player, "nobody", []))
    made.append(sentence(Versions(Path("/nonexistent")).pick, 3))
    made += [uploads.BUSY, uploads.BROKEN, uploads.BROKEN_COMPARISON]
    made.append(sentence(exchange.export, requests.Export(game="go", form="pdf")))
    # Positions that cannot be, and what a file leaves out.
    full = "/".join(["......."] * 5)
    for text in (f"X......{full[7:]}/....... O", f"{full}/XX..... X", f"{full}/XXXX... X"):
        made.append(sentence(game_of("connect4").from_text, text))
    made.append(sentence(exchange.load, "../.../.... X"))
    (opened,) = exchange.load("(;GM[1]SZ[9];B[ee](;W[cc])(;W[ee]))")["games"]
    made.append(opened["left_out"])
    (opened,) = exchange.load("(;GM[1]SZ[9];B[ee];W[cc];AB[dd];W[aa])")["games"]
    made.append(opened["left_out"])
    nodes = [requests.TreeNode(), requests.TreeNode(0, "f5"), requests.TreeNode(0, "d3")]
    asked = requests.Export(game="othello", moves=["f5"], form="ggf", nodes=nodes)
    made.append(exchange.export(asked)["lost"])
    return made


def test_the_common_errors_of_the_server_are_told_in_chinese(user: User) -> None:
    in_chinese(user).open()
    script = """async (words) => {
        const { serverWords } = await import("/static/words_errors.js");
        return words.map(serverWords);
    }"""
    said = sentences()
    told = user.run(script, said)
    left = [a for a, b in zip(said, told, strict=True) if a == b]
    assert left == []
    assert user.run(script, ["something else"]) == ["something else"]


def test_an_error_is_shown_in_the_language_of_the_page(user: User) -> None:
    in_chinese(user).open("#game=connect4&moves=4,4,4,4,4,4,4")
    expect(user.page.locator("#banner")).to_contain_text(
        "无法读取此对局：第 7 手：第 4 列已满；可选 1 2 3 5 6 7"
    )


@pytest.mark.parametrize(
    ("spec", "boards"),
    [
        ("connect4", 3),
        pytest.param("othello", 3, marks=pytest.mark.long),
        pytest.param("go:size=9", 6, marks=pytest.mark.long),
    ],
)
def test_help_explains_the_rules_with_small_boards(user: User, spec: str, boards: int) -> None:
    user.resume(spec)
    user.page.keyboard.press("?")
    expect(user.page.locator("dialog[open] .help-board svg")).to_have_count(boards)
    expect(user.page.locator("dialog[open] h3").first).to_contain_text("Rules: ")
    expect(user.page.locator("dialog[open]")).to_contain_text(
        "The chance to win for the side to move"
    )
    expect(user.page.locator("dialog[open] [role=gridcell]")).to_have_count(0)
    user.page.keyboard.press("Escape")
    expect(user.page.locator("dialog")).to_have_count(0)
    user.page.keyboard.press("?")
    expect(user.page.locator("dialog[open] .help-board svg")).to_have_count(boards)


@pytest.mark.long
def test_help_speaks_chinese(user: User) -> None:
    in_chinese(user).resume("othello")
    user.click("help")
    expect(user.page.locator("dialog[open] h3").first).to_have_text("规则：黑白棋")
    expect(user.page.locator(".help-rules li").first).to_contain_text("黑方先行")
