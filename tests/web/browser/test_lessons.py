"""Teaching features: the exercise before a mistake, hints, and the blunder warning."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser.axe import findings
from tests.web.browser.user import User

LOST = "1,4,1,4,1,3,1"
"""Yellow lets four in a column happen: move 6 had to be column 1."""


def reviewed(user: User, spec: str = "connect4", moves: str = LOST) -> User:
    user.resume(spec, moves=moves)
    user.click("review-run")
    expect(user.page.locator(".review-item").first).to_be_visible()
    expect(user.page.locator("#review-run")).to_be_visible()
    return user


def mistake(user: User, ply: int) -> None:
    user.page.locator(f'[data-key="ply{ply}"]').click()
    user.wait_for_ply(ply - 1)


def test_a_mistake_is_seen_before_it_is_made_and_nothing_is_given_away(user: User) -> None:
    reviewed(user)
    user.click("analysis")
    mistake(user, 6)
    question = user.page.locator(".exercise-question")
    expect(question).to_contain_text("Move 6: Yellow played 3")
    expect(question).to_contain_text("→ loss")
    played = user.page.locator(".lesson-played")
    expect(played).to_have_attribute("data-played", "37")
    expect(user.page.locator(".chip")).to_have_count(0)
    expect(user.page.locator("#candidates tbody tr")).to_have_count(0)
    expect(user.page.locator(".review-list")).not_to_contain_text("better")
    expect(user.page.locator(".exercise-why")).to_have_count(0)
    user.page.keyboard.press("]")
    expect(question).not_to_contain_text("Move 6")
    user.click("to-end")
    expect(user.page.locator("#exercise")).to_be_hidden()
    expect(played).to_have_count(0)
    expect(user.page.locator("#analysis-body")).to_be_visible()


def test_a_bad_attempt_is_refuted_on_the_board_and_a_good_one_explained(user: User) -> None:
    reviewed(user)
    mistake(user, 6)
    user.cell(41).click()
    answer = user.page.locator(".exercise-answer")
    expect(answer).to_contain_text("7 is a")
    expect(answer).to_contain_text("answered by 1")
    expect(user.page.locator(".ghost text")).to_have_text(["1", "2"])
    expect(user.page.locator(".exercise-why")).to_have_count(0)
    user.cell(14).click()
    expect(answer).to_contain_text("Yes, 1 is best.")
    expect(user.page.locator(".exercise-why")).to_have_text(
        "The opponent threatens to win on 1/4; 1 stops it, 3 does not."
    )
    expect(user.page.locator(".lesson-spot")).to_have_attribute("data-spot", "14")
    expect(user.page.locator("#ply-text")).to_have_text("5 / 7")  # nothing was played
    user.click("language")
    expect(user.page.locator(".exercise-why")).to_have_text(
        "对方威胁在 1/4 获胜；1 能挡住，3 挡不住。"
    )
    expect(user.page.locator(".review-list")).to_contain_text("更好：1")


def test_the_answer_is_shown_with_its_line(user: User) -> None:
    reviewed(user)
    mistake(user, 6)
    user.page.locator('#exercise [data-key="exercise.show"]').click()
    expect(user.page.locator(".exercise-answer")).to_contain_text("Best is 1")
    expect(user.page.locator(".ghost").first).to_be_visible()
    user.page.reload()
    user.page.wait_for_selector("html[data-ready]")
    mistake(user, 6)  # the review is kept, and what it knows
    expect(user.page.locator(".lesson-played")).to_have_count(1)


def test_the_turning_point_stands_first_and_each_side_has_its_accuracy(user: User) -> None:
    reviewed(user)
    first = user.page.locator(".review-item").first
    expect(first).to_contain_text("the turning point")
    expect(first).to_contain_text("6. 3")
    accuracy = user.page.locator(".review-summary .accuracy").all_inner_texts()
    assert all(text.endswith("%") for text in accuracy)
    red, yellow = (int(text[:-1].strip()) for text in accuracy)
    assert red > yellow


def test_a_hint_says_where_to_look_and_then_the_move(user: User) -> None:
    user.resume("connect4", moves="1,4,1,4,1")
    user.click("hint")
    words = user.page.locator("#hint-words")
    expect(words).to_contain_text("Look at columns 1 to 3.")
    expect(user.page.locator(".lesson-area")).to_have_count(1)
    expect(user.page.locator(".ghost")).to_have_count(0)
    user.click("hint")
    expect(words).to_contain_text("Hint: 1 (")
    expect(user.page.locator(".ghost")).to_have_count(1)
    expect(user.page.locator("#live")).to_contain_text("Hint: 1")
    user.cell(14).click()
    user.wait_for_ply(6)
    expect(words).to_be_hidden()
    expect(user.page.locator(".lesson-area")).to_have_count(0)


def test_teaching_stops_a_blunder_until_one_is_sure(user: User) -> None:
    user.resume("connect4", "best", "person", moves="1,4,1,4,1")
    user.click("teach")
    user.cell(41).click()
    expect(user.page.locator("dialog[open]")).to_contain_text("7 would be a")
    user.click("teach-back")
    expect(user.page.locator("#ply-text")).to_have_text("5 / 5")
    user.cell(41).click()
    user.click("teach-play")
    user.wait_for_turn("over")
    expect(user.page.locator("#status")).to_have_text("You lost")


@pytest.mark.long
def test_teaching_lets_a_good_move_pass_and_is_remembered(user: User) -> None:
    user.resume("connect4", moves="1,4,1,4,1")
    user.click("teach")
    user.page.reload()
    user.page.wait_for_selector("html[data-ready]")
    expect(user.page.locator("#teach")).to_have_attribute("aria-pressed", "true")
    user.cell(14).click()
    user.wait_for_ply(6)
    expect(user.page.locator("dialog")).to_have_count(0)


def test_nobody_is_asked_while_a_clock_runs(user: User) -> None:
    clock = {"minutes": 5, "increment": 0, "left": [300_000, 300_000]}
    user.remember("teaching", True)
    user.resume("connect4", moves="1,4,1,4,1", clock=clock)
    expect(user.page.locator("#teach")).to_be_disabled()
    user.cell(41).click()
    user.wait_for_ply(6)
    expect(user.page.locator("dialog")).to_have_count(0)


@pytest.mark.long
def test_a_lesson_has_no_serious_fault_for_those_who_cannot_see(user: User) -> None:
    reviewed(user)
    mistake(user, 6)
    user.cell(41).click()
    expect(user.page.locator(".exercise-answer")).to_contain_text("7 is a")
    assert findings(user.page) == []
    user.page.locator('[data-key="exercise.show"]').focus()
    user.page.keyboard.press("Enter")  # the keys do all of it
    expect(user.page.locator(".exercise-why")).to_be_visible()
    expect(user.page.locator('[data-key="exercise.show"]')).to_be_focused()


@pytest.mark.long
def test_a_link_to_a_loss_opens_at_its_turning_point(user: User) -> None:
    user.open(f"#game=connect4&moves={LOST}&review=second")
    question = user.page.locator(".exercise-question")
    expect(question).to_contain_text("Move 6: Yellow played 3")
    expect(user.page.locator(".exercise-answer")).to_contain_text("Best is 1")
    expect(user.page.locator(".exercise-why")).to_contain_text("1 stops it, 3 does not.")
    user.click("language")
    expect(user.page.locator(".exercise-answer")).to_contain_text("最好是 1")
    expect(user.page.locator(".ghost").first).to_be_visible()
    user.click("language")
    expect(user.page.locator("#banner")).to_be_hidden()
    user.wait_for_ply(5)
    user.wait_for_address(f"#game=connect4&moves={LOST}")
    assert "review" not in user.page.url  # what is shared or reloaded is the game
    user.click("to-end")
    user.open("bots").open(f"#game=connect4&moves={LOST}&review=second")
    expect(question).to_contain_text("Move 6")  # the review is kept


@pytest.mark.long
def test_whoever_looks_elsewhere_is_not_taken_to_the_turning_point(user: User) -> None:
    user.open("#game=connect4&moves=4")
    begin = """(address) => new Promise((resolve) => {
        const banner = document.getElementById("banner");
        new MutationObserver((_, watching) => {
            watching.disconnect();
            document.getElementById("to-start").click();
            resolve(banner.textContent);
        }).observe(banner, { childList: true });
        location.hash = address;
    })"""
    said = user.page.evaluate(begin, f"#game=connect4&moves={LOST}&review=second")
    assert said == "Reviewing the game to find its turning point …"
    expect(user.page.locator(".review-item").first).to_be_visible()
    expect(user.page.locator("#review-run")).to_be_visible()
    expect(user.page.locator("#banner")).to_be_hidden()
    user.wait_for_ply(0)


@pytest.mark.long
def test_a_side_without_mistakes_is_told_so_in_both_languages(user: User) -> None:
    user.remember("language", "zh").open("#game=connect4&moves=4,1,4,1,4,2,4&review=first")
    expect(user.page.locator("#banner")).to_contain_text("复盘没有发现红方的失误。")
